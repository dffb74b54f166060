package upgrade

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"marketingskills/app/text"
)

const (
	// mostNamed is how many other folders or places of a skill a note names.
	mostNamed = 3
	// mostFiles is how many files a note names.
	mostFiles = 5
)

// few shows at most n names, and how many are left out.
func few(names []string, n int) string {
	var shown []string
	for _, name := range names[:min(n, len(names))] {
		shown = append(shown, text.Name(name))
	}
	if rest := len(names) - n; rest > 0 {
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

// remarks adds the notes that do not depend on the state.
func (j *judgement) remarks(fromCollection bool) {
	f := j.folder
	because := ""
	if f.Problem != "" {
		because = ": " + strings.TrimSuffix(f.Problem, ".")
	}
	switch {
	case f.Kind == Symlink && f.Target != "":
		j.note(noteSymlink, "This is a symbolic link to %s. The plan moves only the link.", text.Name(f.Target))
	case f.Kind == Symlink:
		j.note(noteSymlink, "This is a symbolic link. The plan moves only the link.")
	case f.Kind == Unreadable:
		j.note(NoteUnreadable, "It could not be opened%s.", because)
	case f.Problem != "":
		j.note(NoteUnreadable, "It could only be read in part%s.", because)
	}
	if f.Front == nil && len(f.Files) > 0 && !slices.ContainsFunc(f.Files, isSkillFile) {
		j.note(noteNoSkill, "It has no SKILL.md among its files, so agents may not load it.")
	}
	if !fromCollection {
		return
	}
	switch {
	case f.Front == nil && f.Listed != "":
		j.note(NoteUnseen, "The version comes from the pasted table, not from the folder.")
	case f.Front == nil && f.Kind != Unreadable:
		j.note(NoteUnseen, "Only the folder name is known. SKILL.md was not read.")
	case f.Front != nil && f.Front.Name == "":
		j.note(noteNoName, "Its SKILL.md has no name.")
	}
	if f.Front != nil && f.Front.Version == "" && f.Front.TopVersion != "" {
		j.note(noteTopVersion, "Its SKILL.md has version %s at the top level. Move it to metadata.version.", text.Name(f.Front.TopVersion))
	}
	if skill := j.row.Replacement; skill != "" {
		j.beside(skill)
		j.elsewhere(skill)
	}
}

func isSkillFile(path string) bool { return strings.EqualFold(path, "SKILL.md") }

// beside notes the folders of the same place that are the same skill.
func (j *judgement) beside(skill string) {
	here := j.holders[j.row.at.place]
	var names []string
	seen := map[int]bool{j.row.at.folder: true}
	for _, name := range append([]string{skill}, j.OldNames(skill)...) {
		for _, i := range here[name] {
			if len(names) > mostNamed {
				break
			}
			if seen[i] {
				continue
			}
			seen[i] = true
			names = append(names, text.Name(j.in.Places[j.row.at.place].Folders[i].Name))
		}
	}
	if len(names) > mostNamed {
		names[mostNamed] = "others"
	}
	if len(names) > 0 {
		j.note(noteBeside, "Also installed in the same skills folder as %s. Agents load all of them.", text.List(names))
	}
}

// elsewhere notes the other places that have the skill.
func (j *judgement) elsewhere(skill string) {
	var others []string
	for _, home := range j.homes[skill] {
		if len(others) > mostNamed {
			break
		}
		if home.place == j.row.at.place {
			continue
		}
		p := &j.in.Places[home.place]
		f := &p.Folders[home.folder]
		as := ""
		if f.Name != j.folder.Name {
			as = " as " + text.Name(f.Name)
		}
		if v := f.version(); v != "" && v != j.row.Version {
			as += " in version " + text.Name(v)
		}
		others = append(others, PlaceName(p.Path)+as)
	}
	if len(others) > mostNamed {
		others[mostNamed] = "more places"
	}
	if len(others) > 0 {
		j.note(notePlaces, "Also installed in %s.", text.List(others))
	}
}

// unfamiliarFiles finds what is likely the user's among the files of a folder
// from this collection: files of kinds that none of its skills has.
func (j *judgement) unfamiliarFiles() {
	if j.folder.Front == nil {
		return
	}
	for _, file := range j.folder.Files {
		if !familiar.MatchString(file) && !Litter(file) {
			j.row.Unfamiliar = append(j.row.Unfamiliar, file)
		}
	}
	slices.Sort(j.row.Unfamiliar)
	j.row.Unfamiliar = slices.Compact(j.row.Unfamiliar)
	if len(j.row.Unfamiliar) > 0 {
		j.note(noteUnfamiliar, "It contains files that you probably added: %s. They are not deleted.", few(j.row.Unfamiliar, mostFiles))
	}
}

// familiar are the files that skills of the collection have.
var familiar = regexp.MustCompile(`^(?:SKILL\.md|references/[^/]*\.md|evals/evals\.json|LICENSE(?:\.txt|\.md)?)$`)

var litter = regexp.MustCompile(`^(?:\._.*|(?i:\.ds_store|thumbs\.db|desktop\.ini|\.localized))$`)

// Litter reports whether a file is one that operating systems leave in
// folders.
func Litter(file string) bool { return litter.MatchString(path.Base(file)) }
