package vendor

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"marketingskills/app/text"
)

// Call is a request, complete but for the header with the key.
type Call struct {
	Method, URL string
	Header      http.Header
	Body        []byte
	Unset       []string // variables without a value; the URL still has their names in it
}

var (
	variable = regexp.MustCompile(`\{([A-Z][A-Z0-9_]*)\}`)
	// account is what a variable may put into a URL, be it into the host.
	account = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*$`)
)

// Call makes the request for an operation of the table. Values are by name of the
// parameter, as a person types them. The error says everything that is wrong with
// them, or with a variable.
func (t *Table) Call(o *Operation, values map[string]string, getenv func(string) string) (*Call, error) {
	if err := o.Check(values); err != nil {
		return nil, err
	}
	c := &Call{Method: o.Method, Header: http.Header{"Accept": {"application/json"}}}
	if t.Auth.UserEnv != "" && getenv(t.Auth.UserEnv) == "" {
		c.Unset = append(c.Unset, t.Auth.UserEnv)
	}
	wrong := c.fill(t.Base+o.Path, getenv)
	query, form, body := url.Values{}, url.Values{}, map[string]any{}
	set := func(place byte, name string, value any) {
		switch place {
		case '/':
			c.URL = strings.Replace(c.URL, "{"+name+"}", url.PathEscape(fmt.Sprint(value)), 1)
		case '?':
			add(query, name, value)
		case '&':
			add(form, name, value)
		case '{':
			put(body, name, value)
		}
	}
	for name, value := range o.Fixed {
		set(o.fixedPlace(), name, value)
	}
	for _, p := range o.Params {
		if given, ok := values[p.Name]; ok {
			value, _ := p.read(given) // was checked
			set(p.place, p.Name, value)
		}
	}
	if len(query) > 0 {
		c.URL += "?" + strings.ReplaceAll(query.Encode(), "+", "%20")
	}
	switch o.fixedPlace() {
	case '{':
		c.Header.Set("Content-Type", "application/json")
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		wrong = errors.Join(wrong, e.Encode(body))
		c.Body = bytes.TrimSpace(b.Bytes())
	case '&':
		c.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		c.Body = []byte(form.Encode())
	}
	for name, value := range t.Headers {
		c.Header.Set(name, value)
	}
	return c, wrong
}

// fill makes the URL, with variables in their places.
func (c *Call) fill(address string, getenv func(string) string) (err error) {
	c.URL = variable.ReplaceAllStringFunc(address, func(match string) string {
		name := strings.Trim(match, "{}")
		switch value := strings.TrimSpace(getenv(name)); {
		case value == "":
			c.Unset = append(c.Unset, name)
			return match
		case !account.MatchString(value):
			err = fmt.Errorf("%s is not letters, digits, dots, hyphens and underscores; it is filled into %s", name, address)
			return match
		default:
			return value
		}
	})
	return err
}

// Value is that of the header which carries the key.
func (a Auth) Value(key string, getenv func(string) string) (header, value string) {
	switch {
	case !a.Basic:
		return a.Header, a.Prefix + key
	case a.User != nil:
		key = *a.User + ":" + key
	case a.UserEnv != "":
		key = getenv(a.UserEnv) + ":" + key
	default:
		key += ":"
	}
	return "Authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte(key))
}

// add sets a value in a query or a form. A list is one value with commas, or one
// value each if the name ends with [].
func add(into url.Values, name string, value any) {
	switch v := value.(type) {
	case json.RawMessage:
		into.Set(name, string(v))
	case []string:
		into[name] = v
		if !strings.HasSuffix(name, "[]") {
			into.Set(name, strings.Join(v, ","))
		}
	default:
		into.Set(name, fmt.Sprint(v))
	}
}

// put sets a value in a JSON object; dots in the name go into objects.
func put(into map[string]any, name string, value any) {
	first, rest, more := strings.Cut(name, ".")
	if !more {
		into[name] = value
		return
	}
	inner, ok := into[first].(map[string]any)
	if !ok {
		inner = map[string]any{}
		into[first] = inner
	}
	put(inner, rest, value)
}

// Check says what is wrong with the values of parameters: an unknown name, else all
// required ones that are missing and all values that cannot be.
func (o *Operation) Check(values map[string]string) error {
	var names, missing, wrong []string
	for _, p := range o.Params {
		names = append(names, p.Name)
		value, given := values[p.Name]
		_, err := p.read(value)
		switch {
		case !given && p.Required:
			missing = append(missing, p.Name)
		case given && err != nil:
			wrong = append(wrong, err.Error())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if slices.Contains(names, name) {
			continue
		}
		problem := "unknown parameter " + text.Name(name)
		if near := text.Nearest(name, names, 2); near != "" {
			problem += "; did you mean " + near + "?"
		}
		if len(names) == 0 {
			names = []string{"no parameters"}
		}
		return fmt.Errorf("%s; %s takes %s", problem, o.Name, text.List(names))
	}
	for _, group := range o.OneOf {
		if !slices.ContainsFunc(group, func(words string) bool { return all(values, strings.Split(words, "+")) }) {
			missing = append(missing, Choice(group))
		}
	}
	if len(missing) > 0 {
		wrong = append(wrong, "missing "+text.List(missing))
	}
	if len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "; "))
	}
	return nil
}

// Choice names the parameters of a group of which one must be given.
func Choice(group []string) string { return strings.ReplaceAll(text.Either(group), "+", " with ") }

// all tells whether there are values for all names.
func all(values map[string]string, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return values[name] == "" })
}

// read turns what a person typed into the value for a JSON body.
func (p Param) read(s string) (any, error) {
	if s == "" && p.Required || p.place == '/' && strings.Trim(s, ".") == "" {
		return nil, fmt.Errorf("%s cannot be %s", p.Name, text.Quote(s))
	}
	if p.place == '/' && (s == p.Placeholder() || placeholder.MatchString(s)) {
		return nil, fmt.Errorf("%s is still the placeholder %s; write the value in its place", p.Name, text.Quote(s))
	}
	value := p.parse(s)
	if value != nil && p.possible(value) {
		return value, nil
	}
	problem := fmt.Sprintf("%s must be %s, not %s", p.Name, p.Takes(), text.Quote(s))
	if near := text.Nearest(s, p.Values, 2); near != "" && p.Kind != "list" {
		problem += "; did you mean " + near + "?"
	}
	return nil, errors.New(problem)
}

// placeholder is what stands in examples for the value of a parameter in a path.
var placeholder = regexp.MustCompile(`^(\{.*\}|<.*>)$`)

// possible tells whether a value is one of those that the parameter takes.
func (p Param) possible(value any) bool {
	n := 0.0
	switch v := value.(type) {
	case string:
		return p.Values == nil || v == "" || slices.Contains(p.Values, v)
	case []string:
		return p.Values == nil || !slices.ContainsFunc(v, func(word string) bool { return !slices.Contains(p.Values, word) })
	case int64:
		n = float64(v)
	case json.Number:
		n, _ = v.Float64() // was checked
	default:
		return true
	}
	return (p.Min == nil || *p.Min <= n) && (p.Max == nil || n <= *p.Max)
}

// parse returns the value of the parameter's kind, nil if there is none.
func (p Param) parse(s string) any {
	switch p.Kind {
	case "":
		return s
	case "integer":
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n
		}
	case "number":
		if _, err := strconv.ParseFloat(s, 64); err == nil && json.Valid([]byte(s)) {
			return json.Number(s)
		}
	case "boolean":
		if s == "true" || s == "false" {
			return s == "true"
		}
	case "list":
		list := []string{}
		for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ',' || r == '\n' }) {
			list = append(list, strings.TrimSpace(word))
		}
		return list
	case "json":
		if json.Valid([]byte(s)) {
			return json.RawMessage(s)
		}
	}
	return nil
}
