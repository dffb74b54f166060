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
	// accountName is what the value of a variable must look like: it may be put
	// into the host of a URL.
	accountName = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*$`)
)

// Call makes the request for an operation of the table. values are those of the
// parameters, by name, as a person types them. The error says everything that is
// wrong with them or with an environment variable.
func (t *Table) Call(o *Operation, values map[string]string, getenv func(string) string) (*Call, error) {
	if err := o.Check(values); err != nil {
		return nil, err
	}
	c := &Call{Method: o.Method, Header: http.Header{"Accept": {"application/json"}}}
	if t.Auth.UserEnv != "" && getenv(t.Auth.UserEnv) == "" {
		c.Unset = append(c.Unset, t.Auth.UserEnv)
	}
	wrong := c.fillVariables(t.Base+o.path, getenv)
	query, form, body := url.Values{}, url.Values{}, map[string]any{}
	set := func(in location, name string, value any) {
		switch in {
		case inPath:
			c.URL = strings.Replace(c.URL, "{"+name+"}", url.PathEscape(fmt.Sprint(value)), 1)
		case inQuery:
			addValue(query, name, value)
		case inForm:
			addValue(form, name, value)
		case inJSON:
			setValue(body, name, value)
		}
	}
	for name, value := range o.Fixed {
		set(o.fixedLocation(), name, value)
	}
	for _, p := range o.Params {
		if given, ok := values[p.Name]; ok {
			value, _ := p.parse(given) // Check has parsed it
			set(p.location, p.Name, value)
		}
	}
	if len(query) > 0 {
		c.URL += "?" + strings.ReplaceAll(query.Encode(), "+", "%20")
	}
	switch o.fixedLocation() {
	case inJSON:
		c.Header.Set("Content-Type", "application/json")
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		wrong = errors.Join(wrong, e.Encode(body))
		c.Body = bytes.TrimSpace(b.Bytes())
	case inForm:
		c.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		c.Body = []byte(form.Encode())
	}
	for name, value := range t.Headers {
		c.Header.Set(name, value)
	}
	return c, wrong
}

// fillVariables sets the URL to an address with the values of its variables.
func (c *Call) fillVariables(address string, getenv func(string) string) (err error) {
	c.URL = variable.ReplaceAllStringFunc(address, func(match string) string {
		name := strings.Trim(match, "{}")
		switch value := strings.TrimSpace(getenv(name)); {
		case value == "":
			c.Unset = append(c.Unset, name)
			return match
		case !accountName.MatchString(value):
			err = fmt.Errorf("%s is not letters, digits, dots, hyphens and underscores; it is filled into %s", name, address)
			return match
		default:
			return value
		}
	})
	return err
}

// HeaderValue returns the name and the value of the header that carries the key.
func (a Auth) HeaderValue(key string, getenv func(string) string) (header, value string) {
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

// addValue sets a value in a query or a form. A list is one value with commas, or one
// value each if the name ends with [].
func addValue(into url.Values, name string, value any) {
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

// setValue sets a value in a JSON object; dots in the name go into objects.
func setValue(into map[string]any, name string, value any) {
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
	setValue(inner, rest, value)
}

// Check says what is wrong with the values of parameters: an unknown name, else all
// required ones that are missing and all values of the wrong kind.
func (o *Operation) Check(values map[string]string) error {
	var names, missing, wrong []string
	for _, p := range o.Params {
		names = append(names, p.Name)
		value, given := values[p.Name]
		_, err := p.parse(value)
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
	if len(missing) > 0 {
		wrong = append(wrong, "missing "+text.List(missing))
	}
	if len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "; "))
	}
	return nil
}

// parse turns what a person typed into the value for a JSON body.
func (p Param) parse(s string) (any, error) {
	switch {
	case s == "" && p.Required, p.location == inPath && strings.Trim(s, ".") == "":
		return nil, fmt.Errorf("%s cannot be %s", p.Name, text.Quote(s))
	case p.Kind == "":
		return s, nil
	case p.Kind == "integer":
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n, nil
		}
	case p.Kind == "number":
		if _, err := strconv.ParseFloat(s, 64); err == nil && json.Valid([]byte(s)) {
			return json.Number(s), nil
		}
	case p.Kind == "boolean":
		if s == "true" || s == "false" {
			return s == "true", nil
		}
	case p.Kind == "list":
		list := []string{}
		for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ',' || r == '\n' }) {
			list = append(list, strings.TrimSpace(word))
		}
		return list, nil
	case p.Kind == "json":
		if json.Valid([]byte(s)) {
			return json.RawMessage(s), nil
		}
	}
	return nil, fmt.Errorf("%s must be %s, not %s", p.Name, Kinds[p.Kind], text.Quote(s))
}
