package manifest

import (
	"cmp"
	"slices"
)

// check runs every rule that can be told from the data alone; what concerns
// the form of the file is reported while it is read.
func check(m *Manifest, n *names, r *report) {
	c := checker{m, n, r}
	c.rowFields()
	c.rowsOnce()
	c.rowOrder()
	c.renameFields()
	c.renamesOnce()
	c.renameTargets()
	c.renameReleases()
	c.releaseFields()
	c.releasesOnce()
	c.releaseOrder()
	c.releaseDates()
	c.total()
}

type checker struct {
	m     *Manifest
	names *names
	*report
}

const (
	rightName    = "write the name of the directory: 1 to 64 lower-case letters, digits and single hyphens"
	rightVersion = "write MAJOR.MINOR.PATCH, as 2.0.1"
	rightDate    = "write a day of the calendar as YYYY-MM-DD"
)

func (c checker) name(line int, what, name string) {
	if !validName(name) {
		c.errorf(line, "manifest-skill-name", rightName, "the %s %s cannot be the name of a skill", what, quote(name))
	}
}

func (c checker) version(line int, of string, v Version) {
	if _, why := strict(string(v)); why != "" {
		c.errorf(line, "manifest-version", rightVersion, "the version %s of %s is invalid: %s", quote(string(v)), of, why)
	}
}

func (c checker) date(line int, of, date string) {
	switch {
	case date == "":
		c.errorf(line, "manifest-date", rightDate, "%s has no date", of)
	case !validDate(date):
		c.errorf(line, "manifest-date", rightDate, "the date %s of %s is not in the calendar or not in its form", quote(date), of)
	}
}

func (c checker) rowFields() {
	for _, row := range c.m.Rows {
		c.name(row.Line, "entry", row.Skill)
		c.version(row.Line, quote(row.Skill), row.Version)
		c.date(row.Line, quote(row.Skill), row.Updated)
	}
}

func (c checker) rowsOnce() {
	for i, row := range c.m.Rows {
		if first := c.names.rows[row.Skill]; first != i {
			c.errorf(row.Line, "manifest-duplicate-row", "keep one row per skill",
				"%s has a row on line %d already", quote(row.Skill), c.m.Rows[first].Line)
		}
	}
}

func (c checker) rowOrder() {
	for i := 1; i < len(c.m.Rows); i++ {
		row, above := c.m.Rows[i], c.m.Rows[i-1]
		if row.Skill < above.Skill {
			c.warnf(row.Line, "manifest-row-order", "sort the rows by name",
				"%s stands below %s", quote(row.Skill), quote(above.Skill))
		}
	}
}

func (c checker) renameFields() {
	for _, r := range c.m.Renames {
		c.name(r.Line, "old name", r.Old)
		c.name(r.Line, "new name", r.New)
		if r.Kind != Renamed && r.Kind != Merged {
			c.errorf(r.Line, "manifest-rename-kind", "write renamed or merged", "the kind of %s is %s", quote(r.Old), quote(string(r.Kind)))
		}
		if r.Where == "" {
			c.warnf(r.Line, "manifest-rename-where", "name the folder or file", "nothing says where the content of %s went", quote(r.Old))
		}
	}
}

// renamesOnce finds old names that went two ways, and new names that two old
// ones claim to be a mere renaming of.
func (c checker) renamesOnce() {
	type name struct {
		release Version
		name    string
	}
	taken := map[name]Rename{}
	for i, r := range c.m.Renames {
		if first := c.names.renames[r.Old]; first != i {
			c.errorf(r.Line, "manifest-duplicate-rename", "keep one row per old name",
				"%s is renamed on line %d already", quote(r.Old), c.m.Renames[first].Line)
			continue
		}
		if r.Kind != Renamed {
			continue
		}
		key := name{r.Release, r.New}
		if first, ok := taken[key]; ok {
			c.errorf(r.Line, "manifest-rename-kind", "mark what became part of another skill as merged",
				"%s and %s are both renamed to %s", quote(first.Old), quote(r.Old), quote(r.New))
			continue
		}
		taken[key] = r
	}
}

