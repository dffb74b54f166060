package search

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

const (
	// partial is how steeply a hit falls that misses words of the query.
	partial = 0.6
	// deepCover is what a word found only in headings or body covers.
	deepCover = 0.6
	// forPhrase is what a keyword, name or title covered whole adds, in
	// rarities of its words; half as much again if it is the whole query.
	forPhrase = 0.35
	// weakest is the share of the best score, bonuses for names apart, below
	// which a hit is noise.
	weakest = 0.15
)

// scratch is the working space of one search.
type scratch struct {
	class []float32 // by term: the best class it was found with
	slots []uint16  // by term: the slots it serves, one bit each
	docs  []tallied
}

// tallied adds up one document.
type tallied struct {
	sum, cover float64
	best       float32 // of the present slot
	bestFields fields
}

// Search answers a query. category keeps the skills of one category, spelt as
// in the documents; empty keeps all. See the package comment for what it
// promises.
func (ix *Index) Search(text, category string) Result {
	q := parse(text)
	res := ix.search(&q, category)
	if len(res.Hits) == 0 && res.Elsewhere == 0 && q.text != "" {
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
	if q.text == "" || len(hits) == 0 && q.idle {
		for i := range ix.docs {
			hits = append(hits, Hit{Name: ix.docs[i].Name, Doc: i})
		}
	}
	hits = slices.DeleteFunc(hits, func(h Hit) bool {
		out := category != "" && ix.docs[h.Doc].Category != category
		if out {
			res.Elsewhere++
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

// score finds all hits, in order of documents.
func (ix *Index) score(q *query) []Hit {
	ix.resolve(q)
	s := scratch{
		class: make([]float32, len(ix.terms)),
		slots: make([]uint16, len(ix.terms)),
		docs:  make([]tallied, len(ix.docs)),
	}
	total := 0.0
	sure := len(q.slots) > 0
	for i := range q.slots {
		total += ix.addSlot(&s, q, i)
		sure = sure && ix.sure(&q.slots[i])
	}
	names := ix.naming(q, sure)
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
			h.Score = d.sum * math.Pow(d.cover/total, partial)
		}
		h.Score += ix.phrases(&s, q, i)
		if isNamed && name.old >= 0 {
			h.Note = ix.docs[i].OldNames[name.old].note(h.Name)
		}
		best = max(best, h.Score)
		h.Score += name.bonus
		hits = append(hits, h)
	}
	hits = slices.DeleteFunc(hits, func(h Hit) bool { return h.Score < best*weakest })
	for i := range hits {
		ix.mark(&s, &hits[i])
	}
	return hits
}

// addSlot adds the best use of one word to every document and returns what
// the word weighs in coverage.
func (ix *Index) addSlot(s *scratch, q *query, i int) float64 {
	weight := 0.0
	for _, c := range q.slots[i].terms {
		s.class[c.term] = max(s.class[c.term], c.class)
		s.slots[c.term] |= 1 << i
		weight = max(weight, float64(c.class)*ix.terms[c.term].rarity)
		for _, p := range ix.terms[c.term].posts {
			d := &s.docs[p.doc]
			if v := c.class * p.impact; v > d.best {
				d.best = v
			}
			d.bestFields |= p.fields
		}
	}
	if len(q.slots[i].terms) == 0 {
		// A word that nobody knows says nothing about which document is meant.
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
			d.cover += weight * deepCover
		}
		d.best, d.bestFields = 0, 0
	}
	return weight
}

// phrases is what the keyword, name or title adds that the query covers best.
func (ix *Index) phrases(s *scratch, q *query, doc int) (bonus float64) {
	for _, p := range ix.docs[doc].phrases {
		class, rarity, slots := float32(1), 0.0, uint16(0)
		for _, t := range p.terms {
			class = min(class, s.class[t])
			slots |= s.slots[t]
			rarity += ix.terms[t].rarity
		}
		n := len(p.terms)
		covered := bits.OnesCount16(slots)
		whole := n >= len(q.slots)
		if class == 0 || covered < n || n == 1 && !whole {
			continue
		}
		b := forPhrase * rarity * float64(class)
		if whole {
			b *= 1.5
		}
		bonus = max(bonus, b)
	}
	return bonus
}

// mark finds the places to highlight.
func (ix *Index) mark(s *scratch, h *Hit) {
	to := [...]*[]Range{&h.TitleMarks, &h.ShownMarks}
	for i, marks := range ix.docs[h.Doc].marks {
		var found []Range
		for _, m := range marks {
			if c := s.class[m.term]; c >= asCompound || c > 0 && !m.compound {
				found = append(found, m.Range)
			}
		}
		*to[i] = apart(found)
	}
}

// apart unites ranges, which come in order, where they overlap.
func apart(rs []Range) []Range {
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
