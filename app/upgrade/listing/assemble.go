package listing

import (
	"slices"
	"strings"

	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/paths"
)

// agentFolders hold skills when a folder skills is in them.
var agentFolders = []string{".agents", ".claude", ".codex", ".cursor", ".github"}

// parts cuts a path and remembers where each part ends in it.
type parts struct {
	path  string
	names []string
	ends  []int
}

func partsOf(path string) parts {
	p := parts{path: path}
	start := 0
	for i := 0; i <= len(path); i++ {
		if i < len(path) && !paths.IsSeparator(path, i) {
			continue
		}
		if i > start {
			p.names, p.ends = append(p.names, path[start:i]), append(p.ends, i)
		}
		start = i + 1
	}
	return p
}

// upTo returns the path of the first n parts as it was printed.
func (p parts) upTo(n int) string {
	if n == 0 {
		if p.path != "" && paths.IsSeparator(p.path, 0) {
			return p.path[:1]
		}
		return ""
	}
	return p.path[:p.ends[n-1]]
}

// skillsAt returns how many parts lead to the folder of skills: to skills in
// an agent's folder, or else to anything called skills.
func (p parts) skillsAt() int {
	for i := 1; i < len(p.names); i++ {
		if p.names[i] == "skills" && slices.Contains(agentFolders, p.names[i-1]) {
			return i + 1
		}
	}
	return slices.Index(p.names, "skills") + 1
}

// assembly puts what was listed into places and folders.
type assembly struct {
	in      upgrade.Installation
	places  map[string]int
	folders map[string]map[string]int
	// skillRoots are folders above a folder with a SKILL.md, by what was
	// printed.
	skillRoots map[string]bool
	outside    int
	shut       bool
	inside     bool
	locks      []string
}

// assemble turns the entries into an installation, and says what is left.
func (l *listing) assemble(r *Result) {
	a := &assembly{places: map[string]int{}, folders: map[string]map[string]int{}, skillRoots: map[string]bool{}}
	all := make([]parts, len(l.entries))
	marked := false
	for i, e := range l.entries {
		if e.dir == "" && l.place != "" {
			l.entries[i].dir = l.place
			e.dir = l.place
		}
		all[i] = partsOf(joinPrinted(e.dir, e.name))
		n := len(all[i].names)
		if at := all[i].skillsAt(); at > 0 {
			marked = true
		} else if e.name == "SKILL.md" && n >= 2 && all[i].names[n-2] != "." {
			marked = true
			a.skillRoots[all[i].upTo(n-2)] = true
		} else if e.name == "SKILL.md" {
			a.inside = true
		}
	}
	a.empties(l.roots)
	root := -1
	if !marked {
		root = l.root(all)
	}
	for i, e := range l.entries {
		a.add(e, all[i], root)
	}
	a.finish(r)
}

// empties notes the folders of skills that were listed, so that one without
// anything in it is not forgotten.
func (a *assembly) empties(roots []string) {
	for _, path := range roots {
		if p := partsOf(path); p.skillsAt() == len(p.names) && len(p.names) > 0 {
			a.place(p.upTo(len(p.names)))
		}
	}
}

// root returns how many parts all entries share, when nothing in them tells
// where the skills are: the folder that was listed.
func (l *listing) root(all []parts) int {
	if len(all) == 0 {
		return 0
	}
	shared := len(all[0].names) - 1
	for _, p := range all[1:] {
		n := 0
		for n < shared && n < len(p.names)-1 && p.names[n] == all[0].names[n] {
			n++
		}
		shared = n
	}
	for _, r := range l.roots {
		if p := partsOf(r); len(p.names) < shared && r != "" {
			shared = len(p.names)
		}
	}
	return shared
}

func (a *assembly) add(e entry, p parts, root int) {
	path := p.path
	for _, context := range upgrade.ContextPaths {
		if path == context || strings.HasSuffix(path, "/"+context) {
			a.in.Contexts = append(a.in.Contexts, context)
			return
		}
	}
	if e.name == upgrade.ProjectLock || e.name == ".skill-lock.json" {
		a.locks = append(a.locks, path)
		return
	}
	at := p.skillsAt()
	if at == 0 && len(a.skillRoots) > 0 {
		at = -1
		for n := len(p.names) - 1; n >= 0; n-- {
			if a.skillRoots[p.upTo(n)] {
				at = n
				break
			}
		}
	} else if at == 0 {
		at = root
	}
	for at >= 0 && at < len(p.names)-1 && (p.names[at] == "." || p.names[at] == "..") {
		at++ // they lead to a place and are no folders
	}
	switch {
	case at < 0:
		a.outside++
	case at == len(p.names):
		a.shut = a.shut || a.places[p.upTo(at)] == 0
	case a.inside && root >= 0:
		// the inside of a skill: nothing here is a folder of skills
	default:
		a.put(p.upTo(at), e, p.names[at:])
	}
}

func (a *assembly) place(path string) int {
	if clean := paths.Clean(path); clean != "." {
		path = clean
	}
	n, ok := a.places[path]
	if !ok {
		a.in.Places = append(a.in.Places, upgrade.Place{Path: path})
		n = len(a.in.Places)
		a.places[path] = n
		a.folders[path] = map[string]int{}
	}
	return n - 1
}

// put adds an entry below a place: a folder of it, or something in one.
func (a *assembly) put(path string, e entry, names []string) {
	if upgrade.Litter(names[0]) || names[0] == "." || names[0] == ".." || len(names[0]) > maxName {
		return
	}
	place := &a.in.Places[a.place(path)]
	known := a.folders[place.Path]
	i, ok := known[names[0]]
	if !ok {
		i = len(place.Folders)
		known[names[0]] = i
		place.Folders = append(place.Folders, upgrade.Folder{Name: names[0]})
	}
	f := &place.Folders[i]
	if len(names) == 1 {
		if f.Kind == "" || e.kind == upgrade.Symlink {
			f.Kind, f.Target = e.kind, e.target
		}
		return
	}
	if f.Kind == "" || f.Kind == upgrade.RegularFile {
		f.Kind = upgrade.Directory
	}
	// Without a mark or an ending it may be a folder as well.
	if e.kind == upgrade.RegularFile || e.kind == "" && strings.Contains(e.name, ".") {
		f.Files = append(f.Files, strings.Join(names[1:], "/"))
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
