package example

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"marketingskills/app/collection/finding"
	"marketingskills/app/text"
)

// maxJSONDepth is how deep encoding/json lets arrays and objects nest.
const maxJSONDepth = 10000

// checkJSON reports a body that is not exactly one JSON value (RFC 8259), and
// keys that an object has twice: parsers disagree on which of them wins.
func checkJSON(body string, firstLine int, into *finding.List) {
	b := newBlock(body, firstLine, into)
	defer b.close()
	r := keyReader{block: b, Decoder: json.NewDecoder(strings.NewReader(body)), body: body}
	r.UseNumber()
	for r.value(0) == nil {
		// What follows the one value is wrong, and has keys like any other.
	}
	if line, what := JSONProblem(body); what != "" {
		b.errorf(min(line-1, b.last()), "json-syntax", "write exactly one JSON value", "%s", what)
	}
}

// JSONProblem says what is wrong with a text that is not exactly one JSON
// value, and on which of its lines, counted from 1; "" for one that is.
func JSONProblem(text string) (line int, what string) {
	var value json.RawMessage
	err := json.Unmarshal([]byte(text), &value)
	if err == nil {
		return 0, ""
	}
	read := len(text)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		// Offset counts the bytes read, the offending one included.
		read = int(syntax.Offset)
	}
	return 1 + strings.Count(text[:max(read-1, 0)], "\n"), err.Error()
}

// keyReader walks a JSON text and reports every key that its object already
// has, as far as the text can be read.
type keyReader struct {
	*block
	*json.Decoder
	body string
	read int64 // bytes counted into line
	line int   // of the last token
}

func (r *keyReader) next() (json.Token, error) {
	token, err := r.Token()
	end := r.InputOffset()
	r.line += strings.Count(r.body[r.read:end], "\n")
	r.read = end
	return token, err
}

// value reads one value; depth is how many arrays and objects are around it.
func (r *keyReader) value(depth int) error {
	token, err := r.next()
	if _, opens := token.(json.Delim); err != nil || !opens {
		return err
	}
	if depth == maxJSONDepth {
		return io.EOF
	}
	keys := map[string]int{}
	for r.More() {
		if token == json.Delim('{') {
			key, err := r.next()
			if err != nil {
				return err
			}
			r.noteKey(keys, key.(string))
		}
		if err := r.value(depth + 1); err != nil {
			return err
		}
	}
	_, err = r.next()
	return err
}

func (r *keyReader) noteKey(keys map[string]int, key string) {
	if first, twice := keys[key]; twice {
		r.errorf(r.line, "json-duplicate-key", "keep one of the two",
			"the object already has %s, on line %d", text.Quote(key), r.first+first)
		return
	}
	keys[key] = r.line
}
