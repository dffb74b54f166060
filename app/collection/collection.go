// Package collection reads the whole collection from a file system: every
// skill, VERSIONS.md, the ledger of facts, and the registry of tools. The
// packages below it each read one kind of file and check what that file alone
// can tell. This one checks what takes several: that directories and rows of
// VERSIONS.md match, that links and skill names lead somewhere, that each text
// has the parts that docs/rules.md asks of it, and that checked examples hold.
//
// [Load] is the entry point. What it returns is complete as far as the files
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
	// maxDescriptions is the most characters of all descriptions together. The
	// best-known client lists them whole within 1% of its context, which is
	// about 8,000 characters, names included.
	maxDescriptions = 7000
)

// otherFiles and otherDirs are what skills/ may hold beside skills: texts for
// those who write skills, the data of trials, and the ledger of facts.
var (
	otherFiles = []string{"WRITING.md", "LOOK.md", "TRYOUTS.md", "TRIGGERS.md"}
	otherDirs  = []string{"tryouts", path.Base(facts.Dir)}
)

// Collection is what the files say.
type Collection struct {
	// Skills are sorted by name.
	Skills []*Skill
	// Manifest is VERSIONS.md.
	Manifest *manifest.Manifest
	// Tools is empty where there is no directory tools/.
	Tools *registry.Registry
	// SecondLook is the section of skills/LOOK.md that every SKILL.md repeats,
	// from its heading on; "" when it could not be read.
	SecondLook string
	// Facts is the ledger of facts that the skills use.
	Facts facts.Ledger
	// Vendors are the tables of the command vendors, by the ID of their tool.
	Vendors map[string]*vendor.Table
	// Unreleased is what VERSIONS.md collects for the next release, nil when
	// there is no such entry.
	Unreleased *versionsfile.Unreleased
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
	l := &loader{collection: &Collection{}}
	for _, e := range entries {
		name := path.Join(skillsDir, e.Name())
		switch {
		case e.Type().IsRegular() && slices.Contains(otherFiles, e.Name()):
		case e.IsDir() && slices.Contains(otherDirs, e.Name()):
		case e.IsDir():
			s, found := skill.Load(fsys, name)
			l.report.Add(found)
			l.collection.Skills = append(l.collection.Skills, s)
		default:
			what := "a file"
			if e.Type()&fs.ModeSymlink != 0 {
				what = "a symbolic link"
			}
			l.report.On(name).Errorf(0, "plain-files", "keep only the directories of skills here", "this is %s, not the directory of a skill", what)
		}
	}
	slices.SortFunc(l.collection.Skills, func(a, b *Skill) int { return strings.Compare(a.Dir, b.Dir) })
	l.collection.SecondLook = l.readSecondLook(fsys)
	ledger, found := facts.Load(fsys, func(name string) bool { return l.collection.Skill(name) != nil })
	l.report.Add(found)
	l.collection.Facts = ledger
	l.collection.Manifest = l.readManifest(fsys)
	l.report.Add(plugin.Check(fsys, string(versionsfile.NewestVersion(l.collection.Manifest))))
	tools, found := registry.Load(fsys)
	l.report.Add(found)
	l.collection.Tools = tools
	l.readVendors(fsys)
	l.checkVersions()
	l.checkTexts()
	l.checkKeywords()
	if n := l.collection.DescriptionCharacters(); n > maxDescriptions {
		l.report.On(skillsDir).Errorf(0, "descriptions-total", fmt.Sprintf("stay within %d, or agents drop some without a word", maxDescriptions),
			"all descriptions together have %d characters", n)
	}
	return l.collection, l.report.All(), nil
}

// loader reads a collection, and reports what is wrong with it.
type loader struct {
	collection *Collection
	report     finding.Report
}

// listFor returns a list for findings about a file of a skill.
func (l *loader) listFor(s *Skill, file string) *finding.List {
	return l.report.On(path.Join(skillsDir, s.Dir, file))
}

// readManifest reads VERSIONS.md. When it cannot be read, the manifest is empty.
func (l *loader) readManifest(fsys fs.FS) *manifest.Manifest {
	data, ok := l.report.On(manifestFile).Read(fsys, manifest.MaxSize, "add it")
	if !ok {
		return manifest.New(nil, nil, nil)
	}
	m, unreleased, found := versionsfile.ParseWithUnreleased(data)
	l.report.Add(found)
	l.collection.Unreleased = unreleased
	return m
}

// lastWord is the last word of a clause.
var lastWord = regexp.MustCompile(`([a-z-]+)[.;]`)

// Related returns, for every skill, the skills to which its description sends
// the reader, in the order of the text: each is the last word of a clause, as in
// "For inbox flows: emails."
func (c *Collection) Related() map[string][]string {
	related := map[string][]string{}
	for _, s := range c.Skills {
		for _, match := range lastWord.FindAllStringSubmatch(s.Description, -1) {
			if name := match[1]; name != s.Dir && c.Skill(name) != nil && !slices.Contains(related[s.Dir], name) {
				related[s.Dir] = append(related[s.Dir], name)
			}
		}
	}
	return related
}

// checkKeywords reports keywords that two skills have, or one has twice.
func (l *loader) checkKeywords() {
	owner := map[string]string{}
	for _, s := range l.collection.Skills {
		list := l.listFor(s, skill.MainFile)
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
