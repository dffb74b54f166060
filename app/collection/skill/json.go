package skill

import (
	"encoding/json"
	"slices"
	"strings"

	"marketingskills/app/collection/finding"
)

// jsonValue is a value of a JSON file that was found to be valid, as written.
type jsonValue struct {
	text string
	// line is that of the key, where findings point; start is the line on
	// which the value begins. They differ for a value below its key.
	line, start int
}

// jsonObject holds an object's values by key, and under the empty key the
// object itself.
type jsonObject map[string]jsonValue

// line returns the line of a key, that of the object when it has none.
func (o jsonObject) line(key string) int {
	if v, ok := o[key]; ok {
		return v.line
	}
	return o[""].line
}

// jsonReader takes values apart and reports what does not fit, under rule,
// with the line it stands on. The standard library's strict mode stops at the
// first unknown field, does not say where it is, and lets "ID" pass for "id".
type jsonReader struct {
	list *finding.List
	rule string
}

// object returns the values of an object, and reports keys that come twice or
// are not among those known, with right as the advice. It returns false, with a finding, for a value of
// another kind.
func (r *jsonReader) object(v jsonValue, of, right string, known ...string) (jsonObject, bool) {
	object := jsonObject{"": v}
	ok := r.each(v, '{', func(key string, value jsonValue) {
		switch _, twice := object[key]; {
		case !slices.Contains(known, key):
			r.list.Errorf(value.line, "evals-fields", right, "%s has the unknown field %q", of, key)
		case twice:
			r.list.Errorf(value.line, "evals-fields", "keep one of the two", "%s has %q twice", of, key)
		default:
			object[key] = value
		}
	})
	if !ok {
		r.list.Errorf(v.line, r.rule, `write it in braces, {"key": value}`, "%s is not an object", of)
	}
	return object, ok
}

// array returns the elements of an array, which may be missing; of another
// kind of value it says so and returns none.
func (r *jsonReader) array(v jsonValue, of string) []jsonValue {
	if v.text == "" {
		return nil
	}
	var all []jsonValue
	if !r.each(v, '[', func(_ string, value jsonValue) { all = append(all, value) }) {
		r.list.Errorf(v.line, r.rule, "write it in square brackets", "%s is not an array", of)
	}
	return all
}

// each calls do for every element of an array or member of an object, and
// returns false when the value does not begin with the delimiter.
func (r *jsonReader) each(v jsonValue, begin json.Delim, do func(key string, value jsonValue)) bool {
	d := json.NewDecoder(strings.NewReader(v.text))
	if first, err := d.Token(); err != nil || first != begin {
		return false
	}
	line, read := v.start, 0
	// lineAt counts on from where it stopped, so that many members cost no
	// more than few long ones.
	lineAt := func(offset int) int {
		line += strings.Count(v.text[read:offset], "\n")
		read = offset
		return line
	}
	for d.More() {
		key, keyLine := "", 0
		if begin == '{' {
			token, err := d.Token()
			if err != nil {
				return true
			}
			key, _ = token.(string)
			keyLine = lineAt(int(d.InputOffset()))
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return true
		}
		start := lineAt(int(d.InputOffset()) - len(value))
		if begin == '[' {
			keyLine = start
		}
		do(key, jsonValue{string(value), keyLine, start})
	}
	return true
}
