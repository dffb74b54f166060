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

// checker reports what is wrong with a table. Places are paths in its JSON.
type checker struct {
	*Table
	list *finding.List
	root *jsontree.Value
}

var (
	aBase    = regexp.MustCompile(`^https?://[A-Za-z0-9.:\[\]-]+(/[A-Za-z0-9._~-]+)*$`)
	aEnv     = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)
	aHeader  = regexp.MustCompile(`^[A-Za-z0-9-]+$`)
	aShort   = regexp.MustCompile(`^[ -~]{0,24}$`) // what stands before a key; it has no room for one
	aRequest = regexp.MustCompile(`^(GET|POST|PUT|PATCH|DELETE) (/[A-Za-z0-9._~:@$,()*!+=-]*)+$`)
	aParam   = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$-]*(\.[A-Za-z0-9_$-]+)*(\[[A-Za-z0-9_.-]*\])*$`)
	aPath    = regexp.MustCompile(`^([^.\s]+(\.[^.\s]+)*)?$`)

	secret = regexp.MustCompile(`(?i)(token|secret|password|passwd|passphrase|credential|authorization|cookie|jwt|` +
		`(api|app|access|private|secret|signing|write|auth)[-_. ]?key)s?(\[\])?$`)
	leadsOn   = regexp.MustCompile(`(?i)(next|page|cursor|continuation|sync)[-_. ]?token$`)
	secretEnv = regexp.MustCompile(`(KEY|TOKEN|SECRET|PASSWORD)S?(_|$)`)
)

// SecretName tells whether a name says that its value is a key, a token or a
// password. The tokens that lead to another page are none.
func SecretName(name string) bool { return secret.MatchString(name) && !leadsOn.MatchString(name) }

// SecretInURL is [SecretName] for names in a query or a path, where key says so,
// too.
func SecretInURL(name string) bool { return SecretName(name) || strings.EqualFold(name, "key") }

// loopback tells whether only this machine can be meant by a host.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// isLine tells whether a text can be shown as it is.
func isLine(s string) bool { return s != "" && s == text.Line(s, 200) && s == text.Printable(s) }

// when reports, if something is wrong, what would be right; the format says what
// was found.
func (c *checker) when(wrong bool, place, right, format string, args ...any) {
	if wrong {
		c.list.Errorf(c.line(place), "vendor-table", right, format, args...)
	}
}

func (c *checker) leak(wrong bool, place, format string, args ...any) {
	if wrong {
		c.list.Errorf(c.line(place), "vendor-secret", "send the key in the header of auth, and take no other secret", format, args...)
	}
}

// line is that of a place, 0 for what is missing.
func (c *checker) line(place string) int { return c.lineAt(strings.Split(place, ".")...) }

func (c *checker) lineAt(keys ...string) int {
	if v := c.root.At(keys...); v != nil {
		return v.Line
	}
	return 0
}

// keys reports keys that an object has twice, or that only the decoder takes for
// a field. Those of headers, fixed values and parameters are the vendor's.
func (c *checker) keys(v *jsontree.Value, ours bool) {
	for _, member := range v.Children {
		wrong := func(right, format string) { c.list.Errorf(member.Line, "vendor-table", right, format, member.Key) }
		if member.Repeats != nil {
			wrong("keep one of the two", "%q stands twice")
		}
		if ours && member.Key != strings.ToLower(member.Key) {
			wrong("write it in lower case", "unknown field %q")
		}
		c.keys(member, ours && !slices.Contains([]string{"headers", "fixed", "params"}, member.Key))
	}
}

func (c *checker) table() {
	c.when(!isLine(c.Name), "name", "write it as the vendor does", "the name is %q", c.Name)
	c.when(c.Category != "" && !isLine(c.Category), "category", "write it as the registry does", "the category is %q", c.Category)
	_, err := time.Parse(time.DateOnly, c.Checked)
	c.when(err != nil, "checked", "write the day like 2026-11-22", "checked is %q", c.Checked)
	docs, err := url.Parse(c.Docs)
	c.when(err != nil || docs.Scheme != "https" || docs.Host == "", "docs", "link the documentation with https", "docs is %q", c.Docs)
	c.when(!aPath.MatchString(c.Message), "message", "join names and positions by dots", "message is %q", c.Message)
	for _, path := range c.Failed {
		c.when(path == "" || !aPath.MatchString(path), "failed", "join names and positions by dots", "failed is %q", path)
	}
	filled := variable.ReplaceAllString(c.Base, "x")
	base, err := url.Parse(filled)
	c.when(!aBase.MatchString(filled) || err != nil, "base", "write it like https://api.example.com/v1", "base is %q", c.Base)
	c.when(err == nil && base.Scheme == "http" && !loopback(base.Hostname()), "base", "use https", "the key would travel unencrypted")
	c.variables("base", c.Base)
	c.auth()
	for _, name := range slices.Sorted(maps.Keys(c.Headers)) {
		c.when(!aHeader.MatchString(name) || !isLine(c.Headers[name]), "headers", "write name and value", "the header %q cannot be sent", name)
		c.leak(SecretName(name) || strings.EqualFold(name, c.Auth.Header), "headers", "the header %q would hold a secret", name)
	}
	c.when(len(c.Operations) == 0, "operations", "add one", "there are no operations")
	for i := range c.Operations {
		o := &c.Operations[i]
		place := "operations." + strconv.Itoa(i)
		c.when(!text.IsSkillName(o.Name), place, "use "+text.SkillName, "the name of an operation is %q", o.Name)
		c.when(c.Operation(o.Name) != o, place, "use another name", "the operation %q stands twice", o.Name)
		c.operation(place, o)
		c.params(place, o)
		c.oneOf(place, o)
		c.paging(place, o)
	}
}

// details checks what is said of parameters.
func (c *checker) details() {
	for _, key := range slices.Sorted(maps.Keys(c.Params)) {
		c.detail(key, c.Params[key])
	}
}

// detail checks what is said of a parameter: it has to be one, and its default one
// of the values that it takes.
func (c *checker) detail(key string, d Detail) {
	when := func(wrong bool, right, format string, args ...any) {
		if wrong {
			c.list.Errorf(c.lineAt("params", key), "vendor-table", right, "params: "+key+": "+format, args...)
		}
	}
	used := false
	operation, name, one := strings.Cut(key, " ")
	for _, o := range c.Operations {
		if one && o.Name != operation {
			continue
		}
		for _, p := range o.Params {
			if p.Name != key && (!one || p.Name != name) {
				continue
			}
			used = true
			p.Detail = d
			number := p.Kind == "integer" || p.Kind == "number"
			when(!number && (d.Min != nil || d.Max != nil), "leave min and max out", "%s of %s is not a number", p.Name, o.Name)
			when(d.Values != nil && p.Kind != "" && p.Kind != "list", "leave values out", "%s of %s is no text and no list", p.Name, o.Name)
			_, err := p.read(p.Sample())
			when(err != nil, "correct the default or the limits", "%s refuses what is said: %v", o.Name, err)
		}
	}
	when(!used, "write NAME or OPERATION NAME as in operations, or remove it", "there is no such parameter")
	when(d.Means != "" && (!isLine(d.Means) || strings.HasSuffix(d.Means, ".")), "say it like \"the email of the person\"",
		"it means %q", d.Means)
	when(d.Means+d.Default == "" && len(d.Values) == 0 && d.Min == nil && d.Max == nil, "say something, or remove it", "nothing is said")
	when(d.Min != nil && d.Max != nil && *d.Min > *d.Max, "correct one of the two", "min is more than max")
	for i, value := range d.Values {
		when(!isLine(value) || strings.Contains(value, ",") || slices.Contains(d.Values[:i], value), "list each value once",
			"the value %q cannot be", value)
	}
}

// oneOf checks the groups of which one parameter must be given.
func (c *checker) oneOf(place string, o *Operation) {
	for _, group := range o.OneOf {
		c.when(len(group) < 2, place, "name two or more, or mark the one with *", "%s has a choice of %d", o.Name, len(group))
		for _, name := range strings.Split(strings.Join(group, "+"), "+") {
			i := slices.IndexFunc(o.Params, func(p Param) bool { return p.Name == name })
			c.when(i < 0 || o.Params[max(i, 0)].Required, place, "name parameters that are not required", "%s has the choice %q", o.Name, name)
		}
	}
}

// variables checks those that are filled into a URL.
func (c *checker) variables(place, s string) {
	for _, match := range variable.FindAllStringSubmatch(s, -1) {
		c.leak(match[1] == c.Auth.Env || secretEnv.MatchString(match[1]), place, "%s would be a part of URLs", match[1])
	}
}

func (c *checker) auth() {
	a, user := c.Auth, ""
	if a.User != nil {
		user = *a.User
	}
	c.when(!aEnv.MatchString(a.Env), "auth", "name the variable that holds the key, like EXAMPLE_API_KEY", "env is %q", a.Env)
	c.when(a.Basic == (a.Header != ""), "auth", "give a header, or \"basic\": true", "the key has no header, or two")
	c.when(a.Header != "" && !aHeader.MatchString(a.Header), "auth", "name the header that carries the key", "the header is %q", a.Header)
	c.when(!aShort.MatchString(a.Prefix), "auth", "write it like \"Bearer \"", "the prefix is %q", a.Prefix)
	c.when(a.Basic && a.Prefix != "" || !a.Basic && (a.User != nil || a.UserEnv != ""), "auth", "leave it out",
		"a prefix is for a header, a user for HTTP Basic")
	c.when(!aShort.MatchString(user) || strings.Contains(user, ":") || a.User != nil && a.UserEnv != "", "auth", "give user or user_env",
		"the user is named twice, or cannot be one")
	for _, prefix := range a.Test {
		c.when(prefix == "" || !aShort.MatchString(prefix), "auth", "write how test keys begin, like \"sk_test_\"", "test is %q", prefix)
	}
	c.when(a.UserEnv != "" && (!aEnv.MatchString(a.UserEnv) || a.UserEnv == a.Env), "auth", "name a variable", "user_env is %q", a.UserEnv)
}

func (c *checker) operation(place string, o *Operation) {
	bare := variable.ReplaceAllString(inPath.ReplaceAllString(o.Request, "x"), "x")
	get, remove, put := o.Method == "GET", o.Method == "DELETE", o.Method == "PUT" || o.Method == "PATCH"
	c.when(!isLine(o.Does) || strings.HasSuffix(o.Does, "."), place, "say it like \"show the account\"", "%s does %q", o.Name, o.Does)
	c.when(!aRequest.MatchString(bare), place, "write it like GET /people/{id}", "the request of %s is %q", o.Name, o.Request)
	c.variables(place, o.Request)
	c.when(!aPath.MatchString(o.Items), place, "join names by dots", "items of %s is %q", o.Name, o.Items)
	c.when(o.Body != nil && o.Form != nil, place, "keep one of the two", "%s has a body and a form", o.Name)
	c.when(get && (o.Body != nil || o.Form != nil), place, "use query", "%s is a GET with a body", o.Name)
	c.when(!slices.Contains([]Effect{Reads, Changes, Discounts, Spends, Sends, Deletes}, o.Effect), place,
		"use changes, discounts, spends, sends, deletes, or leave it out", "the effect of %s is %q", o.Name, o.Effect)
	c.when(remove && o.Effect != Deletes || get && o.Effect != Reads && o.Effect != Spends || put && o.Effect == Reads, place,
		"correct the method or the effect", "%s is a %s with the effect %q", o.Name, o.Method, o.Effect)
}

// params checks the names of parameters and fixed values, and that no two are in
// each other's way.
func (c *checker) params(place string, o *Operation) {
	all := slices.Clone(o.Params)
	for _, name := range slices.Sorted(maps.Keys(o.Fixed)) {
		p := Param{Name: name, place: o.fixedPlace()}
		all = append(all, p)
		switch o.Fixed[name].(type) {
		case string, bool, json.Number:
		default:
			c.when(p.place != '{', place, "write a text, a number, true or false", "the value of %s cannot be sent", name)
		}
	}
	for i, p := range all {
		_, known := Kinds[p.Kind]
		c.when(!known || !aParam.MatchString(p.Name), place, "write it like name, name* or name*:integer", "%s has the parameter %q of kind %q",
			o.Name, p.Name, p.Kind)
		bare := strings.EqualFold(p.Name, "key") || strings.EqualFold(p.Name, "token") // in a body, it may be the name of a link
		inURL := p.place == '?' || p.place == '/'
		c.leak(inURL && SecretInURL(p.Name) || !bare && SecretName(p.Name), place, "%s of %s would be a secret", p.Name, o.Name)
		for _, other := range all[:i] {
			inside := strings.HasPrefix(p.Name, other.Name+".") || strings.HasPrefix(other.Name, p.Name+".")
			c.when(p.Name == other.Name || inside && p.place == '{', place, "keep one of the two", "%s has %s and %s", o.Name, other.Name, p.Name)
		}
	}
}

func (c *checker) paging(place string, o *Operation) {
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
	c.when(forms != 1 || !cursor || p.Page == "" && p.First != nil || p.Offset+p.Page == "" && p.Total != "", place,
		"use one of the forms of tools/WRITING.md", "the paging of %s is not one of them", o.Name)
	for _, path := range []string{p.Next, p.Last, p.More, p.Total} {
		c.when(!aPath.MatchString(path), place, "join names by dots", "%q, in the paging of %s, cannot be found", path, o.Name)
	}
	c.when(p.Param() == "" && o.Method != "GET", place, "page with a parameter", "%s is a %s, and its pages are URLs", o.Name, o.Method)
	c.when(o.Effect != Reads && o.Effect != Spends, place, "leave paging out", "%s has pages and %s", o.Name, o.Effect)
}
