package upgrade

import (
	"fmt"
	"strings"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/text"
)

// judgement decides about one folder.
type judgement struct {
	*analysis
	folder *Folder
	row    Row
}

// decide gives a folder its state: it tries the states in their order, the
// first that fits is the row's, the others become notes.
func (j *judgement) decide() {
	f := j.folder
	if f.Kind == RegularFile {
		j.set(NotOurs, text.Name(f.Name)+" is a file, not a folder", "Nothing to do. Agents load folders only.")
		j.note(noteFile, "There is a file where a skill folder is expected.")
		return
	}
	folderKnown, nameKnown := j.Current(f.Name) != "", j.Current(j.row.Name) != ""
	misnamed := j.row.Name != "" && j.row.Name != f.Name && (folderKnown || nameKnown)
	switch {
	case misnamed && nameKnown:
		j.misnamed(folderKnown)
		j.installed(j.row.Name)
	case misnamed:
		j.takenName()
	case folderKnown:
		j.installed(f.Name)
	default:
		j.other()
	}
	j.remarks(folderKnown || misnamed)
}

// set gives the row its state, unless it has one; then the finding becomes a
// note.
func (j *judgement) set(s State, evidence, advice string) {
	if j.row.State != "" {
		j.note(string(s), "%s.", evidence)
		return
	}
	j.row.State, j.row.Evidence, j.row.Advice = s, text.Printable(evidence), text.Printable(advice)
}

func (j *judgement) note(code, format string, args ...any) {
	j.row.Notes = append(j.row.Notes, Note{code, text.Printable(fmt.Sprintf(format, args...))})
}

// misnamed is a folder whose SKILL.md names a skill from this collection, and
// another than the folder.
func (j *judgement) misnamed(folderKnown bool) {
	evidence := fmt.Sprintf("The folder is named %s, but its SKILL.md has the name %s", text.Name(j.folder.Name), j.row.Name)
	if folderKnown {
		j.set(Misnamed, evidence+"; both are names from this collection",
			"Install "+j.Current(j.row.Name)+" and move this folder to the backup folder.")
		return
	}
	j.set(Misnamed, evidence+", which is a name from this collection", fmt.Sprintf(
		"If this is a copy of %s, move it to the backup folder. If it is your own skill, change the name in SKILL.md.", j.row.Name))
}

// takenName is someone else's skill in a folder with a name from this
// collection.
func (j *judgement) takenName() {
	folder, name := j.folder.Name, text.Name(j.row.Name)
	evidence := "The folder is named %s, but its SKILL.md has the name %s; %[1]s is a name from this collection"
	j.set(Misnamed, fmt.Sprintf(evidence, folder, name),
		fmt.Sprintf("If this is your own skill, rename the folder to %s. Folder and SKILL.md must have the same name.", name))
	j.note(noteTaken, "The content is not from this collection, so the plan skips it.")
}

// installed judges a folder whose content is from this collection, under one
// of its names.
func (j *judgement) installed(name string) {
	skill := j.Current(name)
	latest, _ := j.Row(skill)
	j.row.Replacement, j.row.Latest, j.row.Updated = skill, string(latest.Version), latest.Updated
	version, old := manifest.Version(j.row.Version), skill != name
	if old {
		j.oldName(name)
	}
	switch {
	case !version.Valid():
		j.unversioned(old)
	case old:
		// Its version belongs to a skill that is no more.
	case !latest.Version.Valid():
		j.set(Unversioned, "VERSIONS.md has no version of "+skill+" that can be compared",
			"Read VERSIONS.md and compare the versions yourself.")
	default:
		j.compared(version, latest)
	}
	j.row.Changes = j.since(skill, version)
	j.unfamiliarFiles()
	j.row.Certain = j.certain(version)
}

