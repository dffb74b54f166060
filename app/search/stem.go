package search

import "strings"

// stopWords say nothing about a subject. They are not indexed, and searched only
// if the query has no other words.
var stopWords = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`
		a an the and or but nor if then than so as at by for from in into of
		off on onto out over per to under until up upon via with without within
		about above after again against before below between down during
		through
		i me my mine we us our ours you your yours he him his she her it its
		they them their theirs one ones
		this that these those here there who whom whose which what when where
		why how
		is are am was were be been being do does did doing done have has had
		having can could will would shall should may might must cant dont
		doesnt didnt isnt arent wasnt wont im ive id ill youre were thats
		whats lets not no never nobody nothing any anyone anything some someone
		something every everyone everything all both each few more most much
		many other others another such only own same too very just also even
		still yet already ever
		want wants need needs get gets getting got make makes making made
		help please let give show tell try keep go goes going
		thing things way ways lot lots etc eg ie
	`) {
		set[w] = true
	}
	return set
}()

// unstemmed are words that mean something else without their ending: marketing is
// not a market, news are not new, a business is not busy.
var unstemmed = map[string]bool{
	"marketing": true, "news": true, "business": true, "saas": true,
}

// endings are the endings that are replaced, at most one in a word: the first that
// fits, if at least keep letters with a vowel remain.
var endings = []struct {
	from, to string
	keep     int
}{
	{"ization", "iz", 3}, {"isation", "iz", 3}, {"ification", "ifi", 2},
	{"ations", "", 4}, {"ation", "", 4}, {"ators", "", 4}, {"ator", "", 4},
	{"ative", "", 4}, {"sion", "s", 3}, {"tion", "t", 3},
	{"ments", "", 4}, {"ment", "", 4}, {"ness", "", 4}, {"ship", "", 5},
	{"ating", "", 4}, {"ated", "", 4}, {"ing", "", 4}, {"ed", "", 4},
	{"ate", "", 4}, {"ly", "", 4},
}

// stem reduces an English word to what its inflections share, so that
// cancel, cancelled and cancellation meet, and British meets American
// spelling. Stems are keys, not words. Words that are not plain letters, and
// words of three letters or fewer (but ads), stay as they are.
func stem(w string) string {
	if !lettersOnly(w) || unstemmed[w] {
		return w
	}
	if len(w) <= 3 {
		if len(w) == 3 && w[2] == 's' && isVowel(w[0]) && !isVowel(w[1]) && w[1] != 's' {
			return w[:2]
		}
		return w
	}
	w = singular(w)
	if unstemmed[w] {
		return w
	}
	w = withoutEnding(w)
	n := len(w)
	switch {
	case n > 3 && strings.HasSuffix(w, "ll"):
		w = w[:n-1]
	case n > 5 && strings.HasSuffix(w, "our"):
		w = w[:n-3] + "or"
	case n > 5 && strings.HasSuffix(w, "mme"):
		w = w[:n-2]
	case n > 5 && strings.HasSuffix(w, "ogue"):
		w = w[:n-2]
	case n > 3 && strings.HasSuffix(w, "e") && w[n-2] != 'e':
		w = w[:n-1]
	case n > 2 && w[n-1] == 'y' && !isVowel(w[n-2]):
		w = w[:n-1] + "i"
	}
	if n := len(w); n > 5 && strings.HasSuffix(w, "is") {
		w = w[:n-1] + "z"
	}
	return w
}

func singular(w string) string {
	n := len(w)
	if w[n-1] != 's' {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"),
		strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"):
		return w[:n-2]
	case n > 4 && strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	}
	return w[:n-1]
}

func withoutEnding(w string) string {
	for _, e := range endings {
		if !strings.HasSuffix(w, e.from) {
			continue
		}
		rest := w[:len(w)-len(e.from)]
		keep := e.keep
		if (e.from == "ing" || e.from == "ed") && len(rest) == 3 && !isClosedSyllable(rest) {
			keep = 3
		}
		if len(rest) < keep || !hasVowel(rest) || e.from == "ed" && rest[len(rest)-1] == 'e' {
			continue
		}
		rest += e.to
		if e.to == "" {
			rest = undoubled(rest)
		}
		return rest
	}
	return w
}

// isClosedSyllable reports consonant, vowel, consonant, as in the rat that is left
// of rating; what is left of buying and adding is none.
func isClosedSyllable(w string) bool {
	return !isVowel(w[0]) && isVowel(w[1]) && !isVowel(w[2]) && w[2] != 'y'
}

// undoubled undoes the doubling before an ending: planning, plann, plan.
func undoubled(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && !isVowel(w[n-1]) && w[n-1] != 's' && w[n-1] != 'z' {
		return w[:n-1]
	}
	return w
}

func lettersOnly(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return w != ""
}

func isVowel(b byte) bool {
	return b == 'a' || b == 'e' || b == 'i' || b == 'o' || b == 'u'
}

func hasVowel(w string) bool {
	return strings.ContainsAny(w, "aeiouy")
}
