package manifest

import (
	"strings"
	"testing"
)

func TestProblem(t *testing.T) {
	for s, want := range map[string]string{
		"0.0.0": "", "2.0.1": "", "10.20.30": "", "18446744073709551615.0.0": "",
		"":       "it is empty",
		"v2.0.0": "leading v", "V2.0.0": "leading v",
		"2": "three parts", "2.0": "three parts", "2.0.0.0": "three parts", "2.0.0.": "three parts",
		"2.0.0-rc.1": "pre-release", "2.0.0+1": "build", "2.0.0-": "pre-release", "2.0.0+": "build", "-1.0.0": "pre-release",
		"02.0.0": "leading zero", "2.0.00": "leading zero", "2..0": "not a number", ".2.0": "not a number", "2.x.0": "not a number",
		"18446744073709551616.0.0": "too long", " 2.0.0": "not a number", "2.0.0\n": "not a number", "２.0.0": "not a number",
	} {
		why := Version(s).Problem()
		if (why == "") != (want == "") || !strings.Contains(why, want) || Version(s).Valid() != (want == "") {
			t.Errorf("%q: %q, want %q", s, why, want)
		}
	}
}

func TestCompare(t *testing.T) {
	rising := []Version{
		"", "2.0", "v9.9.9", // invalid ones come first, by their bytes
		"0.0.0", "0.0.1", "0.1.0", "1.10.0", "2.0.0", "2.0.1", "2.0.9", "2.0.10", "2.9.0", "2.10.0", "10.0.0",
	}
	for i, a := range rising {
		for j, b := range rising {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := Compare(a, b); got != want {
				t.Errorf("Compare(%q, %q) = %d, want %d", a, b, got, want)
			}
		}
	}
}

// FuzzCompare: versions have one order, which never runs in a circle.
func FuzzCompare(f *testing.F) {
	f.Add("2.9.0", "2.10.0", "v2.0.0")
	f.Add("1.0.0", "1.0.0-rc", "")
	f.Fuzz(func(t *testing.T, x, y, z string) {
		a, b, c := Version(x), Version(y), Version(z)
		checkOrder(t, Compare, a, b, c)
		if Compare(a, b) == 0 && a != b {
			t.Fatalf("%q and %q are different and equal", a, b)
		}
		if a.Valid() && !b.Valid() && Compare(a, b) != 1 {
			t.Fatalf("invalid %q is not older than %q", b, a)
		}
	})
}

// checkOrder checks three values, in every arrangement, against the laws of an
// order.
func checkOrder[T any](t *testing.T, compare func(a, b T) int, values ...T) {
	t.Helper()
	for _, a := range values {
		if compare(a, a) != 0 {
			t.Fatalf("%v differs from itself", a)
		}
		for _, b := range values {
			if compare(a, b) != -compare(b, a) {
				t.Fatalf("%v and %v: %d one way, %d the other", a, b, compare(a, b), compare(b, a))
			}
			for _, c := range values {
				if compare(a, b) <= 0 && compare(b, c) <= 0 && compare(a, c) > 0 {
					t.Fatalf("a circle: %v, %v, %v", a, b, c)
				}
				if compare(a, b) == 0 && compare(a, c) != compare(b, c) {
					t.Fatalf("%v equals %v and %v tells them apart", a, b, c)
				}
			}
		}
	}
}
