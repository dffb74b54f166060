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

// mapping is one of the two mappings of the frontmatter.
type mapping struct {
	name string       // in findings
	rule finding.Rule // what is asked of its keys
	keys []string
}

var (
	// topLevel has the keys of the agent-skills format.
	topLevel = mapping{
		"the top level", "frontmatter-key",
		[]string{"name", "description", "license", "compatibility", "allowed-tools", "metadata"},
	}
	// metadata may hold any text in the agent-skills format. Here it has these
	// keys only, so that one that is misspelt is not passed over.
	metadata = mapping{"metadata", "metadata-key", []string{"version", "title", "category", "keywords"}}
)

// oneField is the advice on frontmatter that is not YAML at all.
const oneField = "write one field a line, as in other skills"

// readFrontmatter reads the fields into s. Its first line is line 2 of the
// file.
func readFrontmatter(front string, s *Skill, list *finding.List) {
	front = normalLineBreaks(front, list)
	doc, err := parseYAML(front)
	if err != nil {
		line, what := locateYAMLError(front, err)
		list.Errorf(line, "frontmatter-yaml", oneField, "the frontmatter is not YAML: %s", what)
		return
	}
	if doc.Kind != yaml.MappingNode {
		list.Errorf(2, "frontmatter-yaml", oneField, "the frontmatter holds no fields")
		return
	}
	r := frontmatterReader{skill: s, list: list}
	r.checkFlow(doc)
	r.fields = r.fieldsOf(doc, topLevel, metadata)
	for _, f := range r.fields {
		if f.key.Value != "metadata" {
			r.checkText(f)
		}
	}
	r.readName()
	r.readDescription()
	r.checkCompatibility()
	r.readMetadata()
}

// frontmatterReader reads the fields into a skill and reports what is wrong
// with them.
type frontmatterReader struct {
	skill  *Skill
	list   *finding.List
	fields fields // of the top level
}

// field is a key of a mapping and its value.
type field struct{ key, value *yaml.Node }

// fields are those of a mapping, each key once, in the order of the file.
type fields []field

// get returns the field of a key; ok is false when there is none.
func (all fields) get(key string) (f field, ok bool) {
	i := slices.IndexFunc(all, func(f field) bool { return f.key.Value == key })
	if i < 0 {
		return field{}, false
	}
	return all[i], true
}

// get returns the value of a field of the top level and the line of its key; ""
// and the line of the first field if it is missing.
func (r *frontmatterReader) get(key string) (value string, line int) {
	if f, ok := r.fields.get(key); ok {
		return f.value.Value, f.key.Line
	}
	return "", 2
}

// fieldsOf returns the known fields of a mapping, the first of each key, and
// reports the others; other is the mapping in which some of them may belong.
func (r *frontmatterReader) fieldsOf(node *yaml.Node, m, other mapping) fields {
	var all fields
	for i := 0; i+1 < len(node.Content); i += 2 {
		f := field{node.Content[i], node.Content[i+1]}
		key, right := f.key.Value, "remove it, or use "+strings.Join(m.keys, ", ")
		if near := text.Nearest(key, m.keys, 2); near != "" {
			right = "did you mean " + near + "?"
		}
		if slices.Contains(other.keys, key) {
			right = "move it to " + other.name
		}
		switch _, twice := all.get(key); {
		case twice:
			r.list.Errorf(f.key.Line, m.rule, "keep one of the two", "%s has %q twice", m.name, key)
		case !slices.Contains(m.keys, key):
			r.list.Errorf(f.key.Line, m.rule, right, "%s has the unknown key %q", m.name, key)
		default:
			all = append(all, f)
		}
	}
	return all
}

func (r *frontmatterReader) checkFlow(n *yaml.Node) {
	if n.Style&yaml.FlowStyle != 0 && (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) {
		r.list.Errorf(n.Line, "frontmatter-flow", "write one key a line", "flow style ({a: b} or [a, b]) is refused by some agents")
	}
}

func (r *frontmatterReader) checkText(f field) {
	r.checkFlow(f.value)
	if !isText(f.value) {
		r.list.Errorf(f.key.Line, "frontmatter-text", "write it as text, in quotes where it looks like a number or a truth value",
			"%q must be text", f.key.Value)
	}
	r.checkOneLine(f)
}

