package search

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
)

// assemble derives everything that is not in the file from what is: documents,
// stems and their uses in headings and bodies. It fails if a word of a short field
// is none of the terms.
func (ix *Index) assemble() bool {
	r := shortReader{ix: ix, names: map[string]bool{}, words: map[string]word{}}
	for i := range ix.docs {
		r.names[ix.docs[i].Name] = true
	}
	for i := range ix.docs {
		if !r.read(int32(i)) {
			return false
		}
	}
	ix.words = make([]word, 0, len(r.words))
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
	words map[string]word
}

// read breaks the short fields of a document into phrases and marks, and counts
// their words. It fails on one that is none of the terms.
func (r *shortReader) read(doc int32) bool {
	d := &r.ix.docs[doc]
	away := elsewhere(d.Document, r.names)
	for _, p := range shortTexts(d.Document) {
		for _, o := range occurrences(p.text, looseFields.has(p.field)) {
			id, known := r.ix.ids[o.stem]
			if !known {
				return false
			}
			// A word that also stands as a plain word is no compound.
			if have, ok := r.words[o.text]; !ok || have.inner > o.inner {
				r.words[o.text] = word{text: o.text, term: id, inner: o.inner}
			}
			if o.inner == 0 {
				p.terms = append(p.terms, id)
			}
			if p.field != inDescription || p.text != d.Description || !within(away, o.Start) {
				r.count(id, doc, p.field)
			}
			if v := d.visible(p); v >= 0 {
				at, _ := slices.BinarySearchFunc(d.marks[v], o.Start, func(m mark, start int) int { return cmp.Compare(m.Start, start) })
				d.marks[v] = slices.Insert(d.marks[v], at, mark{id, o.inner > 0, o.Range})
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
	t.told |= field
	at, ok := slices.BinarySearchFunc(t.uses, doc, func(u use, doc int32) int { return cmp.Compare(u.doc, doc) })
	if !ok {
		t.uses = slices.Insert(t.uses, at, use{doc: doc})
	}
	u := &t.uses[at]
	u.fields |= field
	slot := bits.TrailingZeros8(uint8(field))
	u.count[slot] = min(u.count[slot]+1, 100)
}

// visible is the position in indexed.marks of a text that lists show, -1 for
// the others.
func (d *indexed) visible(p phrase) int {
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
