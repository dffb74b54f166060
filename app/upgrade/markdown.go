package upgrade

import (
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
	if len(r.Context.Found) > 0 {
		b.WriteString("\n## Product context\n\nUsed: " + span(r.Context.Read) + ".\n" + paragraph(r.Context.Advice))
	}
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
		place := PlaceName("")
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

var escaper = strings.NewReplacer("|", "&#124;", "\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]",
	"<", "\\<", ">", "\\>", "&", "\\&", "#", "\\#", "~", "\\~", "!", "\\!")

// inline escapes plain words for Markdown, table cells included.
func inline(s string) string { return escaper.Replace(text.Printable(s)) }

// span shows a name as code. No two readers of Markdown agree on pipes there,
// so they are written as an escape.
func span(name string) string {
	s := strings.ReplaceAll(text.Printable(name), "|", `\x7c`)
	if s == "" {
		return "(no name)"
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 || s[0] == ' ' || s[len(s)-1] == ' ' {
		s = " " + s + " "
	}
	return fence + s + fence
}

// tags and links, written as characters.
var inert = strings.NewReplacer("<", "&#60;", ">", "&#62;", "[", "&#91;", "]", "&#93;", "!", "&#33;")

// kept passes the manifest's own inline Markdown through, without HTML and
// without links.
func kept(s string) string {
	parts := strings.Split(s, "`")
	if len(parts)%2 == 0 || strings.Contains(s, "``") {
		return inline(s) // where code begins and ends is not plain
	}
	for i := 0; i < len(parts); i += 2 {
		parts[i] = inert.Replace(parts[i])
	}
	return strings.Join(parts, "`")
}
