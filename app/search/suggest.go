package search

import (
	"strings"

	"marketingskills/app/text"
)

const (
	// maxSuggested is the most skills suggested.
	maxSuggested = 3
	// minLikeness is the likeness above which a word or a name is suggested.
	minLikeness = 0.5
)

// suggest offers the query with its unknown words replaced by near ones, if
// that finds anything, and the skills whose names resemble the query.
func (ix *Index) suggest(q *query, category string) []Suggestion {
	var out []Suggestion
	if better := ix.corrected(q); better != "" {
		again := parse(better)
		if r := ix.search(&again, category); len(r.Hits) > 0 || r.InOtherCategories > 0 {
			out = append(out, Suggestion{Query: better})
		}
	}
	for _, name := range ix.resembling(q.squashed) {
		out = append(out, Suggestion{Name: name})
	}
	return out
}

// corrected replaces each unknown word by the nearest known one; words with
// nothing near are left out. It is empty if no word is near.
func (ix *Index) corrected(q *query) string {
	var words []string
	changed := false
	for _, s := range q.slots {
		if len(s.terms) > 0 {
			words = append(words, s.word)
			continue
		}
		if w := ix.nearest(s.word); w != "" {
			words = append(words, w)
			changed = true
		}
	}
	if !changed {
		return ""
	}
	return strings.Join(words, " ")
}

// nearest returns the known word most like w, "" if none is like it.
func (ix *Index) nearest(w string) string {
	best, score := "", minLikeness
	typed := shapeOf(w)
	for i := range ix.words {
		known := &ix.words[i]
		if typed.far(known.shape, max(len(w), len(known.text))/2) {
			continue
		}
		if l := text.Likeness(w, known.text); l > score {
			best, score = known.text, l
		}
	}
	return best
}

// resembling returns the names of documents with a name, old name or title like
// the query, the best first.
func (ix *Index) resembling(squashed string) []string {
	best := make([]float64, len(ix.docs))
	for _, k := range ix.names {
		best[k.doc] = max(best[k.doc], text.Likeness(squashed, k.key))
	}
	var like []Hit
	for i := range ix.docs {
		score := max(best[i], text.Likeness(squashed, squash(ix.docs[i].Title)))
		if score > minLikeness {
			like = append(like, Hit{Name: ix.docs[i].Name, Score: score})
		}
	}
	bestFirst(like)
	var names []string
	for _, h := range like[:min(len(like), maxSuggested)] {
		names = append(names, h.Name)
	}
	return names
}
