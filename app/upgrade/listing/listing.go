// Package listing reads what people paste: what ls, find, tree, dir and
// Get-ChildItem print, plain names, or an old VERSIONS.md. [Parse] makes an
// installation out of it, as far as it is understood, and says what is not.
//
// Every name in the result stands in the text. Only a table of versions knows
// versions; the analysis of anything else goes by names. What is given back
// to show (notes, unread lines) is free of what acts on a terminal.
package listing

import (
	"regexp"
	"strings"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/text"
	"marketingskills/app/upgrade"
)

// Limits of a pasted text.
const (
	maxListing = 8 << 20 // bytes
	maxLines   = 200_000
	maxLine    = 64 << 10 // bytes
	maxEntries = 200_000
	maxName    = 255  // bytes; file systems allow no more
	maxPath    = 1024 // bytes; macOS allows no more
	maxParts   = 64   // of a path
	maxDepth   = 12   // folders of a skill, one in another
)

// What is said when there is nothing to analyse.
const (
	sayWhat    = " Run ls, find, tree or dir in your skills folder and paste the output, or paste an old VERSIONS.md."
	sayEmpty   = "The field is empty." + sayWhat
	sayForeign = "This is not a folder listing." + sayWhat
	sayJSON    = "This is JSON, not a folder listing. To check a lock file, choose your project folder." + sayWhat
	sayNothing = "The listing shows no folders."
	sayInside  = "This listing shows the inside of one skill folder. List its parent folder instead."
	sayShut    = "The listing shows a skills folder but not its contents. List that folder."
)

const (
	// mostUnread is how many lines that were not recognised are given back.
	mostUnread = 10
	// mostNoted is how many notes of one kind there are.
	mostNoted = 5
)

// Result is what was read out of a text.
type Result struct {
	// Installation has no places when the text was not understood at all;
	// then the last note says so. Without a path in the listing the path of
	// the place is empty.
	upgrade.Installation
	// Notes are sentences for the person who pasted the text.
	Notes []string
	// Unread are lines that were not recognised, the first ten of
	// UnreadCount.
	Unread      []string
	UnreadCount int
}

// Parse reads pasted text. It copes with colours, any line ends, quotes, marks
// and arrows of ls, with the command and prompt pasted along, and with ls -l
// lines among bare names.
func Parse(pasted string) Result {
	l := &listing{}
	if len(pasted) > maxListing {
		pasted = pasted[:maxListing]
		l.note("The text is too long; only the first 8 MiB were read.")
	}
	bare := uncoloured(pasted)
	start := strings.TrimSpace(bare)
	folders, isTable := versionTable(bare)
	l.read(bare)
	switch {
	case start == "":
		l.note(sayEmpty)
		return l.Result
	case isTable:
		l.Places = []upgrade.Place{{Folders: folders}}
		l.note("The versions come from the pasted table, not from your folders.")
		return l.Result
	case l.parse():
		l.assemble()
	case (start[0] == '{' || start[0] == '[') && strings.Contains(bare, `":`):
		l.note(sayJSON)
		return Result{Notes: l.Notes}
	default:
		l.note(sayForeign)
		return Result{Notes: l.Notes}
	}
	if l.tooLong > 0 {
		l.note("Too long to be read: " + text.Count(l.tooLong, "line") + ".")
	}
	if len(l.entries) == maxEntries {
		l.note("The listing is too long; only the first " + text.Count(maxEntries, "entry") + " were read.")
	}
	for _, s := range l.complaints[:min(len(l.complaints), mostNoted)] {
		l.note("Your listing contains an error message: " + text.Name(s) + ".")
	}
	return l.Result
}

func (r *Result) note(s string) { r.Notes = append(r.Notes, s) }

// entry is one thing listed.
type entry struct {
	// dir is the path of the folder it is in, as printed; "" when unknown.
	dir    string
	name   string
	kind   upgrade.Kind // "" when unknown
	target string
}

// listing is a pasted text on its way to an installation.
type listing struct {
	Result
	lines   []string
	entries []entry
	// place is where the command or the prompt says the listing is from.
	place string
	// roots are the folders that were listed, by their paths.
	roots      []string
	complaints []string
	// slashes and links are set once there are marks of ls -F.
	slashes, links bool
	// tooLong counts the lines that no command prints.
	tooLong int
}

// add takes an entry of a folder, unless there are too many.
func (l *listing) add(e entry, dir string) {
	e.dir = dir
	switch {
	case !fits(dir):
		l.skip(e.name)
	case len(l.entries) < maxEntries:
		l.entries = append(l.entries, e)
	}
}

// fits reports whether a path is one that a file system may have.
func fits(path string) bool {
	return len(path) <= maxPath && strings.Count(path, "/")+strings.Count(path, `\`) <= maxParts
}

// skip notes a line that was not understood.
func (l *listing) skip(line string) {
	if l.UnreadCount++; l.UnreadCount <= mostUnread {
		l.Unread = append(l.Unread, text.Printable(text.Clip(strings.TrimSpace(line), 200)))
	}
}

// read cuts the text into lines and takes out what belongs to the terminal.
func (l *listing) read(bare string) {
	for line := range strings.SplitSeq(bare, "\n") {
		if len(l.lines) == maxLines {
			break
		}
		switch {
		case len(line) > maxLine:
			l.tooLong++
		case l.isPrompt(line):
		case complaintForm.MatchString(line):
			l.complaints = append(l.complaints, strings.TrimSpace(line))
		default:
			l.lines = append(l.lines, strings.TrimRight(line, " \t"))
		}
	}
}

// complaintForm are the error messages that these commands print between
// their lines.
var complaintForm = regexp.MustCompile(`^(?:g?ls|find|tree|eza|Get-ChildItem ?): `)

// parse finds out what the text is and fills in the entries.
func (l *listing) parse() bool {
	for _, try := range []func() bool{l.tree, l.windows, l.ls, l.paths} {
		l.entries, l.roots, l.Unread, l.UnreadCount = nil, nil, nil, 0
		if try() {
			return true
		}
	}
	return false
}

var (
	// escapes are those by which terminals colour and link names.
	escapes  = regexp.MustCompile(`\x1b(?:\[[^\x00-\x1f@-~]*[@-~]?|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[()].?|.)?`)
	lineEnds = strings.NewReplacer("\r\r\n", "\n", "\r\n", "\n", "\r", "\n")
)

// uncoloured drops a byte order mark, the escapes of terminals and other
// control characters.
func uncoloured(s string) string {
	s = lineEnds.Replace(escapes.ReplaceAllString(strings.TrimPrefix(s, "\uFEFF"), ""))
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}

// versionTable reads a table of versions.
func versionTable(pasted string) ([]upgrade.Folder, bool) {
	if !strings.Contains(pasted, "|") || !strings.Contains(strings.ToLower(pasted), "version") {
		return nil, false
	}
	var folders []upgrade.Folder
	valid := 0
	for _, row := range manifest.ReadRows(pasted) {
		name := strings.Trim(row.Skill, "`* ")
		if name == "" || len(name) > maxName || len(folders) == maxEntries {
			continue
		}
		if row.Version.Valid() {
			valid++
		}
		folders = append(folders, upgrade.Folder{Name: name, Kind: upgrade.Directory, Listed: string(row.Version)})
	}
	return folders, valid > 0 && valid*2 >= len(folders)
}
