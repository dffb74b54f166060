package madeup

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"marketingskills/app/verify/verifytest"
)

// Dialect is how the service speaks, for [verifytest.TestVerifier].
var Dialect = verifytest.Dialect{New: New, Words: states, Result: resultJSON, Account: accountJSON, Failure: failureJSON, Kinds: kinds}

const accountJSON = `{"holder":"Ann of Madeup","plan":"monthly","key":"for nobody else"}`

func resultJSON(address, verdict string) string {
	return toJSON(map[string]any{"email": address, "verdict": verdict, "reason": "asked", "checked": 1793700000})
}

func failureJSON(words string) string { return toJSON(map[string]any{"message": words}) }

func toJSON(fields map[string]any) string {
	data, err := json.Marshal(fields)
	if err != nil {
		return err.Error() // strings and numbers have none
	}
	return string(data)
}

// verdicts are what the fake says of an email, by the part before the @ up to a
// dot; everybody else is deliverable.
var verdicts = map[string]string{
	"gone": "undeliverable", "any": "catch-all", "doubtful": "doubtful", "silent": "no answer", "trap": "trap",
}

// Fake plays the service, which takes one key. The emails of "broke" and "busy"
// are answered as if the account had no credits left, or too many requests came.
func Fake(key string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address, checking := strings.CutPrefix(r.URL.Path, "/check/")
		local, _, _ := strings.Cut(address, "@")
		kind, _, _ := strings.Cut(local, ".")
		verdict, ok := verdicts[kind]
		if !ok {
			verdict = "deliverable"
		}
		status, body := http.StatusOK, resultJSON(address, verdict)
		switch {
		case r.Header.Get("X-Api-Key") != key:
			status, body = http.StatusForbidden, failureJSON("this key is unknown")
		case r.Method == http.MethodGet && r.URL.Path == "/whoami":
			body = accountJSON
		case r.Method != http.MethodGet || !checking:
			status, body = http.StatusNotFound, failureJSON("there is nothing here")
		case kind == "broke":
			status, body = http.StatusPaymentRequired, failureJSON("add credits")
		case kind == "busy":
			w.Header().Set("Retry-After", "3600")
			status, body = http.StatusTooManyRequests, failureJSON("slow down")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}
