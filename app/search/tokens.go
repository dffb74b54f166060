package search

import (
	"iter"
	"slices"
	"unicode/utf8"
)

// maxWord is the length in bytes beyond which the rest of a word is ignored:
// nobody types that much, and keys or encoded data would fill the index.
const maxWord = 40

// token is one word of a text.
type token struct {
	// text is the folded spelling, not yet stemmed.
	text string
	// start and end are where the word stands in the text, in bytes.
	start, end int
	// linked means that only a joining sign, as in "sign-up", stands between
	// the previous word and this one.
	linked bool
}

// scan appends the words of a text to dst, at most limit of them; a negative
// limit means all.
func scan(dst []token, text string, limit int) []token {
	var buf [maxWord + 4]byte
	word := buf[:0]
	start, end := -1, 0
	link, linked := false, false
	flush := func() {
		if start >= 0 && len(word) > 0 {
			dst = append(dst, token{text: string(word), start: start, end: end, linked: linked})
		}
		word, start = word[:0], -1
	}
	for i := 0; i < len(text); {
		if limit >= 0 && len(dst) >= limit {
			return dst
		}
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		switch kindOf(r) {
		case letter:
			if start < 0 {
				start, linked, link = i, link && len(dst) > 0, false
			}
			if len(word) < maxWord {
				word = appendFolded(word, r)
			}
			end = i + size
		case joiner:
			link = start >= 0
			flush()
		case ignored:
			if start >= 0 {
				end = i + size
			}
		case apostrophe:
			if start >= 0 {
				if n := possessive(text[i+size:]); n > 0 {
					flush()
					size += n
				}
			}
			link = false
		default:
			link = false
			flush()
		}
		i += size
	}
	if limit < 0 || len(dst) < limit {
		flush()
	}
	return dst
}

// possessive tells how many bytes after an apostrophe end the word before it:
// 1 for "s" followed by no letter, 0 if the word goes on, as in "don't".
func possessive(rest string) int {
	if rest == "" || rest[0] != 's' && rest[0] != 'S' {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(rest[1:])
	if len(rest) > 1 && kindOf(r) == letter {
		return 0
	}
	return 1
}

// squash spells a text as one word: page-cro, "page cro" and PageCRO agree.
func squash(text string) string {
	out := make([]byte, 0, min(len(text), maxQuery))
	for _, r := range text {
		if kindOf(r) == letter {
			out = appendFolded(out, r)
		}
	}
	return string(out)
}

// joined returns the words first to last of toks, written as one.
func joined(toks []token, first, last int) string {
	n := 0
	for _, t := range toks[first : last+1] {
		n += len(t.text)
	}
	out := make([]byte, 0, n)
	for _, t := range toks[first : last+1] {
		out = append(out, t.text...)
	}
	return string(out)
}

// maxRun is the most linked words that form a compound, such as "sign-up" and
// "go-to-market". More are addresses and paths.
const maxRun = 3

// compound is a word made of neighbours, in addition to its parts.
type compound struct {
	text string
	// first and last are positions among the tokens.
	first, last int
}

// compounds returns the compounds of a text: those of linked words, and, if loose
// is set, those of any two words beside each other, because people write sign up,
// sign-up and signup for the same.
func compounds(toks []token, loose bool) []compound {
	var out []compound
	for i, j := range linkedRuns(toks) {
		if j-i < maxRun {
			out = append(out, compound{joined(toks, i, j), i, j})
		}
	}
	if !loose {
		return out
	}
	for i := 0; i+1 < len(toks); i++ {
		pair := compound{joined(toks, i, i+1), i, i + 1}
		if len(pair.text) <= maxWord && !slices.Contains(out, pair) {
			out = append(out, pair)
		}
	}
	return out
}

// linkedRuns yields the first and last positions of the words written with
// hyphens or other joining signs.
func linkedRuns(toks []token) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i := 0; i < len(toks); {
			j := i
			for j+1 < len(toks) && toks[j+1].linked {
				j++
			}
			if j > i && !yield(i, j) {
				return
			}
			i = j + 1
		}
	}
}
