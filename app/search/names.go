package search

import "strings"

// nameKey is the present name or an old name of a document.
type nameKey struct {
	key string // the name, squashed
	doc int32
	// old is the index of an old name, -1 for the present name.
	old int
	// firstSegment is the length of the key up to the first hyphen of the name.
	firstSegment int
}

func nameKeys(docs []indexed) []nameKey {
	var out []nameKey
	for i, d := range docs {
		add := func(name string, old int) {
			if key := squash(name); key != "" {
				head, _, _ := strings.Cut(name, "-")
				out = append(out, nameKey{key, int32(i), old, len(squash(head))})
			}
		}
		add(d.Name, -1)
		for j, o := range d.OldNames {
			add(o.Name, j)
		}
	}
	return out
}

// What is added to the score when a query names a document. A word adds less than
// 6.
const (
	nameBonus      = 1000 // for the name
	oldNameBonus   = 900  // for an old name
	nearNameBonus  = 15   // for either, misspelt: less for more slips
	begunNameBonus = 8    // for either, unfinished: less for fewer letters
)

// naming says how a query names a document.
type naming struct {
	bonus float64
	// old is the index of the old name, -1 for the present name.
	old int
}

// namedBy returns the documents that the whole query names, or words in it that
// are joined by hyphens. sure means that all words were found as they are, so that
// a misspelt name is unlikely.
func (ix *Index) namedBy(q *query, sure bool) map[int32]naming {
	out := map[int32]naming{}
	note := func(k nameKey, bonus float64) {
		if have, ok := out[k.doc]; bonus > 0 && (!ok || bonus > have.bonus) {
			out[k.doc] = naming{bonus, k.old}
		}
	}
	for _, k := range ix.names {
		note(k, k.bonus(q, sure))
		for first, last := range linkedRuns(q.tokens) {
			if joined(q.tokens, first, last) == k.key {
				note(k, oldNameBonus/2)
			}
		}
	}
	return out
}

// bonus returns what is added to the score of the document if the query is this
// name, 0 if it is not.
func (k nameKey) bonus(q *query, sure bool) float64 {
	bonus := float64(nameBonus)
	if k.old >= 0 {
		bonus = oldNameBonus
	}
	n := nameLikeness(q.squashed, k.key)
	switch {
	case n == 1:
		return bonus
	case n > 0 && sure:
		return n * nearNameBonus / 3
	case n > 0:
		return n * nearNameBonus
	}
	// The first segment of an old name is an ordinary word: page-cro is meant only
	// when its second segment has begun.
	begun := 1
	if k.old >= 0 {
		begun = k.firstSegment + 1
	}
	if q.unfinished && len(q.squashed) >= begun && strings.HasPrefix(k.key, q.squashed) {
		return begunNameBonus * float64(len(q.squashed)) / float64(len(k.key))
	}
	return 0
}
