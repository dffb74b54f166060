package search

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// query is a parsed query.
type query struct {
	// text is what was typed: cut to maxQuery, valid UTF-8, without space around it.
	text string
	// squashed is the whole query as one word.
	squashed string
	tokens   []token
	// slots are the words that must be found, in order.
	slots []slot
	// unfinished means that the last word may be unfinished.
	unfinished bool
	// stopWordsOnly is set when all words are stop words, which then are slots.
	stopWordsOnly bool
}

// slot is a word to be found and the terms that it may mean.
type slot struct {
	word  string
	token int // the index of the word in query.tokens
	// unfinished is set if the word may go on.
	unfinished bool
	terms      []candidate
}

// candidate is a term that a word may mean. confidence says how likely that is: 1
// for the word itself or an inflection.
type candidate struct {
	id         int32
	confidence float32
}

func parse(text string) query {
	text = clean(text)
	q := query{text: strings.TrimSpace(text)}
	q.tokens = scan(nil, text, maxWords)
	q.squashed = squash(q.text)
	if n := len(q.tokens); n > 0 {
		q.unfinished = q.tokens[n-1].end == len(text)
	}
	for i, t := range q.tokens {
		if !stopWords[t.text] {
			q.slots = append(q.slots, slot{word: t.text, token: i})
		}
	}
	// How many of something there are says nothing about the subject, and every
	// number stands in some body.
	if words := slices.DeleteFunc(slices.Clone(q.slots), func(s slot) bool { return isNumber(s.word) }); len(words) > 0 {
		q.slots = words
	}
	if len(q.slots) == 0 {
		q.stopWordsOnly = len(q.tokens) > 0
		for i, t := range q.tokens {
			q.slots = append(q.slots, slot{word: t.text, token: i})
		}
	}
	if n := len(q.slots); n > 0 && q.unfinished {
		q.slots[n-1].unfinished = q.slots[n-1].token == len(q.tokens)-1
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