func (c checker) renameTargets() {
	circles := c.names.circles()
	for _, r := range c.m.Renames {
		if row, ok := c.names.rows[r.Old]; ok {
			c.errorf(r.Line, "manifest-rename-old-exists", "delete the rename or the row",
				"the old name %s has a row on line %d", quote(r.Old), c.m.Rows[row].Line)
		}
		if _, ok := c.names.rows[r.New]; ok {
			continue
		}
		switch next, isOld := c.names.renames[r.New]; {
		case circles[r.Old]:
			c.errorf(r.Line, "manifest-rename-circle", "write the name of today as the new name",
				"the renames of %s lead back to it", quote(r.Old))
		case isOld:
			c.errorf(r.Line, "manifest-rename-chain", "write the name of today as the new name",
				"the new name %s of %s is an old name itself, on line %d", quote(r.New), quote(r.Old), c.m.Renames[next].Line)
		default:
			c.errorf(r.Line, "manifest-rename-target", "write the name of a skill in the table of current versions",
				"the new name %s of %s has no row", quote(r.New), quote(r.Old))
		}
	}
}

// renameReleases finds renames of a release that is not listed, or that does
// not say that it breaks anything.
func (c checker) renameReleases() {
	releases := map[Version]Release{}
	for _, r := range c.m.Releases {
		releases[r.Version] = r
	}
	reported := map[Version]bool{}
	for _, r := range c.m.Renames {
		release, listed := releases[r.Release]
		if reported[r.Release] || !r.Release.Valid() {
			continue
		}
		reported[r.Release] = true
		switch {
		case !listed:
			c.errorf(r.Line, "manifest-rename-release", "add the release or correct the heading",
				"release %s, in which %s was renamed, is not listed", r.Release, quote(r.Old))
		case !release.Breaking():
			c.warnf(release.Line, "manifest-rename-release", "begin a bullet with "+breakingMark,
				"release %s renames skills and marks nothing as breaking", r.Release)
		}
	}
}

func (c checker) releaseFields() {
	for _, r := range c.m.Releases {
		of := "release " + quote(r.Name())
		if r.Version != "" {
			c.version(r.Line, of, r.Version)
		}
		c.date(r.Line, of, r.Date)
		if len(r.Changes) == 0 {
			c.errorf(r.Line, "manifest-release-empty", "say in bullets what changed", "%s has no changes", of)
		}
	}
}

func (c checker) releasesOnce() {
	first := map[string]int{}
	for _, r := range c.m.Releases {
		if line, ok := first[r.Name()]; ok {
			c.errorf(r.Line, "manifest-duplicate-release", "join the two", "release %s is on line %d already", quote(r.Name()), line)
			continue
		}
		first[r.Name()] = r.Line
	}
}

func (c checker) releaseOrder() {
	where := newPlaces(c.m.Releases)
	for i := 1; i < len(c.m.Releases); i++ {
		r, above := c.m.Releases[i], c.m.Releases[i-1]
		if r.Name() != above.Name() && where.of(r).compare(where.of(above)) > 0 {
			c.warnf(r.Line, "manifest-release-order", "put the newest release first",
				"release %s stands below the older %s", quote(r.Name()), quote(above.Name()))
		}
	}
}

// releaseDates finds versions that are newer than another and dated before it.
func (c checker) releaseDates() {
	type dated struct {
		Release
		rank rank
	}
	var all []dated
	for _, r := range c.m.Releases {
		if version := ranked(r.Version); version.valid != nil && validDate(r.Date) {
			all = append(all, dated{r, version})
		}
	}
	slices.SortStableFunc(all, func(a, b dated) int { return cmp.Or(a.rank.compare(b.rank), cmp.Compare(a.Date, b.Date)) })
	for i := 1; i < len(all); i++ {
		if r, older := all[i], all[i-1]; r.Date < older.Date {
			c.errorf(r.Line, "manifest-release-date", "correct the version or the date of one of them",
				"release %s is dated %s, before the older %s of %s on line %d", r.Version, r.Date, older.Version, older.Date, older.Line)
		}
	}
}

// total compares the size that the newest release gives with the table.
func (c checker) total() {
	if latest, ok := c.m.Latest(); ok && latest.Total > 0 && latest.Total != len(c.m.Rows) {
		c.errorf(latest.Line, "manifest-total", "count the rows, or add a release that says the new total",
			"release %s says %d skills, the table has %d rows", quote(latest.Name()), latest.Total, len(c.m.Rows))
	}
}