// isText tells text from numbers, truth values, nothing at all, lists and
// maps.
func isText(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!str" }

// checkOneLine reports what would break the lists, pages and terminals that
// show the value.
func (r *frontmatterReader) checkOneLine(f field) {
	if strings.ContainsFunc(f.value.Value, func(c rune) bool { return unicode.IsControl(c) || isLineBreak(c) }) {
		r.list.Errorf(f.key.Line, "frontmatter-text", "write it on one line, without control characters",
			"%q holds a line break or a control character", f.key.Value)
	}
}

func (r *frontmatterReader) readName() {
	name, line := r.get("name")
	dir := r.skill.Dir
	r.skill.Name = name
	switch {
	case !text.IsSkillName(dir):
		r.list.Errorf(line, "name-directory", "rename the directory: "+rightName, "the directory %q cannot be the name of a skill", dir)
	case name == "":
		r.list.Errorf(line, "name", "add name: "+dir, "the name is missing")
	case !text.IsSkillName(name):
		r.list.Errorf(line, "name", rightName, "%q is not a valid name", name)
	case name != dir:
		r.list.Errorf(line, "name-directory", "write name: "+dir+" or rename the directory",
			"the name %q differs from the directory %q", name, dir)
	}
}

func (r *frontmatterReader) readDescription() {
	field, _ := r.fields.get("description")
	d, line := r.get("description")
	r.skill.Description = d
	n := utf8.RuneCountInString(d)
	switch {
	case strings.TrimSpace(d) == "":
		r.list.Errorf(line, "description", "say what the skill does and when to use it", "the description is missing")
		return
	case n > maxDescription:
		r.list.Errorf(line, "description", fmt.Sprintf("stay within %d", maxDescription), "the description has %d characters", n)
	case n < shortDescription || n > longDescription:
		r.list.Warnf(line,
			"description-length", fmt.Sprintf("write %d to %d, so that every client lists all skills whole", shortDescription, longDescription),
			"the description has %d characters", n)
	}
	if field.value.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 {
		r.list.Errorf(line, "description-quoted", "put it in quotes",
			"the description is not quoted, so a colon or a number sign in it would break it")
	}
	if strings.ContainsAny(d, "<>") {
		r.list.Errorf(line, "description", "leave out < and >", "the description holds an angle bracket, which some validators refuse")
	}
}

func (r *frontmatterReader) checkCompatibility() {
	f, given := r.fields.get("compatibility")
	if !given {
		return
	}
	if n := utf8.RuneCountInString(f.value.Value); n < 1 || n > maxCompatibility {
		r.list.Errorf(f.key.Line, "compatibility", fmt.Sprintf("write 1 to %d, or remove the field", maxCompatibility),
			"compatibility has %d characters", n)
	}
}

// readMetadata reads the fields that this collection has below metadata.
func (r *frontmatterReader) readMetadata() {
	parent, ok := r.fields.get("metadata")
	switch {
	case !ok:
		r.list.Errorf(2, "metadata", `add metadata: and below it, indented by two spaces, version: "1.0.0", title: and category:`,
			"the frontmatter has no metadata")
		return
	case parent.value.Kind != yaml.MappingNode:
		r.list.Errorf(parent.key.Line, "metadata-text", "write one indented key a line", "metadata must be a map of text to text")
		return
	}
	r.checkFlow(parent.value)
	all := r.fieldsOf(parent.value, metadata, topLevel)
	for _, f := range all {
		if !isText(f.value) {
			r.list.Errorf(f.key.Line, "metadata-text", "put the value in quotes", "metadata %q must be text", f.key.Value)
		}
		r.checkOneLine(f)
	}
	required := func(key, example string) (value string, line int) {
		f, ok := all.get(key)
		if !ok || f.value.Kind == yaml.ScalarNode && strings.TrimSpace(f.value.Value) == "" {
			r.list.Errorf(parent.key.Line, "metadata", "add "+key+": "+example+" below metadata", "metadata has no %s", key)
			return "", 0
		}
		return f.value.Value, f.value.Line
	}
	s, line := r.skill, 0
	s.Version, s.VersionLine = required("version", `"1.0.0"`)
	s.Title, _ = required("title", "the name people read")
	s.Category, line = required("category", Categories[0])
	if s.Category != "" && !slices.Contains(Categories, s.Category) {
		r.list.Errorf(line, "category", "use one of: "+strings.Join(Categories, ", "), "%q is not a category", s.Category)
	}
	if f, ok := all.get("keywords"); ok {
		s.KeywordsLine = f.value.Line
		for word := range strings.SplitSeq(f.value.Value, ",") {
			if word = strings.TrimSpace(word); word != "" {
				s.Keywords = append(s.Keywords, word)
			}
		}
	}
}
