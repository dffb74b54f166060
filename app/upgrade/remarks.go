package upgrade

import "strings"

// mostNamed is how many other folders or places of a skill a note names.
const mostNamed = 3

// remarks adds the notes that do not depend on the state.
func (j *judgement) remarks(ours bool) {
	f := j.folder
	switch f.Kind {
	case Symlink:
		to := ""
		if f.Target != "" {
			to = " to " + Show(f.Target)
		}
		j.note(NoteSymlink, "It is a link%s. A plan moves the link, never what it leads to.", to)
	case Unreadable:
		j.note(NoteUnreadable, "It could not be opened%s.", because(f.Problem))
	default:
		if f.Problem != "" {
			j.note(NoteUnreadable, "It could not be read whole%s.", because(f.Problem))
		}
	}
	if f.Front == nil && len(f.Files) > 0 && !hasSkillFile(f.Files) {
		j.note(NoteNoSkill, "The files seen include no SKILL.md, so agents may not read it.")
	}
	if !ours {
		return
	}
	switch {
	case f.Front == nil && f.Listed != "":
		j.note(NoteUnseen, "The version is that of the table, not read from the folder.")
	case f.Front == nil && f.Kind != Unreadable:
		j.note(NoteUnseen, "Only the name was seen, not what SKILL.md says.")
	case f.Front != nil && f.Front.Name == "":
		j.note(NoteNoName, "Its SKILL.md has no name.")
	}
	if f.Front != nil && f.Front.Version == "" && f.Front.TopVersion != "" {
		j.note(NoteTopVersion, "Its SKILL.md has version %s at the top level, where it does not count; it belongs below metadata.", Show(f.Front.TopVersion))
	}
	if skill := j.row.Replacement; skill != "" {
		j.beside(skill)
		j.elsewhere(skill)
	}
}

func because(problem string) string {
	if problem == "" {
		return ""
	}
	return ": " + strings.TrimSuffix(problem, ".")
}

func hasSkillFile(files []File) bool {
	for _, f := range files {
		if strings.EqualFold(f.Path, "SKILL.md") {
			return true
		}
	}
	return false
}

// beside notes the folders of the same place that are the same skill.
func (j *judgement) beside(skill string) {
	here := j.holders[j.at.place]
	var names []string
	seen := map[int]bool{j.at.folder: true}
	more := false
	for _, name := range append([]string{skill}, j.former[skill]...) {
		for _, i := range here[name] {
			if seen[i] {
				continue
			}
			if more = len(names) == mostNamed; more {
				break
			}
			seen[i] = true
			names = append(names, Show(j.in.Places[j.at.place].Folders[i].Name))
		}
	}
	if more {
		names = append(names, "others")
	}
	if len(names) > 0 {
		j.note(NoteBeside, "The same skill stands beside it as %s: agents read them all.", list(names))
	}
}

// elsewhere notes the other places that have the skill.
func (j *judgement) elsewhere(skill string) {
	var others []string
	more := false
	for _, home := range j.homes[skill] {
		if home.place == j.at.place {
			continue
		}
		if more = len(others) == mostNamed; more {
			break
		}
		p := &j.in.Places[home.place]
		f := &p.Folders[home.folder]
		as := ""
		if f.Name != j.folder.Name {
			as = " as " + Show(f.Name)
		}
		if v := f.version(); v != "" && v != j.row.Version {
			as += " in version " + Show(v)
		}
		others = append(others, showPlace(p.Path)+as)
	}
	if more {
		others = append(others, "more places")
	}
	if len(others) > 0 {
		j.note(NotePlaces, "The same skill is installed in %s.", list(others))
	}
}
