package vendor

import (
	"encoding/json"
	"maps"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/jsontree"
	"marketingskills/app/text"
)

// checker reports what is wrong with a table. An argument at is a path in its JSON,
// with dots between names and positions.
type checker struct {
	table *Table
	list  *finding.List
	root  *jsontree.Value
}

var (
	baseURL     = regexp.MustCompile(`^https?://[A-Za-z0-9.:\[\]-]+(/[A-Za-z0-9._~-]+)*$`)
	envName     = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)
	headerName  = regexp.MustCompile(`^[A-Za-z0-9-]+$`)
	shortPrefix = regexp.MustCompile(`^[ -~]{0,24}$`) // what stands before a key; it has no room for one
	requestLine = regexp.MustCompile(`^(GET|POST|PUT|PATCH|DELETE) (/[A-Za-z0-9._~:@$,()*!+=-]*)+$`)
	paramName   = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$-]*(\.[A-Za-z0-9_$-]+)*(\[[A-Za-z0-9_.-]*\])*$`)
	jsonPath    = regexp.MustCompile(`^([^.\s]+(\.[^.\s]+)*)?$`)

	secretWord = regexp.MustCompile(`(?i)(token|secret|password|passwd|passphrase|credential|authorization|cookie|jwt|` +
		`(api|app|access|private|secret|signing|write|auth)[-_. ]?key)s?(\[\])?$`)
	pageToken     = regexp.MustCompile(`(?i)(next|page|cursor|continuation|sync)[-_. ]?token$`)
	secretEnvName = regexp.MustCompile(`(KEY|TOKEN|SECRET|PASSWORD)S?(_|$)`)
)

// SecretName tells whether the value of a parameter or header with this name is
// likely a key, a token or a password. Tokens that lead to another page are not
// meant.
func SecretName(name string) bool {
	return secretWord.MatchString(name) && !pageToken.MatchString(name)
}

// SecretInURL is [SecretName] for names in a query or a path, where the name "key"
// counts as well.
func SecretInURL(name string) bool { return SecretName(name) || strings.EqualFold(name, "key") }

// loopback tells whether a host is this machine.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// isLine tells whether a text can be shown on a line as it is.
func isLine(s string) bool { return s != "" && s == text.Line(s, 200) && s == text.Printable(s) }

// errorIf reports an error of the form of the table, if wrong is true.
func (c *checker) errorIf(wrong bool, at, right, format string, args ...any) {
	if wrong {
		c.list.Errorf(c.lineOf(at), "vendor-table", right, format, args...)
	}
}

// secretIf reports a secret outside the header of the key, if wrong is true.
func (c *checker) secretIf(wrong bool, at, format string, args ...any) {
	if wrong {
		c.list.Errorf(c.lineOf(at), "vendor-secret", "send the key in the header of auth, and take no other secret", format, args...)
	}
}

// lineOf returns the line of what is at a path, 0 if there is nothing.
func (c *checker) lineOf(at string) int {
	if v := c.root.At(strings.Split(at, ".")...); v != nil {
		return v.Line
	}
	return 0
}

// checkKeys reports keys that an object has twice, and keys in upper case, which
// encoding/json would accept. ours is false below headers and fixed values, whose
// keys are the vendor's.
func (c *checker) checkKeys(v *jsontree.Value, ours bool) {
	for _, member := range v.Children {
		wrong := func(right, format string) { c.list.Errorf(member.Line, "vendor-table", right, format, member.Key) }
		if member.Repeats != nil {
			wrong("keep one of the two", "%q stands twice")
		}
		if ours && member.Key != strings.ToLower(member.Key) {
			wrong("write it in lower case", "unknown field %q")
		}
		c.checkKeys(member, ours && member.Key != "headers" && member.Key != "fixed")
	}
}

func (c *checker) checkTable() {
	t := c.table
	c.errorIf(!isLine(t.Name), "name", "write it as the vendor does", "the name is %q", t.Name)
	_, err := time.Parse(time.DateOnly, t.Checked)
	c.errorIf(err != nil, "checked", "write the day like 2026-11-22", "checked is %q", t.Checked)
	docs, err := url.Parse(t.Docs)
	c.errorIf(err != nil || docs.Scheme != "https" || docs.Host == "", "docs", "link the documentation with https", "docs is %q", t.Docs)
	c.errorIf(!jsonPath.MatchString(t.Message), "message", "join names and positions by dots", "message is %q", t.Message)
	for _, path := range t.Failed {
		c.errorIf(path == "" || !jsonPath.MatchString(path), "failed", "join names and positions by dots", "failed is %q", path)
	}
	filled := variable.ReplaceAllString(t.Base, "x")
	base, err := url.Parse(filled)
	c.errorIf(!baseURL.MatchString(filled) || err != nil, "base", "write it like https://api.example.com/v1", "base is %q", t.Base)
	c.errorIf(err == nil && base.Scheme == "http" && !loopback(base.Hostname()), "base", "use https", "the key would travel unencrypted")
	c.checkVariables("base", t.Base)
	c.checkAuth()
	for _, name := range slices.Sorted(maps.Keys(t.Headers)) {
		c.errorIf(!headerName.MatchString(name) || !isLine(t.Headers[name]), "headers", "write name and value",
			"the header %q cannot be sent", name)
		c.secretIf(SecretName(name) || strings.EqualFold(name, t.Auth.Header), "headers", "the header %q would hold a secret", name)
	}
	c.errorIf(len(t.Operations) == 0, "operations", "add one", "there are no operations")
	for i := range t.Operations {
		o := &t.Operations[i]
		at := "operations." + strconv.Itoa(i)
		c.errorIf(!text.IsSkillName(o.Name), at, "use "+text.SkillName, "the name of an operation is %q", o.Name)
		c.errorIf(t.Operation(o.Name) != o, at, "use another name", "the operation %q stands twice", o.Name)
		c.checkOperation(at, o)
		c.checkParams(at, o)
		c.checkPaging(at, o)
	}
}

// checkVariables reports variables with a secret that are filled into a URL.
func (c *checker) checkVariables(at, s string) {
	for _, match := range variable.FindAllStringSubmatch(s, -1) {
		c.secretIf(match[1] == c.table.Auth.Env || secretEnvName.MatchString(match[1]), at, "%s would be a part of URLs", match[1])
	}
}

func (c *checker) checkAuth() {
	a, user := c.table.Auth, ""
	if a.User != nil {
		user = *a.User
	}
	c.errorIf(!envName.MatchString(a.Env), "auth", "name the variable that holds the key, like EXAMPLE_API_KEY", "env is %q", a.Env)
	c.errorIf(a.Basic == (a.Header != ""), "auth", "give a header, or \"basic\": true", "the key has no header, or two")
	c.errorIf(a.Header != "" && !headerName.MatchString(a.Header), "auth", "name the header that carries the key",
		"the header is %q", a.Header)
	c.errorIf(!shortPrefix.MatchString(a.Prefix), "auth", "write it like \"Bearer \"", "the prefix is %q", a.Prefix)
	c.errorIf(a.Basic && a.Prefix != "" || !a.Basic && (a.User != nil || a.UserEnv != ""), "auth", "leave it out",
		"a prefix is for a header, a user for HTTP Basic")
	c.errorIf(!shortPrefix.MatchString(user) || strings.Contains(user, ":") || a.User != nil && a.UserEnv != "", "auth",
		"give user or user_env", "the user is named twice, or cannot be one")
	c.errorIf(a.UserEnv != "" && (!envName.MatchString(a.UserEnv) || a.UserEnv == a.Env), "auth", "name a variable",
		"user_env is %q", a.UserEnv)
}

func (c *checker) checkOperation(at string, o *Operation) {
	bare := variable.ReplaceAllString(pathParam.ReplaceAllString(o.Request, "x"), "x")
	get, remove, put := o.Method == "GET", o.Method == "DELETE", o.Method == "PUT" || o.Method == "PATCH"
	c.errorIf(!isLine(o.Does) || strings.HasSuffix(o.Does, "."), at, "say it like \"show the account\"", "%s does %q", o.Name, o.Does)
	c.errorIf(!requestLine.MatchString(bare), at, "write it like GET /people/{id}", "the request of %s is %q", o.Name, o.Request)
	c.checkVariables(at, o.Request)
	c.errorIf(!jsonPath.MatchString(o.Items), at, "join names by dots", "items of %s is %q", o.Name, o.Items)
	c.errorIf(o.Body != nil && o.Form != nil, at, "keep one of the two", "%s has a body and a form", o.Name)
	c.errorIf(get && (o.Body != nil || o.Form != nil), at, "use query", "%s is a GET with a body", o.Name)
	c.errorIf(!slices.Contains([]Effect{Reads, Changes, Spends, Sends, Deletes}, o.Effect), at,
		"use changes, spends, sends, deletes, or leave it out", "the effect of %s is %q", o.Name, o.Effect)
	c.errorIf(remove && o.Effect != Deletes || get && o.Effect != Reads && o.Effect != Spends || put && o.Effect == Reads, at,
		"correct the method or the effect", "%s is a %s with the effect %q", o.Name, o.Method, o.Effect)
}

// checkParams checks the names of parameters and fixed values, and that no two
// have the same place in the request.
func (c *checker) checkParams(at string, o *Operation) {
	all := slices.Clone(o.Params)
	for _, name := range slices.Sorted(maps.Keys(o.Fixed)) {
		p := Param{Name: name, location: o.fixedLocation()}
		all = append(all, p)
		switch o.Fixed[name].(type) {
		case string, bool, json.Number:
		default:
			c.errorIf(p.location != inJSON, at, "write a text, a number, true or false", "the value of %s cannot be sent", name)
		}
	}
	for i, p := range all {
		_, known := Kinds[p.Kind]
		c.errorIf(!known || !paramName.MatchString(p.Name), at, "write it like name, name* or name*:integer",
			"%s has the parameter %q of kind %q", o.Name, p.Name, p.Kind)
		bare := strings.EqualFold(p.Name, "key") || strings.EqualFold(p.Name, "token") // in a body, it may be the name of a link
		inURL := p.location == inQuery || p.location == inPath
		c.secretIf(inURL && SecretInURL(p.Name) || !bare && SecretName(p.Name), at, "%s of %s would be a secret", p.Name, o.Name)
		for _, other := range all[:i] {
			inside := strings.HasPrefix(p.Name, other.Name+".") || strings.HasPrefix(other.Name, p.Name+".")
			c.errorIf(p.Name == other.Name || inside && p.location == inJSON, at, "keep one of the two",
				"%s has %s and %s", o.Name, other.Name, p.Name)
		}
	}
}

func (c *checker) checkPaging(at string, o *Operation) {
	p := o.Paging
	if p == nil {
		return
	}
	forms := 0
	for _, form := range []bool{p.Offset != "", p.Page != "", p.Cursor != "", p.Next != "" && p.Cursor == "", p.Link} {
		if form {
			forms++
		}
	}
	cursor := p.Cursor != "" && (p.Next == "") != (p.Last == "") || p.Cursor == "" && p.Last == ""
	c.errorIf(forms != 1 || !cursor || p.Page == "" && p.First != nil || p.Offset+p.Page == "" && p.Total != "", at,
		"use one of the forms of tools/WRITING.md", "the paging of %s is not one of them", o.Name)
	for _, path := range []string{p.Next, p.Last, p.More, p.Total} {
		c.errorIf(!jsonPath.MatchString(path), at, "join names by dots", "%q, in the paging of %s, cannot be found", path, o.Name)
	}
	c.errorIf(p.Param() == "" && o.Method != "GET", at, "page with a parameter", "%s is a %s, and its pages are URLs", o.Name, o.Method)
	c.errorIf(o.Effect != Reads && o.Effect != Spends, at, "leave paging out", "%s has pages and %s", o.Name, o.Effect)
}
