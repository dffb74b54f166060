package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"marketingskills"
	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/manifest/versionsfile"
	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/scan"
	"marketingskills/tools/clis/skills-upgrade/internal/backup"
)

// maxManifest is the most bytes of a manifest.
const maxManifest = 4 << 20

// source is what installed skills are compared with.
type source struct {
	manifest *manifest.Manifest
	// name says where the manifest comes from.
	name string
	// doubts says what is not in order about it; empty for nothing.
	doubts string
	// collection is the copy to install from; nil for none.
	collection *collection
}

// String names the manifest, as in "VERSIONS.md 2.2.0 of 2026-05-26, built in".
func (s source) String() string {
	name := manifest.File
	if release, ok := s.manifest.Latest(); ok {
		name += " " + release.Name()
		if release.Version != "" {
			name += " of " + release.Date
		}
	}
	return text.Printable(name + ", " + s.name)
}

// openSource reads the manifest that the options name and, with --from, the
// collection.
func (c *command) openSource() (source, error) {
	o := c.options
	switch {
	case o.from != "":
		s, err := c.openCollection(o.from)
		if err != nil {
			err = fmt.Errorf("reading the collection in %s: %w", text.Name(o.from), err)
		}
		return s, err
	case o.manifest != "":
		s, err := readManifest(o.manifest, "from "+text.Name(o.manifest))
		if err != nil {
			err = fmt.Errorf("reading VERSIONS.md from %s: %w", text.Name(o.manifest), err)
		}
		return s, err
	}
	return builtIn()
}

func builtIn() (source, error) {
	data, err := marketingskills.Content.ReadFile(manifest.File)
	if err != nil {
		return source{}, err
	}
	return parseManifest(data, "built in")
}

func readManifest(file, name string) (source, error) {
	f, err := os.Open(file)
	if err != nil {
		return source{}, scan.Reason(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return source{}, errors.New("this is a folder; name the file VERSIONS.md in it")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	if err != nil {
		return source{}, scan.Reason(err)
	}
	return parseManifest(data, name)
}

func parseManifest(data []byte, name string) (source, error) {
	if len(data) > maxManifest {
		return source{}, errors.New("it is larger than 4 MiB, which no VERSIONS.md is")
	}
	m, findings := versionsfile.Parse(data)
	if len(m.Rows) == 0 {
		return source{}, errors.New("this is not a VERSIONS.md: it has no table of skills and versions")
	}
	s := source{manifest: m, name: name}
	if len(findings) > 0 {
		s.doubts = fmt.Sprintf("VERSIONS.md has %s; the first: %s.",
			text.Count(len(findings), "problem"), strings.TrimSuffix(text.Printable(findings[0].String()), "."))
	}
	return s, nil
}

// collection is a local copy of the collection.
type collection struct {
	// label is what the person calls it, real its path.
	label, real string
	// skills are the folders in skills/ by their names.
	skills map[string]upgrade.Folder
}

// openCollection returns the manifest of a collection, with the collection.
func (c *command) openCollection(dir string) (source, error) {
	full, label := c.path(dir)
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		return source{}, scan.Reason(err)
	}
	if info, err := os.Stat(filepath.Join(real, "skills")); err != nil || !info.IsDir() {
		return source{}, errors.New("it has no skills folder; give the folder that contains skills/ and VERSIONS.md")
	}
	s, err := readManifest(filepath.Join(real, manifest.File), "from "+text.Name(dir))
	if err != nil {
		return source{}, fmt.Errorf("%s: %w", manifest.File, err)
	}
	s.collection = &collection{label, real, map[string]upgrade.Folder{}}
	for _, f := range scan.Place(os.DirFS(real), "skills", label, scan.Options{}).Folders {
		s.collection.skills[f.Name] = f
	}
	return s, nil
}

// skill is the real path of a skill's folder.
func (c *collection) skill(name string) string { return filepath.Join(c.real, "skills", name) }

// check makes sure that a skill is there, in a version, and can be copied.
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
		err = backup.Copyable(os.DirFS(c.skill(name)))
	}
	if err != nil {
		return fmt.Errorf("the collection in %s: skills/%s: %w", text.Name(c.label), name, scan.Reason(err))
	}
	return nil
}
