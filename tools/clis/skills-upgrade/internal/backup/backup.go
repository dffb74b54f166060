// Package backup moves skill folders into a backup folder next to their skills
// folder, puts new ones in their place, and takes both back. It is the acting
// part of skills-upgrade.
//
// [Create] begins a backup, which takes the steps of a plan: it is the
// [plan.Disk] of a place. [Open] opens one that is there, for [Backup.Contents]
// and [Backup.Undo]. Package plan says what stands where in a backup folder. Its
// printed commands leave the same there, and a folder of downloads.
//
// # Promises
//
// Every change to the skills folder is one rename, on one disk. So the backup
// folder is the record of what was done: wherever a run stops, each folder is in
// the skills folder or in the backup folder, whole, and undoing it renames back.
// Nothing of the user's is deleted or overwritten. A new skill is copied into the
// backup folder, and its files made durable, before what it replaces moves.
//
// Only folders that hold a SKILL.md are moved. Whatever is changed is opened below
// the folder that holds both skills and backup, and no link leads out of it.
package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"marketingskills/app/upgrade/plan"
	"marketingskills/app/upgrade/scan"
)

var (
	// ErrOtherDisk says that a folder is on another disk than its backup
	// folder. Nothing was moved.
	ErrOtherDisk = errors.New("it is on another disk than its backup folder, and skills-upgrade does not copy")
	// ErrTaken says that something stands where something should go.
	ErrTaken = errors.New("the target already exists")
	// ErrNoBackup says that a folder is not a backup folder.
	ErrNoBackup = errors.New("not a backup folder of skills-upgrade, which has a name such as .skills-backup-TIME")
)

// Backup is an open backup folder. Close it.
type Backup struct {
	// root is the folder that holds the skills folder and the backup folder,
	// which are called place and name.
	root        *os.Root
	place, name string
	// Skills is the folder that Stage copies from.
	Skills string
	// BeforeRename, if not nil, is called before every rename, which its error
	// prevents. It is for tests.
	BeforeRename func(from, to string) error
}

// Create makes a backup folder in a folder, for the skills folder in it.
func Create(parent, place, name string) (*Backup, error) {
	b, err := open(parent, place, name)
	if err != nil {
		return nil, err
	}
	if err := b.root.Mkdir(name, 0o777); err != nil {
		b.root.Close()
		return nil, fmt.Errorf("creating the folder %s: %w", name, scan.Reason(err))
	}
	return b, nil
}

// Open opens a backup folder.
func Open(parent, name string) (*Backup, error) {
	place := plan.PlaceOf(name)
	if place == "" {
		return nil, ErrNoBackup
	}
	b, err := open(parent, place, name)
	if err != nil {
		return nil, err
	}
	if err := b.checkFolder(name); err != nil {
		b.root.Close()
		return nil, err
	}
	return b, nil
}

func open(parent, place, name string) (*Backup, error) {
	root, err := os.OpenRoot(parent)
	if err != nil {
		return nil, scan.Reason(err)
	}
	b := &Backup{root: root, place: place, name: name}
	if err := b.checkFolder(place); err != nil {
		root.Close()
		return nil, fmt.Errorf("the skills folder %w", err)
	}
	return b, nil
}

// Close closes the backup.
func (b *Backup) Close() error { return b.root.Close() }

// CloseEmpty closes the backup and removes its folder if nothing is in it.
func (b *Backup) CloseEmpty() {
	for _, folder := range []string{b.newFolder(), filepath.Join(b.name, plan.DownloadFolder), b.name} {
		if b.checkFolder(folder) == nil {
			b.root.Remove(folder)
		}
	}
	b.root.Close()
}

func (b *Backup) newFolder(parts ...string) string {
	return filepath.Join(append([]string{b.name, plan.NewFolder}, parts...)...)
}

func (b *Backup) exists(name string) bool {
	_, err := b.root.Lstat(name)
	return err == nil
}

// checkFolder refuses what is no folder, links included.
func (b *Backup) checkFolder(name string) error {
	info, err := b.root.Lstat(name)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, scan.Reason(err))
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", name)
	}
	return nil
}

// rename moves a skill to where nothing is.
func (b *Backup) rename(from, to string) error {
	if err := b.checkFolder(from); err != nil {
		return err
	}
	if info, err := b.root.Lstat(filepath.Join(from, "SKILL.md")); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a skill: it has no SKILL.md", from)
	}
	if b.exists(to) {
		return fmt.Errorf("%s: %w", to, ErrTaken)
	}
	if b.BeforeRename != nil {
		if err := b.BeforeRename(from, to); err != nil {
			return reason(err)
		}
	}
	return reason(b.root.Rename(from, to))
}

