package search

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// query is what was typed, taken apart.
type query struct {
	// text is cut, valid and trimmed.
	text string
	// squashed is the whole query as one word.
	squashed string
	toks     []token
	// slots are the words that must be found, in order.
	slots []slot
	// open means that the last word may be unfinished.
	open bool
	// idle means that there are words, but stop words only: nothing has been
	// said yet.
	idle bool
}

// slot is one word to be found and the terms that would do.
type slot struct {
	word string
	tok  int
	// open marks the unfinished word.
	open  bool
	terms []candidate
}

// candidate is a term that may be what a word meant, with how likely that is:
// 1 for the word itself or an inflection.
type candidate struct {
	term  int32
	class float32
}

func parse(text string) query {
	text = clean(text)
	q := query{text: strings.TrimSpace(text)}
	q.toks = scan(nil, text, maxWords)
	q.squashed = squash(q.text)
	if n := len(q.toks); n > 0 {
		q.open = q.toks[n-1].end == len(text)
	}
	for i, t := range q.toks {
		if !stopWords[t.text] {
			q.slots = append(q.slots, slot{word: t.text, tok: i})
		}
	}
	// How many of something there are says nothing about the subject, and every
	// number stands in some body.
	if words := slices.DeleteFunc(slices.Clone(q.slots), func(s slot) bool { return isNumber(s.word) }); len(words) > 0 {
		q.slots = words
	}
	if len(q.slots) == 0 {
		q.idle = len(q.toks) > 0
		for i, t := range q.toks {
			q.slots = append(q.slots, slot{word: t.text, tok: i})
		}
	}
	if n := len(q.slots); n > 0 && q.open {
		q.slots[n-1].open = q.slots[n-1].tok == len(q.toks)-1
	}
	return q
}

// clean cuts a query to maxQuery bytes and drops what is not UTF-8.
func clean(text string) string {
	if len(text) > maxQuery {
		end := maxQuery
		for end > maxQuery-utf8.UTFMax && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	return strings.ToValidUTF8(text, "")
}

// isNumber tells that a word has only digits.
func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }
