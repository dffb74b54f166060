package search

import (
	"maps"
	"slices"
	"strings"
)

// Index is a compiled collection. Make one with Compile or Decode; it never
// changes afterwards.
type Index struct {
	docs []indexed
	// vocab holds every stem in byte order; ids are positions in it.
	vocab []string
	ids   map[string]int32
	// deep is what Compile learnt from headings and bodies, by term.
	deep [][]deepPosting
	// posts is all that is known of a term, by term, in order of documents.
	posts [][]posting
	// rarity is the inverse document frequency of a term.
	rarity []float64
	// told marks the terms of names, titles, keywords, old names and
	// descriptions: the words that a misspelt word may stand for.
	told []fields
	// shapes prune the search for misspelt stems, by term.
	shapes []shape
	names  []nameKey
	// words are the whole words of the short fields, in byte order.
	words []word
}

// word is a word as written somewhere in a short field, folded.
type word struct {
	text string
	term int32
	// inner is the length of the first part of a compound, 0 for a plain word.
	inner int
	shape
}

// indexed is a document as the index keeps it.
type indexed struct {
	Document
	// length counts the words of headings and body.
	length  int
	phrases []phrase
	// marks are the words of title and description with their places.
	marks [2][]mark
}

// phrase is a keyword, name or title as terms.
type phrase struct {
	terms []int32
	field fields
	// text is the phrase as it was written.
	text string
}

// mark is a place in a visible text that one term explains.
type mark struct {
	term int32
	// compound marks cover words that also have marks of their own.
	compound bool
	Range
}

// deepPosting is one document's use of a term in its long texts, in four
// classes each: 0 none, 1 once, 2 up to three times, 3 more often. The classes
// are all that ranking needs, and they make the file small.
type deepPosting struct {
	doc           int32
	heading, body uint8
}

// posting is one document's use of a term, with its weight ready to add up.
type posting struct {
	doc    int32
	impact float32
	fields fields
}

// Title returns the title of the document at a position; see [Hit].
func (ix *Index) Title(doc int) string { return ix.docs[doc].Title }

// shortFields are those whose text travels in the index.
const shortFields = inName | inTitle | inKeywords | inOldNames | inDescription

// Compile builds the index of a collection. Text that is not UTF-8 is
// repaired; documents keep their order.
func Compile(docs []Document) *Index {
	ix := &Index{docs: make([]indexed, len(docs))}
	deep := map[string][]deepPosting{}
	var toks []token
	for i, d := range docs {
		d = repaired(d)
		heads := map[string]int{}
		body := map[string]int{}
		for _, h := range d.Headings {
			toks = scan(toks[:0], h, -1)
			ix.docs[i].length += count(heads, toks)
		}
		toks = scan(toks[:0], d.Body, -1)
		ix.docs[i].length += count(body, toks)
		for w, n := range heads {
			deep[w] = append(deep[w], deepPosting{int32(i), classOf(n), classOf(body[w])})
		}
		for w, n := range body {
			if heads[w] == 0 {
				deep[w] = append(deep[w], deepPosting{int32(i), 0, classOf(n)})
			}
		}
		d.Headings, d.Body = nil, ""
		ix.docs[i].Document = d
		for _, w := range shortWords(d) {
			if _, ok := deep[w]; !ok {
				deep[w] = nil
			}
		}
	}
	ix.vocab = slices.Sorted(maps.Keys(deep))
	ix.deep = make([][]deepPosting, len(ix.vocab))
	for id, w := range ix.vocab {
		ix.deep[id] = deep[w]
	}
	if !ix.assemble() {
		panic("search: a word of a short field is missing from the vocabulary")
	}
	return ix
}

// count adds the stems of toks to the tally and returns how many there were.
func count(tally map[string]int, toks []token) int {
	n := 0
	for _, t := range toks {
		if !stopWords[t.text] {
			tally[stem(t.text)]++
			n++
		}
	}
	for _, c := range compounds(toks, false) {
		tally[stem(c.text)]++
	}
	return n
}

func classOf(n int) uint8 {
	switch {
	case n == 0:
		return 0
	case n == 1:
		return 1
	case n <= 3:
		return 2
	}
	return 3
}

func repaired(d Document) Document {
	fix := func(s *string) { *s = strings.ToValidUTF8(*s, "\uFFFD") }
	fix(&d.Name)
	fix(&d.Title)
	fix(&d.Category)
	fix(&d.Description)
	d.Keywords = slices.Clone(d.Keywords)
	for i := range d.Keywords {
		fix(&d.Keywords[i])
	}
	d.OldNames = slices.Clone(d.OldNames)
	for i := range d.OldNames {
		fix(&d.OldNames[i].Name)
		fix(&d.OldNames[i].Fate)
		fix(&d.OldNames[i].Release)
	}
	return d
}

// shortTexts lists the short fields of a document, each with its field.
func shortTexts(d Document) []phrase {
	out := []phrase{
		{field: inName, text: d.Name},
		{field: inTitle, text: d.Title},
		{field: inDescription, text: d.Description},
	}
	for _, k := range d.Keywords {
		out = append(out, phrase{field: inKeywords, text: k})
	}
	for _, o := range d.OldNames {
		out = append(out, phrase{field: inOldNames, text: o.Name})
	}
	return out
}

// looseFields are short enough that two neighbours form one thing.
const looseFields = inName | inTitle | inKeywords

func shortWords(d Document) []string {
	var out []string
	for _, p := range shortTexts(d) {
		toks := scan(nil, p.text, -1)
		for _, t := range toks {
			if !stopWords[t.text] {
				out = append(out, stem(t.text))
			}
		}
		for _, c := range compounds(toks, looseFields.has(p.field)) {
			out = append(out, stem(c.text))
		}
	}
	return out
}
