package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "ab", 2}, {"cro", "cro", 0}, {"cor", "cro", 1}, {"refferal", "referral", 2}, {"adit", "audit", 1},
		{"pricng", "pricing", 1}, {"prcing", "pricing", 1}, {"popup", "pricing", 6}, {"launch-stratgy", "launch-strategy", 1},
		{"ab", "ba", 1}, {"abcd", "badc", 2}, {"emial", "emails", 2}, {"sinpug", "signup", 3}, {"xabcdy", "zbadcw", 4}, // swaps
		{"über", "uber", 1}, {"日本", "日木", 1}, // letters, not bytes
		{"ab", strings.Repeat("x", 101), 101},
	} {
		if got := Edits(c.a, c.b); got != c.want || Edits(c.b, c.a) != got {
			t.Errorf("Edits(%q, %q) = %d, want %d both ways", c.a, c.b, got, c.want)
		}
	}
}

func TestLikeness(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{{"", "", 1}, {"cro", "cro", 1}, {"abcd", "abdc", 0.75}, {"über", "uber", 0.75}, {"ab", "xyz", 0}, {"", "ab", 0}, {"é", strings.Repeat("é", 90), 0}} {
		if got := Likeness(c.a, c.b); got != c.want || Likeness(c.b, c.a) != got {
			t.Errorf("Likeness(%q, %q) = %v, want %v both ways", c.a, c.b, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"--enrich", "--target", "--format"}
	for given, want := range map[string]string{
		"--enrcih": "--enrich", "-target": "--target", "--FORMAT": "--format", "--förmat": "--format", "--zzz": "", "x": "",
	} {
		if got := Nearest(given, known, 2); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", given, got, want)
		}
	}
	if got := Nearest("é", []string{"ü"}, 2); got != "" {
		t.Errorf("a word of other letters alone is offered: %q", got)
	}
}

// FuzzEdits compares with a library, which counts a swap as two edits: the two
// agree but for swaps, of which each costs at most two there.
func FuzzEdits(f *testing.F) {
	for _, s := range [][2]string{{"", "a"}, {"emial", "emails"}, {"abcd", "badc"}, {"a\xffb", "a\xfeb"}, {"über", "uebr"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if max(len(a), len(b)) > longestWord {
			t.Skip()
		}
		got, plain := Edits(a, b), levenshtein.ComputeDistance(a, b)
		if got > plain || plain > 2*got {
			t.Errorf("Edits(%q, %q) = %d, %d if a swap is two", a, b, got, plain)
		}
		if (got == 0) != (string([]rune(a)) == string([]rune(b))) {
			t.Errorf("Edits(%q, %q) = %d", a, b, got)
		}
		if l := Likeness(a, b); l < 0 || l > 1 {
			t.Errorf("Likeness(%q, %q) = %v", a, b, l)
		}
		if letters := []rune(a); len(letters) > 1 && utf8.ValidString(a) {
			letters[0], letters[1] = letters[1], letters[0]
			if n := Edits(a, string(letters)); n > 1 {
				t.Errorf("%q with its first letters swapped is %d edits away", a, n)
			}
		}
	})
}
