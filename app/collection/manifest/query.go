package manifest

import "slices"

// Row returns the row of a skill by its present name. Of duplicate rows it
// returns the first.
func (m *Manifest) Row(skill string) (Row, bool) {
	i, ok := m.rows[skill]
	if !ok {
		return Row{}, false
	}
	return m.Rows[i], true
}

// Current returns the present name of a skill, given by that name or an old one;
// "" when there is no such skill. A name with a row is never an old name.
func (m *Manifest) Current(name string) string {
	if _, ok := m.rows[name]; ok {
		return name
	}
	return m.today[name]
}

// Latest returns the newest release; false when there is none.
func (m *Manifest) Latest() (Release, bool) {
	history := m.History()
	if len(history) == 0 {
		return Release{}, false
	}
	return history[0], true
}

// Since returns the releases newer than the given release version, the newest
// first. The version need not be one of the releases. A release headed only by
// its date is newer when it stands above that version in the history. For an
// invalid version, which is older than any other, it returns all releases with
// a version.
func (m *Manifest) Since(version Version) []Release {
	limit := position{version: parseVersion(version)}
	var newer []Release
	for _, r := range m.history() {
		// Only the version of a versioned release counts, not its date.
		if !r.position.dateOnly {
			r.position.date = ""
		}
		if r.position.compare(limit) > 0 {
			newer = append(newer, r.release)
		}
	}
	return newer
}

// Touching returns the releases that changed a skill, the newest first: those
// with a change that names it in backticks, under any of its names, and those
// that gave it its name or merged another skill into it. The skill may be
// given by an old name.
func (m *Manifest) Touching(skill string) []Release {
	if skill = m.Current(skill); skill == "" {
		return nil
	}
	renamedIn := map[Version]bool{}
	for _, r := range m.Renames {
		if m.Current(r.Old) == skill {
			renamedIn[r.Release] = true
		}
	}
	var touching []Release
	for _, r := range m.History() {
		if r.Version != "" && renamedIn[r.Version] || r.touches(skill) {
			touching = append(touching, r)
		}
	}
	return touching
}

// touches reports whether a change of the release names the skill.
func (r Release) touches(skill string) bool {
	return slices.ContainsFunc(r.Changes, func(c Change) bool { return slices.Contains(c.Skills, skill) })
}

// Resolve returns the name that a skill of an earlier release has today, and
// the rename or merge of its old name. It follows chains of renames. ok is false
// for a name that has a row, which is no old name whatever a rename says; for
// one that no rename mentions; and for one whose renames do not lead to a skill
// with a row.
func (m *Manifest) Resolve(old string) (skill string, rename Rename, ok bool) {
	skill = m.Current(old)
	if skill == "" || skill == old {
		return "", Rename{}, false
	}
	return skill, m.Renames[m.renames[old]], true
}

// OldNames returns the names that a skill had in earlier releases, those of
// the skills merged into it included, in the order of the file.
func (m *Manifest) OldNames(skill string) []string {
	var old []string
	seen := map[string]bool{skill: true}
	for _, r := range m.Renames {
		if !seen[r.Old] && m.Current(r.Old) == skill && skill != "" {
			seen[r.Old] = true
			old = append(old, r.Old)
		}
	}
	return old
}
