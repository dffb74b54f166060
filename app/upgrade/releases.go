package upgrade

import (
	"regexp"
	"slices"
	"strings"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/text"
)

// releases is VERSIONS.md, with the answers that every folder asks for.
type releases struct {
	manifest *manifest.Manifest
	history  []manifest.Release
	changes  map[skillVersion][]Change
}

type skillVersion struct {
	skill   string
	version manifest.Version
}

func newReleases(m *manifest.Manifest) *releases {
	if m == nil {
		m = &manifest.Manifest{}
	}
	return &releases{m, m.History(), map[skillVersion][]Change{}}
}

// Known returns a function that reports whether a name is from the collection,
// a current one or an old one.
func Known(m *manifest.Manifest) func(name string) bool {
	return func(name string) bool { return m.Current(name) != "" }
}

// names are all names from this collection: current ones, then old ones, as
// the manifest has them.
func (rs *releases) names() []string {
	var current, old []string
	for _, row := range rs.manifest.Rows {
		current = append(current, row.Skill)
	}
	for _, r := range rs.manifest.Renames {
		if skill := rs.manifest.Current(r.Old); skill != "" && skill != r.Old {
			old = append(old, r.Old)
		}
	}
	return append(current, old...)
}

// since returns what the releases brought to someone who has a skill in a
// version: the changes that name the skill, and all breaking ones.
//
// Skills have versions of their own, and releases have theirs. Where a release
// says which version of the skill it brought, that decides. Otherwise the skill's
// version is taken for that of the release, which holds for releases before 2.3.0
// and all skills but those that began at 1.0.0 after 2.0.0; what is newer says
// it. Without a valid version nothing can be told.
func (rs *releases) since(skill string, v manifest.Version) []Change {
	if !v.Valid() {
		return []Change{}
	}
	key := skillVersion{skill, v}
	if found, ok := rs.changes[key]; ok {
		return found
	}
	newer := slices.IndexFunc(rs.history, func(r manifest.Release) bool {
		has := brought(r, skill)
		return has != "" && manifest.Compare(has, v) <= 0
	})
	if newer < 0 {
		newer = len(rs.manifest.Since(v))
	}
	found := []Change{}
	for _, r := range rs.history[:newer] {
		for _, change := range r.Changes {
			if change.Breaking || slices.Contains(change.Skills, skill) {
				found = append(found, Change{r.Name(), r.Date, change.Breaking, text.Printable(change.Text)})
			}
		}
	}
	rs.changes[key] = found
	return found
}

// brought returns the version of a skill that a release says it brought, the
// newest of its changes; "" when none says one.
func brought(r manifest.Release, skill string) manifest.Version {
	var newest manifest.Version
	for _, change := range r.Changes {
		if !slices.Contains(change.Skills, skill) {
			continue
		}
		if v := versionOf(skill, change.Text); manifest.Compare(v, newest) > 0 {
			newest = v
		}
	}
	return newest
}

var versionBrought = regexp.MustCompile(`(?:\(|\bto )([^\s(),;:]+)`)

// versionOf returns the version of a skill that a change names: the one behind the
// skill's name, as in "`ads` (2.1.0)", or else the last that is written "(1.0.0)"
// or "to 2.0.1"; "" for none.
func versionOf(skill, change string) manifest.Version {
	if _, behind, ok := strings.Cut(change, "`"+skill+"` ("); ok {
		change = "(" + behind[:strings.IndexByte(behind+")", ')')]
	}
	var last manifest.Version
	for _, found := range versionBrought.FindAllStringSubmatch(change, -1) {
		if v := manifest.Version(strings.TrimRight(found[1], ".")); v.Valid() {
			last = v
		}
	}
	return last
}

// oneX tells whether a name is one of those the skills had in 1.x.
func (rs *releases) oneX(name string) bool {
	if _, rename, old := rs.manifest.Resolve(name); old {
		return rename.Release.Valid() && manifest.Compare(rename.Release, firstNamed) <= 0
	}
	gaveName := func(r manifest.Rename) bool { return r.Release == firstNamed && rs.manifest.Current(r.Old) == name }
	// With 2.0.0 every skill there was got that version. One whose version is
	// still below, or was when a later release brought it, came after.
	row, ok := rs.manifest.Row(name)
	if !ok || slices.ContainsFunc(rs.manifest.Renames, gaveName) || !row.Version.Valid() || manifest.Compare(row.Version, firstNamed) < 0 {
		return false
	}
	return !slices.ContainsFunc(rs.manifest.Since(firstNamed), func(r manifest.Release) bool {
		v := brought(r, name)
		return v != "" && manifest.Compare(v, firstNamed) < 0
	})
}

// firstVersion is the oldest version that a skill can have been published in
// under its name of today: not before the release that gave it the name, and not
// below 1.0.0, where the versions of this collection begin. So ads 2.0.0 is
// from this collection, while ads 1.3.0 is someone else's: in 1.x the skill was
// called paid-ads.
func (rs *releases) firstVersion(skill string) manifest.Version {
	first := manifest.Version("1.0.0")
	for _, rename := range rs.manifest.Renames {
		if rename.New == skill && manifest.Compare(rename.Release, first) > 0 {
			first = rename.Release
		}
	}
	return first
}
