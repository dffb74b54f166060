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

// parts is the path of a folder, taken apart once for all that is in it.
type parts struct {
	path  string
	names []string
	// ends has where each part ends in the path.
	ends []int
	// at is how many parts lead to a folder of skills, 0 for none; sure when
	// that is in an agent's folder.
	at   int
	sure bool
}

func partsOf(path string) *parts {
	p := &parts{path: path}
	start := 0
	for i := 0; i <= len(path); i++ {
		if i < len(path) && !paths.IsSeparator(path, i) {
			continue
		}
		if name := path[start:i]; name != "" {
			p.at, p.sure = p.skillsAt(name), p.sure || p.holdsSkills(name)
			p.names, p.ends = append(p.names, name), append(p.ends, i)
		}
		start = i + 1
	}
	return p
}

// holdsSkills reports whether a name in the folder is that of the skills of an
// agent.
func (p *parts) holdsSkills(name string) bool {
	n := len(p.names)
	return name == "skills" && n > 0 && slices.Contains(upgrade.Places, p.names[n-1]+"/"+name)
}

// skillsAt returns how many parts lead to the folder of skills that a name in
// the folder is in, or is: skills in an agent's folder, or else the first part
// called skills.
func (p *parts) skillsAt(name string) int {
	if !p.sure && (p.holdsSkills(name) || name == "skills" && p.at == 0) {
		return len(p.names) + 1
	}
	return p.at
}

// upTo returns the path of the first n parts as it was printed, with a name in
// the folder as the last one.
func (p *parts) upTo(n int, name string) string {
	switch {
	case n > len(p.names):
		return paths.Below(p.path, name)
	case n > 0:
		return p.path[:p.ends[n-1]]
	case p.path != "" && paths.IsSeparator(p.path, 0):
		return p.path[:1]
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
	dirs map[string]*parts
	// skillRoots are folders above a folder with a SKILL.md, by what was
	// printed.
	skillRoots map[string]bool
	outside    int
	shut       bool
	inside     bool
	locks      []string
	// noted is how many bytes of the paths of files were kept.
	noted int
}

// assemble turns the entries into an installation, and says what is left.
func (l *listing) assemble() {
	a := &assembly{places: map[string]int{}, dirs: map[string]*parts{}, skillRoots: map[string]bool{}}
	if !fits(l.place) {
		l.place = ""
	}
	marked := false
	for i := range l.entries {
		e := &l.entries[i]
		e.dir = cmp.Or(e.dir, l.place)
		p := a.dirs[e.dir]
		if p == nil {
			p = partsOf(e.dir)
			a.dirs[e.dir] = p
		}
		n := len(p.names)
		switch {
		case p.skillsAt(e.name) > 0:
			marked = true
		case e.name == "SKILL.md" && n > 0 && p.names[n-1] != ".":
			marked = true
			a.skillRoots[p.upTo(n-1, "")] = true
		case e.name == "SKILL.md":
			a.inside = true
		}
	}
	// A folder of skills without anything in it is not forgotten.
	for _, path := range l.roots {
		if p := partsOf(path); p.at == len(p.names) && p.at > 0 {
			a.place(path)
		}
	}
	root := -1
	if !marked {
		root = a.root(l.roots)
	}
	for _, e := range l.entries {
		a.add(e, a.dirs[e.dir], root)
	}
	a.finish(&l.Result)
}

// root returns how many parts all entries share, when nothing in them tells
// where the skills are: the folder that was listed.
func (a *assembly) root(roots []string) int {
	n, shared := -1, []string(nil)
	for _, p := range a.dirs {
		if n < 0 {
			n, shared = len(p.names), p.names
		}
		n = min(n, len(p.names))
		for i := range n {
			if p.names[i] != shared[i] {
				n = i
				break
			}
		}
	}
	for _, r := range roots {
		if r != "" {
			n = min(n, len(partsOf(r).names))
		}
	}
	return max(n, 0)
}

func (a *assembly) add(e entry, p *parts, root int) {
	last := ""
	if len(p.names) > 0 {
		last = p.names[len(p.names)-1]
	}
	if context := last + "/" + e.name; slices.Contains(upgrade.ContextPaths, context) {
		a.in.Contexts = append(a.in.Contexts, context)
		return
	}
	if e.name == upgrade.ProjectLock || e.name == path.Base(upgrade.HomeLock) {
		a.locks = append(a.locks, paths.Below(p.path, e.name))
		return
	}
	at := p.skillsAt(e.name)
	if at == 0 && len(a.skillRoots) > 0 {
		at = len(p.names)
		for at >= 0 && !a.skillRoots[p.upTo(at, "")] {
			at--
		}
	} else if at == 0 {
		at = root
	}
	for at >= 0 && at < len(p.names) && (p.names[at] == "." || p.names[at] == "..") {
		at++ // they lead to a place and are no folders
	}
	switch {
	case at < 0:
		a.outside++
	case at > len(p.names):
		_, listed := a.places[p.upTo(at, e.name)]
		a.shut = a.shut || !listed
	case a.inside && root >= 0:
		// the inside of a skill: nothing here is a folder of skills
	default:
		a.put(p.upTo(at, ""), e, p.names[at:])
	}
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
