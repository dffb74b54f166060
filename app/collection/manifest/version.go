package manifest

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"
)

// Version is a version as a file writes it. Valid ones are MAJOR.MINOR.PATCH
// and nothing else: no leading v or zero, no pre-release, no build.
type Version string

// ErrVersion is the reason in every error about a version that is not
// MAJOR.MINOR.PATCH.
var ErrVersion = errors.New("not MAJOR.MINOR.PATCH")

// ParseVersion returns s as a version, or an error that says what is wrong
// with it.
func ParseVersion(s string) (Version, error) {
	if _, why := strict(s); why != "" {
		return "", fmt.Errorf("version %s: %w: %s", quote(s), ErrVersion, why)
	}
	return Version(s), nil
}

// Valid reports whether the version is MAJOR.MINOR.PATCH.
func (v Version) Valid() bool {
	_, why := strict(string(v))
	return why == ""
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
	valid *semver.Version // nil for an invalid version
	text  Version
}

func ranked(v Version) rank {
	valid, _ := strict(string(v))
	return rank{valid, v}
}

func (r rank) compare(other rank) int {
	switch {
	case r.valid == nil && other.valid == nil:
		return cmp.Compare(r.text, other.text)
	case r.valid == nil:
		return -1
	case other.valid == nil:
		return 1
	}
	return r.valid.Compare(other.valid)
}

// strict reads MAJOR.MINOR.PATCH, or says why s is none.
func strict(s string) (v *semver.Version, why string) {
	switch {
	case s == "":
		return nil, "it is empty"
	case s[0] == 'v' || s[0] == 'V':
		return nil, "it has a leading v"
	case strings.ContainsAny(s, "-+"):
		return nil, "it has a pre-release or build part"
	case strings.Count(s, ".") != 2:
		return nil, "it does not have three parts"
	}
	v, err := semver.StrictNewVersion(s)
	if err != nil {
		return nil, "a part is no number, has a leading zero or is too long"
	}
	return v, ""
}

// validDate reports whether s is a day of the calendar, written YYYY-MM-DD.
func validDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// validName reports whether s can be the name of a skill: 1 to 64 lower-case
// letters, digits and hyphens, with no hyphen at either end and no two in a
// row.
func validName(s string) bool {
	if s == "" || len(s) > 64 || s[0] == '-' || s[len(s)-1] == '-' || strings.Contains(s, "--") {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// quote returns s in quotes for a message, shortened, with nothing in it that
// could act on a terminal.
func quote(s string) string {
	const most = 60
	if len(s) > most {
		return fmt.Sprintf("%q…", strings.ToValidUTF8(s[:most], ""))
	}
	return fmt.Sprintf("%q", s)
}
