package main

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"marketingskills/app/collection"
	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/jsontree"
	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/manifest/versionsfile"
	"marketingskills/app/collection/plugin"
	"marketingskills/app/text"
)

// release edits a project so that what VERSIONS.md collects under Unreleased
// becomes a release with a version and a day, YYYY-MM-DD. The project must be in
// order before and after; if it is not, the findings say why.
func release(p *project, version manifest.Version, day string) ([]finding.Finding, error) {
	c, found, err := load(p)
	if err != nil || len(found) > 0 {
		return found, err
	}
	newest := versionsfile.NewestVersion(c.Manifest)
	switch why := version.Problem(); {
	case why != "":
		return nil, fmt.Errorf("the version %s is not MAJOR.MINOR.PATCH: %s; write one above %s", text.Quote(string(version)), why, newest)
	case manifest.Compare(version, newest) <= 0:
		return nil, fmt.Errorf("the version %s is not above %s, the newest release; name a higher one", version, newest)
	case c.Unreleased == nil:
		return nil, fmt.Errorf("%s has no entry ### Unreleased; write what changed there, above ### %s", manifest.File, newest)
	}
	for _, s := range c.Skills {
		if planned := c.Unreleased.Version(s.Dir); planned != "" {
			if err := p.edit("skills/"+s.Dir+"/SKILL.md", func(old []byte) ([]byte, error) {
				return withSkillVersion(old, s, string(planned))
			}); err != nil {
				return nil, err
			}
		}
	}
	if err := errors.Join(
		p.edit(manifest.File, func(old []byte) ([]byte, error) { return withRelease(old, c, version, day) }),
		p.edit(plugin.Marketplace, func(old []byte) ([]byte, error) { return withMarketplaceVersion(old, version) }),
	); err != nil {
		return nil, err
	}
	if err := derive(p); err != nil {
		return nil, err
	}
	slices.SortFunc(p.files, func(a, b *file) int { return strings.Compare(a.name, b.name) })
	_, found, err = load(p)
	return found, err
}

// withSkillVersion sets metadata.version in the SKILL.md of a skill.
func withSkillVersion(old []byte, s *collection.Skill, version string) ([]byte, error) {
	lines := slices.Collect(strings.Lines(string(old)))
	line := &lines[s.VersionLine-1]
	if strings.Count(*line, s.Version) != 1 {
		return nil, fmt.Errorf("line %d does not have the version %s once; write version: %q there", s.VersionLine, s.Version, s.Version)
	}
	*line = strings.Replace(*line, s.Version, version, 1)
	return []byte(strings.Join(lines, "")), nil
}

// withMarketplaceVersion sets the version of the marketplace, at both places
// where it may stand.
func withMarketplaceVersion(old []byte, version manifest.Version) ([]byte, error) {
	m, err := jsontree.Parse(old)
	if err != nil {
		return nil, err
	}
	edits := versions(m.At("version"), string(version))
	return jsontree.Apply(old, append(edits, versions(m.At("metadata", "version"), string(version))...)...), nil
}

var unreleasedTitle = regexp.MustCompile(`(?i)unreleased`)

