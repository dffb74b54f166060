package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
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
	newest := versionsfile.Newest(c.Manifest)
	switch why := version.Problem(); {
	case why != "":
		return nil, fmt.Errorf("the version %s is not MAJOR.MINOR.PATCH: %s; write one above %s", text.Quote(string(version)), why, newest)
	case manifest.Compare(version, newest) <= 0:
		return nil, fmt.Errorf("the version %s is not above %s, the newest release; name a higher one", version, newest)
	case c.Next == nil:
		return nil, fmt.Errorf("%s has no entry ### Unreleased; write what changed there, above ### %s", manifest.File, newest)
	}
	for _, s := range c.Skills {
		if planned := c.Next.Version(s.Dir); planned != "" {
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

var unreleased = regexp.MustCompile(`(?i)unreleased`)

// withRelease writes a release into VERSIONS.md: rows, heading and total.
func withRelease(old []byte, c *collection.Collection, version manifest.Version, day string) ([]byte, error) {
	m, next := c.Manifest, c.Next
	s, err := readSheet(string(old), c)
	if err != nil {
		return nil, err
	}
	head := text.Cells(s.lines[m.Rows[0].Line-3]) // above the line of hyphens
	skillAt, versionAt, updatedAt := text.Column(head, "Skill"), text.Column(head, "Version"), text.Column(head, "Last Updated")
	planned := map[string]string{}
	for _, p := range next.Planned {
		if v := next.Version(p.Skill); v != "" {
			planned[p.Skill] = string(v)
		}
	}
	total := len(m.Rows)
	for _, skill := range slices.Sorted(maps.Keys(planned)) {
		words := map[int]string{versionAt: planned[skill], updatedAt: day}
		if row, ok := m.Row(skill); ok {
			s.lines[row.Line-1] = withCells(s.lines[row.Line-1], words)
			continue
		}
		total++
		words[skillAt] = skill
		made := strings.TrimRight(s.lines[m.Rows[0].Line-1], "\r\n")
		for i := range head {
			made = withCells(made, map[int]string{i: words[i]})
		}
		s.insert(m.Rows, skill, made)
	}
	heading := &s.lines[next.Line-1]
	*heading = unreleased.ReplaceAllLiteralString(*heading, fmt.Sprintf("%s (%s)", version, day))
	last := len(s.lines)
	if next.End > 0 {
		last = next.End - 1
	}
	for strings.TrimSpace(s.lines[last-1]) == "" {
		last--
	}
	s.above[last+1] += "- Total: " + text.Count(total, "skill") + "." + s.lineEnd
	return s.bytes(), nil
}

// sheet is a file whose lines are changed, and get others put between them.
type sheet struct {
	lines   []string       // with their ends
	above   map[int]string // what is put above a line, counted from 1
	lineEnd string
}

// readSheet cuts VERSIONS.md into lines. It fails where those are not the lines
// of its reader, which knows more kinds of line ends.
func readSheet(old string, c *collection.Collection) (sheet, error) {
	s := sheet{slices.Collect(strings.Lines(old)), map[int]string{}, "\n"}
	if strings.Contains(old, "\r\n") {
		s.lineEnd = "\r\n"
	}
	if last := &s.lines[len(s.lines)-1]; !strings.HasSuffix(*last, "\n") {
		*last += s.lineEnd
	}
	fits := c.Next.Line <= len(s.lines) && unreleased.MatchString(s.lines[c.Next.Line-1])
	for _, row := range c.Manifest.Rows {
		fits = fits && row.Line <= len(s.lines) && slices.Contains(text.Cells(s.lines[row.Line-1]), row.Skill)
	}
	if !fits {
		return s, errors.New("its lines do not end in line feeds; save it with those")
	}
	return s, nil
}

// insert puts the row of a new skill where the alphabet has it.
func (s sheet) insert(rows []manifest.Row, skill, row string) {
	at := rows[len(rows)-1].Line + 1
	if i := slices.IndexFunc(rows, func(r manifest.Row) bool { return r.Skill > skill }); i >= 0 {
		at = rows[i].Line
	}
	s.above[at] += row + s.lineEnd
}

func (s sheet) bytes() []byte {
	var b strings.Builder
	for i, line := range s.lines {
		b.WriteString(s.above[i+1] + line)
	}
	return []byte(b.String() + s.above[len(s.lines)+1])
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
