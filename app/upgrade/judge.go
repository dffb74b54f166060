package upgrade

import (
	"fmt"

	"marketingskills/app/collection/manifest"
)

// judgement decides about one folder.
type judgement struct {
	*analysis
	at     at
	folder *Folder
	row    Row
}

func (j *judgement) note(code, format string, args ...any) {
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	j.row.Notes = append(j.row.Notes, Note{code, printable(text)})
}

// set gives the row its state, unless it has one; then the finding becomes a
// note.
func (j *judgement) set(s State, evidence, advice string) {
	if j.row.State != "" {
		j.note(string(s), "%s.", capital(evidence))
		return
	}
	j.row.State, j.row.Evidence, j.row.Advice = s, printable(evidence), printable(advice)
}

// decide tries the states in their order. The first that fits is the row's,
// the others become notes.
func (j *judgement) decide() {
	f := j.folder
	if f.Kind == RegularFile {
		j.set(NotOurs, Show(f.Name)+" is a file, not a folder", "Nothing to do: agents read folders.")
		j.note(NoteFile, "A file stands where a skill's folder should be.")
		return
	}
	own, ours := j.catalog.names[f.Name]
	said, saysOurs := j.catalog.names[j.row.Name]
	subject, k := f.Name, own
	misnamed := j.row.Name != "" && j.row.Name != f.Name && (ours || saysOurs)
	if misnamed && saysOurs {
		subject, k = j.row.Name, said
	}
	switch {
	case misnamed:
		j.misnamed(ours, saysOurs, subject, k)
	case !ours:
		j.foreign()
	}
	if (ours || misnamed) && (saysOurs || !misnamed) {
		j.our(subject, k)
	}
	j.remarks(ours || misnamed)
}

// our judges a folder whose content is ours, under one of our names.
func (j *judgement) our(subject string, k known) {
	today := j.catalog.rows[k.skill]
	j.row.Replacement, j.row.Latest, j.row.Updated = k.skill, string(today.Version), today.Updated
	version := manifest.Version(j.row.Version)
	if k.old() {
		j.old(subject, k)
	}
	switch {
	case !version.Valid():
		j.unversioned(k)
	case k.old():
		// Its version belongs to a skill that is no more.
	case !today.Version.Valid():
		j.set(Unversioned, "the manifest gives "+k.skill+" no version that can be compared", "Read VERSIONS.md and compare by hand.")
	default:
		j.compared(k.skill, version, today)
	}
	j.row.Changes = j.catalog.since(k.skill, version)
	j.compareFiles()
	j.row.Certain = j.certain(version)
}

func (j *judgement) misnamed(ours, saysOurs bool, subject string, k known) {
	folder, name := Show(j.folder.Name), Show(j.row.Name)
	evidence := "the folder is called " + folder + ", its SKILL.md says name: " + name
	switch {
	case !saysOurs:
		j.set(Misnamed, evidence+"; "+folder+" is a name of this collection",
			"Look into it. If it is a skill of your own, rename the folder to "+name+"; agents expect both to be the same.")
		j.note(NoteTaken, "The content is not ours, so no plan touches it.")
		if to := j.suggester.near(j.row.Name); to.lookalike != "" {
			j.note(NoteLookalike, "The name in SKILL.md only looks like %s: it has %s.", to.name, to.lookalike)
		}
	case ours:
		j.set(Misnamed, evidence+"; both are names of this collection", "Move the folder aside and install "+k.skill+".")
	default:
		j.set(Misnamed, evidence+", which is a name of this collection",
			"Move the folder aside if it is a copy of "+subject+"; give it a name of its own, in SKILL.md too, if you made it yours.")
	}
}