// withRelease writes a release into VERSIONS.md: rows, heading and total.
func withRelease(old []byte, c *collection.Collection, version manifest.Version, day string) ([]byte, error) {
	rows, unreleased := c.Manifest.Rows, c.Unreleased
	lines, lineEnd, err := linesOf(string(old), c)
	if err != nil {
		return nil, err
	}
	form := strings.TrimRight(lines[rows[0].Line-1], "\r\n")
	head := text.Cells(lines[rows[0].Line-3]) // above the line of hyphens
	skillAt, versionAt, updatedAt := text.Column(head, "Skill"), text.Column(head, "Version"), text.Column(head, "Last Updated")
	for _, row := range rows {
		if v := unreleased.Version(row.Skill); v != "" {
			lines[row.Line-1] = withCells(lines[row.Line-1], map[int]string{versionAt: string(v), updatedAt: day})
		}
	}
	made := newSkills(c)
	for _, skill := range made {
		row, words := form, map[int]string{skillAt: skill, versionAt: string(unreleased.Version(skill)), updatedAt: day}
		for i := range head {
			row = withCells(row, map[int]string{i: words[i]})
		}
		above := rows[0].Line - 2 // the line of hyphens, or the last row that the alphabet has above
		for _, r := range rows {
			if r.Skill < skill {
				above = r.Line - 1
			}
		}
		lines[above] += row + lineEnd
	}
	heading := &lines[unreleased.Line-1]
	*heading = unreleasedTitle.ReplaceAllLiteralString(*heading, fmt.Sprintf("%s (%s)", version, day))
	last := len(lines)
	if unreleased.End > 0 {
		last = unreleased.End - 1
	}
	for strings.TrimSpace(lines[last-1]) == "" {
		last--
	}
	lines[last-1] += "- Total: " + text.Count(len(rows)+len(made), "skill") + "." + lineEnd
	return []byte(strings.Join(lines, "")), nil
}

// newSkills are those that get their first row, by name.
func newSkills(c *collection.Collection) []string {
	var names []string
	for _, p := range c.Unreleased.Planned {
		if _, ok := c.Manifest.Row(p.Skill); !ok && c.Unreleased.Version(p.Skill) != "" {
			names = append(names, p.Skill)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// linesOf cuts VERSIONS.md into lines, with their ends, and returns what ends
// them. It fails where those are not the lines of its reader, which knows more
// kinds of line ends.
func linesOf(old string, c *collection.Collection) (lines []string, lineEnd string, err error) {
	lines, lineEnd = slices.Collect(strings.Lines(old)), "\n"
	if strings.Contains(old, "\r\n") {
		lineEnd = "\r\n"
	}
	if last := &lines[len(lines)-1]; !strings.HasSuffix(*last, "\n") {
		*last += lineEnd
	}
	fits := c.Unreleased.Line <= len(lines) && unreleasedTitle.MatchString(lines[c.Unreleased.Line-1])
	for _, row := range c.Manifest.Rows {
		fits = fits && row.Line <= len(lines) && slices.Contains(text.Cells(lines[row.Line-1]), row.Skill)
	}
	if !fits {
		return nil, "", errors.New("its lines do not end in line feeds; save it with those")
	}
	return lines, lineEnd, nil
}

// withCells returns a row of a Markdown table with other words in some of its
// cells, which stay as wide as they are where the words fit.
func withCells(row string, words map[int]string) string {
	body := strings.TrimRight(row, "\r\n")
	cell, start := 0, 0
	if strings.HasPrefix(strings.TrimSpace(body), "|") {
		cell = -1 // what stands before the first pipe
	}
	var b strings.Builder
	for i := 0; i <= len(body); i++ {
		if i < len(body) && (body[i] != '|' || i > 0 && body[i-1] == '\\') {
			continue
		}
		part := body[start:i]
		if w, ok := words[cell]; ok {
			part = refilled(part, w)
		}
		b.WriteString(part + body[i:min(i+1, len(body))])
		cell, start = cell+1, i+1
	}
	return b.String() + row[len(body):]
}

// refilled returns a cell, spaces included, with other words.
func refilled(cell, words string) string {
	left := strings.TrimLeft(cell, " ")
	if left == "" {
		return cell // beside an empty cell nobody can tell its form
	}
	indent := cell[:len(cell)-len(left)]
	if !strings.HasSuffix(cell, " ") {
		return indent + words
	}
	return indent + words + strings.Repeat(" ", max(1, len(cell)-len(indent)-len(words)))
}

// load reads a project, which may be edited.
func load(project fs.FS) (*collection.Collection, []finding.Finding, error) {
	c, found, err := collection.Load(project)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the skills: %w; %s", err, whereToRun)
	}
	return c, found, nil
}
