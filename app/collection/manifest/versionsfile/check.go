package versionsfile

import (
	"cmp"
	"slices"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/manifest"
	"marketingskills/app/text"
)

// check checks the data. Problems with the form of the file are reported while
// it is read.
func check(m *manifest.Manifest, unreleased *Unreleased, list *finding.List) {
	c := checker{m, unreleased, map[string]manifest.Rename{}, list}
	for _, r := range m.Renames {
		if _, known := c.renames[r.Old]; !known {
			c.renames[r.Old] = r
		}
	}
	c.checkRows()
	c.checkRenameFields()
	c.checkRenamesOnce()
	c.checkRenameTargets()
	c.checkRenameReleases()
	c.checkReleases()
	c.checkReleaseDates()
	c.checkUnreleased()
	c.checkTotal()
}

type checker struct {
	manifest   *manifest.Manifest
	unreleased *Unreleased
	renames    map[string]manifest.Rename // the first of each old name
	list       *finding.List
}

const (
	rightName    = "write the name of the directory: " + text.SkillName
	rightVersion = "write MAJOR.MINOR.PATCH, as 2.0.1"
	rightDate    = "write a day of the calendar as YYYY-MM-DD"
)

func (c checker) checkName(line int, what, name string) {
	if !text.IsSkillName(name) {
		c.list.Errorf(line, "manifest-skill-name", rightName, "the %s %s cannot be the name of a skill", what, text.Quote(name))
	}
}

func (c checker) checkVersion(line int, of string, v manifest.Version) {
	if why := v.Problem(); why != "" {
		c.list.Errorf(line, "manifest-version", rightVersion, "the version %s of %s is invalid: %s", text.Quote(string(v)), of, why)
	}
}

func (c checker) checkDate(line int, of, date string) {
	switch {
	case date == "":
		c.list.Errorf(line, "manifest-date", rightDate, "%s has no date", of)
	case !manifest.IsDate(date):
		c.list.Errorf(line, "manifest-date", rightDate, "the date %s of %s is not in the calendar or not in its form", text.Quote(date), of)
	}
}

// checkRows checks the table of current versions: its fields, that each skill has
// one row, and that rows are sorted by name.
func (c checker) checkRows() {
	for i, row := range c.manifest.Rows {
		c.checkName(row.Line, "entry", row.Skill)
		c.checkVersion(row.Line, text.Quote(row.Skill), row.Version)
		c.checkDate(row.Line, text.Quote(row.Skill), row.Updated)
		if first, _ := c.manifest.Row(row.Skill); first.Line != row.Line {
			c.list.Errorf(row.Line, "manifest-duplicate-row", "keep one row per skill",
				"%s has a row on line %d already", text.Quote(row.Skill), first.Line)
		}
		if i > 0 && row.Skill < c.manifest.Rows[i-1].Skill {
			c.list.Warnf(row.Line, "manifest-row-order", "sort the rows by name",
				"%s stands below %s", text.Quote(row.Skill), text.Quote(c.manifest.Rows[i-1].Skill))
		}
	}
}

func (c checker) checkRenameFields() {
	for _, r := range c.manifest.Renames {
		c.checkName(r.Line, "old name", r.Old)
		c.checkName(r.Line, "new name", r.New)
		if r.Kind != manifest.Renamed && r.Kind != manifest.Merged {
			c.list.Errorf(r.Line, "manifest-rename-kind", "write renamed or merged",
				"the kind of %s is %s", text.Quote(r.Old), text.Quote(string(r.Kind)))
		}
		if r.Where == "" {
			c.list.Warnf(r.Line, "manifest-rename-where", "name the folder or file", "nothing says where the content of %s went", text.Quote(r.Old))
		}
	}
}

// checkRenamesOnce reports old names with two renames, and new names to which a
// release renamed two skills: one of them was merged.
func (c checker) checkRenamesOnce() {
	type name struct {
		release manifest.Version
		name    string
	}
	taken := map[name]manifest.Rename{}
	for _, r := range c.manifest.Renames {
		if first := c.renames[r.Old]; first.Line != r.Line {
			c.list.Errorf(r.Line, "manifest-duplicate-rename", "keep one row per old name",
				"%s is renamed on line %d already", text.Quote(r.Old), first.Line)
			continue
		}
		if r.Kind != manifest.Renamed {
			continue
		}
		key := name{r.Release, r.New}
		if first, ok := taken[key]; ok {
			c.list.Errorf(r.Line, "manifest-rename-kind", "mark what became part of another skill as merged",
				"%s and %s are both renamed to %s", text.Quote(first.Old), text.Quote(r.Old), text.Quote(r.New))
			continue
		}
		taken[key] = r
	}
}

