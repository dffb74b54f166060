package upgrade

import (
	"fmt"
	"slices"
	"strings"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/text"
)

// decision is what is decided about one folder.
type decision struct {
	analysis *analysis
	folder   *Folder
	row      Row
}

func (d *decision) current(name string) string { return d.analysis.releases.manifest.Current(name) }

// decide gives a folder its state and its notes.
func (d *decision) decide() {
	f := d.folder
	if f.Kind == RegularFile {
		d.set(NotOurs, text.Name(f.Name)+" is a file, not a folder", "Nothing to do. Agents load folders only.")
		return
	}
	folderKnown, nameKnown := d.current(f.Name) != "", d.current(d.row.Name) != ""
	misnamed := d.row.Name != "" && d.row.Name != f.Name && (folderKnown || nameKnown)
	switch {
	case misnamed && nameKnown:
		d.misnamed(folderKnown)
	case misnamed:
		d.set(Unclear, fmt.Sprintf("The folder has the name %s, which is from this collection, but its SKILL.md has the name %s",
			f.Name, text.Name(d.row.Name)), fmt.Sprintf("If this is your own skill, rename the folder to %s. "+
			"Folder and SKILL.md must have the same name.", text.Name(d.row.Name)))
	case folderKnown:
		d.installed()
	default:
		d.other()
	}
	d.addNotes(folderKnown || misnamed)
}

func (d *decision) set(s State, evidence, advice string) {
	d.row.State, d.row.Evidence, d.row.Advice = s, text.Printable(evidence), text.Printable(advice)
}

func (d *decision) note(format string, args ...any) {
	d.row.Notes = append(d.row.Notes, text.Printable(fmt.Sprintf(format, args...)))
}

// replacedBy fills in which skill of today is to stand in the folder's place.
func (d *decision) replacedBy(skill string) manifest.Row {
	latest, _ := d.analysis.releases.manifest.Row(skill)
	d.row.Replacement, d.row.Latest = skill, string(latest.Version)
	d.row.Changes = d.analysis.releases.since(skill, manifest.Version(d.row.Version))
	d.unfamiliarFiles()
	return latest
}

// misnamed is a folder whose SKILL.md names a skill from this collection, and
// another than the folder.
func (d *decision) misnamed(folderKnown bool) {
	skill := d.current(d.row.Name)
	d.replacedBy(skill)
	evidence := fmt.Sprintf("The folder is named %s, but its SKILL.md has the name %s", text.Name(d.folder.Name), d.row.Name)
	if folderKnown {
		d.set(Unclear, evidence+"; both are names from this collection",
			"Install "+skill+" and "+d.putAway()+".")
		return
	}
	d.set(Unclear, evidence+", which is a name from this collection", fmt.Sprintf(
		"If this is a copy of %s, %s. If it is your own skill, change the name in SKILL.md.", d.row.Name, d.putAway()))
}

// installed decides about a folder whose content is from this collection, under
// its own name.
func (d *decision) installed() {
	skill := d.current(d.folder.Name)
	latest := d.replacedBy(skill)
	version := manifest.Version(d.row.Version)
	switch {
	case skill != d.folder.Name:
		d.oldName(skill)
	case !version.Valid():
		d.unversioned(skill)
	case !latest.Version.Valid():
		d.set(Unclear, "VERSIONS.md has no version of "+skill+" that can be compared",
			"Read VERSIONS.md and compare the versions yourself.")
	default:
		d.compared(version, latest)
	}
	whole := d.row.Kind == Directory && d.folder.Problem == "" && d.folder.frontName() == d.folder.Name && version.Valid()
	d.row.Certain = whole && d.row.State.old() && manifest.Compare(version, firstNamed) < 0 && d.analysis.releases.oneX(d.folder.Name)
	d.row.Published = whole && d.row.State == Outdated && manifest.Compare(version, d.analysis.releases.firstVersion(skill)) >= 0
}

