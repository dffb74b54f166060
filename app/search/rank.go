package search

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

const (
	// coverageExponent says how much a hit loses that lacks words of the query.
	coverageExponent = 0.6
	// bodyCoverage is how much of a word is covered that is only in headings or
	// body.
	bodyCoverage = 0.6
	// phraseBonus, times the rarities of its words, is added for a keyword, name or
	// title that the query has whole; half as much again if it is all of the query.
	phraseBonus = 0.35
	// minShareOfBest is the share of the best score, without bonuses for names,
	// below which a document is no hit.
	minShareOfBest = 0.15
)

// scratch is the working space of one search.
type scratch struct {
	confidence []float32 // by term, the highest with which it is a candidate
	slots      []uint16  // by term, the slots of which it is a candidate, a bit each
	docs       []docScore
}

// docScore is the score of a document so far.
type docScore struct {
	sum, cover float64
	best       float32 // what the current slot adds
	bestFields fields
}

// Search returns what a query finds. category limits it to the documents of one
// category, spelt as in the documents; "" is for all. See the package comment for
// what it promises.
func (ix *Index) Search(text, category string) Result {
	q := parse(text)
	res := ix.search(&q, category)
	if len(res.Hits) == 0 && res.InOtherCategories == 0 && q.text != "" {
		res.Suggestions = ix.suggest(&q, category)
	}
	return res
}

func (ix *Index) search(q *query, category string) Result {
	res := Result{Query: q.text}
	var hits []Hit
	if q.text != "" {
		hits = ix.score(q)
	}
	if q.text == "" || len(hits) == 0 && q.stopWordsOnly {
		for i := range ix.docs {
			hits = append(hits, Hit{Name: ix.docs[i].Name, Doc: i})
		}
	}
	hits = slices.DeleteFunc(hits, func(h Hit) bool {
		out := category != "" && ix.docs[h.Doc].Category != category
		if out {
			res.InOtherCategories++
		}
		return out
	})
	bestFirst(hits)
	res.Hits = hits
	return res
}

func bestFirst(hits []Hit) {
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Doc, b.Doc))
	})
}

// score returns all hits, in the order of the documents.
func (ix *Index) score(q *query) []Hit {
	ix.resolve(q)
	s := scratch{
		confidence: make([]float32, len(ix.terms)),
		slots:      make([]uint16, len(ix.terms)),
		docs:       make([]docScore, len(ix.docs)),
	}
	total := 0.0
	sure := len(q.slots) > 0
	for i := range q.slots {
		total += ix.addSlot(&s, q, i)
		sure = sure && ix.isSure(&q.slots[i])
	}
	names := ix.namedBy(q, sure)
	var hits []Hit
	best := 0.0
	for i := range s.docs {
		d := &s.docs[i]
		name, isNamed := names[int32(i)]
		if d.sum == 0 && !isNamed {
			continue
		}
		h := Hit{Name: ix.docs[i].Name, Doc: i}
		if total > 0 {
			h.Score = d.sum * math.Pow(d.cover/total, coverageExponent)
		}
		h.Score += ix.phrases(&s, q, i)
		if isNamed && name.old >= 0 {
			h.Note = ix.docs[i].OldNames[name.old].note(h.Name)
		}
		best = max(best, h.Score)
		h.Score += name.bonus
		hits = append(hits, h)
	}
	hits = slices.DeleteFunc(hits, func(h Hit) bool { return h.Score < best*minShareOfBest })
	for i := range hits {
		ix.mark(&s, &hits[i])
	}
	return hits
}

// addSlot adds the best use of a word to the score of every document, and returns
// the weight of the word when coverage is counted.
func (ix *Index) addSlot(s *scratch, q *query, i int) float64 {
	weight := 0.0
	for _, c := range q.slots[i].terms {
		s.confidence[c.id] = max(s.confidence[c.id], c.confidence)
		s.slots[c.id] |= 1 << i
		weight = max(weight, float64(c.confidence)*ix.terms[c.id].rarity)
		for _, p := range ix.terms[c.id].posts {
			d := &s.docs[p.doc]
			if v := c.confidence * p.weight; v > d.best {
				d.best = v
			}
			d.bestFields |= p.fields
		}
	}
	if len(q.slots[i].terms) == 0 {
		// An unknown word says nothing about which document is meant.
		return 0
	}
	for j := range s.docs {
		d := &s.docs[j]
		if d.best == 0 {
			continue
		}
		d.sum += float64(d.best)
		if d.bestFields.has(shortFields) {
			d.cover += weight
		} else {
			d.cover += weight * bodyCoverage
		}
		d.best, d.bestFields = 0, 0
	}
	return weight
}

// phrases returns the highest bonus for a keyword, name or title of a document that
// the query has whole.
func (ix *Index) phrases(s *scratch, q *query, doc int) (bonus float64) {
	for _, p := range ix.docs[doc].phrases {
		confidence, rarity, slots := float32(1), 0.0, uint16(0)
		for _, t := range p.terms {
			confidence = min(confidence, s.confidence[t])
			slots |= s.slots[t]
			rarity += ix.terms[t].rarity
		}
		n := len(p.terms)
		covered := bits.OnesCount16(slots)
		whole := n >= len(q.slots)
		if confidence == 0 || covered < n || n == 1 && !whole {
			continue
		}
		b := phraseBonus * rarity * float64(confidence)
		if whole {
			b *= 1.5
		}
		bonus = max(bonus, b)
	}
	return bonus
}

// mark sets the ranges of a hit to highlight.
func (ix *Index) mark(s *scratch, h *Hit) {
	to := [...]*[]Range{&h.TitleMarks, &h.ShownMarks}
	for i, marks := range ix.docs[h.Doc].marks {
		var found []Range
		for _, m := range marks {
			if c := s.confidence[m.term]; c >= compoundMatch || c > 0 && !m.isCompound {
				found = append(found, m.at)
			}
		}
		*to[i] = mergeOverlaps(found)
	}
}

// mergeOverlaps joins sorted ranges where they overlap.
func mergeOverlaps(rs []Range) []Range {
	kept := rs[:0]
	for _, r := range rs {
		if n := len(kept); n > 0 && r.Start < kept[n-1].End {
			kept[n-1].End = max(kept[n-1].End, r.End)
			continue
		}
		kept = append(kept, r)
	}
	return kept
}