func (c checker) checkRenameTargets() {
	circles := c.circles()
	for _, r := range c.manifest.Renames {
		if row, ok := c.manifest.Row(r.Old); ok {
			c.list.Errorf(r.Line, "manifest-rename-old-exists", "delete the rename or the row",
				"the old name %s has a row on line %d", text.Quote(r.Old), row.Line)
		}
		if _, ok := c.manifest.Row(r.New); ok {
			continue
		}
		switch next, isOld := c.renames[r.New]; {
		case circles[r.Old]:
			c.list.Errorf(r.Line, "manifest-rename-circle", "write the name of today as the new name",
				"the renames of %s lead back to it", text.Quote(r.Old))
		case isOld:
			c.list.Errorf(r.Line, "manifest-rename-chain", "write the name of today as the new name",
				"the new name %s of %s is an old name itself, on line %d", text.Quote(r.New), text.Quote(r.Old), next.Line)
		default:
			c.list.Errorf(r.Line, "manifest-rename-target", "write the name of a skill in the table of current versions",
				"the new name %s of %s has no row", text.Quote(r.New), text.Quote(r.Old))
		}
	}
}

// checkRenameReleases reports renames of a release that is not listed, or that
// does not say that it breaks anything.
func (c checker) checkRenameReleases() {
	releases := map[manifest.Version]manifest.Release{}
	for _, r := range c.manifest.Releases {
		releases[r.Version] = r
	}
	reported := map[manifest.Version]bool{}
	for _, r := range c.manifest.Renames {
		release, listed := releases[r.Release]
		if reported[r.Release] || !r.Release.Valid() {
			continue
		}
		reported[r.Release] = true
		switch {
		case !listed && c.unreleased != nil && manifest.Compare(r.Release, NewestVersion(c.manifest)) > 0:
			// The release is being prepared.
		case !listed:
			c.list.Errorf(r.Line, "manifest-rename-release", "add the release or correct the heading",
				"release %s, in which %s was renamed, is not listed", r.Release, text.Quote(r.Old))
		case !release.Breaking():
			c.list.Warnf(release.Line, "manifest-rename-release", "begin a bullet with **"+breaking+":**",
				"release %s renames skills and marks nothing as breaking", r.Release)
		}
	}
}

// checkReleases checks the releases: their fields, that each is listed once, and
// that the newest comes first.
func (c checker) checkReleases() {
	place := map[int]int{} // in the history, by line
	for i, r := range c.manifest.History() {
		place[r.Line] = i
	}
	first := map[string]int{}
	for i, r := range c.manifest.Releases {
		name := text.Quote(r.Name())
		if r.Version != "" {
			c.checkVersion(r.Line, "release "+name, r.Version)
		}
		c.checkDate(r.Line, "release "+name, r.Date)
		if len(r.Changes) == 0 {
			c.list.Errorf(r.Line, "manifest-release-empty", "say in bullets what changed", "release %s has no changes", name)
		}
		if line, twice := first[r.Name()]; twice {
			c.list.Errorf(r.Line, "manifest-duplicate-release", "join the two", "release %s is on line %d already", name, line)
		} else {
			first[r.Name()] = r.Line
		}
		if i == 0 {
			continue
		}
		if above := c.manifest.Releases[i-1]; r.Name() != above.Name() && place[r.Line] < place[above.Line] {
			c.list.Warnf(r.Line, "manifest-release-order", "put the newest release first",
				"release %s stands below the older %s", name, text.Quote(above.Name()))
		}
	}
}

// checkReleaseDates reports versions that are newer than another and dated before
// it.
func (c checker) checkReleaseDates() {
	var all []manifest.Release
	for _, r := range c.manifest.Releases {
		if r.Version.Valid() && manifest.IsDate(r.Date) {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b manifest.Release) int {
		return cmp.Or(manifest.Compare(a.Version, b.Version), cmp.Compare(a.Date, b.Date))
	})
	for i := 1; i < len(all); i++ {
		if r, older := all[i], all[i-1]; r.Date < older.Date {
			c.list.Errorf(r.Line, "manifest-release-date", "correct the version or the date of one of them",
				"release %s is dated %s, before the older %s of %s on line %d", r.Version, r.Date, older.Version, older.Date, older.Line)
		}
	}
}

// checkTotal compares the number of skills in the newest release with the table,
// unless another release is being prepared.
func (c checker) checkTotal() {
	if c.unreleased != nil {
		return
	}
	if latest, ok := c.manifest.Latest(); ok && latest.Total > 0 && latest.Total != len(c.manifest.Rows) {
		c.list.Errorf(latest.Line, "manifest-total", "count the rows, or add a release that says the new total",
			"release %s says %d skills, the table has %d rows", text.Quote(latest.Name()), latest.Total, len(c.manifest.Rows))
	}
}

// circles returns the old names from which renames lead back to themselves.
func (c checker) circles() map[string]bool {
	in := map[string]bool{}
	visited := map[string]int{} // by name, the number of the walk that came to it
	for start, r := range c.manifest.Renames {
		name := r.Old
		for visited[name] == 0 {
			next, isOld := c.renames[name]
			if _, isSkill := c.manifest.Row(name); isSkill || !isOld {
				break
			}
			visited[name] = start + 1
			name = next.New
		}
		if visited[name] != start+1 {
			continue
		}
		for !in[name] {
			in[name] = true
			name = c.renames[name].New
		}
	}
	return in
}