func (d *decision) oldName(skill string) {
	_, rename, _ := d.analysis.releases.manifest.Resolve(d.folder.Name)
	state, evidence := Renamed, fmt.Sprintf("%s was renamed to %s in %s", d.folder.Name, skill, rename.Release)
	if rename.Kind == manifest.Merged {
		state, evidence = Merged, fmt.Sprintf("%s was merged into %s in %s", d.folder.Name, skill, rename.Release)
		if where := strings.ReplaceAll(rename.Where, "`", ""); where != "" {
			evidence += "; its content is now in " + where
		}
	}
	advice := "Install " + skill + " and " + d.putAway() + "."
	if d.installedBeside(skill) {
		evidence += ". The new skill is installed next to it; agents load both"
		advice = text.Sentence(d.putAway()) + " " + skill + " is already installed."
	}
	d.set(state, evidence, advice)
	if !manifest.Version(d.row.Version).Valid() {
		d.note("%s.", text.Capital(d.noVersion()))
	}
}

// putAway is what to do with a folder that is not to be loaded any more. Only
// folders are moved to a backup folder, so a link is to be removed.
func (d *decision) putAway() string {
	if d.folder.Kind == Symlink {
		return "remove this symbolic link"
	}
	return "move this folder to the backup folder"
}

// update is what to do about a skill that is not known to be the latest version.
func (d *decision) update() string {
	return fmt.Sprintf("Update to %s %s.", d.row.Replacement, d.row.Latest)
}

// installedBeside reports whether another folder of the place holds a skill
// under its name of today.
func (d *decision) installedBeside(skill string) bool {
	there := d.analysis.installed[skillInPlace{d.row.position.place, skill}]
	return slices.ContainsFunc(there, func(at position) bool { return at != d.row.position })
}

func (d *decision) noVersion() string {
	f := d.folder
	switch {
	case d.row.Version != "":
		return "its version is " + text.Name(d.row.Version) + ", which is not a version such as 2.0.1"
	case f.Kind == Unreadable:
		return "its version is unknown because the folder cannot be opened"
	case f.Bare:
		return "its version is unknown because it has no SKILL.md"
	case f.Front == nil:
		return "its version is unknown because SKILL.md was not read"
	}
	return "its version is unknown because SKILL.md has no metadata.version that can be read"
}

func (d *decision) unversioned(skill string) {
	advice := d.update()
	if d.folder.Front == nil && !d.folder.Bare {
		advice = fmt.Sprintf("Check metadata.version in its SKILL.md. The latest version is %s.", d.row.Latest)
	}
	d.set(Unclear, skill+" has the name of a skill from this collection, but "+d.noVersion(), advice)
}

func (d *decision) compared(version manifest.Version, latest manifest.Row) {
	evidence := fmt.Sprintf("%s %s is installed; ", latest.Skill, version)
	switch order := manifest.Compare(version, latest.Version); {
	case order < 0:
		d.set(Outdated, fmt.Sprintf("%sthe latest version is %s (%s)", evidence, latest.Version, latest.Updated), d.update())
	case order > 0:
		d.row.Newer = true
		d.set(Current, fmt.Sprintf("%sVERSIONS.md only knows %s", evidence, latest.Version),
			"Nothing to do. To be sure, check again with a newer VERSIONS.md.")
	default:
		d.set(Current, evidence+"this is the latest version", "Nothing to do.")
	}
}

// other decides about a folder that has no name from this collection.
func (d *decision) other() {
	near := d.analysis.suggester.near(d.folder.Name)
	if near == "" && d.row.Name != d.folder.Name {
		near = d.analysis.suggester.near(d.row.Name)
	}
	if near == "" {
		d.set(NotOurs, "No skill from this collection is or was named "+text.Name(d.folder.Name), "Nothing to do.")
		return
	}
	d.row.Suggestion = near
	now := ""
	if skill := d.current(near); skill != near {
		now = " (now " + skill + ")"
	}
	d.set(NotOurs, "Not a skill from this collection, but its name is similar to "+near+now,
		fmt.Sprintf("If this should be %s, check it yourself. The plan does not change it.", near))
}
