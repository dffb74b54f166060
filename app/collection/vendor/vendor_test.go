package vendor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/finding/findingtest"
)

// sample is a table in order, with something of everything.
const sample = `{
  "name": "Sample",
  "base": "https://{SAMPLE_DC}.api.example.com/v2",
  "docs": "https://example.com/docs",
  "checked": "2026-11-22",
  "auth": {"env": "SAMPLE_API_KEY", "header": "X-API-KEY"},
  "headers": {"Revision": "2026-07-15"},
  "message": "errors.0.details",
  "failed": ["code"],
  "operations": [
    {"name": "account", "does": "show the account", "request": "GET /account"},
    {"name": "people", "does": "list people", "request": "GET /lists/{list}/people", "query": ["limit:integer", "tags[]:list", "fields:list", "filter:json", "page[size]:integer"], "fixed": {"engine": "web", "n": 5}, "items": "data.people", "paging": {"offset": "offset", "total": "meta.all"}},
    {"name": "search", "does": "search people", "request": "POST /people:search", "body": ["query*", "properties.email", "properties.tags:list", "score:number"], "fixed": {"properties.type": "a&b", "deep": {"x": [1]}}, "paging": {"cursor": "after", "next": "next"}, "effect": "spends"},
    {"name": "find", "does": "find people", "request": "POST /find", "body": [], "fixed": {"all": true}},
    {"name": "pay", "does": "pay", "request": "POST /pay", "form": ["amount:number", "to[]:list", "note"], "effect": "spends"},
    {"name": "next-url", "does": "list by URL", "request": "GET /a", "paging": {"next": "links.next"}},
    {"name": "by-link", "does": "list by link", "request": "GET /b", "paging": {"link": true}},
    {"name": "by-last", "does": "list by row", "request": "GET /c", "query": ["key_id"], "paging": {"cursor": "page_token", "last": "id", "more": "has_more"}},
    {"name": "by-page", "does": "list by page", "request": "GET /d", "query": ["page:integer"], "paging": {"page": "page", "first": 0}},
    {"name": "rename", "does": "rename a person", "request": "PATCH /people/{id}", "body": ["name*", "key"], "effect": "changes"},
    {"name": "send", "does": "send a message", "request": "POST /messages", "query": ["test:boolean"], "effect": "sends"},
    {"name": "remove", "does": "remove a person", "request": "DELETE /people/{id}", "effect": "deletes"}
  ]
}
`

func parse(t *testing.T, table string) *Table {
	t.Helper()
	list := &finding.List{File: "x.json"}
	parsed, ok := Parse([]byte(table), list)
	if !ok || len(list.All) > 0 {
		t.Fatalf("findings: %v", list.All)
	}
	return parsed
}

