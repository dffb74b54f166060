package spelling

import (
	"strings"
	"testing"
)

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "fix", 3}, {"fix", "", 3}, {"fix", "fix", 0},
		{"fxi", "fix", 1}, {"--with-emial", "--with-email", 1}, {"forkz", "forks", 1},
		{"target", "targets", 1}, {"abc", "xyz", 3}, {strings.Repeat("a", 41), "a", 41},
	} {
		if got := Edits(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: got %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
