// Package vendor reads the tables of the command vendors: a JSON file per vendor
// that says how its API is called. The format is described in tools/WRITING.md,
// "A table for vendors".
//
// [Parse] reads and checks a table; [Table.Call] makes the request for one of its
// operations. In a table without findings the key has no place but a header, so
// that no URL holds it. Nothing here touches the environment or the network.
package vendor

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/jsontree"
	"marketingskills/app/text"
)

// Table says how the API of a vendor is called.
type Table struct {
	Name, Base, Docs string
	Category         string // that of the registry
	Checked          string // YYYY-MM-DD
	Auth             Auth
	Headers          map[string]string
	Message          string   // path of the text in an error's JSON
	Failed           []string // paths of what says, in spite of a status of success, that a request failed
	Operations       []Operation
	// Params has what is known of parameters, by name, or by operation and name with
	// a space between them, which goes first.
	Params map[string]Detail
}

// Auth says how the key travels: in a header, or by HTTP Basic.
type Auth struct {
	Env            string // the variable that holds the key
	Header, Prefix string
	Basic          bool
	User           *string // with neither User nor UserEnv, the key is the user name
	UserEnv        string  `json:"user_env"`
	// Test is how keys begin with which no money moves.
	Test []string
}

// IsTest tells whether a key is one with which no money moves.
func (a Auth) IsTest(key string) bool {
	return slices.ContainsFunc(a.Test, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
}

// Operation is one thing that the API does.
type Operation struct {
	Name, Does, Request string
	Query, Body, Form   []Param // a Body or Form without parameters is empty, not nil
	Fixed               map[string]any
	// OneOf has groups of parameters of which one must be given; "a+b" in a group are
	// two that go together.
	OneOf  [][]string `json:"one_of"`
	Items  string     // path of the rows in the response
	Paging *Paging
	Effect Effect

	Method string  `json:"-"`
	Params []Param `json:"-"` // of the path, the query and the body, and the one of Paging
	Path   string  `json:"-"`
}

// Effect is what an operation does beyond reading.
type Effect string

// The effects.
const (
	Reads     Effect = ""
	Changes   Effect = "changes"
	Discounts Effect = "discounts" // lowers what customers pay
	Spends    Effect = "spends"
	Sends     Effect = "sends"
	Deletes   Effect = "deletes"
)

// Asks tells whether a person has to agree first.
func (e Effect) Asks() bool { return e != Reads && e != Changes }

// Money tells whether a test key makes it harmless.
func (e Effect) Money() bool { return e == Spends || e == Discounts }

// Paging says how the next page is asked for. Exactly one of Offset, Page, Cursor,
// Next without Cursor, and Link is set.
type Paging struct {
	Offset, Page, Cursor string // names of a parameter
	First                *int   // number of the first page, 1 by default
	Next                 string // path of the cursor, or of a whole URL
	Last                 string // path of the cursor in the last row
	More                 string // path of what is true as long as there are pages
	Total                string // path of the number of pages, or of rows with Offset
	Link                 bool
}

// Param returns the parameter that asks for a page, "" if a URL does.
func (p *Paging) Param() string { return p.Offset + p.Page + p.Cursor }

// Param is a parameter of an operation. In a table it is a text: the name, * if it
// is required, and after a colon the kind, one of [Kinds].
type Param struct {
	Name, Kind string
	Required   bool
	Detail
	place byte // ? in the query, { in a JSON body, & in a form, / in the path
}

// Detail is what is known of a parameter beside its name and kind. Nothing of it has
// to be.
type Detail struct {
	Means   string   `json:"means,omitempty"`
	Values  []string `json:"values,omitempty"` // the only ones, of a list: of its elements
	Min     *float64 `json:"min,omitempty"`
	Max     *float64 `json:"max,omitempty"`
	Default string   `json:"default,omitempty"` // what the vendor takes if none is given, as a person would type it
}

// Kinds are the kinds of parameters, with what a value must be.
var Kinds = map[string]string{"": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
	"list": "values with commas between them", "json": "JSON"}

// UnmarshalText leaves the check of what it reads to [Parse].
func (p *Param) UnmarshalText(data []byte) error {
	p.Name, p.Kind, _ = strings.Cut(string(data), ":")
	p.Name, p.Required = strings.CutSuffix(p.Name, "*")
	return nil
}

// In is the part of a request that has the parameter: path, query, body or form.
func (p Param) In() string {
	return map[byte]string{'/': "path", '?': "query", '{': "body", '&': "form"}[p.place]
}

// Takes says what a value must be, such as "a whole number from 1 to 100".
func (p Param) Takes() string {
	number := func(n *float64) string { return strconv.FormatFloat(*n, 'f', -1, 64) }
	kind := Kinds[p.Kind]
	switch {
	case len(p.Values) > 0 && p.Kind == "list":
		return "any of " + text.Either(p.Values) + ", with commas between them"
	case len(p.Values) > 0:
		return text.Either(p.Values)
	case p.Min != nil && p.Max != nil:
		return kind + " from " + number(p.Min) + " to " + number(p.Max)
	case p.Min != nil:
		return kind + " of at least " + number(p.Min)
	case p.Max != nil:
		return kind + " of at most " + number(p.Max)
	}
	return kind
}

// Placeholder stands for a value in an example.
func (p Param) Placeholder() string {
	return strings.ToUpper(p.Name[strings.LastIndex(p.Name, ".")+1:])
}

// Sample is a value that the parameter takes.
func (p Param) Sample() string {
	switch {
	case p.Default != "":
		return p.Default
	case len(p.Values) > 0:
		return p.Values[0]
	case p.Min != nil:
		return strconv.FormatFloat(*p.Min, 'f', -1, 64)
	case p.Max != nil:
		return strconv.FormatFloat(*p.Max, 'f', -1, 64)
	}
	return map[string]string{"": "x", "integer": "1", "number": "1", "boolean": "true", "list": "x", "json": "{}"}[p.Kind]
}

// Operation returns the operation of a name, nil if there is none.
func (t *Table) Operation(name string) *Operation {
	if i := slices.IndexFunc(t.Operations, func(o Operation) bool { return o.Name == name }); i >= 0 {
		return &t.Operations[i]
	}
	return nil
}

// Variables returns those that the table needs beside the one for the key.
func (t *Table) Variables() []string {
	all := "{" + t.Auth.UserEnv + "}" + t.Base
	for _, o := range t.Operations {
		all += o.Request
	}
	var names []string
	for _, match := range variable.FindAllStringSubmatch(all, -1) {
		if !slices.Contains(names, match[1]) {
			names = append(names, match[1])
		}
	}
	return names
}

var inPath = regexp.MustCompile(`\{([a-z][a-z0-9_-]*)\}`)

// prepare takes the request apart and collects the parameters, with what is known of
// them.
func (t *Table) prepare(o *Operation) {
	o.collect()
	for i := range o.Params {
		p := &o.Params[i]
		detail, ok := t.Params[o.Name+" "+p.Name]
		if !ok {
			detail = t.Params[p.Name]
		}
		p.Detail = detail
	}
}

// collect fills Params. The one that asks for a page belongs to them, so that a
// person can set it too.
func (o *Operation) collect() {
	o.Method, o.Path, _ = strings.Cut(o.Request, " ")
	for _, match := range inPath.FindAllStringSubmatch(o.Path, -1) {
		o.Params = append(o.Params, Param{Name: match[1], Required: true, place: '/'})
	}
	for _, group := range []struct {
		params []Param
		place  byte
	}{{o.Query, '?'}, {o.Body, '{'}, {o.Form, '&'}} {
		for _, p := range group.params {
			p.place = group.place
			o.Params = append(o.Params, p)
		}
	}
	if o.Paging == nil || o.Paging.Param() == "" || slices.ContainsFunc(o.Params, func(p Param) bool { return p.Name == o.Paging.Param() }) {
		return
	}
	p := Param{Name: o.Paging.Param(), place: o.fixedPlace()}
	if o.Paging.Cursor == "" {
		p.Kind = "integer"
	}
	o.Params = append(o.Params, p)
}

// fixedPlace is where the fixed parameters go: into the body, if there is one.
func (o *Operation) fixedPlace() byte {
	switch {
	case o.Body != nil:
		return '{'
	case o.Form != nil:
		return '&'
	}
	return '?'
}

// maxSize is far beyond a table, which has an operation or a parameter a line.
const maxSize = 64 << 10

// Parse reads a table and checks it. Problems go into the list; ok tells that there
// are none. The table is nil if it could not be read at all.
func Parse(data []byte, list *finding.List) (table *Table, ok bool) {
	before := len(list.All)
	if len(data) > maxSize || !utf8.Valid(data) {
		list.Errorf(0, "vendor-table", "save a table as UTF-8", "this is not UTF-8, or more than 64 KiB")
		return nil, false
	}
	const right = "write one object as tools/WRITING.md describes"
	root, err := jsontree.Parse(data)
	if syntax, ok := errors.AsType[*jsontree.SyntaxError](err); ok {
		list.Errorf(syntax.Line, "vendor-table", right, "this is not a table: %s", syntax.What)
		return nil, false
	}
	c := &checker{list: list, root: root}
	c.keys(root, true)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(&table); err != nil || table == nil {
		list.Errorf(0, "vendor-table", right, "this is not a table: %v", err)
		return nil, false
	}
	for i := range table.Operations {
		table.prepare(&table.Operations[i])
	}
	c.Table = table
	c.table()
	if len(list.All) == before { // else what is said of parameters may be right
		c.details()
	}
	return table, len(list.All) == before
}