func TestFindings(t *testing.T) {
	parse(t, sample)
	const account = `{"name": "account", "does": "show the account", "request": "GET /account"}`
	for _, c := range []struct{ old, new, want string }{
		// What is not a table.
		{"{\n", "", "x.json:1 vendor-table"}, {"\n}\n", "\n}{}", "x.json:24 vendor-table"}, {"Sample", "\xff", "x.json vendor-table"},
		{`"Sample"`, `["Sample"]`, "x.json vendor-table"}, {sample, "null", "x.json vendor-table"}, {sample, "", "x.json:1 vendor-table"},
		{`"docs"`, `"dox": 1, "docs"`, "x.json vendor-table"}, {"Sample", strings.Repeat("x", maxSize), "x.json vendor-table"},
		// Keys.
		{`"docs"`, `"name": "Sample", "docs"`, "x.json:4 vendor-table"}, {`"checked"`, `"Checked"`, "x.json:5 vendor-table"},
		{`{"engine"`, `{"n": 6, "engine"`, "x.json:12 vendor-table"}, {`{"engine"`, `{"Engine"`, ""},
		{`"docs"`, `"name": "Sample", "dox": 1, "docs"`, "x.json:4 vendor-table x.json vendor-table"},
		// The head.
		{`"Sample"`, `""`, "x.json:2 vendor-table"}, {`"Sample"`, `"a\u001b[2J"`, "x.json:2 vendor-table"},
		{`https://{SAMPLE_DC}.api`, `http://api`, "x.json:3 vendor-table"}, {"com/v2", "com/v2/", "x.json:3 vendor-table"},
		{`https://{SAMPLE_DC}.api.example.com`, `http://127.0.0.1:80`, ""}, {`https://{SAMPLE_DC}.api.example.com`, `http://[::1]`, ""},
		{`{SAMPLE_DC}.api`, `ann@api`, "x.json:3 vendor-table"}, {"com/v2", "com/v2?key=", "x.json:3 vendor-table"},
		{`https://{SAMPLE_DC}.api.example.com/v2`, "", "x.json:3 vendor-table"}, {`https://{S`, `ftp://{S`, "x.json:3 vendor-table"},
		{"{SAMPLE_DC}", "{SAMPLE_API_KEY}", "x.json:3 vendor-secret"}, {"{SAMPLE_DC}", "{SAMPLE_TOKEN_2}", "x.json:3 vendor-secret"},
		{"{SAMPLE_DC}", "{sample}", "x.json:3 vendor-table"}, {`"https://example.com/docs"`, `"http://example.com"`, "x.json:4 vendor-table"},
		{"2026-11-22", "2026-11-31", "x.json:5 vendor-table"}, {"errors.0", "errors..0", "x.json:8 vendor-table"}, {`"code"`, `"a b"`, "x.json:9 vendor-table"},
		{`"Revision"`, `"X-Token"`, "x.json:7 vendor-secret"}, {`"Revision"`, `"x-api-key"`, "x.json:7 vendor-secret"},
		{`"Revision"`, `"two words"`, "x.json:7 vendor-table"}, {`"2026-07-15"`, `"a\nb"`, "x.json:7 vendor-table"},
		// How the key travels.
		{`"SAMPLE_API_KEY"`, `"sample"`, "x.json:6 vendor-table"}, {`"X-API-KEY"`, `"X API"`, "x.json:6 vendor-table"},
		{`, "header": "X-API-KEY"`, `, "basic": true`, ""}, {`, "header": "X-API-KEY"`, `, "basic": true, "user": ""`, ""},
		{`, "header": "X-API-KEY"`, `, "basic": true, "user_env": "SAMPLE_USER"`, ""}, {`"X-API-KEY"`, `"X-API-KEY", "prefix": "Bearer "`, ""},
		{`, "header": "X-API-KEY"`, `, "basic": true, "prefix": "a"`, "x.json:6 vendor-table"}, {`"X-API-KEY"`, `"X-API-KEY", "basic": true`, "x.json:6 vendor-table"},
		{`"X-API-KEY"`, `"X-API-KEY", "user": "a"`, "x.json:6 vendor-table"}, {`"X-API-KEY"`, `"X-API-KEY", "prefix": "sk-0123456789abcdef0123456789"`, "x.json:6 vendor-table"},
		{`, "header": "X-API-KEY"`, `, "basic": true, "user": "a", "user_env": "B"`, "x.json:6 vendor-table"},
		{`, "header": "X-API-KEY"`, `, "basic": true, "user": "a:b"`, "x.json:6 vendor-table"},
		{`, "header": "X-API-KEY"`, `, "basic": true, "user_env": "SAMPLE_API_KEY"`, "x.json:6 vendor-table"},
		// Operations.
		{`"name": "people"`, `"name": "People"`, "x.json:12 vendor-table"}, {`"name": "people"`, `"name": "account"`, "x.json:12 vendor-table"},
		{`"does": "list people"`, `"does": "List people."`, "x.json:12 vendor-table"}, {`"GET /account"`, `"HEAD /account"`, "x.json:11 vendor-table"},
		{`"GET /account"`, `"GET account"`, "x.json:11 vendor-table"}, {`"GET /account"`, `"GET /account?x=1"`, "x.json:11 vendor-table"},
		{`{list}`, `{List}`, "x.json:12 vendor-table"}, {`{list}`, `{token}`, "x.json:12 vendor-secret"}, {`{list}`, `{key}`, "x.json:12 vendor-secret"},
		{`{list}`, `{SAMPLE_API_KEY}`, "x.json:12 vendor-secret"}, {`{list}`, `{SAMPLE_ACCOUNT}`, ""}, {`{list}/people`, `{list}/{list}`, "x.json:12 vendor-table"},
		{"data.people", ".people", "x.json:12 vendor-table"}, {`"form": ["am`, `"body": [], "form": ["am`, "x.json:15 vendor-table"},
		{`"GET /account"`, `"GET /account", "body": []`, "x.json:11 vendor-table"}, {account, `null`, "x.json:11 vendor-table x.json:11 vendor-table x.json:11 vendor-table"},
		{`"effect": "sends"`, `"effect": "posts"`, "x.json:21 vendor-table"}, {`"GET /account"`, `"GET /account", "effect": "spends"`, ""},
		{`"GET /account"`, `"GET /account", "effect": "changes"`, "x.json:11 vendor-table"}, {`"GET /account"`, `"GET /account", "effect": "sends"`, "x.json:11 vendor-table"},
		{`"GET /account"`, `"GET /account", "effect": "deletes"`, "x.json:11 vendor-table"}, {`"GET /account"`, `"PUT /account"`, "x.json:11 vendor-table"},
		{`, "effect": "deletes"`, ``, "x.json:22 vendor-table"}, {`"effect": "deletes"`, `"effect": "changes"`, "x.json:22 vendor-table"},
		{`, "effect": "changes"`, ``, "x.json:20 vendor-table"},
		// Parameters.
		{"limit:integer", "limit:int", "x.json:12 vendor-table"}, {"limit:integer", "limit integer", "x.json:12 vendor-table"},
		{"limit:integer", "*", "x.json:12 vendor-table"}, {"limit:integer", "fields", "x.json:12 vendor-table"}, {"limit:integer", "list", "x.json:12 vendor-table"},
		{"limit:integer", "engine", "x.json:12 vendor-table"}, {"limit:integer", "api_key", "x.json:12 vendor-secret"}, {"limit:integer", "KEY", "x.json:12 vendor-secret"},
		{"limit:integer", "access_token", "x.json:12 vendor-secret"}, {"limit:integer", "Token", "x.json:12 vendor-secret"},
		{`"note"`, `"token"`, ""}, {`"note"`, `"api_key"`, "x.json:15 vendor-secret"}, {"score:number", "key", ""}, {"limit:integer", "page_token", ""}, {`"engine"`, `"password"`, "x.json:12 vendor-secret"},
		{"score:number", "client.secret", "x.json:13 vendor-secret"}, {"score:number", "properties", "x.json:13 vendor-table x.json:13 vendor-table x.json:13 vendor-table"},
		{"score:number", "deep.y", "x.json:13 vendor-table"}, {`"web"`, `{"a": 1}`, "x.json:12 vendor-table"}, {`"web"`, `null`, "x.json:12 vendor-table"},
		// Paging.
		{`"offset": "offset"`, `"offset": "offset", "link": true`, "x.json:12 vendor-table"}, {`{"link": true}`, `{}`, "x.json:17 vendor-table"},
		{`"last": "id", `, ``, "x.json:18 vendor-table"}, {`"last": "id"`, `"last": "id", "next": "x"`, "x.json:18 vendor-table"},
		{`{"link": true}`, `{"link": true, "first": 1}`, "x.json:17 vendor-table"}, {`{"link": true}`, `{"link": true, "last": "id"}`, "x.json:17 vendor-table"},
		{`{"link": true}`, `{"link": true, "total": "n"}`, "x.json:17 vendor-table"}, {`"links.next"`, `"links next"`, "x.json:16 vendor-table"},
		{`"next": "next"}, "effect": "spends"`, `"next": "next"}, "effect": "sends"`, "x.json:13 vendor-table"}, {`"GET /b"`, `"POST /b"`, "x.json:17 vendor-table"},
		{`"page_token"`, `"token"`, "x.json:18 vendor-secret"},
		{sample[strings.Index(sample, "[\n"):strings.LastIndex(sample, "\n}")], "[]", "x.json:10 vendor-table"},
	} {
		if strings.Count(sample, c.old) != 1 {
			t.Fatalf("%q does not stand once in the sample", c.old)
		}
		list := &finding.List{File: "x.json"}
		if _, ok := Parse([]byte(strings.Replace(sample, c.old, c.new, 1)), list); ok != (c.want == "") {
			t.Errorf("%s: ok is %v", c.new, ok)
		}
		var want []string
		for words := strings.Fields(c.want); len(words) > 0; words = words[2:] {
			want = append(want, words[0]+" "+words[1])
		}
		t.Run(c.new, func(t *testing.T) { findingtest.Expect(t, list.All, want...) })
	}
}

