package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"marketingskills/app/collection"
	"marketingskills/app/collection/facts"
	"marketingskills/app/collection/jsontree"
	"marketingskills/app/collection/plugin"
	"marketingskills/app/collection/registry"
	"marketingskills/app/collection/skill"
)

const readme = "README.md"

// The comments between which the table of skills stands, each on a line of its
// own. More words may follow in each.
const (
	begin = "<!-- skills:begin"
	end   = "<!-- skills:end"
)

// derive edits the files of a project that hold what follows from its skills. Its
// error names every file that cannot be brought in order, a line each.
func derive(p *project) error {
	c, _, err := load(p)
	if err != nil {
		return err
	}
	var problems []error
	for _, s := range c.Skills {
		if s.Description == "" || s.Version == "" {
			problems = append(problems,
				fmt.Errorf("skills/%s/SKILL.md: it has no description or no version; see go run ./tools/validate-skills", s.Dir))
		}
	}
	edit := func(name string, change func(old []byte) ([]byte, error)) {
		problems = append(problems, p.edit(name, change))
	}
	for _, s := range c.Skills {
		if s.Has(skill.MainFile) {
			edit("skills/"+s.Dir+"/"+skill.MainFile, func(old []byte) ([]byte, error) {
				made, err := collection.WithSecondLook(string(old), c.SecondLook)
				return []byte(made), err
			})
		}
	}
	for _, s := range c.Skills {
		if made := c.Facts.Text(s.Dir); made != "" {
			problems = append(problems, p.create("skills/"+s.Dir+"/"+facts.Reference, []byte(made)))
		}
	}
	edit(readme, func(old []byte) ([]byte, error) { return withTable(old, skillTable(c.Skills)) })
	if len(c.Tools.Tools) > 0 {
		edit(registry.File, func(old []byte) ([]byte, error) { return withTable(old, toolTable(c)) })
	}
	version := ""
	edit(plugin.Marketplace, func(old []byte) (made []byte, err error) {
		made, version, err = marketplaceJSON(old, len(c.Skills))
		return made, err
	})
	edit(plugin.Manifest, func(old []byte) ([]byte, error) { return pluginJSON(old, len(c.Skills), version) })
	return errors.Join(problems...)
}

// skillTable lists the skills for README.md.
func skillTable(skills []*collection.Skill) string {
	var table strings.Builder
	table.WriteString("\n| Skill | Version | What it does |\n| --- | --- | --- |\n")
	for _, s := range skills {
		fmt.Fprintf(&table, "| [%s](skills/%[1]s/SKILL.md) | %s | %s |\n", s.Dir, s.Version, escape.Replace(s.Description))
	}
	return table.String() + "\n"
}

// toolTable lists for the registry, by skill, the tools whose guides name it.
func toolTable(c *collection.Collection) string {
	var table strings.Builder
	table.WriteString("\n| Skill | Tools |\n| --- | --- |\n")
	for _, s := range c.Skills {
		var links []string
		for _, t := range c.Tools.For(s.Dir) {
			links = append(links, fmt.Sprintf("[%s](integrations/%s.md)", escape.Replace(t.Name), t.ID))
		}
		fmt.Fprintf(&table, "| [%s](../skills/%[1]s/SKILL.md) | %s |\n", s.Dir, cmp.Or(strings.Join(links, ", "), "–"))
	}
	return table.String() + "\n"
}

// withTable puts a table between the two comments of a file.
func withTable(old []byte, table string) ([]byte, error) {
	from, to := -1, -1 // below the one comment, above the other
	at, lineEnd := 0, "\n"
	for line := range bytes.Lines(old) {
		switch mark := strings.TrimSpace(string(line)); {
		case strings.HasPrefix(mark, begin) && from >= 0, strings.HasPrefix(mark, end) && to >= 0:
			return nil, fmt.Errorf("the line %s stands twice; keep one", mark)
		case strings.HasPrefix(mark, begin):
			from = at + len(line)
			if bytes.HasSuffix(line, []byte("\r\n")) {
				lineEnd = "\r\n"
			}
		case strings.HasPrefix(mark, end):
			to = at
		}
		at += len(line)
	}
	if from < 0 || to < from {
		return nil, fmt.Errorf("there is no place for the table; write the lines %s --> and %s --> where it should stand", begin, end)
	}
	return jsontree.Apply(old, jsontree.Edit{From: from, To: to, New: strings.ReplaceAll(table, "\n", lineEnd)}), nil
}

