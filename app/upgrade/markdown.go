package upgrade

import (
	"strconv"
	"strings"

	"marketingskills/app/text"
)

// Markdown returns the report as GitHub-flavoured Markdown. Whatever stands in
// the names, it stays inside its cell: line ends, control characters, pipes
// and backticks are escaped, and nothing becomes a link or HTML.
func (r Report) Markdown() string {
	var b strings.Builder
	b.WriteString("# Upgrade report\n\n" + inline(r.Summary) + "\n")
	if r.Release != "" {
		b.WriteString("\nCompared with release " + inline(r.Release) + day(r.Date) + ".\n")
	}
	r.markdownRows(&b)
	r.markdownChanges(&b)
	r.markdownContext(&b)
	for _, l := range r.Locks {
		b.WriteString("\n## Lock file " + span(l.Path) + "\n\n")
		for _, n := range l.Names {
			b.WriteString("- " + span(n.Name) + ", now " + span(n.Now) + ": " + span(n.At) + ", " + text.Count(n.Times, "time") + "\n")
		}
		b.WriteString(paragraph(l.Advice) + paragraph(l.Problem))
		if len(l.Names) == 0 && l.Problem == "" {
			b.WriteString("No old skill names.\n")
		}
	}
	if len(r.Unchecked) > 0 {
		b.WriteString("\n## Notes\n\n")
		for _, s := range r.Unchecked {
			b.WriteString("- " + inline(s) + "\n")
		}
	}
	return b.String()
}

func paragraph(s string) string {
	if s == "" {
		return ""
	}
	return "\n" + inline(s) + "\n"
}

func day(date string) string {
	if date == "" {
		return ""
	}
	return " of " + inline(date)
}

func (r Report) markdownRows(b *strings.Builder) {
	if len(r.Rows) == 0 {
		return
	}
	b.WriteString("\n## Folders\n\n" +
		"| Status | Folder | Skills folder | Installed | Latest | Why | What to do |\n" +
		"| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, row := range r.Rows {
		place := "the listed folder"
		if row.Place != "" {
			place = span(row.Place)
		}
		latest := ""
		if row.Replacement != "" {
			latest = inline(row.Replacement + " " + row.Latest)
		}
		why := inline(row.Evidence) + "."
		for _, n := range row.Notes {
			why += " " + inline(n.Text)
		}
		cells := []string{row.State.Title(), span(row.Folder), place, inline(row.Version), latest, why, inline(row.Advice)}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
}

// markdownChanges lists each release's changes once, with the folders whose
// versions are older.
func (r Report) markdownChanges(b *strings.Builder) {
	var order []Change
	folders := map[Change][]string{}
	for _, row := range r.Rows {
		for _, c := range row.Changes {
			if folders[c] == nil {
				order = append(order, c)
			}
			folders[c] = append(folders[c], row.Folder)
		}
	}
	if len(order) == 0 {
		return
	}
	b.WriteString("\n## Changes since your versions\n\n")
	for _, c := range order {
		breaking := ""
		if c.Breaking {
			breaking = "**Breaking:** "
		}
		b.WriteString("- " + inline(c.Release) + day(c.Date) + ": " + breaking + kept(c.Text))
		b.WriteString(" (" + text.Count(len(folders[c]), "folder") + ")\n")
	}
}

func (r Report) markdownContext(b *strings.Builder) {
	if len(r.Context.Found) == 0 && r.Context.Advice == "" {
		return
	}
	b.WriteString("\n## Product context\n\nUsed: " + span(r.Context.Read) + ".\n" + paragraph(r.Context.Advice))
}

// inline escapes plain words for Markdown, table cells included.
func inline(s string) string {
	s = text.Printable(s)
	var b strings.Builder
	for i := range len(s) {
		switch {
		case s[i] == '|':
			b.WriteString("&#124;")
			continue
		case strings.IndexByte("\\`*_[]<>&#~!", s[i]) >= 0:
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// span shows a name as code. No two readers of Markdown agree on pipes there,
// so they are written as an escape.
func span(name string) string {
	s := strings.ReplaceAll(text.Printable(name), "|", `\x7c`)
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	if s == "" {
		return "(no name)"
	}
	fence := strings.Repeat("`", longest+1)
	if longest > 0 || s[0] == ' ' || s[len(s)-1] == ' ' {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}

// kept passes the manifest's own inline Markdown through, without HTML and
// without links.
func kept(s string) string {
	if strings.Count(s, "`")%2 != 0 || strings.Contains(s, "``") {
		return inline(s) // where code begins and ends is not plain
	}
	var b strings.Builder
	code := false
	for i := range len(s) {
		switch c := s[i]; {
		case c == '`':
			code = !code
			b.WriteByte(c)
		case !code && strings.IndexByte("<>[]!", c) >= 0:
			b.WriteString("&#" + strconv.Itoa(int(c)) + ";")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
