// Package listing reads what people paste: what ls, find, tree, dir and
// Get-ChildItem print, plain names, or an old VERSIONS.md. [Parse] makes an
// installation out of it.
//
// A listing is read line by line, whatever printed it. Each line gives one path
// or several: the name behind the date of a long line, a branch of a tree below
// what it is drawn under, the cells of a line of columns. The last part of a
// path is a skill folder's name, unless the path says better: what follows
// skills/, or what holds a SKILL.md. A line that gives no path is given back as
// not recognised.
//
// Every name in the result stands in the text. Only a table of versions knows
// versions; the analysis of anything else goes by names. What is given back to
// show (notes, unread lines) is free of what acts on a terminal.
package listing

import (
	"regexp"
	"slices"
	"strings"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/paths"
)

// Limits of a pasted text.
const (
	maxListing = 8 << 20 // bytes
	maxLine    = 64 << 10
	maxEntries = 200_000
	maxName    = 255  // bytes; file systems allow no more
	maxPath    = 1024 // bytes; macOS allows no more
	maxParts   = 64   // of a path
	// mostUnread is how many lines that were not recognised are given back.
	mostUnread = 10
)

// What is said when there is nothing to analyse.
const (
	sayWhat    = " Run ls, find, tree or dir in your skills folder and paste the output, or paste an old VERSIONS.md."
	sayEmpty   = "The field is empty." + sayWhat
	sayForeign = "This is not a folder listing." + sayWhat
	sayInside  = "This listing shows the inside of one skill folder. List its parent folder instead."
	sayNothing = "The listing shows no skill folders. List the skills folder itself."
)

// Result is what was read out of a text.
type Result struct {
	// Installation has no places when there is nothing to analyse; then the
	// last note says why. Without a path in the listing the path of the place
	// is empty.
	upgrade.Installation
	// Notes are sentences for the person who pasted the text.
	Notes []string
	// Unread are lines that were not recognised, the first ten of
	// UnreadCount.
	Unread      []string
	UnreadCount int
}

func (r *Result) note(s string) { r.Notes = append(r.Notes, s) }

