package search

import (
	"slices"
	"strings"
)

// Index is a compiled collection, read by Decode; it never changes afterwards.
type Index struct {
	docs []indexed
	// terms are in the order of their stems, and known by their positions.
	terms []term
	ids   map[string]int32 // by stem
	names []nameKey
	// words are the whole words of the short fields, in byte order.
	words []word
}

// term is a stem, and all that is known of it.
type term struct {
	stem string
	shape
	// told are the short fields that have it somewhere; a misspelt word may
	// stand for it.
	told fields
	// rarity is the inverse document frequency.
	rarity float64
	// uses are read from the file and the short fields, and become posts. Both
	// are in order of documents.
	uses  []use
	posts []posting
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
	// marks are the words of the texts that lists show, with their places.
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

// use is all that one document does with a term. Its uses in headings and body
// are known in four classes: 0 none, 1 once, 2 up to three times, 3 more often.
// The classes are all that ranking needs, and they make the file small.
type use struct {
	doc           int32
	fields        fields
	count         [5]uint8 // inName … inDescription
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

// Compile writes the index of a collection to the form that Decode reads. Text
// that is not UTF-8 is repaired; documents keep their order, and the same
// documents always give the same bytes. A collection beyond the limits is an
// error that wraps errFormat.
func Compile(docs []Document) ([]byte, error) {
	records := make([]record, len(docs))
	uses := map[string][]use{} // of headings and bodies; none for other words of the short fields
	for i, d := range docs {
		d = repaired(d)
		words := map[string]*[2]int{} // in the headings, in the body
		for _, h := range d.Headings {
			records[i].Length += count(words, 0, h)
		}
		records[i].Length += count(words, 1, d.Body)
		for w, n := range words {
			uses[w] = append(uses[w], use{doc: int32(i), heading: classOf(n[0]), body: classOf(n[1])})
		}
		d.Headings, d.Body = nil, ""
		records[i].Document = d
		for _, p := range shortTexts(d) {
			for _, o := range occurrences(p.text, looseFields.has(p.field)) {
				if _, ok := uses[o.stem]; !ok {
					uses[o.stem] = nil
				}
			}
		}
	}
	data, err := encode(records, uses)
	if err != nil {
		return nil, err
	}
	// What lies beyond the limits is found by reading it back.
	if _, err = Decode(data); err != nil {
		return nil, err
	}
	return data, nil
}

// count adds the words of a text to their numbers at a place, and returns how many
// there were.
func count(words map[string]*[2]int, place int, text string) (n int) {
	for _, o := range occurrences(text, false) {
		if words[o.stem] == nil {
			words[o.stem] = &[2]int{}
		}
		words[o.stem][place]++
		if o.inner == 0 {
			n++
		}
	}
	return n
}

// occurrence is a word or a compound in a text.
type occurrence struct {
	text, stem string
	// inner is the length of the first part of a compound, whose words are
	// occurrences of their own; 0 for a plain word.
	inner int
	Range
}

// occurrences lists the words of a text but for stop words, then the compounds that
// they form.
func occurrences(text string, loose bool) []occurrence {
	toks := scan(nil, text, -1)
	out := make([]occurrence, 0, len(toks))
	for _, t := range toks {
		if !stopWords[t.text] {
			out = append(out, occurrence{t.text, stem(t.text), 0, Range{t.start, t.end}})
		}
	}
	for _, c := range compounds(toks, loose) {
		first, last := toks[c.first], toks[c.last]
		out = append(out, occurrence{c.text, stem(c.text), len(first.text), Range{first.start, last.end}})
	}
	return out
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
	fix(&d.Summary)
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
	if d.Summary != "" && d.Summary != d.Description {
		out = append(out, phrase{field: inDescription, text: d.Summary})
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
