package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/scan"
)

// Limits of one skill of a collection: far more than any has.
const (
	maxFiles = 2000
	maxBytes = 64 << 20
)

// collection is a local copy of the collection.
type collection struct {
	// dir is what the person calls it, real its path.
	dir, real string
	// skills are the folders in skills/ by their names.
	skills map[string]upgrade.Folder
}

// openCollection returns the manifest of a collection, with the collection.
func (c *command) openCollection(dir string) (known, error) {
	full, label := c.path(dir)
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		return known{}, scan.Reason(err)
	}
	if info, err := os.Stat(filepath.Join(real, "skills")); err != nil || !info.IsDir() {
		return known{}, errors.New("it has no skills folder; give the folder that contains skills/ and VERSIONS.md")
	}
	data, err := readManifest(filepath.Join(real, manifest.File))
	if err != nil {
		return known{}, fmt.Errorf("%s: %w", manifest.File, err)
	}
	k, err := parseManifest(data, "from "+text.Name(dir))
	if err != nil {
		return known{}, fmt.Errorf("%s: %w", manifest.File, err)
	}
	k.from = &collection{label, real, map[string]upgrade.Folder{}}
	for _, f := range scan.Place(os.DirFS(real), "skills", label, scan.Options{}).Folders {
		k.from.skills[f.Name] = f
	}
	return k, nil
}

// skill is the real path of a skill's folder.
func (c *collection) skill(name string) string { return filepath.Join(c.real, "skills", name) }

// check makes sure that a skill is there, whole and in a version.
func (c *collection) check(name string, version manifest.Version) error {
	f, ok := c.skills[name]
	var err error
	switch {
	case !ok:
		err = fs.ErrNotExist
	case f.Kind != upgrade.Directory || f.Problem != "":
		err = errors.New(cmp.Or(f.Problem, "it is not a folder"))
	case f.Front == nil:
		err = errors.New("it has no SKILL.md")
	case f.Front.Name != name:
		err = fmt.Errorf("its SKILL.md has the name %s", text.Name(f.Front.Name))
	case !version.Valid() || f.Front.Version != string(version):
		err = fmt.Errorf("its SKILL.md has version %s, VERSIONS.md says %s", text.Name(f.Front.Version), text.Name(string(version)))
	default:
		err = copyable(os.DirFS(c.skill(name)))
	}
	if err != nil {
		return fmt.Errorf("the collection in %s: skills/%s: %w", text.Name(c.dir), name, scan.Reason(err))
	}
	return nil
}

// copyable refuses links, devices and what is far too large.
func copyable(skill fs.FS) error {
	files, size := 0, int64(0)
	return fs.WalkDir(skill, ".", func(name string, e fs.DirEntry, err error) error {
		var info fs.FileInfo
		if err == nil {
			info, err = e.Info()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", text.Name(name), scan.Reason(err))
		}
		if !info.IsDir() && !info.Mode().IsRegular() {
			return fmt.Errorf("%s is neither a folder nor a file, so it cannot be copied", text.Name(name))
		}
		if files, size = files+1, size+info.Size(); files > maxFiles || size > maxBytes {
			return fmt.Errorf("it has more than %d files or %d MiB, which no skill has", maxFiles, maxBytes>>20)
		}
		return nil
	})
}
