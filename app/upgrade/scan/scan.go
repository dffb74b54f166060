// Package scan reads skills folders out of a file system: a disk, or what a
// visitor handed to the page. It follows no link in a skills folder, writes
// nothing, and reads of a SKILL.md only its beginning. Errors do not end it:
// whatever cannot be read is a Problem in the result, or Unchecked.
//
// [Folder] reads all there is to read in a folder the person named; [Places],
// [Known], [Place] and [Around] are its parts, for those who know where to look.
package scan

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"marketingskills/app/upgrade"
)

// Limits of what is listed of one skill folder. A skill of the collection has
// about ten files; what is beyond a limit is not listed.
const (
	maxFiles = 2000
	maxDepth = 12
)

// Options say how closely to look. The zero value reads names and versions
// only.
type Options struct {
	// Known reports whether a name is from the collection; the files of such
	// folders are listed.
	Known func(name string) bool
	// Progress is called after each folder.
	Progress func(done, total int)
}

// Place reads one skills folder: the folder dir of fsys. path is how the
// person knows it.
func Place(fsys fs.FS, dir, path string, o Options) upgrade.Place {
	p := upgrade.Place{Path: path}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		p.Problem = Reason(err).Error()
	}
	for i, e := range entries {
		if !hidden(e.Name()) {
			p.Folders = append(p.Folders, skillFolder(fsys, dir, e, o))
		}
		if o.Progress != nil {
			o.Progress(i+1, len(entries))
		}
	}
	return p
}

// hidden are the entries of a place that are never skills: what file managers
// and version control leave behind, and lock files.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || name == "skills-lock.json" || name == "Thumbs.db" || name == "desktop.ini"
}

// Known returns the known skills folders below a folder, those that cannot be
// looked into among them.
func Known(fsys fs.FS) []string {
	var found []string
	for _, place := range upgrade.Places {
		info, err := fs.Stat(fsys, place)
		above, noAbove := fs.Stat(fsys, path.Dir(place))
		switch {
		case err == nil && info.IsDir(),
			err != nil && !errors.Is(err, fs.ErrNotExist) && (noAbove != nil || above.IsDir()):
			found = append(found, place)
		}
	}
	return found
}

// Places looks for skills folders in a folder the person named: the known ones below
// it, the folder itself when it holds skills, or both. When nothing looks like
// a place the folder itself is one.
func Places(fsys fs.FS) []string {
	found := Known(fsys)
	if len(found) == 0 || holdsSkills(fsys) {
		found = append([]string{"."}, found...)
	}
	return found
}

func holdsSkills(fsys fs.FS) bool {
	entries, _ := fs.ReadDir(fsys, ".")
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		_, err := fs.Stat(fsys, path.Join(e.Name(), "SKILL.md"))
		return e.IsDir() && !hidden(e.Name()) && err == nil
	})
}

func skillFolder(fsys fs.FS, dir string, e fs.DirEntry, o Options) upgrade.Folder {
	f := upgrade.Folder{Name: e.Name(), Kind: upgrade.Directory}
	at := path.Join(dir, e.Name())
	unreadable := func(problem string) upgrade.Folder {
		f.Kind, f.Problem = upgrade.Unreadable, problem
		return f
	}
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		f.Kind = upgrade.Symlink
		f.Target, _ = fs.ReadLink(fsys, at)
		return f
	case e.Type().IsRegular():
		f.Kind = upgrade.RegularFile
		return f
	case !e.IsDir():
		return unreadable("it is neither a folder nor a file")
	case !fs.ValidPath(at):
		// The name in the directory need not be a path that can be opened again.
		return unreadable("its name cannot be opened")
	}
	head, err := readHead(fsys, path.Join(at, "SKILL.md"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := fs.ReadDir(fsys, at); err != nil {
			return unreadable(Reason(err).Error())
		}
		f.Bare = true
	case err != nil:
		return unreadable(Reason(err).Error())
	default:
		front, err := upgrade.ReadFrontmatter(head)
		f.Front = &front
		if err != nil {
			f.Problem = err.Error()
		}
	}
	if o.Known != nil && (o.Known(f.Name) || f.Front != nil && o.Known(f.Front.Name)) {
		f.Files = filesBelow(fsys, at)
	} else if f.Front != nil {
		f.Files = []string{"SKILL.md"}
	}
	return f
}

func readHead(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Lstat(fsys, name)
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, errors.New("its SKILL.md is a symbolic link, which is not followed")
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("its SKILL.md is not a file")
	}
	return readAtMost(fsys, name, upgrade.HeadSize)
}

// filesBelow lists the files and links in a folder, by their paths in it.
func filesBelow(fsys fs.FS, root string) []string {
	var files []string
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		entries, err := fs.ReadDir(fsys, path.Join(root, dir))
		if err != nil || depth > maxDepth {
			return
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			switch {
			case len(files) >= maxFiles:
				return
			case e.IsDir():
				walk(name, depth+1)
			default:
				files = append(files, name)
			}
		}
	}
	walk("", 0)
	return files
}

// Reason is an error in words, without the path that the message has already.
func Reason(err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fs.ErrPermission
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("not found")
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// Folder reads everything there is to read in a folder the person named: the
// skills folders in it, and what is around them. label turns a path within fsys,
// "." for the folder itself, into the path the person knows.
func Folder(fsys fs.FS, label func(place string) string, o Options) upgrade.Installation {
	in := Around(fsys, label)
	for _, place := range Places(fsys) {
		in.Places = append(in.Places, Place(fsys, place, label(place), o))
	}
	return in
}

// Around reads what is around the skills folders of a project: its product
// context and its lock files.
func Around(fsys fs.FS, label func(place string) string) upgrade.Installation {
	var in upgrade.Installation
	for _, name := range upgrade.ContextPaths {
		if info, err := fs.Stat(fsys, name); err == nil && info.Mode().IsRegular() {
			in.Contexts = append(in.Contexts, name)
		}
	}
	for _, name := range []string{upgrade.ProjectLock, upgrade.HomeLock} {
		info, err := fs.Stat(fsys, name)
		if err != nil && !errors.Is(err, fs.ErrPermission) {
			continue // there is none
		}
		var data []byte
		if err == nil && !info.Mode().IsRegular() {
			err = errors.New("it is not a file")
		}
		if err == nil {
			data, err = readAtMost(fsys, name, upgrade.MaxLock+1)
		}
		if err != nil {
			in.Unchecked = append(in.Unchecked, label(name)+" was not read: "+Reason(err).Error()+".")
			continue
		}
		in.Locks = append(in.Locks, upgrade.LockFile{Path: label(name), Data: data})
	}
	return in
}

func readAtMost(fsys fs.FS, name string, most int64) ([]byte, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, most))
}
