package upgrade

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"marketingskills/app/collection/manifest"
)

// Format is a kind of text that ParseListing understands.
type Format string

const (
	// NoFormat: it was not understood.
	NoFormat Format = ""
	// NameList is names alone: ls, ls -1, ls -F, dir /b, one per line or in
	// columns.
	NameList Format = "names"
	// LongList is ls -l in any variant, with or without -R.
	LongList Format = "ls -l"
	// Recursive is ls -R.
	Recursive Format = "ls -R"
	// PathList is one path a line: find, dir /s /b.
	PathList Format = "find"
	// Tree is what tree prints, on any system.
	Tree Format = "tree"
	// WindowsDir is what dir prints, in any language.
	WindowsDir Format = "dir"
	// PowerShellList is what Get-ChildItem prints.
	PowerShellList Format = "Get-ChildItem"
	// VersionTable is an old VERSIONS.md, or its table.
	VersionTable Format = "VERSIONS.md"
)

// Limits of a pasted text.
const (
	maxListing = 8 << 20 // bytes
	maxLines   = 200_000
	maxName    = 255 // bytes; file systems allow no more
)

// What is said when there is nothing to analyse.
const (
	sayEmpty   = "Nothing was pasted. Paste what ls, find, tree or dir prints in your skills folder, or an old VERSIONS.md."
	sayForeign = "This does not look like a listing of folders. Paste what ls, find, tree or dir prints in your skills folder, or an old VERSIONS.md."
	sayJSON    = "This is JSON, not a listing of folders. A lock file can be checked as a file; here, paste what ls, find, tree or dir prints."
	sayNothing = "The listing shows no folders."
	sayInside  = "This is the inside of one skill's folder: it shows SKILL.md. List the folder above it."
	sayShut    = "The listing shows a folder called skills, but not what is in it. List that folder."
)

// ParseListing reads a listing of folders out of pasted text: what ls, find,
// tree, dir or Get-ChildItem print, plain names, or an old VERSIONS.md. It
// copes with colours, any line ends, quotes, marks and arrows of ls, and the
// command and prompt pasted along. A path in the listing tells the place of a
// folder; without one, the place's path is empty.
//
// Every name in the result stands in the text. A text that is no listing
// gives no folders and a note that says so; notes also tell of lines that were
// not understood. Only a table of versions knows versions; the analysis of
// anything else goes by names.
func ParseListing(pasted string) (Installation, Format, []string) {
	var notes []string
	if len(pasted) > maxListing {
		pasted = pasted[:maxListing]
		notes = append(notes, "The text is too long; only the first 8 MiB were read.")
	}
	bare := uncoloured(pasted)
	if strings.TrimSpace(bare) == "" {
		return Installation{}, NoFormat, append(notes, sayEmpty)
	}
	if in, ok := versionTable(bare); ok {
		return in, VersionTable, append(notes, "The versions are those of the table, not of your folders.")
	}
	l := &listing{}
	l.read(bare)
	format := l.parse()
	if format == NoFormat {
		if c := strings.TrimSpace(bare)[0]; (c == '{' || c == '[') && strings.Contains(bare, `":`) {
			return Installation{}, NoFormat, append(notes, sayJSON)
		}
		return Installation{}, NoFormat, append(notes, sayForeign)
	}
	in, said := l.assemble()
	notes = append(notes, said...)
	if l.skipped > 0 {
		notes = append(notes, fmt.Sprintf("%s not understood, the first being %s.", count(l.skipped, "line")+" "+choose(l.skipped, "was", "were"), Show(l.firstSkipped)))
	}
	for _, s := range l.complaints[:min(len(l.complaints), 5)] {
		notes = append(notes, "The listing itself complains: "+Show(s)+".")
	}
	return in, format, notes
}

// entry is one thing listed.
type entry struct {
	// dir is the path of the folder it is in, as printed; "" when unknown.
	dir    string
	name   string
	kind   Kind // "" when unknown
	size   int64
	target string
}

// listing is a pasted text on its way to an installation.
type listing struct {
	lines   []string
	entries []entry
	// place is where the command or the prompt says the listing is from.
	place string
	// roots are the folders that were listed, by their paths.
	roots        []string
	complaints   []string
	skipped      int
	firstSkipped string
}

// skip counts a line that was not understood.
func (l *listing) skip(line string) {
	if l.skipped == 0 {
		l.firstSkipped = strings.TrimSpace(line)
	}
	l.skipped++
}

// read cuts the text into lines and takes out what belongs to the terminal.
func (l *listing) read(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if len(l.lines) == maxLines {
			break
		}
		switch {
		case l.isPrompt(line):
		case isComplaint(line):
			l.complaints = append(l.complaints, strings.TrimSpace(line))
		default:
			l.lines = append(l.lines, strings.TrimRight(line, " \t"))
		}
	}
}

// isComplaint tells the error messages that these commands print between
// their lines.
func isComplaint(line string) bool {
	for _, command := range []string{"ls: ", "find: ", "tree: ", "gls: ", "eza: ", "Get-ChildItem : ", "Get-ChildItem: "} {
		if strings.HasPrefix(line, command) {
			return true
		}
	}
	return false
}

// parse finds out what the text is and fills in the entries.
func (l *listing) parse() Format {
	for _, try := range []func() (Format, bool){l.tree, l.powerShell, l.windowsDir, l.long, l.recursive, l.paths, l.names} {
		l.entries, l.roots, l.skipped, l.firstSkipped = nil, nil, 0, ""
		if format, ok := try(); ok {
			return format
		}
	}
	return NoFormat
}

// uncoloured drops a byte order mark, the escapes by which terminals colour
// and link names, carriage returns and other control characters.
func uncoloured(s string) string {
	s = strings.TrimPrefix(s, "\uFEFF")
	if !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == utf8.RuneError || r == 0x7f }) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == 0x1b:
			i += escapeLength(s[i:]) - 1
		case c == '\r':
			if i+1 < len(s) && s[i+1] != '\n' && !strings.HasPrefix(s[i+1:], "\r\n") {
				b.WriteByte('\n')
			}
		case c >= ' ' && c != 0x7f, c == '\n', c == '\t':
			b.WriteByte(c)
		}
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

// escapeLength is the length of the escape sequence that s begins with.
func escapeLength(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 {
				return i
			}
		}
		return len(s)
	case ']':
		for i := 2; i < len(s) && s[i] != '\n'; i++ {
			if s[i] == 0x07 {
				return i + 1
			}
			if s[i] == 0x1b {
				if i+1 < len(s) && s[i+1] == '\\' {
					return i + 2
				}
				return i
			}
		}
		return 2
	case '(', ')':
		return min(3, len(s))
	}
	return 2
}

// versionTable reads a table of versions.
func versionTable(text string) (Installation, bool) {
	if !strings.Contains(text, "|") || !strings.Contains(strings.ToLower(text), "version") {
		return Installation{}, false
	}
	var folders []Folder
	valid := 0
	for _, row := range manifest.ReadRows(text) {
		name := strings.Trim(row.Skill, "`* ")
		if name == "" || len(name) > maxName {
			continue
		}
		if row.Version.Valid() {
			valid++
		}
		folders = append(folders, Folder{Name: name, Kind: Directory, Listed: string(row.Version)})
	}
	return Installation{Places: []Place{{Folders: folders}}}, valid > 0 && valid*2 >= len(folders)
}
