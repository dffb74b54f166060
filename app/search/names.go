package search

import "strings"

// nameKey is a name a skill has or had, as one word.
type nameKey struct {
	key string
	doc int32
	// old is the position among the old names, -1 for the present name.
	old int
	// first is the length of the key up to the first hyphen of the name.
	first int
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

// Bonuses for a query that names a skill; a word's impact stays below 6.
const (
	forName    = 1000 // the name as it is
	forOldName = 900  // a name the skill had
	forNear    = 15   // either with slips, less for more of them
	forBegun   = 8    // either begun, less for less of it
)

// named is how a query names a document.
type named struct {
	bonus float64
	// old is the old name meant, -1 for none.
	old int
}

// naming finds the documents that the whole query, or linked words in it,
// names. If sure, the words are found elsewhere too and a slip is unlikely.
func (ix *Index) naming(q *query, sure bool) map[int32]named {
	out := map[int32]named{}
	note := func(k nameKey, bonus float64) {
		if have, ok := out[k.doc]; bonus > 0 && (!ok || bonus > have.bonus) {
			out[k.doc] = named{bonus, k.old}
		}
	}
	for _, k := range ix.names {
		note(k, k.whole(q, sure))
		for first, last := range linkedRuns(q.toks) {
			if joined(q.toks, first, last) == k.key {
				note(k, forOldName/2)
			}
		}
	}
	return out
}

func (k nameKey) whole(q *query, sure bool) float64 {
	exact := float64(forName)
	if k.old >= 0 {
		exact = forOldName
	}
	n := near(q.squashed, k.key)
	switch {
	case n == 1:
		return exact
	case n > 0 && sure:
		return n * forNear / 3
	case n > 0:
		return n * forNear
	}
	// One segment of an old name is an ordinary word: page-cro is meant only
	// once the second has begun.
	begun := 1
	if k.old >= 0 {
		begun = k.first + 1
	}
	if q.open && len(q.squashed) >= begun && strings.HasPrefix(k.key, q.squashed) {
		return forBegun * float64(len(q.squashed)) / float64(len(k.key))
	}
	return 0
}