func (j *judgement) oldName(name string) {
	skill, rename, _ := j.Resolve(name)
	where, release := text.Printable(strings.ReplaceAll(rename.Where, "`", "")), string(rename.Release)
	j.row.Where, j.row.Release = where, text.Printable(release)
	state, evidence := Renamed, fmt.Sprintf("%s was renamed to %s in %s", name, skill, release)
	if rename.Kind == manifest.Merged {
		state, evidence = Merged, fmt.Sprintf("%s was merged into %s in %s", name, skill, release)
		if where != "" {
			evidence += "; its content is now in " + where
		}
	}
	if other := j.otherFolder(skill); other != "" {
		in := ""
		if other != skill {
			in = " in the folder " + text.Name(other)
		}
		j.set(Duplicate, fmt.Sprintf("The new skill, %s, is installed next to it%s; agents load both", skill, in),
			fmt.Sprintf("Move this folder to the backup folder. %s is already installed.", skill))
	}
	j.set(state, evidence, "Install "+skill+" and move this folder to the backup folder.")
}

// otherFolder returns another folder of the place that agents know by a name.
func (j *judgement) otherFolder(name string) string {
	for _, i := range j.holders[j.row.at.place][name] {
		if i != j.row.at.folder {
			return j.in.Places[j.row.at.place].Folders[i].Name
		}
	}
	return ""
}

func (j *judgement) unversioned(old bool) {
	f := j.folder
	why := "its version is unknown because SKILL.md has no metadata.version that can be read"
	switch {
	case j.row.Version != "":
		why = "its version is " + text.Name(j.row.Version) + ", which is not a version such as 2.0.1"
	case f.Kind == Unreadable:
		why = "its version is unknown because the folder cannot be opened"
	case f.Front == nil:
		why = "its version is unknown because SKILL.md was not read"
	}
	if old {
		j.note(string(Unversioned), "%s.", text.Capital(why))
		return
	}
	skill := j.row.Replacement
	advice := fmt.Sprintf("Update to %s %s.", skill, j.row.Latest)
	if f.Front == nil {
		advice = fmt.Sprintf("Check metadata.version in its SKILL.md. The latest version is %s.", j.row.Latest)
	}
	j.set(Unversioned, skill+" has the name of a skill from this collection, but "+why, advice)
}

func (j *judgement) compared(version manifest.Version, latest manifest.Row) {
	evidence := fmt.Sprintf("%s %s is installed; ", latest.Skill, version)
	switch order := manifest.Compare(version, latest.Version); {
	case order < 0:
		j.set(Outdated, fmt.Sprintf("%sthe latest version is %s (%s)", evidence, latest.Version, latest.Updated),
			fmt.Sprintf("Update to %s %s.", latest.Skill, latest.Version))
	case order > 0:
		j.set(Ahead, fmt.Sprintf("%sVERSIONS.md only knows %s", evidence, latest.Version),
			"Nothing to do. To be sure, check again with a newer VERSIONS.md.")
	default:
		j.set(Current, evidence+"this is the latest version", "Nothing to do.")
	}
}

// other judges a folder that has no name from this collection.
func (j *judgement) other() {
	near := j.suggester.near(j.folder.Name)
	if near.name == "" && j.row.Name != j.folder.Name {
		near = j.suggester.near(j.row.Name)
	}
	if near.name == "" {
		j.set(NotOurs, "No skill from this collection is or was named "+text.Name(j.folder.Name), "Nothing to do.")
		return
	}
	skill := j.Current(near.name)
	j.row.Suggestion, j.row.SuggestionNow = near.name, skill
	now := ""
	if skill != near.name {
		now = " (now " + skill + ")"
	}
	j.set(DidYouMean, fmt.Sprintf("Not a skill from this collection, but similar to %s%s: %s", near.name, now, near.why),
		fmt.Sprintf("If this should be %s, check it yourself. The plan does not change it.", near.name))
}

// certain is the rule for acting without a human: see the package.
func (j *judgement) certain(v manifest.Version) bool {
	f := j.folder
	switch j.row.State {
	case Duplicate, Merged, Renamed, Outdated:
		return j.row.Kind == Directory && f.Problem == "" && f.Front != nil && f.Front.Name == f.Name &&
			v.Valid() && manifest.Compare(v, firstNamed) < 0 && j.oneX(f.Name)
	}
	return false
}
