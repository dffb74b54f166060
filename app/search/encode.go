package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// The file is text, so that any host compresses it:
//
//	skill-search 1
//	2 3                        documents, terms
//	{"name":"ads",…}           a line of JSON for each document
//	{"name":"sms",…}
//	campaign aBc               a line for each term, in byte order, and its
//	consent dE                 uses in headings and bodies (see postings)
//	segment
const magic = "skill-search 1"

// Limits of the file; Encode keeps them and Decode insists on them.
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

// errFormat is the error of Decode for anything that Encode did not write,
// and of Encode for a collection beyond the limits.
var errFormat = errors.New("search: not an index of this release")

// record is one document in the file.
type record struct {
	Document
	// Length counts the words of headings and body.
	Length int `json:"length"`
}

// digits write numbers five bits at a time, lowest first; the upper half of
// the alphabet says that more follows.
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

var digitOf = func() (table [256]int8) {
	for i := range table {
		table[i] = -1
	}
	for i := range len(digits) {
		table[digits[i]] = int8(i)
	}
	return table
}()

// Encode writes the index to the form that Decode reads. The same documents
// always give the same bytes.
func (ix *Index) Encode() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%d %d\n", magic, len(ix.docs), len(ix.vocab))
	for i := range ix.docs {
		line, err := json.Marshal(record{ix.docs[i].Document, ix.docs[i].length})
		if err != nil {
			return nil, fmt.Errorf("search: encoding %s: %w", ix.docs[i].Name, err)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	for id, w := range ix.vocab {
		b.WriteString(w)
		if len(ix.deep[id]) > 0 {
			b.WriteByte(' ')
		}
		b.Write(appendPostings(b.AvailableBuffer(), ix.deep[id]))
		b.WriteByte('\n')
	}
	// What lies beyond the limits is found by reading it back.
	if _, err := Decode(b.Bytes()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// appendPostings writes each use as one number: the documents skipped since
// the one before, then two bits each for heading and body.
func appendPostings(dst []byte, list []deepPosting) []byte {
	next := int32(0)
	for _, p := range list {
		n := uint32(p.doc-next)<<4 | uint32(p.heading)<<2 | uint32(p.body)
		for ; n >= 32; n >>= 5 {
			dst = append(dst, digits[n&31|32])
		}
		dst = append(dst, digits[n])
		next = p.doc + 1
	}
	return dst
}
