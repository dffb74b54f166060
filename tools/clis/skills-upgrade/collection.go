package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/text"
	"marketingskills/app/upgrade"
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
}

// openCollection returns the manifest of a collection, with the collection.
func (c *command) openCollection(dir string) (known, error) {
	full := dir
	if !filepath.IsAbs(full) {
		full = filepath.Join(c.dir, dir)
	}
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		return known{}, reason(err)
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
	if strings.HasPrefix(dir, "~") {
		dir = full // a folder of that name, not the home directory
	}
	k.from = &collection{dir, real}
	return k, nil
}

// skill is the real path of a skill's folder.
func (c *collection) skill(name string) string { return filepath.Join(c.real, "skills", name) }

// check makes sure that a skill is there, whole and in a version.
func (c *collection) check(name string, version manifest.Version) error {
	wrap := func(err error) error {
		return fmt.Errorf("the collection in %s: skills/%s: %w", text.Name(c.dir), name, err)
	}
	info, err := os.Lstat(c.skill(name))
	if err != nil {
		return wrap(reason(err))
	}
	if !info.IsDir() {
		return wrap(errors.New("it is not a folder"))
	}
	root, err := os.OpenRoot(c.skill(name))
	if err != nil {
		return wrap(reason(err))
	}
	defer root.Close()
	if err := checkContent(root, name, version); err != nil {
		return wrap(err)
	}
	return nil
}

func checkContent(root *os.Root, name string, version manifest.Version) error {
	if info, err := root.Lstat("SKILL.md"); err != nil {
		return fmt.Errorf("SKILL.md: %w", reason(err))
	} else if !info.Mode().IsRegular() {
		return errors.New("SKILL.md is not a file")
	}
	f, err := root.Open("SKILL.md")
	if err != nil {
		return fmt.Errorf("SKILL.md: %w", reason(err))
	}
	head, err := io.ReadAll(io.LimitReader(f, upgrade.HeadSize))
	f.Close()
	if err != nil {
		return fmt.Errorf("SKILL.md: %w", reason(err))
	}
	front, err := upgrade.ReadFrontmatter(head)
	switch {
	case err != nil:
		return err
	case front.Name != name:
		return fmt.Errorf("its SKILL.md has the name %s", text.Name(front.Name))
	case !version.Valid() || front.Version != string(version):
		return fmt.Errorf("its SKILL.md has version %s, VERSIONS.md says %s", text.Name(front.Version), text.Name(string(version)))
	}
	files, size := 0, int64(0)
	return fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", path.Base(name), reason(err))
		}
		info, err := e.Info()
		if err != nil {
			return fmt.Errorf("%s: %w", path.Base(name), reason(err))
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