// Parse reads pasted text. It copes with colours, any line ends, quotes, marks
// and arrows of ls, and with lines of different commands in one text.
func Parse(pasted string) Result {
	l := &listing{}
	if len(pasted) > maxListing {
		pasted = pasted[:maxListing]
		l.note("The text is too long; only the first 8 MiB were read.")
	}
	bare := uncoloured(pasted)
	if strings.TrimSpace(bare) == "" {
		return Result{Notes: []string{sayEmpty}}
	}
	if folders := versionTable(bare); folders != nil {
		l.Places = []upgrade.Place{{Folders: folders}}
		l.note("The versions come from the pasted table, not from your folders.")
		return l.Result
	}
	for line := range strings.SplitSeq(bare, "\n") {
		line = strings.TrimRight(line, " \t")
		switch {
		case len(line) > maxLine:
			l.skip(line)
		case noiseForm.MatchString(line):
		case l.read(line):
			l.lines++
		default:
			l.skip(line)
		}
	}
	if len(l.entries) == maxEntries {
		l.note("The listing is too long; only the first " + text.Count(maxEntries, "entry") + " were read.")
	}
	l.assemble()
	return l.Result
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

// versionTable reads a table of versions; nil when there is none.
func versionTable(pasted string) []upgrade.Folder {
	if !strings.Contains(pasted, "|") || !strings.Contains(strings.ToLower(pasted), "version") {
		return nil
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
	if valid == 0 || valid*2 < len(folders) {
		return nil
	}
	return folders
}

// entry is one thing listed that may be a skill folder.
type entry struct {
	dir, name string
	kind      upgrade.Kind
	// sure is set when the path says that this is a skill folder.
	sure bool
}

// listing is a pasted text on its way to an installation.
type listing struct {
	Result
	entries []entry
	// lines counts those that were understood.
	lines int
	// dir is the folder that the last heading announced.
	dir string
	// tree are the branches that the next one may hang on, last the path of
	// the line before them.
	tree []branch
	last string
	// inside is set when parts of a skill were listed: its SKILL.md and such.
	inside bool
}

// add takes a path, which is as it was printed.
func (l *listing) add(path string, kind upgrade.Kind) {
	path = paths.Trim(path)
	dir, name := paths.Parent(path), paths.Base(path)
	if above := paths.Base(dir) + "/" + name; slices.Contains(upgrade.ContextPaths, above) {
		if !slices.Contains(l.Contexts, above) {
			l.Contexts = append(l.Contexts, above)
		}
		return
	}
	e := entry{dir, name, kind, false}
	for at := path; at != "" && !e.sure && strings.Contains(path, "skills"); at = paths.Parent(at) {
		if above := paths.Parent(at); paths.Base(above) == "skills" {
			e = entry{above, paths.Base(at), kind, true}
			if at != path {
				e.kind = upgrade.Directory
			}
		}
	}
	if parent := paths.Base(dir); !e.sure && name == "SKILL.md" && parent != "" && parent != "." {
		e = entry{paths.Parent(dir), parent, upgrade.Directory, true}
	}
	switch {
	case slices.Contains(partsOfSkill, e.name) && !e.sure:
		l.inside = true
	case e.name == "" || e.name[0] == '.' || e.name == "skills" || len(e.name) > maxName || e.kind == upgrade.RegularFile || isFile(e.name):
	case len(l.entries) < maxEntries:
		l.entries = append(l.entries, e)
	}
}

// partsOfSkill are what a skill folder has in it. Source: the agent-skills
// specification; evals are this collection's.
var partsOfSkill = []string{"SKILL.md", "references", "evals", "scripts", "assets"}

// isFile tells the names that are files and hardly ever folders.
func isFile(name string) bool {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return name == "LICENSE" || name == "Makefile" || name == "README"
	}
	const endings = " md json txt zip yml yaml toml sh py js ts lock png svg gitignore gitkeep skill "
	return strings.Contains(endings, " "+strings.ToLower(name[i+1:])+" ")
}

// skip notes a line that was not understood.
func (l *listing) skip(line string) {
	if l.UnreadCount++; l.UnreadCount <= mostUnread {
		l.Unread = append(l.Unread, text.Printable(text.Clip(strings.TrimSpace(line), 200)))
	}
}

// assemble puts the entries into places, and says what is left. Where some
// paths say that they are of skills, only what is beside those is one too;
// where none says so, what is listed inside of another entry is not.
func (l *listing) assemble() {
	if l.UnreadCount > 2*l.lines {
		*l = listing{Result: Result{Notes: append(l.Notes, sayForeign)}}
		return
	}
	type folder struct{ dir, name string }
	at := func(dir, name string) folder {
		if clean := paths.Clean(dir); clean != "." {
			dir = clean
		}
		return folder{dir, name}
	}
	listed, sure := map[folder]bool{}, map[string]bool{}
	for _, e := range l.entries {
		f := at(e.dir, e.name)
		listed[f] = true
		sure[f.dir] = sure[f.dir] || e.sure
	}
	anySure := slices.ContainsFunc(l.entries, func(e entry) bool { return e.sure })
	outside, places, seen := 0, map[string]int{}, map[folder]bool{}
	for _, e := range l.entries {
		f := at(e.dir, e.name)
		inside := listed[at(paths.Parent(f.dir), paths.Base(f.dir))]
		switch {
		case anySure && !sure[f.dir]:
			if !inside {
				outside++
			}
			continue
		case seen[f] || !e.sure && inside:
			continue
		}
		seen[f] = true
		n, ok := places[f.dir]
		if !ok {
			n = len(l.Places)
			places[f.dir] = n
			l.Places = append(l.Places, upgrade.Place{Path: f.dir})
		}
		l.Places[n].Folders = append(l.Places[n].Folders, upgrade.Folder{Name: e.name, Kind: e.kind})
	}
	slices.Sort(l.Contexts)
	switch {
	case len(l.Places) == 0 && l.inside:
		l.note(sayInside)
	case len(l.Places) == 0:
		l.note(sayNothing)
	}
	if outside > 0 {
		l.note("Outside your skills folders and not checked: " + text.Count(outside, "entry") + ".")
	}
}
