package listing

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/paths"
)

// folder is one that entries are in: its path, taken apart once for all of them.
type folder struct {
	path  string
	names []string
	// ends has where each name ends in the path.
	ends []int
	// skills is how many names lead to a folder of skills; see skillsIn.
	skills int
}

func folderAt(path string) *folder {
	f := &folder{path: path}
	start := 0
	for i := 0; i <= len(path); i++ {
		if i < len(path) && !paths.IsSeparator(path, i) {
			continue
		}
		if start < i {
			f.names, f.ends = append(f.names, path[start:i]), append(f.ends, i)
		}
		start = i + 1
	}
	f.skills = skillsIn(f.names)
	return f
}

// skillsIn returns how many names lead to a folder of skills: skills in an
// agent's folder, or else the first part called skills; 0 for none.
func skillsIn(names []string) int {
	for i, name := range names {
		if i > 0 && name == "skills" && slices.Contains(upgrade.Places, names[i-1]+"/"+name) {
			return i + 1
		}
	}
	return slices.Index(names, "skills") + 1
}

// skillsAt is skills for something in the folder.
func (f *folder) skillsAt(name string) int {
	if name != "skills" {
		return f.skills
	}
	return skillsIn(append(f.names, name))
}

// upTo returns the path of the first n parts as it was printed.
func (f *folder) upTo(n int) string {
	switch {
	case n > 0:
		return f.path[:f.ends[n-1]]
	case f.path != "" && paths.IsSeparator(f.path, 0):
		return f.path[:1]
	}
	return ""
}

// assembly puts what was listed into places and folders.
type assembly struct {
	in upgrade.Installation
	// places and, for each of them, folders tell where a name stands in it.
	places  map[string]int
	folders []map[string]int
	// dirs are the folders that entries are in, by their paths.
	dirs map[string]*folder
	// skillRoots are folders above a folder with a SKILL.md, by what was
	// printed.
	skillRoots map[string]bool
	// root is how many parts lead to the folder that was listed, when nothing
	// tells where the skills are; otherwise -1.
	root    int
	outside int
	shut    bool
	inside  bool
	locks   []string
	// noted is how many bytes of the paths of files were kept.
	noted int
}

// assemble turns the entries into an installation, and says what is left.
func (l *listing) assemble() {
	a := &assembly{places: map[string]int{}, dirs: map[string]*folder{}, skillRoots: map[string]bool{}, root: -1}
	if !fits(l.place) {
		l.place = ""
	}
	marked := false
	for i := range l.entries {
		e := &l.entries[i]
		e.dir = cmp.Or(e.dir, l.place)
		f := a.dirs[e.dir]
		if f == nil {
			f = folderAt(e.dir)
			a.dirs[e.dir] = f
		}
		n := len(f.names)
		switch {
		case f.skillsAt(e.name) > 0:
			marked = true
		case e.name == "SKILL.md" && n > 0 && f.names[n-1] != ".":
			marked = true
			a.skillRoots[f.upTo(n-1)] = true
		case e.name == "SKILL.md":
			a.inside = true
		}
	}
	// A folder of skills without anything in it is not forgotten.
	for _, path := range l.roots {
		if f := folderAt(path); f.skills == len(f.names) && f.skills > 0 {
			a.place(path)
		}
	}
	if !marked {
		a.root = a.shared(l.roots)
	}
	for _, e := range l.entries {
		a.add(e, a.dirs[e.dir])
	}
	a.finish(&l.Result)
}

// shared returns how many parts all entries share.
func (a *assembly) shared(roots []string) int {
	n, shared := -1, []string(nil)
	for _, f := range a.dirs {
		if n < 0 {
			n, shared = len(f.names), f.names
		}
		n = min(n, len(f.names))
		for i := range n {
			if f.names[i] != shared[i] {
				n = i
				break
			}
		}
	}
	for _, r := range roots {
		if r != "" {
			n = min(n, len(folderAt(r).names))
		}
	}
	return max(n, 0)
}

func (a *assembly) add(e entry, f *folder) {
	last := ""
	if len(f.names) > 0 {
		last = f.names[len(f.names)-1]
	}
	if context := last + "/" + e.name; slices.Contains(upgrade.ContextPaths, context) {
		a.in.Contexts = append(a.in.Contexts, context)
		return
	}
	if e.name == upgrade.ProjectLock || e.name == path.Base(upgrade.HomeLock) {
		a.locks = append(a.locks, paths.Below(f.path, e.name))
		return
	}
	switch at := a.placeOf(f, e.name); {
	case at < 0:
		a.outside++
	case at > len(f.names):
		_, listed := a.places[paths.Below(f.path, e.name)]
		a.shut = a.shut || !listed
	case a.inside && a.root >= 0:
		// the inside of a skill: nothing here is a folder of skills
	default:
		a.put(f.upTo(at), e, f.names[at:])
	}
}

