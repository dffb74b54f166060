package example

import (
	"encoding/json"
	"errors"
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
	b.duplicateKeys(body)

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

// duplicateKeys reports every key that its object already has, as far as the
// body can be read.
func (b *block) duplicateKeys(body string) {
	// level is an open array (keys is nil) or object; keys holds the line of
	// each, wantKey whether the next string is one.
	type level struct {
		keys    map[string]int
		wantKey bool
	}
	var open []level
	decoder := json.NewDecoder(strings.NewReader(body))
	decoder.UseNumber()
	for line, read := 0, int64(0); len(open) <= maxJSONDepth; {
		token, err := decoder.Token()
		if err != nil {
			return
		}
		end := decoder.InputOffset()
		line += strings.Count(body[read:end], "\n")
		read = end

		top := len(open) - 1
		switch token {
		case json.Delim('{'):
			open = append(open, level{map[string]int{}, true})
			continue
		case json.Delim('['):
			open = append(open, level{})
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:top]
			top--
		default:
			if top >= 0 && open[top].wantKey {
				b.noteKey(open[top].keys, token.(string), line)
				open[top].wantKey = false
				continue
			}
		}
		// A value has ended: an object goes on with a key.
		if top >= 0 {
			open[top].wantKey = open[top].keys != nil
		}
	}
}

func (b *block) noteKey(keys map[string]int, key string, line int) {
	if first, twice := keys[key]; twice {
		b.errorf(line, "json-duplicate-key", "keep one of the two",
			"the object already has %s, on line %d", text.Quote(key), b.first+first)
		return
	}
	keys[key] = line
}
