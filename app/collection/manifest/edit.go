package manifest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"marketingskills/app/collection/table"
)

// Why an edit was refused. The manifest is then as it was before.
var (
	// ErrUnknown means that the skill has no row.
	ErrUnknown = errors.New("no such skill in the manifest")
	// ErrExists means that what should be added is there already.
	ErrExists = errors.New("already in the manifest")
	// ErrInvalid means that a value cannot stand in the manifest.
	ErrInvalid = errors.New("invalid value")
	// ErrForm means that the file is not in a form that allows the edit:
	// Parse has found something wrong with it, or it was not read by Parse.
	ErrForm = errors.New("the manifest is not in order")
)

// SetVersion gives a skill a new version and date. It changes two cells of one
// line. Going back to an older version is allowed.
func (m *Manifest) SetVersion(skill string, version Version, date string) error {
	if err := m.setVersion(skill, version, date); err != nil {
		return fmt.Errorf("setting the version of %s: %w", quote(skill), err)
	}
	return nil
}

func (m *Manifest) setVersion(skill string, version Version, date string) error {
	if err := validate(version, date); err != nil {
		return err
	}
	at := slices.IndexFunc(m.Rows, func(r Row) bool { return r.Skill == skill })
	if at < 0 {
		return ErrUnknown
	}
	if again := slices.IndexFunc(m.Rows[at+1:], func(r Row) bool { return r.Skill == skill }); again >= 0 {
		return fmt.Errorf("%w: two rows, on lines %d and %d", ErrForm, m.Rows[at].Line, m.Rows[at+1+again].Line)
	}
	row := Row{Skill: skill, Version: version, Updated: date, Line: m.Rows[at].Line}
	e := m.edit()
	t := e.tableAt(row.Line)
	if t == nil {
		return ErrForm
	}
	line, ok := setRow(e.lines[row.Line-1], *t, row)
	if !ok {
		return fmt.Errorf("%w: the row on line %d lacks a cell", ErrForm, row.Line)
	}
	e.lines[row.Line-1] = line

	want := slices.Clone(m.Rows)
	want[at] = row
	return m.apply(e, func(got *Manifest) bool {
		return slices.Equal(got.Rows, want) && len(got.Releases) == len(m.Releases)
	})
}

// AddSkill gives a new skill a row, at its place in the alphabet. It adds one
// line, made after the row next to it; further columns are left empty.
func (m *Manifest) AddSkill(skill string, version Version, date string) error {
	if err := m.addSkill(skill, version, date); err != nil {
		return fmt.Errorf("adding %s: %w", quote(skill), err)
	}
	return nil
}

func (m *Manifest) addSkill(skill string, version Version, date string) error {
	if err := validate(version, date); err != nil {
		return err
	}
	if !validName(skill) {
		return fmt.Errorf("%w: it cannot be the name of a skill", ErrInvalid)
	}
	if row, ok := m.Row(skill); ok {
		return fmt.Errorf("%w, on line %d", ErrExists, row.Line)
	}
	e := m.edit()
	t := e.versionTable()
	if t == nil {
		return fmt.Errorf("%w: there is no table of current versions", ErrForm)
	}
	at, row := e.place(*t, skill)
	row.Skill, row.Version, row.Updated = skill, version, date
	line, ok := e.newRow(*t, row)
	if !ok {
		return fmt.Errorf("%w: the table on line %d lacks a column", ErrForm, t.Line)
	}
	e.insert(row.Line-1, line)

	// The rows of the first table come first.
	want := slices.Insert(slices.Clone(m.Rows), at, row)
	for i := at + 1; i < len(want); i++ {
		want[i].Line++
	}
	return m.apply(e, func(got *Manifest) bool {
		return slices.Equal(got.Rows, want) && len(got.Releases) == len(m.Releases)
	})
}

// AddRelease adds a release at its place among the others: above the first one
// that is older. Of the release given, Line and Skills are ignored. A version
// may be missing, a date may not. Texts of changes stand on one line.
func (m *Manifest) AddRelease(release Release) error {
	if err := m.addRelease(release); err != nil {
		return fmt.Errorf("adding release %s: %w", quote(release.Name()), err)
	}
	return nil
}

func (m *Manifest) addRelease(release Release) error {
	lines, err := releaseLines(release)
	if err != nil {
		return err
	}
	for _, r := range m.Releases {
		if r.Name() == release.Name() {
			return fmt.Errorf("%w, on line %d", ErrExists, r.Line)
		}
	}
	e := m.edit()
	at := slices.IndexFunc(e.sections, func(s section) bool { return s.kind == changes })
	if at < 0 {
		return fmt.Errorf("%w: there is no section %s", ErrForm, changesTitle)
	}
	where := newPlaces(m.Releases)
	place := where.of(release)
	next := slices.IndexFunc(m.Releases, func(r Release) bool { return place.compare(where.of(r)) > 0 })
	if next >= 0 {
		e.insert(m.Releases[next].Line-1, append(lines, "")...)
	} else {
		next = len(m.Releases)
		e.insert(e.lastText(e.sections[at])+1, append([]string{""}, lines...)...)
	}
	return m.apply(e, func(got *Manifest) bool {
		return len(got.Releases) == len(m.Releases)+1 && slices.Equal(got.Rows, m.Rows) && sameRelease(got.Releases[next], release)
	})
}

// validate checks the values of a row.
func validate(version Version, date string) error {
	if _, err := ParseVersion(string(version)); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if !validDate(date) {
		return fmt.Errorf("%w: %s is not a date as 2026-05-26", ErrInvalid, quote(date))
	}
	return nil
}

// releaseLines writes a release, without line ends.
func releaseLines(r Release) ([]string, error) {
	title := fmt.Sprintf("### %s (%s)", r.Version, r.Date)
	checked := r.Version
	if r.Version == "" {
		title, checked = "### "+r.Date, "0.0.0"
	}
	if err := validate(checked, r.Date); err != nil {
		return nil, err
	}
	if len(r.Changes) == 0 || r.Total < 0 {
		return nil, fmt.Errorf("%w: a release needs a change, and no negative total", ErrInvalid)
	}
	lines := []string{title, ""}
	for _, c := range r.Changes {
		if strings.ContainsAny(c.Text, "\r\n") || strings.TrimSpace(c.Text) == "" {
			return nil, fmt.Errorf("%w: the change %s is not one line of text", ErrInvalid, quote(c.Text))
		}
		mark := ""
		if c.Breaking {
			mark = breakingMark + " "
		}
		lines = append(lines, "- "+mark+c.Text)
	}
	if r.Total > 0 {
		lines = append(lines, fmt.Sprintf("- Total: %d skills.", r.Total))
	}
	return lines, nil
}

// sameRelease compares what AddRelease was given with what was read back.
func sameRelease(a, b Release) bool {
	return a.Version == b.Version && a.Date == b.Date && a.Total == b.Total &&
		slices.EqualFunc(a.Changes, b.Changes, func(a, b Change) bool {
			return a.Text == b.Text && a.Breaking == b.Breaking
		})
}

// setRow writes the fields of a row into its line.
func setRow(line string, t table.Table, row Row) (string, bool) {
	for _, cell := range []struct{ title, text string }{
		{skillColumn, row.Skill}, {versionColumn, string(row.Version)}, {updatedColumn, row.Updated},
	} {
		var ok bool
		if line, ok = table.SetCell(line, t.Column(cell.title), cell.text); !ok {
			return line, false
		}
	}
	return line, true
}
