package manifest

import (
	"cmp"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"
)

// Version is a version as a file writes it. Valid ones are MAJOR.MINOR.PATCH
// and nothing else: no leading v or zero, no pre-release, no build.
type Version string

// Valid reports whether the version is MAJOR.MINOR.PATCH.
func (v Version) Valid() bool { return v.Problem() == "" }

// Problem says why the version is not MAJOR.MINOR.PATCH; "" for one that is.
func (v Version) Problem() string {
	_, why := parseStrict(string(v))
	return why
}

// Compare orders versions: -1 when a is older than b, 0 when they are the
// same, 1 when a is newer. Numbers count as numbers, so 2.10.0 is newer than
// 2.9.0. An invalid version is older than every valid one; invalid ones stand
// in the order of their bytes, so that any set of strings has one order.
func Compare(a, b Version) int {
	return parseVersion(a).compare(parseVersion(b))
}

// parsedVersion is a version that is compared many times and parsed once.
type parsedVersion struct {
	valid *semver.Version // nil for an invalid version
	text  Version
}

func parseVersion(v Version) parsedVersion {
	valid, _ := parseStrict(string(v))
	return parsedVersion{valid, v}
}

func (v parsedVersion) compare(other parsedVersion) int {
	switch {
	case v.valid == nil && other.valid == nil:
		return cmp.Compare(v.text, other.text)
	case v.valid == nil:
		return -1
	case other.valid == nil:
		return 1
	}
	return v.valid.Compare(other.valid)
}

// parseStrict reads MAJOR.MINOR.PATCH, or says why s is none.
func parseStrict(s string) (v *semver.Version, why string) {
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
		return nil, "a part is not a number, has a leading zero or is too long"
	}
	return v, ""
}

// IsDate reports whether s is a day of the calendar, written YYYY-MM-DD.
func IsDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}