func values(pairs ...string) map[string]string {
	all := map[string]string{}
	for _, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		all[name] = value
	}
	return all
}

// env has every variable set to its name in lower case.
func env(name string) string { return strings.ToLower(name) }

func TestCall(t *testing.T) {
	table := parse(t, sample)
	const base = "https://sample_dc.api.example.com/v2"
	for _, c := range []struct {
		operation string
		values    map[string]string
		want      string
	}{
		{"account", nil, "GET " + base + "/account"},
		{"people", values("list=a/b ?", "limit=007", "tags[]=x, y&z", "fields=a,b\nc", `filter={"a": 1}`, "page[size]=5"),
			"GET " + base + "/lists/a%2Fb%20%3F/people?engine=web&fields=a%2Cb%2Cc&filter=%7B%22a%22%3A%201%7D&limit=7&n=5&page%5Bsize%5D=5&tags%5B%5D=x&tags%5B%5D=y%26z"},
		{"people", values("list=é", "offset=20"), "GET " + base + "/lists/%C3%A9/people?engine=web&n=5&offset=20"},
		{"search", values("query=<a> & {b}", "properties.email=ada@example.com", "properties.tags=a,b", "score=1.50", "after=c1"),
			"POST " + base + `/people:search {"after":"c1","deep":{"x":[1]},"properties":{"email":"ada@example.com","tags":["a","b"],"type":"a&b"},"query":"<a> & {b}","score":1.50}`},
		{"search", values("query=x", "properties.tags="), "POST " + base + `/people:search {"deep":{"x":[1]},"properties":{"tags":[],"type":"a&b"},"query":"x"}`},
		{"find", nil, "POST " + base + `/find {"all":true}`},
		{"pay", values("amount=1e2", "to[]=a,b", "note=c d"), "POST " + base + "/pay amount=1e2&note=c+d&to%5B%5D=a&to%5B%5D=b"},
		{"by-page", values("page=3"), "GET " + base + "/d?page=3"},
		{"send", values("test=true"), "POST " + base + "/messages?test=true"},
		{"remove", values("id={list}"), "DELETE " + base + "/people/%7Blist%7D"},
	} {
		call, err := table.Call(table.Operation(c.operation), c.values, env)
		if err != nil {
			t.Errorf("%s: %v", c.operation, err)
			continue
		}
		if got := strings.TrimSpace(call.Method + " " + call.URL + " " + string(call.Body)); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.operation, got, c.want)
		}
		if call.Header.Get("Revision") != "2026-07-15" || len(call.Unset) > 0 {
			t.Errorf("%s: %v, not set: %v", c.operation, call.Header, call.Unset)
		}
	}
	call, err := table.Call(table.Operation("account"), nil, func(string) string { return " " })
	if err != nil || call.URL != "https://{SAMPLE_DC}.api.example.com/v2/account" || !slices.Equal(call.Unset, []string{"SAMPLE_DC"}) {
		t.Errorf("without the variable: %+v, %v", call, err)
	}
	for _, value := range []string{"https://us1", "us1/", "ann@us1", "..", "us1?x"} {
		if _, err := table.Call(table.Operation("account"), nil, func(string) string { return value }); err == nil || !strings.HasPrefix(err.Error(), "SAMPLE_DC is not letters") {
			t.Errorf("%s: %v", value, err)
		}
	}
}

