// Package collection reads the whole collection from a file system: every
// skill and the manifest. It checks what no single file can tell: that
// directories and manifest rows match, that links and skill names lead
// somewhere, that each text has the parts the specification asks of it, and
// that checked examples hold.
//
// Load is the one way in. What it returns is complete as far as the files
// allow, and every problem is a finding; it fails only when there is no
// collection to read.
package collection

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/manifest/versionsfile"
	"marketingskills/app/collection/skill"
	"marketingskills/app/text"
)

const (
	skillsDir    = "skills"
	manifestFile = manifest.File
	// maxDescriptions is the room for all descriptions together, in
	// characters: the best-known client lists them whole within 1% of its
	// context, about 8,000, names included.
	maxDescriptions = 7000
	maxManifest     = 4 << 20
)

// projectFiles stand in skills/ for those who write skills: how to, what tries
// and requests showed.
var projectFiles = []string{"WRITING.md", "TRYOUTS.md", "TRIGGERS.md"}

// Collection is everything the files state, skills in order of their names.
type Collection struct {
	Skills   []*Skill
	Manifest *manifest.Manifest
}

// Skill is one skill as its files state it.
type Skill = skill.Skill

// Text is one Markdown file of a skill.
type Text = skill.Text

// Skill returns the skill with that name, nil when there is none.
func (c *Collection) Skill(name string) *Skill {
	i, ok := slices.BinarySearchFunc(c.Skills, name, func(s *Skill, name string) int {
		return strings.Compare(s.Dir, name)
	})
	if !ok {
		return nil
	}
	return c.Skills[i]
}

// DescriptionCharacters returns how many characters the descriptions have
// together.
func (c *Collection) DescriptionCharacters() int {
	n := 0
	for _, s := range c.Skills {
		n += len([]rune(s.Description))
	}
	return n
}

// Load reads the collection whose root fsys is. It fails when the directory of
// skills cannot be listed; the error wraps the reason.
func Load(fsys fs.FS) (*Collection, []finding.Finding, error) {
	entries, err := fs.ReadDir(fsys, skillsDir)
	if err != nil {
		return nil, nil, fmt.Errorf("listing the directory %s: %w", skillsDir, finding.Cause(err))
	}
	c := &Collection{}
	var findings []finding.Finding
	for _, e := range entries {
		name := path.Join(skillsDir, e.Name())
		switch {
		case e.Type().IsRegular() && slices.Contains(projectFiles, e.Name()):
		case e.IsDir():
			s, found := skill.Load(fsys, name)
			findings = append(findings, found...)
			c.Skills = append(c.Skills, s)
		default:
			list := &finding.List{File: name}
			what := "a file"
			if e.Type()&fs.ModeSymlink != 0 {
				what = "a symbolic link"
			}
			list.Errorf(0, "plain-files", "keep only the directories of skills here", "this is %s, not the directory of a skill", what)
			findings = append(findings, list.All...)
		}
	}
	slices.SortFunc(c.Skills, func(a, b *Skill) int { return strings.Compare(a.Dir, b.Dir) })
	m, found := loadManifest(fsys)
	c.Manifest = m
	findings = append(findings, found...)
	findings = append(findings, c.checkVersions()...)
	findings = append(findings, c.checkTexts()...)
	findings = append(findings, c.checkKeywords()...)
	if n := c.DescriptionCharacters(); n > maxDescriptions {
		list := &finding.List{File: skillsDir}
		list.Errorf(0, "descriptions-total", fmt.Sprintf("stay within %d, or agents drop some without a word", maxDescriptions),
			"all descriptions together have %d characters", n)
		findings = append(findings, list.All...)
	}
	finding.Sort(findings)
	return c, findings, nil
}

func loadManifest(fsys fs.FS) (*manifest.Manifest, []finding.Finding) {
	data, list := readSmall(fsys, manifestFile, maxManifest)
	m, found := versionsfile.Parse(data)
	if len(list.All) > 0 {
		return m, list.All
	}
	return m, found
}

// readSmall reads a file of at most limit bytes and says why it could not.
func readSmall(fsys fs.FS, name string, limit int64) ([]byte, *finding.List) {
	list := &finding.List{File: name}
	info, err := fs.Stat(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		list.Errorf(0, "unreadable", "add it", "there is no such file")
		return nil, list
	case err != nil:
		list.Errorf(0, "unreadable", "make the file readable", "the file cannot be read: %v", finding.Cause(err))
		return nil, list
	case !info.Mode().IsRegular():
		// Reading a pipe or a device might never end.
		list.Errorf(0, "unreadable", "put a plain file in its place", "this is not a file")
		return nil, list
	case info.Size() > limit:
		list.Errorf(0, "file-size", fmt.Sprintf("stay within %d KiB", limit>>10), "the file has %d KiB and was not read", info.Size()>>10)
		return nil, list
	}
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		list.Errorf(0, "unreadable", "make the file readable", "the file cannot be read: %v", finding.Cause(err))
	}
	return data, list
}

// Related returns, for every skill, the skills that its SKILL.md names in
// backticks, in the order of the text.
func (c *Collection) Related() map[string][]string {
	related := map[string][]string{}
	for _, s := range c.Skills {
		main, _ := s.Text(skill.Main)
		for _, code := range main.Doc.Codes {
			if code.Text != s.Dir && c.Skill(code.Text) != nil && !slices.Contains(related[s.Dir], code.Text) {
				related[s.Dir] = append(related[s.Dir], code.Text)
			}
		}
	}
	return related
}

// checkKeywords reports a keyword that leads to two skills, or twice to one.
func (c *Collection) checkKeywords() []finding.Finding {
	var findings []finding.Finding
	owner := map[string]string{}
	for _, s := range c.Skills {
		list := listOf(s, skill.Main)
		for _, keyword := range s.Keywords {
			key := strings.Join(strings.Fields(strings.ToLower(keyword)), " ")
			if other, taken := owner[key]; taken {
				list.Errorf(s.KeywordsLine, "keyword-repeated", "keep it where it fits best",
					"the keyword %s stands in %s already", text.Quote(keyword), other)
				continue
			}
			owner[key] = s.Dir
		}
		findings = append(findings, list.All...)
	}
	return findings
}