// placeOf returns how many parts lead to the place that something in a folder
// is in, or is; -1 for none.
func (a *assembly) placeOf(f *folder, name string) int {
	at := f.skillsAt(name)
	switch {
	case at > 0:
	case len(a.skillRoots) > 0:
		for at = len(f.names); at >= 0 && !a.skillRoots[f.upTo(at)]; at-- {
		}
	default:
		at = a.root
	}
	for at >= 0 && at < len(f.names) && (f.names[at] == "." || f.names[at] == "..") {
		at++ // they lead to a place and are no folders
	}
	return at
}

// place returns the number of a place, which is new if need be.
func (a *assembly) place(path string) int {
	if clean := paths.Clean(path); clean != "." {
		path = clean
	}
	n, ok := a.places[path]
	if !ok {
		n = len(a.places)
		a.places[path] = n
		a.in.Places, a.folders = append(a.in.Places, upgrade.Place{Path: path}), append(a.folders, map[string]int{})
	}
	return n
}

// put adds an entry below a place: a folder of it, or something in one, which
// the parts between lead to.
func (a *assembly) put(path string, e entry, between []string) {
	name := e.name
	if len(between) > 0 {
		name = between[0]
	}
	if upgrade.Litter(name) || name == "." || name == ".." || len(name) > maxName {
		return
	}
	at := a.place(path)
	place, known := &a.in.Places[at], a.folders[at]
	i, ok := known[name]
	if !ok {
		i = len(place.Folders)
		known[name] = i
		place.Folders = append(place.Folders, upgrade.Folder{Name: name})
	}
	f := &place.Folders[i]
	if len(between) == 0 {
		if f.Kind == "" || e.kind == upgrade.Symlink {
			f.Kind, f.Target = e.kind, e.target
		}
		return
	}
	if f.Kind == "" || f.Kind == upgrade.RegularFile {
		f.Kind = upgrade.Directory
	}
	// Without a mark or an ending it may be a folder as well.
	isFile := e.kind == upgrade.RegularFile || e.kind == "" && strings.Contains(e.name, ".")
	if isFile && len(between) <= maxDepth && a.noted < maxListing {
		file := strings.Join(append(slices.Clip(between[1:]), e.name), "/")
		a.noted += len(file)
		f.Files = append(f.Files, file)
	}
}

// finish decides what is a folder where the listing does not say, and drops
// folders from the lists of files.
func (a *assembly) finish(r *Result) {
	total := 0
	for p := range a.in.Places {
		total += len(a.in.Places[p].Folders)
		for i := range a.in.Places[p].Folders {
			f := &a.in.Places[p].Folders[i]
			if f.Kind == "" {
				f.Kind = upgrade.Directory
				if hasFileEnding(f.Name) {
					f.Kind = upgrade.RegularFile
				}
			}
			f.Files = withoutFolders(f.Files)
		}
	}
	slices.Sort(a.in.Contexts)
	a.in.Contexts = slices.Compact(a.in.Contexts)
	r.Installation = a.in
	switch {
	case total == 0 && a.inside:
		r.note(sayInside)
	case total == 0 && a.shut:
		r.note(sayShut)
	case total == 0:
		r.note(sayNothing)
	}
	if a.outside > 0 {
		r.note("Outside your skills folders and not checked: " + text.Count(a.outside, "entry") + ".")
	}
	for _, path := range a.locks[:min(len(a.locks), mostNoted)] {
		r.note("The listing shows " + text.Name(path) + " but not its contents. To check it, choose your project folder.")
	}
}

func withoutFolders(files []string) []string {
	above := map[string]bool{}
	for _, f := range files {
		for i := range len(f) {
			if f[i] == '/' {
				above[f[:i]] = true
			}
		}
	}
	return slices.DeleteFunc(files, func(f string) bool { return above[f] })
}

// hasFileEnding tells the names that are files and hardly ever folders.
func hasFileEnding(name string) bool {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return name == "LICENSE" || name == "Makefile" || name == "README"
	}
	const endings = " md json txt zip yml yaml toml sh py js ts lock png svg gitignore gitkeep skill "
	return strings.Contains(endings, " "+strings.ToLower(name[i+1:])+" ")
}
