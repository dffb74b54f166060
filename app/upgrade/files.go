package upgrade

import (
	"slices"
	"strings"

	"marketingskills/app/collection/manifest"
)

// mostFiles is how many files a note names.
const mostFiles = 5

// publishedFiles makes the published files quick to look up: for each folder
// name and version, the hash of every path.
func publishedFiles(published []Published) map[skillVersion]map[string]string {
	all := make(map[skillVersion]map[string]string, len(published))
	for _, p := range published {
		files := make(map[string]string, len(p.Files))
		for _, f := range p.Files {
			files[f.Path] = strings.ToLower(f.SHA256)
		}
		all[skillVersion{p.Skill, manifest.Version(p.Version)}] = files
	}
	return all
}

// compareFiles tells what is the user's among the files of a folder that is
// ours: what was added to the published version and what was changed, or, when
// that version's files are not known, what no skill of the collection has.
func (j *judgement) compareFiles() {
	f := j.folder
	if len(f.Files) == 0 || f.Front == nil {
		return
	}
	known, ok := j.published[skillVersion{f.Name, manifest.Version(f.Front.Version)}]
	if !ok {
		j.row.Unfamiliar = pick(f.Files, func(file File) bool { return !familiar(file.Path) })
		if len(j.row.Unfamiliar) > 0 {
			j.note(NoteUnfamiliar, "It has files of kinds that no skill of this collection has, likely added: %s. A plan keeps them.", few(j.row.Unfamiliar, mostFiles))
		}
		return
	}
	here := make(map[string]bool, len(f.Files))
	j.row.Added = pick(f.Files, func(file File) bool {
		here[file.Path] = true
		_, published := known[file.Path]
		return !published
	})
	changed := pick(f.Files, func(file File) bool {
		hash := known[file.Path]
		return hash != "" && file.SHA256 != "" && !strings.EqualFold(hash, file.SHA256)
	})
	if slices.ContainsFunc(f.Files, func(file File) bool { return file.Size >= 0 }) { // else only names were looked at
		for path := range known {
			if !here[path] {
				changed = append(changed, path)
			}
		}
	}
	slices.Sort(changed)
	j.row.Changed = changed
	if len(j.row.Added) > 0 {
		j.note(NoteAdded, "%s not in the published version: %s. A plan keeps them.", count(len(j.row.Added), "file")+" "+choose(len(j.row.Added), "is", "are"), few(j.row.Added, mostFiles))
	}
	if len(changed) > 0 {
		j.note(NoteChanged, "Changed or missing against the published version: %s.", few(changed, mostFiles))
	}
}

// pick returns the paths of the files that fit, in order, without what
// systems leave behind.
func pick(files []File, fits func(File) bool) []string {
	picked := []string{}
	for _, f := range files {
		if fits(f) && !litter(f.Path) {
			picked = append(picked, f.Path)
		}
	}
	slices.Sort(picked)
	return slices.Compact(picked)
}

// familiar tells whether skills of the collection have files like that:
// SKILL.md, references/*.md, evals/evals.json and a licence.
func familiar(path string) bool {
	if reference, ok := strings.CutPrefix(path, "references/"); ok {
		return strings.HasSuffix(reference, ".md") && !strings.Contains(reference, "/")
	}
	switch path {
	case "SKILL.md", "evals/evals.json", "LICENSE", "LICENSE.txt", "LICENSE.md":
		return true
	}
	return false
}

// litter tells the files that operating systems leave in folders.
func litter(path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	switch strings.ToLower(name) {
	case ".ds_store", "thumbs.db", "desktop.ini", ".localized":
		return true
	}
	return strings.HasPrefix(name, "._")
}
