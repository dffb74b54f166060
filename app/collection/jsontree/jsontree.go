// Package jsontree reads JSON and keeps where each value is in the file, so that
// a finding can name a line, and a program can change one value and leave every
// other byte as it is.
package jsontree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Kind is the type of a value, in words for a finding.
type Kind string

// The kinds. Numbers, truth values and null are all Other.
const (
	Object Kind = "an object"
	Array  Kind = "a list"
	Text   Kind = "text"
	Other  Kind = "something else"
)

// Value is one value of a JSON file and its place there. Offsets are in bytes.
type Value struct {
	Kind     Kind
	Text     string   // of a text, without quotes and escapes
	Children []*Value // members or elements, in the order of the file

	// Key is the name of a member of an object, or the index of an element of a
	// list, counted from 0.
	Key string
	// Repeats is the first member of the object with the same key, nil if this is
	// the first.
	Repeats *Value
	// Line, counted from 1, and KeyStart, an offset, are where the member of an
	// object begins: its key. For other values they are where the value begins.
	Line, KeyStart int
	// Start and End enclose the value itself, its quotes or brackets included.
	Start, End int
}

// At returns the value at a path of keys, nil when there is none. Of members with
// the same key it takes the last, as most programs do.
func (v *Value) At(keys ...string) *Value {
	for _, key := range keys {
		if v == nil {
			return nil
		}
		var found *Value
		for _, member := range v.Children {
			if member.Key == key {
				found = member
			}
		}
		v = found
	}
	return v
}

// All yields the value and all that it holds, in the order of the file.
func (v *Value) All() iter.Seq[*Value] {
	return func(yield func(*Value) bool) { v.walk(yield) }
}

func (v *Value) walk(yield func(*Value) bool) bool {
	if v == nil {
		return true
	}
	if !yield(v) {
		return false
	}
	for _, member := range v.Children {
		if !member.walk(yield) {
			return false
		}
	}
	return true
}

// SyntaxError says that a file is not exactly one JSON value (RFC 8259), and on
// which of its lines, counted from 1.
type SyntaxError struct {
	Line int
	What string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d is not JSON: %s; correct it first", e.Line, e.What)
}

// Parse reads a file that holds one JSON value. Its error is a [*SyntaxError];
// the value is then what could be read, nil for nothing.
func Parse(data []byte) (*Value, error) {
	p := &parser{decoder: json.NewDecoder(bytes.NewReader(data)), data: data, line: 1}
	p.decoder.UseNumber()
	root, _ := p.value(0) // whether all of it is JSON is seen below
	var whole json.RawMessage
	err := json.Unmarshal(data, &whole)
	if err == nil {
		return root, nil
	}
	read := len(data)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		read = int(syntax.Offset) // the offending byte included
	}
	return root, &SyntaxError{1 + bytes.Count(data[:max(read-1, 0)], []byte("\n")), err.Error()}
}

// maxDepth is how deep encoding/json lets arrays and objects nest.
const maxDepth = 10000

type parser struct {
	decoder *json.Decoder
	data    []byte
	counted int // bytes whose line feeds are in line
	line    int
}

// next returns the next token, its offset and its line.
func (p *parser) next() (token json.Token, start, line int, err error) {
	start = int(p.decoder.InputOffset())
	if token, err = p.decoder.Token(); err != nil {
		return nil, 0, 0, err
	}
	for strings.IndexByte(" \t\r\n,:", p.data[start]) >= 0 {
		start++
	}
	p.line += bytes.Count(p.data[p.counted:start], []byte("\n"))
	p.counted = start
	return token, start, p.line, nil
}

// value reads a value inside depth lists and objects. With an error, it returns
// what could be read, nil for nothing.
func (p *parser) value(depth int) (*Value, error) {
	token, start, line, err := p.next()
	if err != nil {
		return nil, err
	}
	v := &Value{Kind: Other, Line: line, KeyStart: start, Start: start}
	switch token := token.(type) {
	case string:
		v.Kind, v.Text = Text, token
	case json.Delim:
		v.Kind = Array
		if token == '{' {
			v.Kind = Object
		}
		if depth == maxDepth {
			return v, io.EOF
		}
		err = p.members(v, depth+1)
	}
	v.End = int(p.decoder.InputOffset())
	return v, err
}

// members reads what an object or a list holds, and its closing bracket.
func (p *parser) members(v *Value, depth int) error {
	var first map[string]*Value // by key
	if v.Kind == Object {
		first = map[string]*Value{}
	}
	for p.decoder.More() {
		var key json.Token
		from, line := 0, 0
		if v.Kind == Object {
			var err error
			if key, from, line, err = p.next(); err != nil {
				return err
			}
		}
		member, err := p.value(depth)
		if member == nil {
			return err
		}
		if v.Kind == Object {
			member.Key, member.KeyStart, member.Line = key.(string), from, line
			if member.Repeats = first[member.Key]; member.Repeats == nil {
				first[member.Key] = member
			}
		} else {
			member.Key = strconv.Itoa(len(v.Children))
		}
		v.Children = append(v.Children, member)
		if err != nil {
			return err
		}
	}
	_, _, _, err := p.next()
	return err
}

// Edit replaces the bytes from the offset From up to, but without, To.
type Edit struct {
	From, To int
	New      string
}

// Apply makes edits that do not overlap.
func Apply(data []byte, edits ...Edit) []byte {
	slices.SortFunc(edits, func(a, b Edit) int { return a.From - b.From })
	var changed []byte
	at := 0
	for _, e := range edits {
		changed = append(append(changed, data[at:e.From]...), e.New...)
		at = e.To
	}
	return append(changed, data[at:]...)
}
