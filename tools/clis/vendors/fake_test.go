package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"marketingskills/tools/internal/version"
)

// key is that of the fake vendor. It is nowhere in what the command writes.
const key = "sk-story+key/0123456789abcdef"

// testKey is one with which no money moves.
const testKey = "sk-test_0123456789"

// table is the fake vendor's; @BASE@ stands for its URL.
const table = `{
  "name": "Fake", "category": "Data Enrichment", "base": "@BASE@/v1", "docs": "https://docs.example/api", "checked": "2026-11-22",
  "auth": {"env": "FAKE_API_KEY", "header": "X-Fake-Key", "test": ["sk-test_", "rk-test_"]}, "message": "errors.0.details", "failed": ["failed", "data.refused.why"],
  "operations": [
    {"name": "account", "does": "show the account", "request": "GET /account"},
    {"name": "echo", "does": "show the request", "request": "GET /echo/{id}", "query": ["q", "limit:integer", "tags[]:list", "fields:list"], "fixed": {"engine": "web"}},
    {"name": "save", "does": "save a person", "request": "PUT /echo/{id}", "body": ["properties.email*", "properties.tags:list", "score:number", "active:boolean", "raw:json", "note"], "fixed": {"properties.type": "person"}, "effect": "changes"},
    {"name": "pay", "does": "pay somebody", "request": "POST /echo/pay", "form": ["amount*:number", "to[]:list", "note"], "effect": "spends"},
    {"name": "send", "does": "send a message", "request": "POST /echo/send", "body": ["to*", "text"], "effect": "sends"},
    {"name": "remove", "does": "remove a person", "request": "DELETE /people/{id}", "effect": "deletes"},
    {"name": "offset", "does": "list by offset", "request": "GET /offset", "items": "data.people", "paging": {"offset": "skip"}},
    {"name": "total", "does": "list by offset with a total", "request": "GET /offset", "items": "data.people", "paging": {"offset": "skip", "total": "data.total"}},
    {"name": "page", "does": "list by page", "request": "GET /page", "paging": {"page": "page"}},
    {"name": "page-zero", "does": "list by page from 0", "request": "GET /page-zero", "items": "people", "paging": {"page": "page", "first": 0, "total": "pages"}},
    {"name": "cursor", "does": "list by cursor", "request": "POST /cursor", "body": ["q"], "items": "people", "paging": {"cursor": "paging.after", "next": "next.after"}},
    {"name": "last", "does": "list by last row", "request": "GET /last", "query": ["after"], "items": "people", "paging": {"cursor": "after", "last": "id", "more": "has_more"}},
    {"name": "next", "does": "list by URL", "request": "GET /next", "items": "people", "paging": {"next": "links.next"}},
    {"name": "link", "does": "list by header", "request": "GET /link", "paging": {"link": true}},
    {"name": "buy", "does": "buy rows", "request": "GET /offset", "items": "data.people", "paging": {"offset": "skip"}, "effect": "spends"},
    {"name": "coupon", "does": "lower a price", "request": "POST /echo/coupon", "query": ["email", "phone", "user", "area"], "body": ["off:integer", "kind", "days:list"], "fixed": {"deep": {"x": "<1>"}}, "one_of": [["email", "phone", "user+area"]], "effect": "discounts"}
  ],
  "params": {
    "off": {"means": "share of the price", "min": 1, "max": 99, "default": "10"},
    "coupon kind": {"means": "how often it counts", "values": ["once", "forever"]},
    "days": {"values": ["mon", "tue"]},
    "skip": {"means": "rows before the first"}
  }
}`

// basic is the table of the same vendor for those who prefer HTTP Basic.
const basic = `{
  "name": "Basic", "category": "Email", "base": "@BASE@/v1", "docs": "https://docs.example/api", "checked": "2026-11-22",
  "auth": {"env": "FAKE_API_KEY", "basic": true, "user_env": "FAKE_USER"},
  "operations": [{"name": "account", "does": "show the account", "request": "GET /account"}]
}`

