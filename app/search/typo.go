package search

import (
	"math/bits"

	"marketingskills/app/text"
)

// maxEdits is how many slips a word of n letters may have. A short word with a slip
// is another word.
func maxEdits(n int) int {
	switch {
	case n < 4:
		return 0
	case n < 7:
		return 1
	}
	return 2
}

// maxNameEdits is the same for whole names. There are few of them, so that long
// ones differ enough for one slip more.
func maxNameEdits(n int) int {
	if n >= 11 {
		return maxEditsOfNames
	}
	return maxEdits(n)
}

// knownWordFactor is the factor for the confidence in a slip if the word occurs as
// it is in the documents.
const knownWordFactor = 0.7

// minSlipInFirstLetter is the length from which the first letter of a word may be
// wrong.
const minSlipInFirstLetter = 5

// shape is compared before the letters of two words are: words within k edits
// differ in at most 2k different letters and by at most k in length. That excludes
// most of the vocabulary with one cheap comparison each.
type shape struct {
	// letters has a bit for each kind of letter or digit.
	letters uint64
	// size is the length in bytes, 255 for all that are longer.
	size uint8
}

func shapeOf(w string) shape {
	s := shape{size: uint8(min(len(w), 255))}
	for i := range len(w) {
		b := w[i]
		switch {
		case 'a' <= b && b <= 'z':
			s.letters |= 1 << (b - 'a')
		case '0' <= b && b <= '9':
			s.letters |= 1 << (26 + b - '0')
		default:
			s.letters |= 1 << (36 + b%28)
		}
	}
	return s
}

// far reports that two words differ by more than so many edits; if not, they
// still may.
func (s shape) far(other shape, edits int) bool {
	gap := int(s.size) - int(other.size)
	return gap > edits || -gap > edits || bits.OnesCount64(s.letters^other.letters) > 2*edits
}

// addMisspelt adds the words of which this one may be a misspelling. If there are
// none and the word is unfinished, it adds words with a beginning that is near.
func (ix *Index) addMisspelt(s *slot) {
	factor := float32(1)
	if len(s.terms) > 0 {
		factor = knownWordFactor
	}
	found := false
	try := func(typed, known string, term int32, most int) {
		if typed[0] != known[0] && len(typed) < minSlipInFirstLetter {
			return
		}
		if n := text.Edits(typed, known); n > 0 && n <= most {
			s.add(term, factor*slipConfidence(typed, known, n))
			found = true
		}
	}
	most := maxEdits(len(s.word))
	typed := shapeOf(s.word)
	for i := range ix.words {
		if w := &ix.words[i]; !typed.far(w.shape, most) {
			try(s.word, w.text, w.term, most)
		}
	}
	// Stems find a slip in another inflection, and in words of the body. A stem
	// that lost a long ending may have the slips of a shorter word: version is not
	// versus.
	w := stem(s.word)
	most = maxEdits(len(w))
	if len(s.word)-len(w) >= 3 {
		most = maxEdits(len(w) - 1)
	}
	typed = shapeOf(w)
	for id := range ix.terms {
		if t := &ix.terms[id]; most > 0 && !typed.far(t.shape, most) {
			try(w, t.stem, int32(id), most)
		}
	}
	if !found && s.unfinished && len(s.word) >= minSlipInFirstLetter {
		ix.addMisspeltStarts(s, factor)
	}
}

// addMisspeltStarts allows one slip in a word that is still being typed.
func (ix *Index) addMisspeltStarts(s *slot, factor float32) {
	w := s.word
	typed := shapeOf(w)
	for i := range ix.words {
		known := &ix.words[i]
		if known.text[0] != w[0] || int(known.shape.size) <= len(w) ||
			bits.OnesCount64(typed.letters&^known.shape.letters) > 1 {
			continue
		}
		for n := len(w) - 1; n <= len(w)+1 && n <= len(known.text); n++ {
			if text.Edits(w, known.text[:n]) <= 1 {
				s.add(known.term, factor*twoEditsMatch)
				break
			}
		}
	}
}

// slipConfidence is the confidence in a misspelling with n slips.
func slipConfidence(typed, term string, n int) float32 {
	confidence := float32(oneEditMatch)
	if n > 1 {
		confidence = twoEditsMatch
	}
	if typed[0] != term[0] {
		confidence *= 0.8
	}
	return confidence
}

// maxEditsOfNames is the most slips that a long name may have.
const maxEditsOfNames = 3

// nameLikeness says how alike two squashed names are: 1 for the same, less for
// each slip, 0 if they are different names.
func nameLikeness(typed, name string) float64 {
	if typed == name {
		return 1
	}
	most := maxNameEdits(min(len(typed), len(name)))
	if gap := len(typed) - len(name); gap > most || -gap > most {
		return 0
	}
	if typed == "" || name == "" || most == 0 || typed[0] != name[0] && len(typed) < minSlipInFirstLetter {
		return 0
	}
	n := text.Edits(typed, name)
	if n > most {
		return 0
	}
	return 1 - float64(n)/float64(len(name))
}
