// Package collection reads the whole collection from a file system: every
// skill, the manifest, and the registry of tools. It checks what no single file
// can tell: that directories and manifest rows match, that links and skill names
// lead somewhere, that each text has the parts docs/rules.md asks of it, and
// that checked examples hold.
//
// Load is the one way in. What it returns is complete as far as the files
// allow, and every problem is a finding; it fails only when there is no
// collection to read.
package collection

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"marketingskills/app/collection/facts"
	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/manifest/versionsfile"
	"marketingskills/app/collection/plugin"
	"marketingskills/app/collection/registry"
	"marketingskills/app/collection/skill"
	"marketingskills/app/collection/vendor"
	"marketingskills/app/text"
)

const (
	skillsDir    = "skills"
	manifestFile = manifest.File
	// maxDescriptions is the room for all descriptions together, in
	// characters: the best-known client lists them whole within 1% of its
	// context, about 8,000, names included.
	maxDescriptions = 7000
)

// projectFiles stand in skills/ for those who write skills: how to, the text
// that all have, what tries and requests showed.
var projectFiles = []string{"WRITING.md", "LOOK.md", "TRYOUTS.md", "TRIGGERS.md"}

// dataDirs are folders in skills/ that are no skills.
var dataDirs = []string{"tryouts", path.Base(facts.Dir)}

// Collection is everything the files state, skills in order of their
// names. Tools is empty where there is no directory tools/.
type Collection struct {
	Skills   []*Skill
	Manifest *manifest.Manifest
	Tools    *registry.Registry
	// Look is the section that every SKILL.md repeats, from its heading on; ""
	// where it could not be read.
	Look string
	// Facts is the ledger of facts that the skills use.
	Facts facts.Ledger
	// Vendors are the tables of the command vendors, by the ID of their tool.
	Vendors map[string]*vendor.Table
	// Next is what VERSIONS.md collects for the next release, nil for nothing.
	Next *versionsfile.Next
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
	c := &checks{Collection: &Collection{}}
	for _, e := range entries {
		name := path.Join(skillsDir, e.Name())
		switch {
		case e.Type().IsRegular() && slices.Contains(projectFiles, e.Name()):
		case e.IsDir() && slices.Contains(dataDirs, e.Name()):
		case e.IsDir():
			s, found := skill.Load(fsys, name)
			c.Add(found)
			c.Skills = append(c.Skills, s)
		default:
			what := "a file"
			if e.Type()&fs.ModeSymlink != 0 {
				what = "a symbolic link"
			}
			c.On(name).Errorf(0, "plain-files", "keep only the directories of skills here", "this is %s, not the directory of a skill", what)
		}
	}
	slices.SortFunc(c.Skills, func(a, b *Skill) int { return strings.Compare(a.Dir, b.Dir) })
	c.Look = c.readLook(fsys)
	ledger, found := facts.Load(fsys, func(name string) bool { return c.Skill(name) != nil })
	c.Add(found)
	c.Facts = ledger
	c.Manifest = c.readManifest(fsys)
	c.Add(plugin.Check(fsys, string(versionsfile.Newest(c.Manifest))))
	tools, found := registry.Load(fsys)
	c.Add(found)
	c.Tools = tools
	c.vendors(fsys)
	c.versions()
	c.texts()
	c.keywords()
	if n := c.DescriptionCharacters(); n > maxDescriptions {
		c.On(skillsDir).Errorf(0, "descriptions-total", fmt.Sprintf("stay within %d, or agents drop some without a word", maxDescriptions),
			"all descriptions together have %d characters", n)
	}
	return c.Collection, c.All(), nil
}

// checks are what is asked of a collection, and what was found.
type checks struct {
	*Collection
	finding.Report
}

// of returns a list for findings about a file of a skill.
func (c *checks) of(s *Skill, file string) *finding.List {
	return c.On(path.Join(skillsDir, s.Dir, file))
}

// readManifest returns what VERSIONS.md says; nothing, with a finding, when it
// cannot be read.
func (c *checks) readManifest(fsys fs.FS) *manifest.Manifest {
	data, ok := c.On(manifestFile).Read(fsys, manifest.MaxSize, "add it")
	if !ok {
		return manifest.New(nil, nil, nil)
	}
	m, next, found := versionsfile.Read(data)
	c.Add(found)
	c.Next = next
	return m
}

var clauseEnd = regexp.MustCompile(`([a-z-]+)[.;]`)

// Related returns, for every skill, the skills to which its description hands
// over, in their order: each ends a clause, as in "For inbox flows: emails."
func (c *Collection) Related() map[string][]string {
	related := map[string][]string{}
	for _, s := range c.Skills {
		for _, match := range clauseEnd.FindAllStringSubmatch(s.Description, -1) {
			if name := match[1]; name != s.Dir && c.Skill(name) != nil && !slices.Contains(related[s.Dir], name) {
				related[s.Dir] = append(related[s.Dir], name)
			}
		}
	}
	return related
}

// keywords reports a keyword that leads to two skills, or twice to one.
func (c *checks) keywords() {
	owner := map[string]string{}
	for _, s := range c.Skills {
		list := c.of(s, skill.Main)
		for _, keyword := range s.Keywords {
			key := strings.Join(strings.Fields(strings.ToLower(keyword)), " ")
			if other, taken := owner[key]; taken {
				list.Errorf(s.KeywordsLine, "keyword-repeated", "keep it where it fits best",
					"the keyword %s stands in %s already", text.Quote(keyword), other)
				continue
			}
			owner[key] = s.Dir
		}
	}
}