// fake is a vendor with five people, two a page, and with faults.
type fake struct {
	mu    sync.Mutex
	base  string
	fault string // see answer
	wait  string // Retry-After
	after int    // requests without the fault
	times int    // requests with it; 0 is without end
	seen  int
	wrong []string // what a client must not do
}

var people = []string{
	`{"id": "p1", "name": "Ada", "company": {"name": "Ledgerloop"}, "score": -1.50, "tags": ["a", "b"]}`,
	`{"id": "p2", "name": "=cmd()", "company": null, "score": 12345678901234567890}`,
	`{"id": "p3", "name": "Zoë \u202e\u001b[2J\u009b; x", "company": {"name": "A, B"}, "vip": true}`,
	`{"id": "p4", "api_key": "sk-of-somebody-else", "auth": {"token": "t-1", "tokens": ["t-2"], "page_token": "p-3"}}`,
	`{"id": "p5", "name": "Eve"}`,
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.seen++
	user, password, _ := r.BasicAuth()
	if !slices.Contains([]string{key, testKey}, r.Header.Get("X-Fake-Key")) && (user != "ann" || password != key) || r.Header.Get("User-Agent") != "vendors/"+version.Number() {
		f.wrong = append(f.wrong, fmt.Sprintf("%s %s with %v", r.Method, r.URL, r.Header))
	}
	if strings.Contains(r.RequestURI, key) || strings.Contains(r.RequestURI, "sk-story") {
		f.wrong = append(f.wrong, r.RequestURI)
	}
	fault := f.fault
	if f.seen <= f.after || f.times > 0 && f.seen > f.after+f.times {
		fault = ""
	}
	f.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "application/json")
	if fault == "" {
		f.serve(w, r, body)
		return
	}
	f.fail(w, r, fault)
}

