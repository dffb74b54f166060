package manifest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"marketingskills/app/collection/manifest"
)

func TestDecodeRefuses(t *testing.T) {
	for name, data := range map[string]string{
		"nothing": "", "null": "null", "list": "[]", "no rows": `{"rows": []}`, "rows of another kind": `{"rows": {"ads": "2.0.1"}}`,
		"a number as name": `{"rows": [{"skill": 1}]}`, "two values": `{"rows": [{"skill": "a"}]} {}`, "a page": "<!doctype html>",
		"too large": `{"rows": [{"skill": "` + strings.Repeat("a", manifest.MaxSize) + `"}]}`, "deep": strings.Repeat("[", 1<<20),
	} {
		m, err := manifest.Decode([]byte(data))
		if err == nil || m != nil || !strings.HasPrefix(err.Error(), "reading the versions: ") {
			t.Errorf("%s: %v, %v", name, m, err)
		}
		if empty := name == "null" || name == "no rows"; errors.Is(err, manifest.ErrNoRows) != empty {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDecodeOdd: odd content is taken as it is, and answers end.
func TestDecodeOdd(t *testing.T) {
	m, err := manifest.Decode([]byte(`{"rows": [{"skill": "a"}, {"skill": "a", "version": "1.0.0"}], "unknown": 1,
		"renames": [{"old": "x", "new": "y"}, {"old": "y", "new": "x"}, {"old": "z", "new": "a"}, {"old": "z", "new": "q"}],
		"releases": [{"version": "1.0.0", "changes": null}, {"date": "never"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if row, ok := m.Row("a"); !ok || row.Version != "" {
		t.Errorf("row %v, %v", row, ok)
	}
	if m.Current("x") != "" || m.Current("z") != "a" || len(m.Since("0.0.1")) != 1 || len(m.Touching("z")) != 0 {
		t.Errorf("answers of %+v", m)
	}
}

// TestDecodeChain: a long chain of renames costs no more than as many short
// ones.
func TestDecodeChain(t *testing.T) {
	var renames []manifest.Rename
	name := func(i int) string {
		return "n" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + time.Duration(i).String()
	}
	for i := range 20_000 {
		renames = append(renames, manifest.Rename{Old: name(i), New: name(i + 1)})
	}
	data, err := json.Marshal(manifest.New([]manifest.Row{{Skill: name(20_000)}}, nil, renames))
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	m, err := manifest.Decode(bytes.TrimSpace(data))
	if err != nil || m.Current(name(0)) != name(20_000) || time.Since(start) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}
