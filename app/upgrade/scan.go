package upgrade

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Limits of what Scan reads of one skill's folder. A skill of the collection
// has about ten files; one that has more than the limit is listed as far.
const (
	maxScanned = 2000
	maxDepth   = 12
	maxHashed  = 4 << 20 // bytes; a larger file is listed without its hash
)

// ScanOptions say how closely to look. The zero value reads names and
// versions only.
type ScanOptions struct {
	// Files tells whether the files below a folder are wanted, given the
	// folder's name and what its SKILL.md says, nil when it was not read.
	Files func(name string, front *Frontmatter) bool
	// Hash reads the files as well.
	Hash bool
	// Progress is called after each folder.
	Progress func(done, total int)
}

// Scan reads one place: the folder dir of fsys. It follows no link, and reads
// of a SKILL.md only its beginning, however long it is. Whatever cannot be
// read is a Problem in the result; path is how the person knows the place.
func Scan(fsys fs.FS, dir, path string, o ScanOptions) Place {
	p := Place{Path: path}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		p.Problem = problem(err)
	}
	for i, e := range entries {
		if !hidden(e.Name()) {
			p.Folders = append(p.Folders, scanFolder(fsys, dir, e, o))
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

// Below looks for places in a folder the person named: the known ones below
// it, the folder itself when it holds skills, or both. When nothing looks like
// a place the folder itself is one.
func Below(fsys fs.FS) []string {
	var found []string
	for _, place := range Places {
		if info, err := fs.Stat(fsys, place); err == nil && info.IsDir() {
			found = append(found, place)
		}
	}
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

func scanFolder(fsys fs.FS, dir string, e fs.DirEntry, o ScanOptions) Folder {
	f := Folder{Name: e.Name(), Kind: Directory}
	at := path.Join(dir, e.Name())
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		f.Kind = Symlink
		f.Target, _ = fs.ReadLink(fsys, at)
		return f
	case e.Type().IsRegular():
		f.Kind = RegularFile
		return f
	case !e.IsDir():
		f.Kind, f.Problem = Unreadable, "it is neither a folder nor a file"
		return f
	}
	// The name in the directory need not be a path that can be opened again.
	if !fs.ValidPath(at) {
		f.Kind, f.Problem = Unreadable, "its name cannot be opened"
		return f
	}
	head, err := readHead(fsys, path.Join(at, "SKILL.md"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := fs.ReadDir(fsys, at); err != nil {
			f.Kind, f.Problem = Unreadable, problem(err)
			return f
		}
	case err != nil:
		f.Kind, f.Problem = Unreadable, problem(err)
	default:
		front, err := ReadFrontmatter(head)
		f.Front = &front
		if err != nil {
			f.Problem = err.Error()
		}
	}
	if f.Kind == Directory && o.Files != nil && o.Files(f.Name, f.Front) {
		s := scanner{fsys: fsys, root: at, hash: o.Hash}
		s.walk("", 0)
		f.Files = s.files
	} else if f.Front != nil {
		f.Files = []File{{Path: "SKILL.md", Size: -1}}
	}
	return f
}

func readHead(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Lstat(fsys, name)
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, errors.New("its SKILL.md is a link, which is not followed")
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("its SKILL.md is not a file")
	}
	return readAtMost(fsys, name, HeadSize)
}

type scanner struct {
	fsys  fs.FS
	root  string
	hash  bool
	files []File
}

func (s *scanner) walk(dir string, depth int) {
	entries, err := fs.ReadDir(s.fsys, path.Join(s.root, dir))
	if err != nil || depth > maxDepth {
		return
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case len(s.files) >= maxScanned:
			return
		case e.IsDir():
			s.walk(name, depth+1)
		default:
			s.files = append(s.files, s.file(name, e))
		}
	}
}

func (s *scanner) file(name string, e fs.DirEntry) File {
	f := File{Path: name, Size: -1}
	info, err := e.Info()
	if err != nil || !info.Mode().IsRegular() {
		return f
	}
	f.Size = info.Size()
	if !s.hash || f.Size > maxHashed {
		return f
	}
	if data, err := fs.ReadFile(s.fsys, path.Join(s.root, name)); err == nil {
		sum := sha256.Sum256(data)
		f.SHA256 = hex.EncodeToString(sum[:])
	}
	return f
}

// problem says in words why something could not be read.
func problem(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "reading it is not permitted"
	case errors.Is(err, fs.ErrNotExist):
		return "it is not there"
	}
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		err = pathErr.Err
	}
	return fmt.Sprintf("it cannot be read: %v", err)
}

// ScanBelow reads everything there is to read in a folder the person named:
// the places below it, and beside them the product context and lock files.
// label turns a place's path within fsys, "." for the folder itself, into the
// path the person knows.
func ScanBelow(fsys fs.FS, label func(place string) string, o ScanOptions) Installation {
	var in Installation
	for _, place := range Below(fsys) {
		in.Places = append(in.Places, Scan(fsys, place, label(place), o))
	}
	for _, name := range ContextPaths {
		if info, err := fs.Stat(fsys, name); err == nil && info.Mode().IsRegular() {
			in.Contexts = append(in.Contexts, name)
		}
	}
	for _, name := range []string{ProjectLock, HomeLock} {
		info, err := fs.Stat(fsys, name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		data, err := readAtMost(fsys, name, maxLock+1)
		if err != nil {
			in.Unchecked = append(in.Unchecked, label(name)+" was not read: "+problem(err)+".")
			continue
		}
		in.Locks = append(in.Locks, LockFile{Path: label(name), Data: data})
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
