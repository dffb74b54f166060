package skill

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"marketingskills/app/collection/finding"
	"marketingskills/app/text"
)

// frontmatterKeys are the top-level keys the agent-skills format knows.
var frontmatterKeys = []string{"name", "description", "license", "compatibility", "allowed-tools", "metadata"}

// oneField is the advice on frontmatter that is not YAML at all.
const oneField = "write one field a line, as in other skills"

// readFrontmatter reads the fields into s. Its first line is line 2 of the
// file.
func readFrontmatter(front string, s *Skill, list *finding.List) {
	front = oneKindOfLine(front, list)
	doc, err := parseYAML(front)
	if err != nil {
		line, what := yamlProblem(front, err)
		list.Errorf(line, "frontmatter-yaml", oneField, "the frontmatter is not YAML: %s", what)
		return
	}
	if doc.Kind != yaml.MappingNode {
		list.Errorf(2, "frontmatter-yaml", oneField, "the frontmatter holds no fields")
		return
	}
	f := frontmatter{skill: s, list: list, top: map[string]field{}, metadata: map[string]field{}}
	f.noFlow(doc)
	for _, m := range f.members(doc, "the frontmatter") {
		switch {
		case !slices.Contains(frontmatterKeys, m.name):
			list.Errorf(m.line, "frontmatter-key", "use "+strings.Join(frontmatterKeys, ", ")+"; anything else goes into metadata",
				"%q is not a field of the format", m.name)
		case m.name == "metadata":
			f.readMetadata(m)
		default:
			f.checkText(m)
		}
		f.top[m.name] = m
	}
	f.checkName()
	f.checkDescription()
	f.checkCompatibility()
	f.checkMetadata()
}

// field is a key and its value, on the line of the key.
type field struct {
	name string
	line int
	*yaml.Node
}

// frontmatter holds the fields that were read, by name.
type frontmatter struct {
	skill         *Skill
	list          *finding.List
	top, metadata map[string]field
}

// get returns the value of a field at the top and its line; "" and that of the
// first field if it is missing.
func (f *frontmatter) get(name string) (value string, line int) {
	if m, ok := f.top[name]; ok {
		return m.Value, m.line
	}
	return "", 2
}

// members returns the fields of a mapping, the first of each name, and reports
// those that come again.
func (f *frontmatter) members(mapping *yaml.Node, of string) []field {
	var all []field
	seen := map[string]bool{}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		m := field{mapping.Content[i].Value, mapping.Content[i].Line, mapping.Content[i+1]}
		if seen[m.name] {
			f.list.Errorf(m.line, "frontmatter-key", "keep one of the two", "%s has %q twice", of, m.name)
			continue
		}
		seen[m.name] = true
		all = append(all, m)
	}
	return all
}

func (f *frontmatter) noFlow(n *yaml.Node) {
	if n.Style&yaml.FlowStyle != 0 && (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) {
		f.list.Errorf(n.Line, "frontmatter-flow", "write one key a line", "flow style ({a: b} or [a, b]) is refused by some agents")
	}
}

func (f *frontmatter) checkText(m field) {
	f.noFlow(m.Node)
	if !isText(m.Node) {
		f.list.Errorf(m.line, "frontmatter-text", "write it as text, in quotes where it looks like a number or a truth value",
			"%q must be text", m.name)
	}
	f.checkLine(m)
}

