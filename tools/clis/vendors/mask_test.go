package main

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestMask masks texts and numbers; true, false, null and what is empty stay.
func TestMask(t *testing.T) {
	var m mask
	m.add("1234567890123", "OWN_KEY")
	for _, test := range []struct{ raw, masked string }{
		{`{"token":"t","name":"n"}`, `{"token":"[secret]","name":"n"}`},
		{`{"token":123456,"id":123456}`, `{"token":"[secret]","id":123456}`},
		{`{"secret":{"a":[1.50,"b"]},"api_key":0}`, `{"secret":{"a":["[secret]","[secret]"]},"api_key":"[secret]"}`},
		{`{"id":1234567890123,"ids":[99123456789012399]}`, `{"id":"[OWN_KEY]","ids":["99[OWN_KEY]99"]}`},
		{`{"token":null,"secret":true,"password":false,"cookie":""}`, `{"token":null,"secret":true,"password":false,"cookie":""}`},
		{`[1.50,98765432109876543210,-1e5]`, `[1.50,98765432109876543210,-1e5]`},
	} {
		if got := compact(m.json([]byte(test.raw))); got != test.masked {
			t.Errorf("%s is masked as\n%s, want\n%s", test.raw, got, test.masked)
		}
	}
	m.show = true
	if raw := `{"token":1234567890123,"secret":"s"}`; compact(m.json([]byte(raw))) != raw {
		t.Errorf("with --show-secrets, %s is masked", raw)
	}
}

func compact(raw []byte) string {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return err.Error()
	}
	return b.String()
}
