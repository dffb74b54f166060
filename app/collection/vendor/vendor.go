// Package vendor reads the tables of the command vendors: a JSON file per vendor
// that says how its API is called. The format is described in tools/WRITING.md,
// "A table for vendors".
//
// [Parse] reads and checks a table; [Table.Call] makes the request for one of its
// operations. In a table without findings the key can only be in a header, never
// in a URL. Nothing here touches the environment or the network.
package vendor

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/jsontree"
)

// Table says how the API of a vendor is called.
type Table struct {
	Name, Base, Docs string
	Checked          string // YYYY-MM-DD
	Auth             Auth
	Headers          map[string]string
	Message          string   // path of the text in an error's JSON
	Failed           []string // paths of values that say, in a response of status 200, that the request failed
	Operations       []Operation
}

// Auth says how the key is sent: in a header, or by HTTP Basic.
type Auth struct {
	Env            string // the variable that holds the key
	Header, Prefix string
	Basic          bool
	User           *string // with neither User nor UserEnv, the key is the user name
	UserEnv        string  `json:"user_env"`
}

// Operation is one thing that the API does.
type Operation struct {
	Name, Does, Request string
	Query, Body, Form   []Param // a Body or Form without parameters is empty, not nil
	Fixed               map[string]any
	Items               string // path of the rows in the response
	Paging              *Paging
	Effect              Effect

	Method string  `json:"-"`
	Params []Param `json:"-"` // of the path, the query and the body, and that of Paging
	path   string
}

// Effect is what an operation does beyond reading.
type Effect string

// The effects.
const (
	Reads   Effect = ""
	Changes Effect = "changes"
	Spends  Effect = "spends"
	Sends   Effect = "sends"
	Deletes Effect = "deletes"
)

// NeedsConfirmation tells whether a person has to agree before the request is sent.
func (e Effect) NeedsConfirmation() bool { return e == Spends || e == Sends || e == Deletes }

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
	location   location
}

// location is the part of a request that a parameter is put into.
type location int

const (
	inQuery location = iota
	inPath
	inJSON
	inForm
)

// Kinds are the kinds of parameters, each with what a value must be.
var Kinds = map[string]string{"": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
	"list": "values with commas between them", "json": "JSON"}

// UnmarshalText reads the text form of a parameter. [Parse] checks it.
func (p *Param) UnmarshalText(data []byte) error {
	p.Name, p.Kind, _ = strings.Cut(string(data), ":")
	p.Name, p.Required = strings.CutSuffix(p.Name, "*")
	return nil
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
	text := "{" + t.Auth.UserEnv + "}" + t.Base
	for _, o := range t.Operations {
		text += o.Request
	}
	var names []string
	for _, match := range variable.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, match[1]) {
			names = append(names, match[1])
		}
	}
	return names
}

// pathParam is a parameter in the path of a request.
var pathParam = regexp.MustCompile(`\{([a-z][a-z0-9_-]*)\}`)

// prepare fills in the fields that follow from the others. The parameter that asks
// for a page is one of Params, so that a person can set it too.
func (o *Operation) prepare() {
	o.Method, o.path, _ = strings.Cut(o.Request, " ")
	for _, match := range pathParam.FindAllStringSubmatch(o.path, -1) {
		o.Params = append(o.Params, Param{Name: match[1], Required: true, location: inPath})
	}
	for _, group := range []struct {
		params   []Param
		location location
	}{{o.Query, inQuery}, {o.Body, inJSON}, {o.Form, inForm}} {
		for _, p := range group.params {
			p.location = group.location
			o.Params = append(o.Params, p)
		}
	}
	if o.Paging == nil || o.Paging.Param() == "" || slices.ContainsFunc(o.Params, func(p Param) bool { return p.Name == o.Paging.Param() }) {
		return
	}
	p := Param{Name: o.Paging.Param(), location: o.fixedLocation()}
	if o.Paging.Cursor == "" {
		p.Kind = "integer"
	}
	o.Params = append(o.Params, p)
}

// fixedLocation returns where the fixed parameters go: into the body or form if
// there is one.
func (o *Operation) fixedLocation() location {
	switch {
	case o.Body != nil:
		return inJSON
	case o.Form != nil:
		return inForm
	}
	return inQuery
}

// maxSize is the most bytes of a table. Tables have about twenty lines.
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
	c.checkKeys(root, true)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(&table); err != nil || table == nil {
		list.Errorf(0, "vendor-table", right, "this is not a table: %v", err)
		return nil, false
	}
	for i := range table.Operations {
		table.Operations[i].prepare()
	}
	c.table = table
	c.checkTable()
	return table, len(list.All) == before
}