// isText tells text from numbers, truth values, nothing at all, lists and
// maps.
func isText(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!str" }

// checkLine reports what would break the lists, pages and terminals that show
// the value.
func (f *frontmatter) checkLine(m field) {
	if strings.ContainsFunc(m.Value, func(r rune) bool { return unicode.IsControl(r) || isLineBreak(r) }) {
		f.list.Errorf(m.line, "frontmatter-text", "write it on one line, without control characters",
			"%q holds a line break or a control character", m.name)
	}
}

func (f *frontmatter) readMetadata(metadata field) {
	f.noFlow(metadata.Node)
	if metadata.Kind != yaml.MappingNode {
		f.list.Errorf(metadata.line, "metadata-text", "write one indented key a line", "metadata must be a map of text to text")
		return
	}
	for _, m := range f.members(metadata.Node, "metadata") {
		if !isText(m.Node) {
			f.list.Errorf(m.line, "metadata-text", "put the value in quotes", "metadata %q must be text", m.name)
		}
		if m.Kind == yaml.ScalarNode {
			f.checkLine(m)
			f.metadata[m.name] = m
		}
	}
}

func (f *frontmatter) checkName() {
	name, line := f.get("name")
	dir := f.skill.Dir
	f.skill.Name = name
	switch {
	case !text.IsSkillName(dir):
		f.list.Errorf(line, "name-directory", "rename the directory: "+rightName, "the directory %q cannot be the name of a skill", dir)
	case name == "":
		f.list.Errorf(line, "name", "add name: "+dir, "the name is missing")
	case !text.IsSkillName(name):
		f.list.Errorf(line, "name", rightName, "%q is not a valid name", name)
	case name != dir:
		f.list.Errorf(line, "name-directory", "write name: "+dir+" or rename the directory",
			"the name %q differs from the directory %q", name, dir)
	}
}

func (f *frontmatter) checkDescription() {
	d, line := f.get("description")
	f.skill.Description = d
	n := utf8.RuneCountInString(d)
	switch {
	case strings.TrimSpace(d) == "":
		f.list.Errorf(line, "description", "say what the skill does and when to use it", "the description is missing")
		return
	case n > maxDescription:
		f.list.Errorf(line, "description", fmt.Sprintf("stay within %d", maxDescription), "the description has %d characters", n)
	case n < shortDescription || n > longDescription:
		f.list.Warnf(line,
			"description-length", fmt.Sprintf("write %d to %d, so that every client lists all skills whole", shortDescription, longDescription),
			"the description has %d characters", n)
	}
	if f.top["description"].Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 {
		f.list.Errorf(line, "description-quoted", "put it in quotes",
			"the description is not quoted, so a colon or a number sign in it would break it")
	}
	if strings.ContainsAny(d, "<>") {
		f.list.Errorf(line, "description", "leave out < and >", "the description holds an angle bracket, which some validators refuse")
	}
}

func (f *frontmatter) checkCompatibility() {
	_, given := f.top["compatibility"]
	value, line := f.get("compatibility")
	if n := utf8.RuneCountInString(value); given && (n < 1 || n > maxCompatibility) {
		f.list.Errorf(line, "compatibility", fmt.Sprintf("write 1 to %d, or remove the field", maxCompatibility),
			"compatibility has %d characters", n)
	}
}

func (f *frontmatter) checkMetadata() {
	_, line := f.get("metadata")
	get := func(key, example string) string {
		if m, ok := f.metadata[key]; ok && strings.TrimSpace(m.Value) != "" {
			return m.Value
		}
		f.list.Errorf(line, "metadata", "add "+key+": "+example+" below metadata", "metadata has no %s", key)
		return ""
	}
	f.skill.Version = get("version", `"1.0.0"`)
	if m, ok := f.metadata["version"]; ok {
		f.skill.VersionLine = m.Line
	}
	f.skill.Title = get("title", "the name people read")
	f.skill.Category = get("category", Categories[0])
	if c := f.skill.Category; c != "" && !slices.Contains(Categories, c) {
		f.list.Errorf(f.metadata["category"].Line, "category", "use one of: "+strings.Join(Categories, ", "), "%q is not a category", c)
	}
	if m, ok := f.metadata["keywords"]; ok {
		f.skill.KeywordsLine = m.Line
		for word := range strings.SplitSeq(m.Value, ",") {
			if word = strings.TrimSpace(word); word != "" {
				f.skill.Keywords = append(f.skill.Keywords, word)
			}
		}
	}
}
