package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"marketingskills/app/collection/vendor"
	"marketingskills/app/text"
)

// comparison is that of one operation.
type comparison struct {
	*description
	*vendor.Operation
	lines []string
}

func (c *comparison) differs(format string, a ...any) {
	c.lines = append(c.lines, c.Name+": "+fmt.Sprintf(format, a...))
}

// compare returns the differences, and how many operations are described.
func compare(t *vendor.Table, descriptions []*description) (lines []string, found int) {
	base := t.Base
	if _, rest, ok := strings.Cut(base, "://"); ok {
		_, base, _ = strings.Cut(rest, "/")
	}
	for i := range t.Operations {
		o := &t.Operations[i]
		var path object
		var in *description
		for _, d := range descriptions {
			if p := d.path(base + o.Path); p != nil && (path == nil || p[strings.ToLower(o.Method)] != nil) {
				path, in = p, d
			}
		}
		c := &comparison{description: in, Operation: o}
		switch operation := path[strings.ToLower(o.Method)]; {
		case path == nil:
			c.differs("%s is not described", o.Path)
		case operation == nil:
			c.differs("%s is described, but not with %s", o.Path, o.Method)
		default:
			found++
			c.operation(path, in.object(operation))
		}
		lines = append(lines, c.lines...)
	}
	return lines, found
}

// operation compares the parameters of an operation.
func (c *comparison) operation(path, operation object) {
	if operation["deprecated"] == true {
		c.differs("it is deprecated")
	}
	c.among("query", c.query(path, operation, "query"))
	media := map[string]string{"body": "json", "form": "form"}
	for place, params := range map[string][]vendor.Param{"body": c.Body, "form": c.Form} {
		if params == nil {
			continue
		}
		schema, fields := c.body(path, operation, media[place]), c.query(path, operation, "formData")
		switch {
		case schema != nil:
			fields = c.properties(schema, 0)
		case place == "body" || len(fields.of) == 0:
			c.differs("no %s is described that is sent as %s", place, media[place])
			continue
		}
		c.among(place, fields)
	}
}

// among compares the parameters in one place with those described there.
func (c *comparison) among(place string, described fields) {
	given := map[string]bool{}
	for _, p := range c.Params {
		if p.In() != place {
			continue
		}
		given[p.Name] = true
		if f, ok := c.find(p.Name, described, true); ok {
			c.param(p, f)
		} else {
			c.differs("%s is not described", p.Name)
		}
	}
	for name, value := range c.Fixed {
		if c.Form == nil && c.Body == nil && place != "query" || c.Form != nil && place != "form" || c.Body != nil && place != "body" {
			continue
		}
		given[name] = true
		f, ok := c.find(name, described, true)
		if !ok {
			c.differs("%s, which is always %v, is not described", name, value)
		} else if values := enum(f.schema); values != nil && !slices.Contains(values, fmt.Sprint(value)) {
			c.differs("%s is always %v, which is not one of %s", name, value, text.List(values))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(described.of)) {
		isGiven := func(own string) bool { return split(own)[0] == split(name)[0] }
		if described.of[name].required && !slices.ContainsFunc(slices.Collect(maps.Keys(given)), isGiven) {
			c.differs("%s is required, and the table does not have it", name)
		}
	}
}

var bracket = regexp.MustCompile(`\[([^\[\]]*)\]`)

// split takes a name apart where it goes into objects: promotion[coupon] and
// properties.email; [] at its end says that it is a list.
func split(name string) []string {
	name = bracket.ReplaceAllString(strings.TrimSuffix(name, "[]"), ".$1")
	return strings.Split(strings.ReplaceAll(name, "..", "."), ".")
}

// find returns what is described of a name, inside of objects too. What is open has
// every name.
func (c *comparison) find(name string, in fields, required bool) (f field, ok bool) {
	if f, ok := in.of[name]; ok {
		return f, true
	}
	if f, ok := in.of[name+"[]"]; ok {
		return f, true
	}
	for _, part := range split(name) {
		if f, ok = in.of[part]; !ok {
			return field{}, in.open
		}
		required = required && f.required
		in = c.properties(f.schema, 0)
	}
	f.required = required
	return f, true
}

// param compares one parameter.
func (c *comparison) param(p vendor.Param, f field) {
	chosen := slices.ContainsFunc(c.OneOf, func(group []string) bool {
		return slices.Contains(strings.Split(strings.Join(group, "+"), "+"), p.Name)
	})
	if f.required && !p.Required && !chosen {
		c.differs("%s is required", p.Name)
	}
	kinds, schema := c.kinds(f.schema, 0), c.element(f.schema)
	if len(kinds) > 0 && !slices.ContainsFunc(kinds, func(kind string) bool { return suits(p, kind) }) {
		c.differs("%s is %s, and described as %s", p.Name, vendor.Kinds[p.Kind], text.Either(kinds))
	}
	if described := enum(schema); described != nil && p.Values != nil {
		for _, value := range p.Values {
			if !slices.Contains(described, value) {
				c.differs("%s cannot be %s, but %s", p.Name, value, text.Either(described))
			}
		}
		for _, value := range described {
			if !slices.Contains(p.Values, value) && value != "" {
				c.differs("%s can be %s, too", p.Name, value)
			}
		}
	}
	if value, ok := f.schema["default"]; ok && p.Default != "" && fmt.Sprint(value) != p.Default {
		c.differs("the default of %s is %v, not %s", p.Name, value, p.Default)
	}
	for name, own := range map[string]*float64{"minimum": p.Min, "maximum": p.Max} {
		described, err := strconv.ParseFloat(fmt.Sprint(f.schema[name]), 64)
		if own != nil && err == nil && described != *own {
			c.differs("the %s of %s is %v, not %v", name, p.Name, described, *own)
		}
	}
}

// suits tells whether a parameter can be of a kind in a description. A list in a query
// is one text with commas, or several.
func suits(p vendor.Param, kind string) bool {
	inURL := p.In() == "query" || p.In() == "path"
	switch kind {
	case "string":
		return p.Kind == "" || inURL && (p.Kind == "list" || p.Kind == "json")
	case "integer":
		return p.Kind == "integer"
	case "number":
		return p.Kind == "integer" || p.Kind == "number"
	case "boolean":
		return p.Kind == "boolean"
	case "array":
		return p.Kind == "list" || p.Kind == "json" || inURL && p.Kind == ""
	case "object":
		return p.Kind == "json"
	}
	return true
}

// kinds are the types that a schema allows, none if it does not say.
func (c *comparison) kinds(schema object, depth int) (all []string) {
	for _, kind := range append(list(schema["type"]), schema["type"]) {
		if name, ok := kind.(string); ok && name != "null" {
			all = append(all, name)
		}
	}
	if depth == most || len(all) > 0 {
		return all
	}
	for _, inner := range slices.Concat(list(schema["allOf"]), list(schema["oneOf"]), list(schema["anyOf"])) {
		all = append(all, c.kinds(c.object(inner), depth+1)...)
	}
	return all
}

// element is the schema of a list's elements, or the schema itself.
func (c *comparison) element(schema object) object {
	if items := c.object(schema["items"]); items != nil {
		return items
	}
	return schema
}

// enum lists the values of a schema, nil if it has any.
func enum(schema object) (values []string) {
	for _, value := range list(schema["enum"]) {
		values = append(values, fmt.Sprint(value))
	}
	return values
}
