package prospect

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Summary counts companies, locations and emails; the counts grow with each
// record.
// The zero value is empty. It is not for use by several goroutines at once.
//
// Companies and locations are as people write them, so that what is counted
// together is a reading, good enough for a picture and no more: companies
// without @, case, spaces, punctuation around them and legal forms at the end; locations
// by what stands before the first comma.
type Summary struct {
	People       int // records
	WithEmail    int // of them with an address, as the filter sees it
	WithCompany  int // with a company that has a letter or a digit in it
	WithLocation int // with a location that may be on a map

	companies, locations tally
}

// Share is how many gave a name.
type Share struct {
	Name  string // in the spelling met first, so that it stays while a run goes on
	Count int
}

// Add counts a record.
func (g *Summary) Add(r Record) { g.count(r, 1) }

// Remove takes back a record that was added.
func (g *Summary) Remove(r Record) { g.count(r, -1) }

// Companies are the n most frequent, the most frequent first, ties by name.
func (g *Summary) Companies(n int) []Share { return g.companies.top(n) }

// Locations are the n most frequent, the most frequent first, ties by name.
func (g *Summary) Locations(n int) []Share { return g.locations.top(n) }

func (g *Summary) count(r Record, by int) {
	g.People += by
	if hasAddress(r) {
		g.WithEmail += by
	}
	g.WithCompany += g.companies.count(r.Company, company, by)
	g.WithLocation += g.locations.count(r.Location, place, by)
}

// tally counts texts by what they name. A text met before costs one look-up.
type tally struct {
	texts  map[string]*group // as given; nil: names nothing
	groups map[string]*group // by key
}

// group is what is counted together.
type group Share

// count returns by if the text names something, else 0. read turns a text
// into what is shown and what it is counted under; an empty key is nothing.
// What is shown must read as itself.
func (t *tally) count(text string, read func(string) (shown, key string), by int) int {
	if text == "" {
		return 0
	}
	g, met := t.texts[text]
	if !met {
		if t.texts == nil {
			t.texts, t.groups = map[string]*group{}, map[string]*group{}
		}
		g = t.meet(read(text))
		t.texts[text] = g
	}
	if g == nil {
		return 0
	}
	g.Count += by
	return by
}

func (t *tally) meet(shown, key string) *group {
	if key == "" {
		return nil
	}
	g := t.groups[key]
	if g == nil {
		g = &group{Name: shown}
		t.groups[key] = g
	}
	return g
}

// top keeps the best so far in order; all the others cost a comparison.
func (t *tally) top(n int) []Share {
	var best []Share
	for _, g := range t.groups {
		if g.Count <= 0 || n <= 0 || len(best) == n && g.Count < best[n-1].Count {
			continue
		}
		share := Share(*g)
		at, _ := slices.BinarySearchFunc(best, share, func(a, b Share) int {
			return cmp.Or(b.Count-a.Count, strings.Compare(a.Name, b.Name))
		})
		if best = slices.Insert(best, at, share); len(best) > n {
			best = best[:n]
		}
	}
	return best
}

// company reads the first company of a text: "@acme @other" is acme, "Acme,
// Inc." is counted under acme.
func company(text string) (shown, key string) {
	shown = strings.TrimRight(oneLine(text), aroundNames)
	bare := strings.TrimLeft(shown, aroundNames)
	if handles := strings.Contains(shown[:len(shown)-len(bare)], "@"); handles {
		for i := 1; i < len(bare); i++ {
			if bare[i] == '@' && strings.IndexByte(betweenHandles, bare[i-1]) >= 0 {
				bare = strings.TrimSuffix(strings.TrimRight(bare[:i], betweenHandles), " and")
				break
			}
		}
	}
	shown = strings.TrimRight(bare, aroundNames)
	key = trimSigns(strings.ToLower(shown))
	for {
		start := strings.LastIndexAny(key, " ,&") + 1
		rest := trimSigns(key[:start])
		if rest == "" || !legalForm(key[start:]) {
			return shown, together.Replace(key)
		}
		key = rest
	}
}

// together: a handle has no spaces, so that studio_ro is Studio Ro.
var together = strings.NewReplacer(" ", "", "_", "", "-", "")

// legalForm tells whether a word, in small letters, says no more of a company
// than what the law takes it for.
func legalForm(word string) bool {
	if strings.ContainsAny(word, "./") {
		word = strings.NewReplacer(".", "", "/", "").Replace(word)
	}
	switch word {
	case "inc", "incorporated", "llc", "llp", "lp", "ltd", "limited", "plc", "co", "corp", "corporation", "company",
		"pty", "pvt", "pte", "gmbh", "mbh", "ag", "kg", "ug", "ev", "se", "sa", "sas", "sarl", "srl", "spa", "sl", "bv", "nv",
		"ab", "as", "aps", "oy", "oyj", "ltda", "doo", "sro", "kk":
		return true
	}
	return false
}

// place reads what stands before the first comma, slash or dash of a location.
func place(text string) (shown, key string) {
	shown, _, _ = strings.Cut(strings.TrimLeftFunc(text, isSign), "\n")
	shown = oneLine(shown)
	for _, separator := range [...]string{",", ";", "(", ")", "|", "，", "、", " / ", " - ", " – ", " — ", " · ", " • "} {
		shown, _, _ = strings.Cut(shown, separator)
	}
	shown = trimSigns(shown)
	key = strings.ToLower(shown)
	if nowhere(key) {
		return "", ""
	}
	return shown, key
}

// nowhere tells whether a text, in small letters, is on no map: jokes, the
// network, and what has no letter at all (addresses of machines, coordinates).
func nowhere(key string) bool {
	bare := strings.TrimPrefix(key, "the ")
	switch bare {
	case "remote", "fully remote", "remotely", "worldwide", "world", "global", "globally", "international", "planet earth", "earth",
		"internet", "interwebs", "online", "web", "www", "cyberspace", "metaverse", "matrix", "cloud", "localhost", "home", "at home", "dev/null",
		"everywhere", "anywhere", "nowhere", "somewhere", "elsewhere", "here", "there", "in the cloud", "on the internet",
		"universe", "milky way", "solar system", "space", "outer space", "moon", "mars", "void", "third rock from the sun",
		"none", "n/a", "null", "undefined", "unknown", "secret", "nomad", "digital nomad":
		return true
	}
	return strings.IndexFunc(key, unicode.IsLetter) < 0 || strings.HasPrefix(key, "localhost:")
}

// oneLine has single spaces only; nothing is copied where it is so already.
func oneLine(s string) string {
	if strings.ContainsAny(s, "\n\u00a0\u3000") || strings.Contains(s, "  ") {
		return strings.Join(strings.Fields(s), " ")
	}
	return s
}

const (
	// aroundNames leaves what may belong to a name: .NET, Yahoo!, Acme Inc.
	aroundNames    = " @,;:|/\\\"'`“”‘’«»*_~-–—•·"
	betweenHandles = " ,;/|+&"
)

// trimSigns takes off all that is no letter, digit or vowel sign, emoji
// included.
func trimSigns(s string) string {
	return strings.TrimRightFunc(strings.TrimLeftFunc(s, isSign), func(r rune) bool {
		return isSign(r) && (!unicode.IsMark(r) || '\ufe00' <= r && r <= '\ufe0f') // the latter choose the look of emoji
	})
}

func isSign(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