// fail answers with a fault: a status, or one of these words.
func (f *fake) fail(w http.ResponseWriter, r *http.Request, fault string) {
	switch fault {
	case "drop":
		panic(http.ErrAbortHandler)
	case "slow":
		<-r.Context().Done()
	case "html":
		io.WriteString(w, "<!doctype html><h1>Welcome</h1>")
	case "broken":
		io.WriteString(w, `{"people": [`)
	case "short":
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, `{"people": [`)
	case "huge":
		io.WriteString(w, `["`+strings.Repeat("x", maxResponse)+`"]`)
	case "empty":
		w.WriteHeader(http.StatusNoContent)
	case "failed":
		fmt.Fprintf(w, `{"failed": 40001, "errors": [{"details": "it was %s"}]}`, key)
	case "failed-inside":
		io.WriteString(w, `{"data": {"refused": {"why": "the channel is locked"}}}`)
	case "plain":
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, "no such thing, "+key+strings.Repeat(" and more", 100))
	case "elsewhere":
		http.Redirect(w, r, "http://localhost.example/v1/account?of=us", http.StatusFound)
	case "other-port":
		http.Redirect(w, r, "http://127.0.0.1:1/v1/account", http.StatusTemporaryRedirect)
	case "get":
		http.Redirect(w, r, "/v1/moved", http.StatusFound)
	case "landed":
		http.Redirect(w, r, "/v1/landed?api_key="+url.QueryEscape(key), http.StatusFound)
	case "moved", "circle":
		to := "/v1/moved"
		if fault == "circle" {
			to += strconv.Itoa(f.seen)
		}
		http.Redirect(w, r, to, http.StatusPermanentRedirect)
	case "same-page":
		io.WriteString(w, `{"people": [{"id": "p1"}], "data": {"people": [{"id": "p1"}]}, "next": {"after": "c1"}, "links": {"next": "/v1/next?n=1"}}`)
	case "same-next":
		fmt.Fprintf(w, `{"people": [{"id": "p%d"}], "next": {"after": "c1"}}`, f.requests())
	case "next-elsewhere":
		fmt.Fprintf(w, `{"people": [{"id": "p1"}], "links": {"next": "http://localhost.example/v1/next?n=1"}}`)
	case "next-https":
		fmt.Fprintf(w, `{"people": [{"id": "p1"}], "links": {"next": "%s/v1/next?n=1"}}`, strings.Replace(f.base, "http:", "https:", 1))
	case "next-key":
		fmt.Fprintf(w, `{"people": [{"id": "p1"}], "links": {"next": "/v1/next?api_key=%s"}}`, strings.ReplaceAll(strings.ReplaceAll(key, "+", "%2B"), "/", "%2F"))
	case "endless":
		fmt.Fprintf(w, `{"people": [{"id": "p%d"}]}`, f.requests())
	case "text":
		io.WriteString(w, `{"people": 5, "data": {}}`)
	default:
		status, _ := strconv.Atoi(fault)
		if f.wait == "date" {
			w.Header().Set("Retry-After", time.Now().Add(4*time.Second).UTC().Format(http.TimeFormat))
		} else if f.wait != "" {
			w.Header().Set("Retry-After", f.wait)
		}
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"errors": [{"details": "it was %s\u001b[2J %s"}], "token": "t-9"}`, key, r.Header.Get("Authorization"))
	}
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request, body []byte) {
	page := func(from int) (rows string, more bool) {
		from = min(max(from, 0), len(people))
		to := min(from+2, len(people))
		return "[" + strings.Join(people[from:to], ",") + "]", to < len(people)
	}
	number := func(name string) int { n, _ := strconv.Atoi(r.FormValue(name)); return n }
	next := func(from int) string {
		if _, more := page(from); !more {
			return "null"
		}
		return fmt.Sprintf(`"%s/v1/next?n=%d"`, map[int]string{0: f.base}[from], from+2) // an absolute one, then a relative one
	}
	switch path := strings.TrimPrefix(r.URL.Path, "/v1"); {
	case path == "/account":
		fmt.Fprintf(w, `{"data": {"name": "Ada", "zeta": 1.50, "alpha": [], "key_of": %q, "api_key": "sk-another", "secret": ""}}`, key)
	case path == "/moved":
		io.WriteString(w, `{"moved": true}`)
	case strings.HasPrefix(path, "/echo/"):
		var parsed any
		if json.Unmarshal(body, &parsed) != nil {
			parsed = string(body)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"method": r.Method, "uri": r.RequestURI, "type": r.Header.Get("Content-Type"), "body": parsed})
	case strings.HasPrefix(path, "/people/"):
		w.WriteHeader(http.StatusNoContent)
	case path == "/offset":
		rows, _ := page(number("skip"))
		fmt.Fprintf(w, `{"data": {"people": %s, "total": %d}}`, rows, len(people))
	case path == "/page":
		rows, _ := page(2 * (max(number("page"), 1) - 1))
		io.WriteString(w, rows)
	case path == "/page-zero":
		rows, _ := page(2 * number("page"))
		fmt.Fprintf(w, `{"people": %s, "pages": 3}`, rows)
	case path == "/cursor":
		var asked struct{ Paging struct{ After string } }
		_ = json.Unmarshal(body, &asked)
		from, _ := strconv.Atoi(strings.TrimPrefix(asked.Paging.After, "c"))
		rows, more := page(from)
		after := fmt.Sprintf(`{"after": "c%d"}`, from+2)
		if !more {
			after = "null"
		}
		fmt.Fprintf(w, `{"people": %s, "next": %s}`, rows, after)
	case path == "/last":
		from, _ := strconv.Atoi(strings.TrimPrefix(r.FormValue("after"), "p"))
		rows, more := page(from)
		fmt.Fprintf(w, `{"people": %s, "has_more": %v}`, rows, more)
	case path == "/next":
		rows, _ := page(number("n"))
		fmt.Fprintf(w, `{"people": %s, "links": {"next": %s}}`, rows, next(number("n")))
	case path == "/link":
		rows, more := page(number("n"))
		if more {
			w.Header().Set("Link", fmt.Sprintf(`<%s/v1/link?n=0>; rel="first", <%[1]s/v1/link?n=%d>; rel="next"`, f.base, number("n")+2))
		}
		io.WriteString(w, rows)
	default:
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, `{}`)
	}
}
