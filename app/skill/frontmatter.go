package skill

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"marketingskills/app/finding"
)

// frontmatterKeys are the top-level keys the agent-skills format knows.
var frontmatterKeys = []string{"name", "description", "license", "compatibility", "allowed-tools", "metadata"}

// readFrontmatter reads the fields into s. Its lines start at line 2 of the
// file.
func readFrontmatter(front string, s *Skill, list *finding.List) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(front), &doc); err != nil {
		line, what := yamlProblem(err)
		list.Errorf(line+1, "frontmatter-yaml", "write one field a line, as in other skills", "the frontmatter is not YAML: %s", what)
		return
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		list.Errorf(2, "frontmatter-yaml", "write one field a line, as in other skills", "the frontmatter holds no fields")
		return
	}
	f := frontmatter{skill: s, list: list}
	f.read(doc.Content[0])
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
	seen := map[string]bool{}
	for key, value := range pairs(fields) {
		line := key.Line + 1
		if seen[key.Value] {
			f.list.Errorf(line, "frontmatter-key", "keep one of the two", "the field %q stands twice", key.Value)
			continue
		}
		seen[key.Value] = true
		switch key.Value {
		case "name":
			f.skill.Name, f.nameLine = f.text(key, value), line
		case "description":
			f.skill.Description, f.descriptionLine = f.text(key, value), line
			f.quoted = value.Style == yaml.DoubleQuotedStyle || value.Style == yaml.SingleQuotedStyle
		case "license":
			f.skill.License = f.text(key, value)
		case "compatibility", "allowed-tools":
			f.text(key, value)
		case "metadata":
			f.metadataLine = line
			f.readMetadata(value)
		default:
			f.list.Errorf(line, "frontmatter-key", "use "+strings.Join(frontmatterKeys, ", ")+"; anything else goes into metadata", "%q is not a field of the format", key.Value)
		}
	}
}

// pairs walks the keys and values of a mapping.
func pairs(mapping *yaml.Node) func(func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		for i := 0; i+1 < len(mapping.Content); i += 2 {
			if !yield(mapping.Content[i], mapping.Content[i+1]) {
				return
			}
		}
	}
}

func (f *frontmatter) noFlow(n *yaml.Node) {
	if n.Style&yaml.FlowStyle != 0 && (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) {
		f.list.Errorf(n.Line+1, "frontmatter-flow", "write one key a line", "flow style ({a: b} or [a, b]) is refused by some agents")
	}
}

func (f *frontmatter) text(key, value *yaml.Node) string {
	f.noFlow(value)
	if value.Kind != yaml.ScalarNode || value.Tag != "!!str" {
		f.list.Errorf(value.Line+1, "frontmatter-text", "write it as text, in quotes where it looks like a number or a truth value", "%q must be text", key.Value)
		if value.Kind != yaml.ScalarNode {
			return ""
		}
	}
	return value.Value
}

func (f *frontmatter) readMetadata(value *yaml.Node) {
	f.noFlow(value)
	f.metadata = map[string]*yaml.Node{}
	if value.Kind != yaml.MappingNode {
		f.list.Errorf(value.Line+1, "metadata-text", "write one indented key a line", "metadata must be a map of text to text")
		return
	}
	for key, v := range pairs(value) {
		if f.metadata[key.Value] != nil {
			f.list.Errorf(key.Line+1, "frontmatter-key", "keep one of the two", "metadata has %q twice", key.Value)
			continue
		}
		if v.Kind != yaml.ScalarNode || v.Tag != "!!str" {
			f.list.Errorf(v.Line+1, "metadata-text", "put the value in quotes", "metadata %q must be text", key.Value)
		}
		if v.Kind == yaml.ScalarNode {
			f.metadata[key.Value] = v
		}
	}
}

func (f *frontmatter) checkName() {
	name, dir := f.skill.Name, f.skill.Dir
	switch {
	case name == "":
		f.list.Errorf(max(f.nameLine, 2), "name", "add name: "+dir, "the name is missing")
	case !validName(name):
		f.list.Errorf(f.nameLine, "name", fmt.Sprintf("use 1 to %d lower-case letters, digits and single hyphens", MaxName), "%q is not a valid name", name)
	case name != dir:
		f.list.Errorf(f.nameLine, "name-directory", "write name: "+dir+" or rename the directory", "the name %q differs from the directory %q", name, dir)
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
	case n > MaxDescription:
		f.list.Errorf(line, "description", fmt.Sprintf("stay within %d", MaxDescription), "the description has %d characters", n)
	case n < shortDescription || n > longDescription:
		f.list.Warnf(line, "description-length", fmt.Sprintf("write %d to %d, so that every client lists all skills whole", shortDescription, longDescription), "the description has %d characters", n)
	}
	if !f.quoted {
		f.list.Errorf(line, "description-quoted", "put it in quotes", "the description is not quoted, so a colon or a number sign in it would break it")
	}
	if strings.ContainsAny(d, "<>") {
		f.list.Errorf(line, "description", "leave out < and >", "the description holds an angle bracket, which some validators refuse")
	}
	if strings.ContainsFunc(d, func(r rune) bool { return r < ' ' }) {
		f.list.Errorf(line, "description", "write it on one line", "the description holds a line break or a control character")
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
		f.skill.VersionLine = n.Line + 1
	}
	f.skill.Title = get("title", "the name people read")
	f.skill.Category = get("category", Categories[0])
	if c := f.skill.Category; c != "" && !slices.Contains(Categories, c) {
		f.list.Errorf(f.metadata["category"].Line+1, "category", "use one of: "+strings.Join(Categories, ", "), "%q is not a category", c)
	}
	if n := f.metadata["keywords"]; n != nil {
		for word := range strings.SplitSeq(n.Value, ",") {
			if word = strings.TrimSpace(word); word != "" {
				f.skill.Keywords = append(f.skill.Keywords, word)
			}
		}
	}
}

var yamlLine = regexp.MustCompile(`line (\d+): `)

// yamlProblem takes the library's message apart: the line within the
// frontmatter and the bare complaint.
func yamlProblem(err error) (line int, what string) {
	what = strings.TrimPrefix(err.Error(), "yaml: ")
	if typeErr, ok := errors.AsType[*yaml.TypeError](err); ok && len(typeErr.Errors) > 0 {
		what = typeErr.Errors[0]
	}
	if m := yamlLine.FindStringSubmatchIndex(what); m != nil {
		line, _ = strconv.Atoi(what[m[2]:m[3]])
		what = what[:m[0]] + what[m[1]:]
	}
	return max(line, 1), what
}