// reason says why a rename failed. Windows has a number of its own for another
// disk, ERROR_NOT_SAME_DEVICE.
func reason(err error) error {
	if errors.Is(err, syscall.EXDEV) || runtime.GOOS == "windows" && errors.Is(err, syscall.Errno(17)) {
		return ErrOtherDisk
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return scan.Reason(err)
}

// Limits of a skill that is copied: far more than any has.
const (
	maxFiles = 2000
	maxBytes = 64 << 20
)

// Copyable says why a skill cannot be copied: it has a link or a device in it, or
// is far too large. It is nil for one that can be.
func Copyable(skill fs.FS) error {
	files, size := 0, int64(0)
	return fs.WalkDir(skill, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if !e.Type().IsRegular() {
			return fmt.Errorf("%s is neither a folder nor a file, so it cannot be copied", name)
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if files, size = files+1, size+info.Size(); files > maxFiles || size > maxBytes {
			return fmt.Errorf("it has more than %d files or %d MiB, which no skill has", maxFiles, maxBytes>>20)
		}
		return nil
	})
}

// Stage copies a skill from Skills into the backup folder. When it fails, nothing
// of it is left.
func (b *Backup) Stage(skill string) error {
	source, err := os.OpenRoot(filepath.Join(b.Skills, skill))
	if err != nil {
		return scan.Reason(err)
	}
	defer source.Close()
	if err := Copyable(source.FS()); err != nil {
		return scan.Reason(err)
	}
	err = fs.WalkDir(source.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		name = filepath.FromSlash(name)
		to := b.newFolder(skill, skill, name)
		switch {
		case err != nil:
			return err
		case e.IsDir():
			return b.root.MkdirAll(to, 0o777)
		}
		return b.copyFile(source, name, to)
	})
	if err != nil {
		b.root.RemoveAll(b.newFolder(skill))
	}
	return scan.Reason(err)
}

// Keep copies a file of the user's from a folder into a skill made ready; false
// when it is no file, or something is there already.
func (b *Backup) Keep(folder, file, skill string) (bool, error) {
	name := filepath.FromSlash(file)
	from, to := filepath.Join(b.place, folder, name), b.newFolder(skill, skill, name)
	info, err := b.root.Lstat(from)
	if err != nil || !filepath.IsLocal(name) || !info.Mode().IsRegular() || b.exists(to) {
		return false, nil
	}
	err = b.root.MkdirAll(filepath.Dir(to), 0o777)
	if err == nil {
		err = b.copyFile(b.root, from, to)
	}
	if err == nil {
		err = b.root.Chtimes(to, info.ModTime(), info.ModTime())
	}
	return err == nil, scan.Reason(err)
}

// copyFile copies a file to where nothing is, and makes it durable.
func (b *Backup) copyFile(from *os.Root, name, to string) error {
	in, err := from.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := b.root.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// Move moves a folder to the backup folder.
func (b *Backup) Move(folder string) error {
	return b.rename(filepath.Join(b.place, folder), filepath.Join(b.name, folder))
}

// Install moves a skill that was made ready to its place.
func (b *Backup) Install(skill string) error {
	return b.rename(b.newFolder(skill, skill), filepath.Join(b.place, skill))
}

// Contents are what a backup folder says was done.
type Contents struct {
	// Old are the folders that were moved into it.
	Old []string `json:"old"`
	// Installed are the skills that were moved from it to the skills folder,
	// Ready those that were made ready, and not moved or moved back.
	Installed []string `json:"installed"`
	Ready     []string `json:"ready"`
}

// Contents reads the backup folder.
func (b *Backup) Contents() (Contents, error) {
	c := Contents{[]string{}, []string{}, []string{}}
	names, err := b.namesIn(b.name)
	if err != nil {
		return c, err
	}
	for _, name := range names {
		if name[0] != '.' && b.checkFolder(filepath.Join(b.name, name)) == nil {
			c.Old = append(c.Old, name)
		}
	}
	if b.checkFolder(b.newFolder()) != nil {
		return c, nil
	}
	names, err = b.namesIn(b.newFolder())
	for _, name := range names {
		if b.checkFolder(b.newFolder(name)) != nil {
			continue
		}
		// A repository cannot bring an empty folder along.
		switch inside, err := b.namesIn(b.newFolder(name)); {
		case err == nil && len(inside) == 0:
			c.Installed = append(c.Installed, name)
		case slices.Contains(inside, name):
			c.Ready = append(c.Ready, name)
		}
	}
	return c, err
}

// namesIn returns what is in a folder, in order. Names are whatever bytes they
// are made of; package fs would refuse some.
func (b *Backup) namesIn(folder string) ([]string, error) {
	f, err := b.root.Open(folder)
	if err != nil {
		return nil, scan.Reason(err)
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	slices.Sort(names)
	return names, scan.Reason(err)
}

// Undo moves new skills back into the backup folder, and old ones to where they
// were, if the place is free. It tells of each, and with which error it could not
// be moved. It may be interrupted and begun again.
func (b *Backup) Undo(ctx context.Context, tell func(name string, old bool, err error)) error {
	c, err := b.Contents()
	if err != nil {
		return err
	}
	for _, skill := range c.Installed {
		if err := ctx.Err(); err != nil {
			return err
		}
		if b.exists(filepath.Join(b.place, skill)) {
			tell(skill, false, b.rename(filepath.Join(b.place, skill), b.newFolder(skill, skill)))
		}
	}
	for _, folder := range c.Old {
		if err := ctx.Err(); err != nil {
			return err
		}
		tell(folder, true, b.rename(filepath.Join(b.name, folder), filepath.Join(b.place, folder)))
	}
	return nil
}
