package upgrade

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"marketingskills/app/text"
)

// mostNamed is how many files a note names.
const mostNamed = 5

// few shows the first names, and how many are left out.
func few(names []string) string {
	var shown []string
	for _, name := range names[:min(mostNamed, len(names))] {
		shown = append(shown, text.Name(name))
	}
	if rest := len(names) - len(shown); rest > 0 {
		shown = append(shown, strconv.Itoa(rest)+" more")
	}
	return text.List(shown)
}

// PlaceName names a skills folder for reading.
func PlaceName(path string) string {
	if path == "" {
		return "the listed folder"
	}
	return text.Name(path)
}

// addNotes adds what else there is to say about the folder.
func (d *decision) addNotes(fromCollection bool) {
	f := d.folder
	because := ""
	if f.Problem != "" {
		because = ": " + strings.TrimSuffix(f.Problem, ".")
	}
	switch {
	case f.Kind == Symlink && f.Target != "":
		d.note("This is a symbolic link to %s.", text.Name(f.Target))
	case f.Kind == Symlink:
		d.note("This is a symbolic link.")
	case f.Kind == Unreadable:
		d.note("It could not be opened%s.", because)
	case f.Problem != "":
		d.note("It could only be read in part%s.", because)
	}
	if !fromCollection {
		return
	}
	switch {
	case f.Bare:
		d.note("It has no SKILL.md, so agents may not load it.")
	case f.Front == nil && f.Listed != "":
		d.note("The version comes from the pasted table, not from the folder.")
	case f.Front != nil && f.Front.Name == "":
		d.note("Its SKILL.md has no name.")
	}
	if f.Front != nil && f.Front.Version == "" && f.Front.TopVersion != "" {
		d.note("Its SKILL.md has version %s at the top level. Move it to metadata.version.", text.Name(f.Front.TopVersion))
	}
	if len(d.row.Unfamiliar) > 0 {
		d.note("It contains files that you probably added: %s. They are not deleted.", few(d.row.Unfamiliar))
	}
}

// unfamiliarFiles finds what is likely the user's among the files of a folder
// from this collection: files of kinds that none of its skills has.
func (d *decision) unfamiliarFiles() {
	if d.folder.Front == nil {
		return
	}
	for _, file := range d.folder.Files {
		if !familiar.MatchString(file) && !litter.MatchString(path.Base(file)) {
			d.row.Unfamiliar = append(d.row.Unfamiliar, file)
		}
	}
	slices.Sort(d.row.Unfamiliar)
	d.row.Unfamiliar = slices.Compact(d.row.Unfamiliar)
}

var (
	// familiar are the files that skills of the collection have.
	familiar = regexp.MustCompile(`^(?:SKILL\.md|references/[^/]*\.md|evals/evals\.json|LICENSE(?:\.txt|\.md)?)$`)
	// litter are files that operating systems leave in folders.
	litter = regexp.MustCompile(`^(?:\._.*|(?i:\.ds_store|thumbs\.db|desktop\.ini|\.localized))$`)
)
