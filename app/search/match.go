package search

import (
	"slices"
	"strings"
)

// How likely a term is what a word meant, by the way it was found.
const (
	asItself   = 1.0
	asCompound = 0.95 // sign up for signup
	asSynonym  = 0.8
	asStart    = 0.85 // the word begins the term; less for a longer rest
	asOneEdit  = 0.75
	asTwoEdits = 0.5
)

// maxStarts is the most terms that one unfinished word may stand for.
const maxStarts = 96

// resolve finds the terms for every slot of the query.
func (ix *Index) resolve(q *query) {
	for i := range q.slots {
		s := &q.slots[i]
		if id, ok := ix.ids[stem(s.word)]; ok {
			s.add(id, asItself)
		}
	}
	ix.addCompounds(q)
	ix.addSynonyms(q)
	for i := range q.slots {
		s := &q.slots[i]
		sure := ix.sure(s)
		if s.open || !sure && len(s.word) >= 4 {
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

// split replaces an unknown word by the two known ones it is made of: a
// missing space is as common as a missing letter.
func (ix *Index) split(q *query) {
	var slots []slot
	for i, s := range q.slots {
		if len(s.terms) == 0 && len(slots)+len(q.slots)-i < maxSlots {
			if left, right, ok := ix.halves(s.word); ok {
				for _, id := range []int32{left, right} {
					slots = append(slots, slot{word: s.word, tok: s.tok, terms: []candidate{{id, asCompound}}})
				}
				continue
			}
		}
		slots = append(slots, s)
	}
	q.slots = slots
}

// halves finds the two terms that make up a word, the rarer the better; both
// must stand in short fields and have three letters.
func (ix *Index) halves(w string) (left, right int32, ok bool) {
	best := 0.0
	for cut := 3; cut <= len(w)-3; cut++ {
		l, okLeft := ix.ids[stem(w[:cut])]
		r, okRight := ix.ids[stem(w[cut:])]
		if !okLeft || !okRight || !ix.terms[l].told.has(shortFields) || !ix.terms[r].told.has(shortFields) {
			continue
		}
		if sum := ix.terms[l].rarity + ix.terms[r].rarity; sum > best {
			left, right, ok, best = l, r, true, sum
		}
	}
	return left, right, ok
}

// sure reports whether the slot has been found in a place that tells what a
// skill is about, so that guesses are not needed.
func (ix *Index) sure(s *slot) bool {
	for _, c := range s.terms {
		if c.class >= asCompound && ix.terms[c.term].told.has(inName|inTitle|inKeywords|inOldNames) {
			return true
		}
	}
	return false
}

// add keeps the better class if the term is there already.
func (s *slot) add(id int32, class float32) {
	for i := range s.terms {
		if s.terms[i].term == id {
			s.terms[i].class = max(s.terms[i].class, class)
			return
		}
	}
	s.terms = append(s.terms, candidate{id, class})
}

// span calls f for the slots whose words lie among the tokens first to last.
func (q *query) span(first, last int, f func(*slot)) {
	for i := range q.slots {
		if t := q.slots[i].tok; first <= t && t <= last {
			f(&q.slots[i])
		}
	}
}

func (ix *Index) addCompounds(q *query) {
	for _, c := range compounds(q.toks, true) {
		class := float32(asCompound)
		if q.toks[c.last].linked {
			class = asItself
		}
		if id, ok := ix.ids[stem(c.text)]; ok {
			q.span(c.first, c.last, func(s *slot) { s.add(id, class) })
		}
	}
}

func (ix *Index) addSynonyms(q *query) {
	table := synonyms()
	for i := range q.toks {
		typed := ""
		for j := i; j < len(q.toks) && j < i+maxPhrase; j++ {
			if j > i {
				typed += " "
			}
			typed += stem(q.toks[j].text)
			for _, meant := range table[typed] {
				if id, ok := ix.ids[meant]; ok {
					q.span(i, j, func(s *slot) { s.add(id, asSynonym) })
				}
			}
		}
	}
	for _, c := range compounds(q.toks, true) {
		for _, meant := range table[stem(c.text)] {
			if id, ok := ix.ids[meant]; ok {
				q.span(c.first, c.last, func(s *slot) { s.add(id, asSynonym) })
			}
		}
	}
}

// addStarts finds words that this one begins: first those that say what a
// skill is about, since a few letters begin too many others, then the stems of
// headings and bodies. If the word is sure already, longer words count half.
func (ix *Index) addStarts(s *slot, sure bool) {
	factor := float32(asStart)
	if sure || !s.open {
		factor /= 2
	}
	p, added := s.word, 0
	at, _ := slices.BinarySearchFunc(ix.words, p, func(w word, p string) int { return strings.Compare(w.text, p) })
	for _, w := range ix.words[at:] {
		if !strings.HasPrefix(w.text, p) || added == maxStarts {
			break
		}
		// Half of a compound is found by itself.
		if len(p) > w.inner {
			s.add(w.term, factor*begun(p, w.text))
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
		if !t.told.has(shortFields) {
			s.add(int32(at+i), factor*begun(p, t.stem))
			added++
		}
	}
}

// begun is between 0.6 and 1, the more of a word has been typed.
func begun(typed, word string) float32 {
	return 0.6 + 0.4*float32(len(typed))/float32(len(word))
}