func (j *judgement) old(subject string, k known) {
	where, release := unmarked(k.rename.Where), string(k.rename.Release)
	j.row.Where, j.row.Release = where, printable(release)
	state, became := Renamed, " is called "+k.skill+" since "+release
	if k.rename.Kind == manifest.Merged {
		state, became = Merged, " became part of "+k.skill+" in "+release
		if where != "" {
			became += "; its content went to " + where
		}
	}
	advice := "Move the folder aside and install " + k.skill + "."
	if other := j.other(k.skill); other != "" {
		j.set(Duplicate, "the skill stands beside it under its new name, "+k.skill+asFolder(other, k.skill)+": agents read both",
			"Move the folder aside; "+k.skill+" is there already.")
	}
	j.set(state, subject+became, advice)
}

// asFolder names the folder a skill is in where it has another name.
func asFolder(folder, skill string) string {
	if folder == skill {
		return ""
	}
	return " in the folder " + Show(folder)
}

func (j *judgement) unversioned(k known) {
	f := j.folder
	var why string
	switch {
	case j.row.Version != "":
		why = "its version is " + Show(j.row.Version) + ", which is not MAJOR.MINOR.PATCH"
	case f.Kind == Unreadable:
		why = "it cannot be opened, so its version is unknown"
	case f.Front == nil:
		why = "its SKILL.md was not read, so its version is unknown"
	default:
		why = "its SKILL.md has no metadata.version"
	}
	if k.old() {
		j.note(string(Unversioned), "%s.", capital(why))
		return
	}
	advice := "Move it aside and install " + k.skill + " " + j.row.Latest + "."
	if f.Front == nil {
		advice = "Look for the version in its SKILL.md; " + j.row.Latest + " is the current one."
	}
	j.set(Unversioned, k.skill+" is ours by name; "+why, advice)
}

func (j *judgement) compared(skill string, version manifest.Version, today manifest.Row) {
	switch order := j.catalog.compare(version, today.Version); {
	case order < 0:
		j.set(Outdated, "version "+string(version)+" of "+skill+"; "+string(today.Version)+" is current, since "+today.Updated,
			"Move it aside and install "+skill+" "+string(today.Version)+".")
	case order > 0:
		j.set(Ahead, "version "+string(version)+" of "+skill+"; this manifest knows "+string(today.Version),
			"Nothing to do: check with a newer manifest.")
	default:
		j.set(Current, "version "+string(version)+" of "+skill+", as in the manifest", "Nothing to do.")
	}
}

// foreign judges a folder that is not ours.
func (j *judgement) foreign() {
	near := j.suggester.near(j.folder.Name)
	if near.name == "" {
		near = j.suggester.near(j.row.Name)
	}
	if near.name == "" {
		j.set(NotOurs, "no skill of this collection has or had the name "+Show(j.folder.Name), "Nothing to do.")
		return
	}
	k := j.catalog.names[near.name]
	j.row.Suggestion, j.row.SuggestionNow = near.name, k.skill
	today := ""
	if k.old() {
		today = ", which is called " + k.skill + " today"
	}
	j.set(DidYouMean, "not a name of this collection, but "+near.why+today,
		"If it is meant to be "+near.name+", look into it. Nothing acts on a guess.")
	if near.lookalike != "" {
		j.note(NoteLookalike, "The name only looks like %s: it has %s.", near.name, near.lookalike)
	}
}

// other returns another folder of the place that agents know by that name.
func (j *judgement) other(name string) string {
	for _, i := range j.holders[j.at.place][name] {
		if i != j.at.folder {
			return j.in.Places[j.at.place].Folders[i].Name
		}
	}
	return ""
}

// certain is the rule for acting without a human: see the package.
func (j *judgement) certain(v manifest.Version) bool {
	f := j.folder
	switch j.row.State {
	case Duplicate, Merged, Renamed, Outdated:
		return j.row.Kind == Directory && f.Problem == "" && f.Front != nil && f.Front.Name == f.Name &&
			v.Valid() && j.catalog.compare(v, First) < 0 && j.catalog.oneX(f.Name)
	}
	return false
}
