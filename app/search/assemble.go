package search

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
)

// assemble derives the rest of the index from what the file has: documents, and
// terms with their uses in headings and bodies. It returns false if a word of a
// short field is not among the terms.
func (ix *Index) assemble() bool {
	r := shortReader{ix: ix, names: map[string]bool{}, words: map[string]shortWord{}}
	for i := range ix.docs {
		r.names[ix.docs[i].Name] = true
	}
	for i := range ix.docs {
		if !r.read(int32(i)) {
			return false
		}
	}
	ix.words = make([]shortWord, 0, len(r.words))
	for _, text := range slices.Sorted(maps.Keys(r.words)) {
		w := r.words[text]
		w.shape = shapeOf(text)
		ix.words = append(ix.words, w)
	}
	ix.names = nameKeys(ix.docs)
	ix.weigh()
	return true
}

// shortReader goes through the short fields of all documents.
type shortReader struct {
	ix *Index
	// names of all skills, to tell where a description points to another.
	names map[string]bool
	// words seen so far.
	words map[string]shortWord
}

// read breaks the short fields of a document into phrases and marks, and counts
// their words. It returns false if one is not among the terms.
func (r *shortReader) read(doc int32) bool {
	d := &r.ix.docs[doc]
	away := handovers(d.Document, r.names)
	for _, p := range shortTexts(d.Document) {
		for _, o := range occurrences(p.text, fieldsOfPhrases.has(p.field)) {
			id, known := r.ix.ids[o.stem]
			if !known {
				return false
			}
			// A word that also occurs by itself is not only a compound.
			if have, ok := r.words[o.text]; !ok || have.firstPart > o.firstPart {
				r.words[o.text] = shortWord{text: o.text, term: id, firstPart: o.firstPart}
			}
			if o.firstPart == 0 {
				p.terms = append(p.terms, id)
			}
			if p.field != inDescription || p.text != d.Description || !within(away, o.at.Start) {
				r.count(id, doc, p.field)
			}
			if v := d.visibleText(p); v >= 0 {
				at, _ := slices.BinarySearchFunc(d.marks[v], o.at.Start, func(m mark, start int) int { return cmp.Compare(m.at.Start, start) })
				d.marks[v] = slices.Insert(d.marks[v], at, mark{id, o.firstPart > 0, o.at})
			}
		}
		if p.field != inDescription && len(p.terms) > 0 {
			d.phrases = append(d.phrases, p)
		}
	}
	return true
}

func (r *shortReader) count(id, doc int32, field fields) {
	t := &r.ix.terms[id]
	t.inShortFields |= field
	at, ok := slices.BinarySearchFunc(t.uses, doc, func(u use, doc int32) int { return cmp.Compare(u.doc, doc) })
	if !ok {
		t.uses = slices.Insert(t.uses, at, use{doc: doc})
	}
	u := &t.uses[at]
	u.fields |= field
	slot := bits.TrailingZeros8(uint8(field))
	u.count[slot] = min(u.count[slot]+1, 100)
}

// visibleText returns the index in indexed.marks of a text that lists show, -1 for
// any other.
func (d *indexed) visibleText(p phrase) int {
	switch {
	case p.field == inTitle:
		return 0
	case p.field == inDescription && p.text == d.Shown():
		return 1
	}
	return -1
}

func within(ranges []Range, at int) bool {
	return slices.ContainsFunc(ranges, func(r Range) bool { return r.Start <= at && at < r.End })
}
