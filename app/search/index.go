package search

import (
	"slices"
	"strings"
)

// Index is the index of some documents, read by [Decode]. It never changes.
//
// Short fields are name, title, keywords, old names, description and summary;
// the index has their text. Of headings and body it has only the words. Where a
// stem or a document is an int32, that is its position in terms or docs.
type Index struct {
	docs []indexed
	// terms are sorted by stem.
	terms []term
	ids   map[string]int32 // of terms, by stem
	names []nameKey
	// words are the words of the short fields before stemming, sorted.
	words []shortWord
}

// term is a stem and its uses.
type term struct {
	stem  string
	shape shape
	// inShortFields are the short fields that have it in any document.
	inShortFields fields
	// rarity is the inverse document frequency.
	rarity float64
	// uses come from the file and the short fields. weigh turns them into posts and
	// drops them. Both are sorted by document.
	uses  []use
	posts []posting
}

// shortWord is a word of a short field, folded but not stemmed.
type shortWord struct {
	text string
	term int32
	// firstPart is the length of the first word of a compound, 0 for a single word.
	firstPart int
	shape     shape
}

// indexed is a document as the index keeps it.
type indexed struct {
	Document
	// length is the number of words in headings and body.
	length  int
	phrases []phrase
	// marks are the words of the two texts that lists show: the title and
	// [Document.Shown].
	marks [2][]mark
}

// phrase is a keyword, name or title as terms.
type phrase struct {
	terms []int32
	field fields
	// text is the phrase as it was written.
	text string
}

// mark is a word or compound in a text that lists show.
type mark struct {
	term int32
	// isCompound is set for a compound, whose words have marks of their own.
	isCompound bool
	at         Range
}

// use is how often a document uses a term. Uses in headings and body are counted in
// four classes, which is enough for ranking and makes the file small: 0 never, 1
// once, 2 two or three times, 3 more often.
type use struct {
	doc           int32
	fields        fields
	count         [5]uint8 // inName … inDescription
	heading, body uint8
}

// posting is a document's use of a term with what it adds to the score.
type posting struct {
	doc    int32
	weight float32
	fields fields
}

// Title returns the title of the document at a position; see [Hit].
func (ix *Index) Title(doc int) string { return ix.docs[doc].Title }

// shortFields are those whose text is in the index.
const shortFields = inName | inTitle | inKeywords | inOldNames | inDescription

// Compile writes the index of some documents for [Decode]. Bytes that are not
// UTF-8 are replaced; documents keep their order, and the same documents always
// give the same bytes. It fails if there are more than 5,000 documents, if one has
// more than 200 keywords or old names or 32 KiB of short fields, or if the index
// has more than 32 MiB.
func Compile(docs []Document) ([]byte, error) {
	records := make([]record, len(docs))
	uses := map[string][]use{} // in headings and bodies, by stem; empty for stems of short fields only
	for i, d := range docs {
		d = validUTF8(d)
		words := map[string]*[2]int{} // in the headings, in the body
		for _, h := range d.Headings {
			records[i].Length += count(words, 0, h)
		}
		records[i].Length += count(words, 1, d.Body)
		for w, n := range words {
			uses[w] = append(uses[w], use{doc: int32(i), heading: countClass(n[0]), body: countClass(n[1])})
		}
		d.Headings, d.Body = nil, ""
		records[i].Document = d
		for _, p := range shortTexts(d) {
			for _, o := range occurrences(p.text, fieldsOfPhrases.has(p.field)) {
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
	// Decode finds what is beyond the limits.
	if _, err = Decode(data); err != nil {
		return nil, err
	}
	return data, nil
}

// count adds the words of a text to their counts, and returns how many there were.
// place is the index of the count: 0 in headings, 1 in the body.
func count(words map[string]*[2]int, place int, text string) (n int) {
	for _, o := range occurrences(text, false) {
		if words[o.stem] == nil {
			words[o.stem] = &[2]int{}
		}
		words[o.stem][place]++
		if o.firstPart == 0 {
			n++
		}
	}
	return n
}

// occurrence is a word or a compound in a text.
type occurrence struct {
	text, stem string
	// firstPart is the length of the first word of a compound, whose words are
	// occurrences of their own; 0 for a single word.
	firstPart int
	at        Range
}

// occurrences returns the words of a text without stop words, then the compounds
// that they form. loose is that of [compounds].
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

// countClass returns the class of a number of uses; see use.
func countClass(n int) uint8 {
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

// validUTF8 replaces what is not UTF-8 in the short fields.
func validUTF8(d Document) Document {
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
		fix(&d.OldNames[i].Kind)
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

// fieldsOfPhrases are so short that two words beside each other likely belong
// together.
const fieldsOfPhrases = inName | inTitle | inKeywords