func TestCheck(t *testing.T) {
	table := parse(t, sample)
	for _, c := range []struct {
		operation string
		values    map[string]string
		want      string
	}{
		{"account", values("limit=1"), "unknown parameter limit; account takes no parameters"},
		{"people", values("limti=1"), "unknown parameter limti; did you mean limit?; people takes list, limit, tags[], fields, filter, page[size] and offset"},
		{"people", values("limit=x", "filter={", "offset=-"), `limit must be a whole number, not "x"; filter must be JSON, not "{"; offset must be a whole number, not "-"; missing list`},
		{"people", values("list=.."), `list cannot be ".."`}, {"people", values("list="), `list cannot be ""`},
		{"search", values("query=", "score=inf"), `query cannot be ""; score must be a number, not "inf"`}, {"search", nil, "missing query"},
		{"search", values("query=x", "score=0x1"), `score must be a number, not "0x1"`},
		{"rename", nil, "missing id and name"}, {"send", values("test=yes"), `test must be true or false, not "yes"`},
	} {
		o := table.Operation(c.operation)
		if err := o.Check(c.values); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.operation, err, c.want)
		}
		if _, err := table.Call(o, c.values, env); err == nil {
			t.Errorf("%s: there is a request", c.operation)
		}
	}
}

func TestAuth(t *testing.T) {
	user := "any"
	for _, c := range []struct {
		auth Auth
		want string
	}{
		{Auth{Header: "X-Key"}, "X-Key: k"}, {Auth{Header: "Authorization", Prefix: "Bearer "}, "Authorization: Bearer k"},
		{Auth{Basic: true}, "Authorization: Basic azo="}, {Auth{Basic: true, User: new(string)}, "Authorization: Basic Oms="},
		{Auth{Basic: true, User: &user}, "Authorization: Basic YW55Oms="}, {Auth{Basic: true, UserEnv: "ANN"}, "Authorization: Basic YW5uOms="},
	} {
		header, value := c.auth.HeaderValue("k", env)
		if got := header + ": " + value; got != c.want {
			t.Errorf("%+v: %s, want %s", c.auth, got, c.want)
		}
	}
}

