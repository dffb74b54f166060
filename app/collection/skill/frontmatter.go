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
	f := frontmatter{skill: s, list: list}
	f.read(doc)
	f.checkName()
	f.checkDescription()
	f.checkMetadata()
}

type frontmatter struct {
	skill *Skill
	list  *finding.List

	nameLine, descriptionLine, metadataLine int
	quoted                                  bool
	// metadata holds the keys that were read, so that a missing one and an
	// empty one read alike.
	metadata map[string]*yaml.Node
}

func (f *frontmatter) read(fields *yaml.Node) {
	f.noFlow(fields)
	for key, value := range f.pairs(fields, "the frontmatter") {
		switch key.Value {
		case "name":
			f.skill.Name, f.nameLine = f.text(key, value), key.Line
		case "description":
			f.skill.Description, f.descriptionLine = f.text(key, value), key.Line
			f.quoted = value.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0
		case "compatibility":
			if n := utf8.RuneCountInString(f.text(key, value)); n < 1 || n > maxCompatibility {
				f.list.Errorf(key.Line, "compatibility", fmt.Sprintf("write 1 to %d, or remove the field", maxCompatibility),
					"compatibility has %d characters", n)
			}
		case "license", "allowed-tools":
			f.text(key, value)
		case "metadata":
			f.metadataLine = key.Line
			f.readMetadata(key, value)
		default:
			f.list.Errorf(key.Line, "frontmatter-key", "use "+strings.Join(frontmatterKeys, ", ")+"; anything else goes into metadata",
				"%q is not a field of the format", key.Value)
		}
	}
}

// pairs walks the keys and values of a mapping, the first of each key, and
// reports keys that come again.
func (f *frontmatter) pairs(mapping *yaml.Node, of string) func(func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		seen := map[string]bool{}
		for i := 0; i+1 < len(mapping.Content); i += 2 {
			key := mapping.Content[i]
			if seen[key.Value] {
				f.list.Errorf(key.Line, "frontmatter-key", "keep one of the two", "%s has %q twice", of, key.Value)
				continue
			}
			seen[key.Value] = true
			if !yield(key, mapping.Content[i+1]) {
				return
			}
		}
	}
}

func (f *frontmatter) noFlow(n *yaml.Node) {
	if n.Style&yaml.FlowStyle != 0 && (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) {
		f.list.Errorf(n.Line, "frontmatter-flow", "write one key a line", "flow style ({a: b} or [a, b]) is refused by some agents")
	}
}

func (f *frontmatter) text(key, value *yaml.Node) string {
	f.noFlow(value)
	if !isText(value) {
		f.list.Errorf(key.Line, "frontmatter-text", "write it as text, in quotes where it looks like a number or a truth value",
			"%q must be text", key.Value)
	}
	f.oneLine(key, value)
	return value.Value
}

// isText tells text from numbers, truth values, nothing at all, lists and
// maps.
func isText(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!str" }

// oneLine reports what would break the lists, pages and terminals that show
// the value.
func (f *frontmatter) oneLine(key, value *yaml.Node) {
	if strings.ContainsFunc(value.Value, func(r rune) bool { return unicode.IsControl(r) || isLineBreak(r) }) {
		f.list.Errorf(key.Line, "frontmatter-text", "write it on one line, without control characters",
			"%q holds a line break or a control character", key.Value)
	}
}

func (f *frontmatter) readMetadata(field, value *yaml.Node) {
	f.noFlow(value)
	f.metadata = map[string]*yaml.Node{}
	if value.Kind != yaml.MappingNode {
		f.list.Errorf(field.Line, "metadata-text", "write one indented key a line", "metadata must be a map of text to text")
		return
	}
	for key, v := range f.pairs(value, "metadata") {
		if !isText(v) {
			f.list.Errorf(key.Line, "metadata-text", "put the value in quotes", "metadata %q must be text", key.Value)
		}
		if v.Kind == yaml.ScalarNode {
			f.oneLine(key, v)
			f.metadata[key.Value] = v
		}
	}
}

func (f *frontmatter) checkName() {
	name, dir := f.skill.Name, f.skill.Dir
	line := max(f.nameLine, 2)
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
	d := f.skill.Description
	n := utf8.RuneCountInString(d)
	line := max(f.descriptionLine, 2)
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
	if !f.quoted {
		f.list.Errorf(line, "description-quoted", "put it in quotes",
			"the description is not quoted, so a colon or a number sign in it would break it")
	}
	if strings.ContainsAny(d, "<>") {
		f.list.Errorf(line, "description", "leave out < and >", "the description holds an angle bracket, which some validators refuse")
	}
}

func (f *frontmatter) checkMetadata() {
	line := max(f.metadataLine, 2)
	get := func(key, example string) string {
		if n := f.metadata[key]; n != nil && strings.TrimSpace(n.Value) != "" {
			return n.Value
		}
		f.list.Errorf(line, "metadata", "add "+key+": "+example+" below metadata", "metadata has no %s", key)
		return ""
	}
	f.skill.Version = get("version", `"1.0.0"`)
	if n := f.metadata["version"]; n != nil {
		f.skill.VersionLine = n.Line
	}
	f.skill.Title = get("title", "the name people read")
	f.skill.Category = get("category", Categories[0])
	if c := f.skill.Category; c != "" && !slices.Contains(Categories, c) {
		f.list.Errorf(f.metadata["category"].Line, "category", "use one of: "+strings.Join(Categories, ", "), "%q is not a category", c)
	}
	if n := f.metadata["keywords"]; n != nil {
		f.skill.KeywordsLine = n.Line
		for word := range strings.SplitSeq(n.Value, ",") {
			if word = strings.TrimSpace(word); word != "" {
				f.skill.Keywords = append(f.skill.Keywords, word)
			}
		}
	}
}
