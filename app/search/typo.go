package search

import (
	"math/bits"

	"marketingskills/app/text"
)

// edits is how many slips a word of n letters may hold. A short word with a
// slip is another word.
func edits(n int) int {
	switch {
	case n < 4:
		return 0
	case n < 7:
		return 1
	}
	return 2
}

// nameEdits is the same for whole names: few enough are known that long ones
// stay apart with one slip more.
func nameEdits(n int) int {
	if n >= 11 {
		return mostEdits
	}
	return edits(n)
}

// knownWord is how much less likely a word is a slip if the collection uses
// it as it stands.
const knownWord = 0.7

// firstLetter is the length from which a slip may hit the first letter.
const firstLetter = 5

// shape is what two words are compared by before their letters are: words
// within k edits differ in at most 2k kinds of letters and in k of length.
// That sorts out nearly the whole vocabulary at the price of one comparison
// each.
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

// addMisspelt finds the words that this one may be a misspelling of. If there
// are none and the word is unfinished, it tries words whose beginning is near.
func (ix *Index) addMisspelt(s *slot) {
	factor := float32(1)
	if len(s.terms) > 0 {
		factor = knownWord
	}
	found := false
	try := func(typed, known string, term int32, most int) {
		if typed[0] != known[0] && len(typed) < firstLetter {
			return
		}
		if n := text.Edits(typed, known); n > 0 && n <= most {
			s.add(term, factor*misspelt(typed, known, n))
			found = true
		}
	}
	most := edits(len(s.word))
	typed := shapeOf(s.word)
	for i := range ix.words {
		if w := &ix.words[i]; !typed.far(w.shape, most) {
			try(s.word, w.text, w.term, most)
		}
	}
	// Stems catch a slip in another inflection, and in words of the body.
	// What is left of a word without its ending is compared more strictly:
	// version is not a slip for versus.
	w := stem(s.word)
	most = edits(len(w))
	if len(s.word)-len(w) >= 3 {
		most = edits(len(w) - 1)
	}
	typed = shapeOf(w)
	for id := range ix.terms {
		if t := &ix.terms[id]; most > 0 && !typed.far(t.shape, most) {
			try(w, t.stem, int32(id), most)
		}
	}
	if !found && s.open && len(s.word) >= firstLetter {
		ix.addMisspeltStarts(s, factor)
	}
}

// addMisspeltStarts allows one slip in a word that is still being typed.
func (ix *Index) addMisspeltStarts(s *slot, factor float32) {
	w := s.word
	typed := shapeOf(w)
	for i := range ix.words {
		known := &ix.words[i]
		if known.text[0] != w[0] || int(known.size) <= len(w) ||
			bits.OnesCount64(typed.letters&^known.letters) > 1 {
			continue
		}
		for n := len(w) - 1; n <= len(w)+1 && n <= len(known.text); n++ {
			if text.Edits(w, known.text[:n]) <= 1 {
				s.add(known.term, factor*asTwoEdits)
				break
			}
		}
	}
}

// misspelt is the class of a misspelling: fewer slips in a longer word, with
// the first letter right, are more certain.
func misspelt(typed, term string, n int) float32 {
	class := float32(asOneEdit)
	if n > 1 {
		class = asTwoEdits
	}
	if typed[0] != term[0] {
		class *= 0.8
	}
	return class
}

// mostEdits is the most slips ever allowed, see edits and nameEdits.
const mostEdits = 3

// near reports how alike two squashed names are: 1 for the same, less for
// each slip, 0 if they are different names.
func near(typed, name string) float64 {
	if typed == name {
		return 1
	}
	most := nameEdits(min(len(typed), len(name)))
	if gap := len(typed) - len(name); gap > most || -gap > most {
		return 0
	}
	if typed == "" || name == "" || most == 0 || typed[0] != name[0] && len(typed) < firstLetter {
		return 0
	}
	n := text.Edits(typed, name)
	if n > most {
		return 0
	}
	return 1 - float64(n)/float64(len(name))
}
