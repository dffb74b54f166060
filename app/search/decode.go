package search

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Decode reads what Encode wrote. It refuses everything else with an error
// that wraps errFormat, and takes memory in proportion to the input.
func Decode(data []byte) (*Index, error) {
	if len(data) > maxEncoded {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", errFormat, len(data), maxEncoded)
	}
	r := reader{rest: string(data)}
	if r.line() != magic {
		return nil, fmt.Errorf("%w: line 1: want %q", errFormat, magic)
	}
	docs, terms, err := counts(r.line())
	if err != nil {
		return nil, fmt.Errorf("%w: line 2: %w", errFormat, err)
	}
	ix := &Index{}
	for range docs {
		d, err := readRecord(r.line())
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", errFormat, r.number, err)
		}
		ix.docs = append(ix.docs, d)
	}
	// A term takes at least two bytes: a false count cannot ask for more.
	terms = min(terms, len(r.rest)/2+1)
	ix.vocab = make([]string, 0, terms)
	ix.deep = make([][]deepPosting, 0, terms)
	last := ""
	for r.rest != "" {
		word, uses, _ := strings.Cut(r.line(), " ")
		if word <= last || !utf8.ValidString(word) {
			return nil, fmt.Errorf("%w: line %d: words out of order", errFormat, r.number)
		}
		list, err := readPostings(uses, int32(docs))
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", errFormat, r.number, err)
		}
		ix.vocab, ix.deep = append(ix.vocab, word), append(ix.deep, list)
		last = word
	}
	if len(ix.vocab) != terms || !r.whole {
		return nil, fmt.Errorf("%w: cut short after line %d", errFormat, r.number)
	}
	if !ix.assemble() {
		return nil, fmt.Errorf("%w: words of a short field are missing", errFormat)
	}
	return ix, nil
}

// reader hands out lines.
type reader struct {
	rest   string
	number int
	// whole means that the last line given ended in a newline.
	whole bool
}

func (r *reader) line() string {
	line, rest, whole := strings.Cut(r.rest, "\n")
	r.rest, r.whole = rest, whole
	r.number++
	return line
}

func counts(line string) (docs, terms int, err error) {
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

// readPostings reads what appendPostings wrote, for so many documents.
func readPostings(text string, docs int32) ([]deepPosting, error) {
	if text == "" {
		return nil, nil
	}
	uses := 0
	for i := range len(text) {
		if d := digitOf[text[i]]; d >= 0 && d < 32 {
			uses++
		}
	}
	list := make([]deepPosting, 0, uses)
	next := int64(0)
	n, shift := int64(0), 0
	for i := range len(text) {
		d := digitOf[text[i]]
		if d < 0 || shift > 25 {
			return nil, fmt.Errorf("column %d: not a posting", i+1)
		}
		n |= int64(d&31) << shift
		if shift += 5; d >= 32 {
			continue
		}
		doc := next + n>>4
		if doc >= int64(docs) {
			return nil, fmt.Errorf("document %d of %d", doc, docs)
		}
		list = append(list, deepPosting{int32(doc), uint8(n >> 2 & 3), uint8(n & 3)})
		next, n, shift = doc+1, 0, 0
	}
	if shift > 0 {
		return nil, fmt.Errorf("posting cut short")
	}
	return list, nil
}
