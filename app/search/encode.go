package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// The file is text, which any host compresses:
//
//	skill-search 1
//	2 3                        documents, terms
//	{"name":"ads",…}           a line of JSON for each document
//	{"name":"sms",…}
//	campaign aBc               a line for each term, in byte order, and its
//	consent dE                 uses in headings and bodies (see appendUses)
//	segment
const magic = "skill-search 1"

// Limits of the file; Compile keeps them and Decode insists on them.
const (
	// maxEncoded is the most bytes.
	maxEncoded = 32 << 20
	// maxDocuments is the most documents.
	maxDocuments = 5000
	// maxRecord is the most bytes that the short fields of one document take.
	maxRecord = 32 << 10
	// maxNames is the most keywords, and the most old names, of a document.
	maxNames = 200
)

// errFormat is wrapped by the errors of Decode for anything that Compile did not
// write, and of Compile for documents beyond the limits.
var errFormat = errors.New("search: not an index of this release")

// record is one document in the file.
type record struct {
	Document
	// Length counts the words of headings and body.
	Length int `json:"length"`
}

// alphabet has the digits of numbers. A digit holds five bits, the lowest first;
// one from the upper half of the alphabet says that more digits follow.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

var digitValue = func() (table [256]int8) {
	for i := range table {
		table[i] = -1
	}
	for i := range len(alphabet) {
		table[alphabet[i]] = int8(i)
	}
	return table
}()

func encode(records []record, uses map[string][]use) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%d %d\n", magic, len(records), len(uses))
	for _, r := range records {
		line, err := json.Marshal(r)
		if err != nil {
			return nil, fmt.Errorf("search: encoding %s: %w", r.Name, err)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	for _, w := range slices.Sorted(maps.Keys(uses)) {
		b.WriteString(w)
		if len(uses[w]) > 0 {
			b.WriteByte(' ')
		}
		b.Write(appendUses(b.AvailableBuffer(), uses[w]))
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

// appendUses writes each use as one number: how many documents were skipped since
// the last use, then two bits each for heading and body.
func appendUses(dst []byte, list []use) []byte {
	next := int32(0)
	for _, u := range list {
		n := uint32(u.doc-next)<<4 | uint32(u.heading)<<2 | uint32(u.body)
		for ; n >= 32; n >>= 5 {
			dst = append(dst, alphabet[n&31|32])
		}
		dst = append(dst, alphabet[n])
		next = u.doc + 1
	}
	return dst
}
