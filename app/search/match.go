package search

import (
	"slices"
	"strings"
)

// How likely it is that a term is meant by a word of the query, by how it was
// found.
const (
	exactMatch    = 1.0
	compoundMatch = 0.95 // sign up for signup
	synonymMatch  = 0.8
	prefixMatch   = 0.85 // the word begins the term; times prefixShare
	oneEditMatch  = 0.75
	twoEditsMatch = 0.5
)

// maxStarts is the most terms that one unfinished word may stand for.
const maxStarts = 96

// resolve finds the terms for every slot of the query.
func (ix *Index) resolve(q *query) {
	for i := range q.slots {
		s := &q.slots[i]
		if id, ok := ix.ids[stem(s.word)]; ok {
			s.add(id, exactMatch)
		}
	}
	ix.addCompounds(q)
	ix.addSynonyms(q)
	for i := range q.slots {
		s := &q.slots[i]
		sure := ix.isSure(s)
		if s.unfinished || !sure && len(s.word) >= 4 {
			ix.addStarts(s, sure)
		}
		if !sure {
			ix.addMisspelt(s)
		}
	}
	ix.split(q)
}

// maxSlots is how many words are searched after run-together ones are split.
const maxSlots = 16

// split replaces an unknown word by the two known ones that it is made of: a
// forgotten space is as common as a forgotten letter.
func (ix *Index) split(q *query) {
	var slots []slot
	for i, s := range q.slots {
		if len(s.terms) == 0 && len(slots)+len(q.slots)-i < maxSlots {
			if left, right, ok := ix.halves(s.word); ok {
				for _, id := range []int32{left, right} {
					slots = append(slots, slot{word: s.word, token: s.token, terms: []candidate{{id, compoundMatch}}})
				}
				continue
			}
		}
		slots = append(slots, s)
	}
	q.slots = slots
}

// halves returns the two terms that make up a word, of several pairs the rarest.
// Both must be in short fields and have at least three letters.
func (ix *Index) halves(w string) (left, right int32, ok bool) {
	best := 0.0
	for cut := 3; cut <= len(w)-3; cut++ {
		l, okLeft := ix.ids[stem(w[:cut])]
		r, okRight := ix.ids[stem(w[cut:])]
		if !okLeft || !okRight || !ix.terms[l].inShortFields.has(shortFields) || !ix.terms[r].inShortFields.has(shortFields) {
			continue
		}
		if sum := ix.terms[l].rarity + ix.terms[r].rarity; sum > best {
			left, right, ok, best = l, r, true, sum
		}
	}
	return left, right, ok
}

// isSure tells whether a word was found as it is in a field that says what a
// document is about, so that guesses are not needed.
func (ix *Index) isSure(s *slot) bool {
	for _, c := range s.terms {
		if c.confidence >= compoundMatch && ix.terms[c.id].inShortFields.has(inName|inTitle|inKeywords|inOldNames) {
			return true
		}
	}
	return false
}

// add adds a candidate; if the term is there already, the higher confidence stays.
func (s *slot) add(id int32, confidence float32) {
	for i := range s.terms {
		if s.terms[i].id == id {
			s.terms[i].confidence = max(s.terms[i].confidence, confidence)
			return
		}
	}
	s.terms = append(s.terms, candidate{id, confidence})
}

// span calls f for the slots of the tokens first to last.
func (q *query) span(first, last int, f func(*slot)) {
	for i := range q.slots {
		if t := q.slots[i].token; first <= t && t <= last {
			f(&q.slots[i])
		}
	}
}

func (ix *Index) addCompounds(q *query) {
	for _, c := range compounds(q.tokens, true) {
		confidence := float32(compoundMatch)
		if q.tokens[c.last].linked {
			confidence = exactMatch
		}
		if id, ok := ix.ids[stem(c.text)]; ok {
			q.span(c.first, c.last, func(s *slot) { s.add(id, confidence) })
		}
	}
}

func (ix *Index) addSynonyms(q *query) {
	table := synonyms()
	for i := range q.tokens {
		typed := ""
		for j := i; j < len(q.tokens) && j < i+maxPhrase; j++ {
			if j > i {
				typed += " "
			}
			typed += stem(q.tokens[j].text)
			for _, meant := range table[typed] {
				if id, ok := ix.ids[meant]; ok {
					q.span(i, j, func(s *slot) { s.add(id, synonymMatch) })
				}
			}
		}
	}
	for _, c := range compounds(q.tokens, true) {
		for _, meant := range table[stem(c.text)] {
			if id, ok := ix.ids[meant]; ok {
				q.span(c.first, c.last, func(s *slot) { s.add(id, synonymMatch) })
			}
		}
	}
}

// addStarts adds the terms that begin with the word: first those of short fields,
// since a few letters begin too many others, then those of headings and bodies.
// If the word is sure already, they count half.
func (ix *Index) addStarts(s *slot, sure bool) {
	factor := float32(prefixMatch)
	if sure || !s.unfinished {
		factor /= 2
	}
	p, added := s.word, 0
	at, _ := slices.BinarySearchFunc(ix.words, p, func(w shortWord, p string) int { return strings.Compare(w.text, p) })
	for _, w := range ix.words[at:] {
		if !strings.HasPrefix(w.text, p) || added == maxStarts {
			break
		}
		// The first word of a compound is a word of its own.
		if len(p) > w.firstPart {
			s.add(w.term, factor*prefixShare(p, w.text))
			added++
		}
	}
	if len(p) < 3 {
		return
	}
	at, _ = slices.BinarySearchFunc(ix.terms, p, func(t term, p string) int { return strings.Compare(t.stem, p) })
	for i, t := range ix.terms[at:] {
		if !strings.HasPrefix(t.stem, p) || added == maxStarts {
			break
		}
		if !t.inShortFields.has(shortFields) {
			s.add(int32(at+i), factor*prefixShare(p, t.stem))
			added++
		}
	}
}

// prefixShare is between 0.6 and 1: the higher, the more of a word was typed.
func prefixShare(typed, word string) float32 {
	return 0.6 + 0.4*float32(len(typed))/float32(len(word))
}
