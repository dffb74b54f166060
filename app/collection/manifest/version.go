package manifest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Version is a version as a file writes it. Valid ones are MAJOR.MINOR.PATCH
// and nothing else: no leading v or zero, no pre-release, no build.
type Version string

// Valid reports whether the version is MAJOR.MINOR.PATCH.
func (v Version) Valid() bool { return v.Problem() == "" }

// Problem says why the version is not MAJOR.MINOR.PATCH; "" for one that is.
func (v Version) Problem() string {
	_, why := v.numbers()
	return why
}

// numbers reads MAJOR.MINOR.PATCH, or says why the version is not that.
func (v Version) numbers() (numbers [3]uint64, why string) {
	s := string(v)
	switch {
	case s == "":
		return numbers, "it is empty"
	case s[0] == 'v' || s[0] == 'V':
		return numbers, "it has a leading v"
	case strings.ContainsAny(s, "-+"):
		return numbers, "it has a pre-release or build part"
	case strings.Count(s, ".") != 2:
		return numbers, "it does not have three parts"
	}
	for i, part := range strings.Split(s, ".") {
		n, err := strconv.ParseUint(part, 10, 64)
		if err != nil || strconv.FormatUint(n, 10) != part {
			return numbers, "a part is not a number, has a leading zero or is too long"
		}
		numbers[i] = n
	}
	return numbers, ""
}

// Compare orders versions: -1 when a is older than b, 0 when they are the
// same, 1 when a is newer. Numbers count as numbers, so 2.10.0 is newer than
// 2.9.0. An invalid version is older than every valid one; invalid ones stand
// in the order of their bytes, so that any set of strings has one order.
func Compare(a, b Version) int {
	return ranked(a).compare(ranked(b))
}

// rank is a version made ready for comparing many times.
type rank struct {
	valid   bool
	numbers [3]uint64 // of a valid version
	text    Version   // of an invalid one
}

func ranked(v Version) rank {
	numbers, why := v.numbers()
	if why != "" {
		return rank{text: v}
	}
	return rank{valid: true, numbers: numbers}
}

func (r rank) compare(other rank) int {
	return cmp.Or(falseFirst(r.valid, other.valid), slices.Compare(r.numbers[:], other.numbers[:]), cmp.Compare(r.text, other.text))
}

// IsDate reports whether s is a day of the calendar, written YYYY-MM-DD.
func IsDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}
