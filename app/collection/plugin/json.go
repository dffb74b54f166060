package plugin

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"marketingskills/app/collection/example"
)

// Kind is what a JSON value is.
type Kind string

// Numbers, truth values and null are all Other: no field of a manifest is one.
const (
	Object Kind = "an object"
	Array  Kind = "a list"
	Text   Kind = "text"
	Other  Kind = "something else"
)

// Value is one value of a JSON file and where it stands there, so that a file
// can be changed without writing the rest of it anew. Offsets are in bytes.
type Value struct {
	Kind Kind
	Text string   // of a text, without quotes and escapes
	Of   []*Value // members or elements, in the order of the file

	// Key is the value's in its object, or its position in its list.
	Key string
	// Line is where the value begins, with its key, counted from 1; From is
	// that place as an offset.
	Line, From int
	// Start and End enclose the value itself, its quotes or brackets included.
	Start, End int
}

// At returns the value that keys lead to, nil when there is none. Of two with
// one key it is the last, which is the one that programs read.
func (v *Value) At(keys ...string) *Value {
	for _, key := range keys {
		if v == nil {
			return nil
		}
		var found *Value
		for _, member := range v.Of {
			if member.Key == key {
				found = member
			}
		}
		v = found
	}
	return v
}

// Parse reads a file that holds one JSON value. Its error names the line.
func Parse(data []byte) (*Value, error) {
	if line, what := example.JSONProblem(string(data)); what != "" {
		return nil, &SyntaxError{line, what}
	}
	p := &parser{decoder: json.NewDecoder(strings.NewReader(string(data))), data: data, line: 1}
	p.decoder.UseNumber()
	return p.value()
}

// SyntaxError says that a file is not JSON, and on which of its lines, counted
// from 1.
type SyntaxError struct {
	Line int
	What string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d is not JSON: %s; correct it first", e.Line, e.What)
}

type parser struct {
	decoder *json.Decoder
	data    []byte
	counted int // bytes whose line feeds are in line
	line    int
}

// next returns a token, where it begins, and the line of that place.
func (p *parser) next() (token json.Token, start, line int, err error) {
	start = int(p.decoder.InputOffset())
	if token, err = p.decoder.Token(); err != nil {
		return nil, 0, 0, err
	}
	for strings.IndexByte(" \t\r\n,:", p.data[start]) >= 0 {
		start++
	}
	p.line += strings.Count(string(p.data[p.counted:start]), "\n")
	p.counted = start
	return token, start, p.line, nil
}

func (p *parser) value() (*Value, error) {
	token, start, line, err := p.next()
	if err != nil {
		return nil, err
	}
	v := &Value{Kind: Other, Line: line, From: start, Start: start}
	switch token := token.(type) {
	case string:
		v.Kind, v.Text = Text, token
	case json.Delim:
		v.Kind = Array
		if token == '{' {
			v.Kind = Object
		}
		if err := p.members(v); err != nil {
			return nil, err
		}
	}
	v.End = int(p.decoder.InputOffset())
	return v, nil
}

// members reads what an object or a list holds, and its closing bracket.
func (p *parser) members(v *Value) error {
	for p.decoder.More() {
		key, from, line := json.Token(strconv.Itoa(len(v.Of))), -1, 0
		if v.Kind == Object {
			var err error
			if key, from, line, err = p.next(); err != nil {
				return err
			}
		}
		member, err := p.value()
		if err != nil {
			return err
		}
		member.Key, _ = key.(string)
		if from >= 0 {
			member.From, member.Line = from, line
		}
		v.Of = append(v.Of, member)
	}
	_, _, _, err := p.next()
	return err
}

// Edit replaces the bytes from From up to To.
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
