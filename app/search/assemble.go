package search

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
)

// tally counts a term in the short fields of one document.
type tally struct {
	doc    int32
	fields fields
	count  [5]uint8 // inName … inDescription
}

// assemble derives everything that is not in the file from what is: vocab,
// deep and docs. It fails if a word of a short field is not in the vocabulary.
func (ix *Index) assemble() bool {
	n := len(ix.vocab)
	ix.ids = make(map[string]int32, n)
	ix.shapes = make([]shape, n)
	for id, w := range ix.vocab {
		ix.ids[w] = int32(id)
		ix.shapes[id] = shapeOf(w)
	}
	ix.told = make([]fields, n)
	r := shortReader{
		ix:    ix,
		names: map[string]bool{},
		words: map[string]word{},
		short: make([][]tally, n),
	}
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
	ix.weigh(r.short)
	return true
}

// shortReader goes through the short fields of all documents.
type shortReader struct {
	ix *Index
	// names of all skills, to tell where a description points to another.
	names map[string]bool
	// words seen so far, and tallies by term.
	words map[string]word
	short [][]tally
	toks  []token
}

// read breaks the short fields of a document into phrases and marks. It fails
// on a word that is not in the vocabulary.
func (r *shortReader) read(doc int32) bool {
	d := &r.ix.docs[doc]
	away := elsewhere(d.Document, r.names)
	for _, p := range shortTexts(d.Document) {
		marks, known := r.marks(&p)
		if !known {
			return false
		}
		for _, m := range marks {
			if p.field != inDescription || !within(away, m.Start) {
				r.count(m.term, doc, p.field)
			}
		}
		if v := visible(p.field); v >= 0 {
			d.marks[v] = marks
		}
		if p.field != inDescription && len(p.terms) > 0 {
			d.phrases = append(d.phrases, p)
		}
	}
	return true
}

// marks finds the terms of a text in the order of their places, and notes in p
// those that are not compounds.
func (r *shortReader) marks(p *phrase) (marks []mark, known bool) {
	r.toks = scan(r.toks[:0], p.text, -1)
	for _, t := range r.toks {
		if stopWords[t.text] {
			continue
		}
		id, ok := r.ix.ids[stem(t.text)]
		if !ok {
			return nil, false
		}
		r.see(word{text: t.text, term: id})
		p.terms = append(p.terms, id)
		marks = append(marks, mark{id, false, Range{t.start, t.end}})
	}
	for _, c := range compounds(r.toks, looseFields.has(p.field)) {
		id, ok := r.ix.ids[stem(c.text)]
		if !ok {
			return nil, false
		}
		first, last := r.toks[c.first], r.toks[c.last]
		r.see(word{text: c.text, term: id, inner: len(first.text)})
		at, _ := slices.BinarySearchFunc(marks, first.start, func(m mark, start int) int { return cmp.Compare(m.Start, start) })
		marks = slices.Insert(marks, at, mark{id, true, Range{first.start, last.end}})
	}
	return marks, true
}

// see remembers a word; one that also stands as a plain word is no compound.
func (r *shortReader) see(w word) {
	if have, ok := r.words[w.text]; !ok || have.inner > w.inner {
		r.words[w.text] = w
	}
}

func (r *shortReader) count(term, doc int32, field fields) {
	r.ix.told[term] |= field
	list := r.short[term]
	if len(list) == 0 || list[len(list)-1].doc != doc {
		list = append(list, tally{doc: doc})
	}
	last := &list[len(list)-1]
	last.fields |= field
	slot := bits.TrailingZeros8(uint8(field))
	last.count[slot] = min(last.count[slot]+1, 100)
	r.short[term] = list
}

// visible is the position in indexed.marks of a field that readers see, -1 for
// the others.
func visible(f fields) int {
	switch f {
	case inTitle:
		return 0
	case inDescription:
		return 1
	}
	return -1
}

func within(ranges []Range, at int) bool {
	return slices.ContainsFunc(ranges, func(r Range) bool { return r.Start <= at && at < r.End })
}