func TestSecretName(t *testing.T) {
	for _, name := range strings.Fields("token api_key apiKey APIKEY hapikey access_token accessToken client_secret password Passwords X-Api-Key X-Postmark-Server-Token " +
		"ApiTokens refresh.token private-key jwt Authorization tokens[] writeKey") {
		if !SecretName(name) {
			t.Errorf("%s is no secret", name)
		}
	}
	for _, name := range strings.Fields("key keyword page_token nextPageToken next_token cursor token_type tokens_used secretary key_id monkey name sync_token has_password_set") {
		if SecretName(name) {
			t.Errorf("%s is a secret", name)
		}
	}
}

// FuzzParse: see law.
func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(strings.Replace(sample, `"header": "X-API-KEY"`, `"basic": true, "user_env": "SAMPLE_USER"`, 1)))
	f.Fuzz(law)
}

// FuzzFields: see law. The table is always one, with fields that may be wrong.
func FuzzFields(f *testing.F) {
	f.Add("https://{SAMPLE_DC}.example.com/v1", "X-API-KEY", "Bearer ", "POST /lists/{list}", "limit*:integer", "engine", "after", "revision")
	f.Add("http://localhost:1", "k", "", "GET /{A}/x", "page[size]", "n", "offset", "Accept")
	f.Fuzz(func(t *testing.T, base, header, prefix, request, query, fixed, cursor, other string) {
		data, err := json.Marshal(map[string]any{
			"name": "A", "base": base, "docs": "https://a.example", "checked": "2026-01-01",
			"auth": map[string]any{"env": "A_KEY", "header": header, "prefix": prefix}, "headers": map[string]any{other: "x"},
			"operations": []any{map[string]any{"name": "a", "does": "a", "request": request, "query": []string{query},
				"fixed": map[string]any{fixed: "x"}, "paging": map[string]any{"cursor": cursor, "next": "next"}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		law(t, data)
	})
}

// law: reading never panics, findings are on lines that exist, and a table without
// findings makes a request for every operation, to its host, with the key in a
// header and not in the URL.
func law(t *testing.T, data []byte) {
	list := &finding.List{File: "x.json"}
	table, ok := Parse(data, list)
	for _, found := range list.All {
		if found.Line < 0 || found.Line > 1+strings.Count(string(data), "\n") {
			t.Fatalf("there is no such line: %v", found)
		}
	}
	if ok != (len(list.All) == 0) || ok && table == nil {
		t.Fatalf("ok is %v with %v", ok, list.All)
	}
	const key = "Key0123456789"
	if !ok || strings.Contains(string(data), key) {
		return
	}
	getenv := func(name string) string {
		if name == table.Auth.Env {
			return key
		}
		return "acct-1"
	}
	base, err := url.Parse(variable.ReplaceAllString(table.Base, "acct-1"))
	if err != nil {
		t.Fatal(err)
	}
	samples := map[string]string{"": "a/b ?#{}é", "integer": "1", "number": "1.5", "boolean": "true", "list": "a,b", "json": `{"a": 1}`}
	for i := range table.Operations {
		o := &table.Operations[i]
		given := map[string]string{}
		for _, p := range o.Params {
			given[p.Name] = samples[p.Kind]
		}
		call, err := table.Call(o, given, getenv)
		if err != nil {
			t.Fatalf("%s: %v", o.Name, err)
		}
		u, err := url.Parse(call.URL)
		if err != nil || u.Host != base.Host || u.Scheme != base.Scheme || u.User != nil || u.Fragment != "" || strings.Contains(call.URL, key) {
			t.Fatalf("%s goes to %s, %v", o.Name, call.URL, err)
		}
		for name := range u.Query() {
			if SecretName(name) || strings.EqualFold(name, "key") {
				t.Fatalf("%s has %s in its URL", o.Name, name)
			}
		}
		request, err := http.NewRequest(call.Method, call.URL, bytes.NewReader(call.Body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = call.Header
		if strings.Contains(fmt.Sprint(call), key) {
			t.Fatalf("%s has the key elsewhere than in a header of its own: %v", o.Name, call)
		}
		if err := request.Write(io.Discard); err != nil {
			t.Fatal(err)
		}
	}
}
