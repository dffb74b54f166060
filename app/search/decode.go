package search

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Decode reads what [Compile] wrote. For anything else it returns an error, and it
// takes memory in proportion to the input.
func Decode(data []byte) (*Index, error) {
	if len(data) > maxEncoded {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", errFormat, len(data), maxEncoded)
	}
	r := lineReader{rest: string(data)}
	if r.line() != magic {
		return nil, fmt.Errorf("%w: line 1: want %q", errFormat, magic)
	}
	docs, terms, err := readCounts(r.line())
	if err != nil {
		return nil, fmt.Errorf("%w: line 2: %w", errFormat, err)
	}
	ix := &Index{}
	for range docs {
		d, err := readRecord(r.line())
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", errFormat, r.lineNumber, err)
		}
		ix.docs = append(ix.docs, d)
	}
	// A term takes at least two bytes, so a false count cannot reserve much memory.
	terms = min(terms, len(r.rest)/2+1)
	ix.terms, ix.ids = make([]term, 0, terms), make(map[string]int32, terms)
	last := ""
	for r.rest != "" {
		word, written, _ := strings.Cut(r.line(), " ")
		if word <= last || !utf8.ValidString(word) {
			return nil, fmt.Errorf("%w: line %d: words out of order", errFormat, r.lineNumber)
		}
		list, err := readUses(written, int32(docs))
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", errFormat, r.lineNumber, err)
		}
		ix.ids[word] = int32(len(ix.terms))
		ix.terms = append(ix.terms, term{stem: word, shape: shapeOf(word), uses: list})
		last = word
	}
	if len(ix.terms) != terms || !r.ended {
		return nil, fmt.Errorf("%w: cut short after line %d", errFormat, r.lineNumber)
	}
	if !ix.assemble() {
		return nil, fmt.Errorf("%w: words of a short field are missing", errFormat)
	}
	return ix, nil
}

// lineReader reads a text line by line.
type lineReader struct {
	rest       string
	lineNumber int
	// ended tells whether the last line that was read ended in a newline.
	ended bool
}

func (r *lineReader) line() string {
	line, rest, ended := strings.Cut(r.rest, "\n")
	r.rest, r.ended = rest, ended
	r.lineNumber++
	return line
}

func readCounts(line string) (docs, terms int, err error) {
	a, b, _ := strings.Cut(line, " ")
	if docs, err = strconv.Atoi(a); err != nil {
		return 0, 0, err
	}
	if terms, err = strconv.Atoi(b); err != nil {
		return 0, 0, err
	}
	if docs < 0 || docs > maxDocuments || terms < 0 || terms > maxEncoded {
		return 0, 0, fmt.Errorf("%d documents, %d terms: beyond the limits", docs, terms)
	}
	return docs, terms, nil
}

func readRecord(line string) (indexed, error) {
	if len(line) > maxRecord {
		return indexed{}, fmt.Errorf("%d bytes, at most %d", len(line), maxRecord)
	}
	var rec record
	if err := json.Unmarshal([]byte(line), &rec); err != nil {
		return indexed{}, err
	}
	if n := max(len(rec.Keywords), len(rec.OldNames)); n > maxNames {
		return indexed{}, fmt.Errorf("%d keywords or old names, at most %d", n, maxNames)
	}
	if rec.Length < 0 || rec.Length > maxEncoded {
		return indexed{}, fmt.Errorf("length %d beyond the limits", rec.Length)
	}
	rec.Headings, rec.Body = nil, ""
	return indexed{Document: rec.Document, length: rec.Length}, nil
}

// readUses reads what appendUses wrote, for so many documents.
func readUses(text string, docs int32) ([]use, error) {
	if text == "" {
		return nil, nil
	}
	n := 0
	for i := range len(text) {
		if d := digitValue[text[i]]; d >= 0 && d < 32 {
			n++
		}
	}
	list := make([]use, 0, n)
	next, number, shift := int64(0), int64(0), 0
	for i := range len(text) {
		d := digitValue[text[i]]
		if d < 0 || shift > 25 {
			return nil, fmt.Errorf("column %d: not a use", i+1)
		}
		number |= int64(d&31) << shift
		if shift += 5; d >= 32 {
			continue
		}
		doc := next + number>>4
		if doc >= int64(docs) {
			return nil, fmt.Errorf("document %d of %d", doc, docs)
		}
		u := use{doc: int32(doc), heading: uint8(number >> 2 & 3), body: uint8(number & 3)}
		if u.heading > 0 {
			u.fields |= inHeadings
		}
		if u.body > 0 {
			u.fields |= inBody
		}
		list = append(list, u)
		next, number, shift = doc+1, 0, 0
	}
	if shift > 0 {
		return nil, fmt.Errorf("use cut short")
	}
	return list, nil
}
