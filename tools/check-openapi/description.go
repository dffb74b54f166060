package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"marketingskills/app/collection/finding"
	"marketingskills/app/text"
)

// description is an OpenAPI description. What it leaves out is nil or empty.
type description struct{ root object }

type object = map[string]any

// describe reads a description.
func describe(name string) (*description, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading the description %s: %w", text.Name(name), finding.Cause(err))
	}
	var root any
	if json.Valid(data) { // faster, and many are large
		err = json.Unmarshal(data, &root)
	} else {
		err = yaml.Unmarshal(data, &root)
	}
	d := &description{}
	d.root, _ = plain(root).(object)
	if err == nil && d.root["paths"] == nil {
		err = errors.New("there are no paths in it; download the vendor's OpenAPI description")
	}
	if err != nil {
		return nil, fmt.Errorf("reading the description %s: %w", text.Name(name), err)
	}
	return d, nil
}

// plain makes texts of all keys: YAML takes 200 for a number.
func plain(value any) any {
	switch v := value.(type) {
	case map[any]any:
		all := object{}
		for key, inner := range v {
			all[fmt.Sprint(key)] = plain(inner)
		}
		return all
	case object:
		for key, inner := range v {
			v[key] = plain(inner)
		}
	case []any:
		for i, inner := range v {
			v[i] = plain(inner)
		}
	}
	return value
}

// most is how many references are followed to one thing, or schemas into each other.
const most = 20

// object returns the object that a value is, or refers to in the same description.
func (d *description) object(value any) object {
	for range most {
		o, _ := value.(object)
		to, ok := o["$ref"].(string)
		if !ok {
			return o
		}
		value = d.root
		for _, name := range strings.Split(strings.TrimPrefix(to, "#/"), "/") {
			if unescaped, err := url.PathUnescape(name); err == nil {
				name = unescaped
			}
			inner, _ := value.(object)
			value = inner[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
		}
	}
	return nil
}

// list returns the elements of a list.
func list(value any) []any {
	all, _ := value.([]any)
	return all
}

var parameter = regexp.MustCompile(`\{[^{}]*\}`)

// parts splits a path. What stands in braces is a parameter, whatever its name.
func parts(path string) []string {
	return strings.FieldsFunc(parameter.ReplaceAllString(path, "{}"), func(r rune) bool { return r == '/' })
}

// servers are the paths below which those of the description may stand.
func (d *description) servers() (all [][]string) {
	base, _ := d.root["basePath"].(string)
	all = append(all, parts(base))
	for _, s := range list(d.root["servers"]) {
		address, _ := d.object(s)["url"].(string)
		if _, rest, ok := strings.Cut(address, "://"); ok {
			_, address, _ = strings.Cut(rest, "/")
		}
		all = append(all, parts(address))
	}
	return all
}

// path returns what is described at the path of an operation, which begins with that
// of the table's base. A literal part counts more than a parameter in its place.
func (d *description) path(want string) object {
	wanted, best, most := parts(want), object(nil), -1
	paths := d.object(d.root["paths"])
	for name := range paths {
		described := parts(name)
		rest := len(wanted) - len(described)
		if rest < 0 || !slices.ContainsFunc(d.servers(), func(server []string) bool { return like(server, wanted[:rest]) >= 0 }) {
			continue
		}
		if n := like(described, wanted[rest:]); n > most {
			best, most = d.object(paths[name]), n
		}
	}
	return best
}

// like counts the parts that are the same, -1 if the wanted ones are not among what is
// described.
func like(described, wanted []string) (same int) {
	if len(described) != len(wanted) {
		return -1
	}
	for i := range wanted {
		switch {
		case strings.EqualFold(described[i], wanted[i]):
			same++
		case described[i] != "{}":
			return -1
		}
	}
	return same
}

// field is what a description says of a parameter.
type field struct {
	schema   object
	required bool
}

// fields are the parameters of an operation in the query, or those of its body: their
// names and, if that is open, no others.
type fields struct {
	of   map[string]field
	open bool
}

// query returns the parameters of an operation in the query. In version 2, the schema is
// the parameter itself.
func (d *description) query(path, operation object, in string) fields {
	all := fields{of: map[string]field{}}
	for _, value := range slices.Concat(list(path["parameters"]), list(operation["parameters"])) {
		p := d.object(value)
		name, _ := p["name"].(string)
		if p["in"] != in {
			continue
		}
		schema := d.object(p["schema"])
		if schema == nil {
			schema = p
		}
		required, _ := p["required"].(bool)
		all.of[name] = field{schema, required}
	}
	return all
}

// body returns the schema of an operation's body in a form, whose name is part of the
// media type; nil if there is none.
func (d *description) body(path, operation object, media string) object {
	content := d.object(d.object(operation["requestBody"])["content"])
	for name, value := range content {
		if strings.Contains(name, media) {
			return d.object(d.object(value)["schema"])
		}
	}
	if media == "json" {
		for _, value := range slices.Concat(list(path["parameters"]), list(operation["parameters"])) {
			if p := d.object(value); p["in"] == "body" {
				return d.object(p["schema"])
			}
		}
	}
	return nil
}

// properties are those of a schema, with what it is made of.
func (d *description) properties(schema object, depth int) fields {
	all := fields{of: map[string]field{}}
	if depth == most {
		return fields{open: true}
	}
	add := func(name string, schema object, required bool) {
		f := all.of[name]
		if f.schema == nil {
			f.schema = schema
		}
		f.required = f.required || required
		all.of[name] = f
	}
	take := func(inner any, mandatory bool) {
		more := d.properties(d.object(inner), depth+1)
		all.open = all.open || more.open
		for name, f := range more.of {
			add(name, f.schema, f.required && mandatory)
		}
	}
	for _, inner := range list(schema["allOf"]) {
		take(inner, true)
	}
	for _, inner := range slices.Concat(list(schema["oneOf"]), list(schema["anyOf"])) {
		take(inner, false)
	}
	for name, value := range d.object(schema["properties"]) {
		add(name, d.object(value), false)
	}
	for _, name := range list(schema["required"]) {
		add(fmt.Sprint(name), nil, true)
	}
	more, given := schema["additionalProperties"]
	all.open = all.open || len(all.of) == 0 || given && more != false
	return all
}