// escape keeps words of a description from being read as Markdown.
var escape = strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`)

// marketplaceJSON returns marketplace.json with the number of skills, its version at
// every plugin and no lists of skills, and that version.
func marketplaceJSON(old []byte, skills int) (changed []byte, version string, err error) {
	m, err := jsontree.Parse(old)
	if err != nil {
		return nil, "", err
	}
	for _, v := range []*jsontree.Value{m.At("metadata", "version"), m.At("version")} {
		if version == "" && v != nil {
			version = v.Text
		}
	}
	if version == "" {
		return nil, "", errors.New(`it has no version; add "metadata": {"version": "2.2.0"}, with the latest release`)
	}
	descriptions := []*jsontree.Value{m.At("metadata", "description"), m.At("description")}
	edits, err := counts(old, skills, descriptions...)
	if err != nil {
		return nil, "", err
	}
	if len(edits) == 0 {
		return nil, "", fmt.Errorf(`its description has no number of skills; write it as in "%d marketing skills"`, skills)
	}
	if plugins := m.At("plugins"); plugins != nil {
		for _, p := range plugins.Children {
			more, err := counts(old, skills, p.At("description"))
			if err != nil {
				return nil, "", err
			}
			edits = append(append(edits, more...), versions(p.At("version"), version)...)
		}
	}
	changed, err = withoutSkills(jsontree.Apply(old, edits...))
	return changed, version, err
}

// pluginJSON returns plugin.json with the number of skills and the version of the
// marketplace.
func pluginJSON(old []byte, skills int, version string) ([]byte, error) {
	m, err := jsontree.Parse(old)
	if err != nil || version == "" { // without one, the marketplace has a problem of its own
		return old, err
	}
	if m.At("version") == nil {
		return nil, fmt.Errorf(`it has no version; add "version": %q`, version)
	}
	edits, err := counts(old, skills, m.At("description"))
	return jsontree.Apply(old, append(edits, versions(m.At("version"), version)...)...), err
}

// versions writes a version into a value, which may be missing.
func versions(v *jsontree.Value, version string) []jsontree.Edit {
	if v == nil {
		return nil
	}
	return []jsontree.Edit{{From: v.Start, To: v.End, New: strconv.Quote(version)}}
}

// number is a number of skills, in figures or in words: "42 marketing skills",
// "Forty-two skills".
var number = regexp.MustCompile(`(?i)(?:^|[^\pL\pN,.-])(\d[\d,]*|(?:` + tens + `)(?:[ -](?:` + ones + `))?|` + ones +
	`|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen)(?:\s+[\pL-]+)?\s+skills?(?:$|[^\pL\pN-])`)

const (
	ones = `one|two|three|four|five|six|seven|eight|nine`
	tens = `twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety`
)

// counts writes the number of skills into the descriptions that have one.
func counts(data []byte, skills int, descriptions ...*jsontree.Value) ([]jsontree.Edit, error) {
	var edits []jsontree.Edit
	for _, d := range descriptions {
		if d == nil || d.Kind != jsontree.Text {
			continue
		}
		found := number.FindAllSubmatchIndex(data[d.Start+1:d.End-1], -1)
		if len(found) > 1 {
			return nil, fmt.Errorf("line %d: the description has more than one number of skills; keep one", d.Line)
		}
		for _, at := range found {
			edits = append(edits, jsontree.Edit{From: d.Start + 1 + at[2], To: d.Start + 1 + at[3], New: strconv.Itoa(skills)})
		}
	}
	return edits, nil
}

// withoutSkills removes the lists of skills from marketplace.json, one after
// the other.
func withoutSkills(data []byte) ([]byte, error) {
	for {
		m, err := jsontree.Parse(data)
		if err != nil {
			return nil, err
		}
		objects := []*jsontree.Value{m}
		if plugins := m.At("plugins"); plugins != nil {
			objects = append(objects, plugins.Children...)
		}
		i := slices.IndexFunc(objects, func(o *jsontree.Value) bool { return o.Kind == jsontree.Object && o.At("skills") != nil })
		if i < 0 {
			return data, nil
		}
		data = jsontree.Apply(data, without(objects[i], "skills"))
	}
}

// without removes the first member with a key, and the comma that belonged to
// it.
func without(o *jsontree.Value, key string) jsontree.Edit {
	i := slices.IndexFunc(o.Children, func(v *jsontree.Value) bool { return v.Key == key })
	edit := jsontree.Edit{From: o.Children[i].KeyStart, To: o.Children[i].End}
	if i+1 < len(o.Children) {
		edit.To = o.Children[i+1].KeyStart
	} else if i > 0 {
		edit.From = o.Children[i-1].End
	}
	return edit
}
