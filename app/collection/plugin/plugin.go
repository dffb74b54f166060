// Package plugin checks the two plugin manifests, by which an agent installs the
// whole collection as one plugin: marketplace.json says where the plugin is,
// plugin.json what it is. Agents refuse fields that they do not know, so only
// fields that all of them accept are allowed.
package plugin

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/jsontree"
	"marketingskills/app/text"
)

// The files, by their paths in the collection.
const (
	Dir         = ".claude-plugin"
	Marketplace = Dir + "/marketplace.json"
	Manifest    = Dir + "/plugin.json"
)

// rootSource is the source of a plugin whose root is that of the collection. Agents
// refuse a bare ".".
const rootSource = "./"

// field says what a field may hold: of an object, or a list of objects, its
// fields. A list without fields is a list of texts.
type field struct {
	kind     jsontree.Kind
	required bool
	isURL    bool // the text is a URL
	fields   map[string]field
}

var (
	textField = field{kind: jsontree.Text}
	urlField  = field{kind: jsontree.Text, isURL: true}
	listField = field{kind: jsontree.Array}

	personFields = map[string]field{"name": required(textField), "email": textField, "url": urlField}
	// pluginFields describe a plugin, in either file.
	pluginFields = map[string]field{
		"name":        required(textField),
		"version":     textField,
		"description": textField,
		"author":      {kind: jsontree.Object, fields: personFields},
		"homepage":    urlField,
		"repository":  urlField,
		"license":     textField,
		"keywords":    listField,
	}
	marketplaceFields = map[string]field{
		"name":        required(textField),
		"owner":       {kind: jsontree.Object, required: true, fields: personFields},
		"description": textField,
		"version":     textField,
		"metadata":    {kind: jsontree.Object, fields: map[string]field{"description": textField, "version": textField, "pluginRoot": textField}},
		"plugins":     {kind: jsontree.Array, required: true, fields: entryFields},
	}
	// entryFields are those of a plugin in the marketplace: these, and
	// pluginFields.
	entryFields = map[string]field{"source": required(textField), "category": textField, "tags": listField}
)

func required(f field) field {
	f.required = true
	return f
}

func init() { maps.Copy(entryFields, pluginFields) }

// Check reports what is wrong with the two files. Their versions must be that
// of the latest release; if that is empty, they are not compared. A collection
// without a folder for the files is not a plugin, and has no findings.
func Check(fsys fs.FS, latest string) []finding.Finding {
	if _, err := fs.Stat(fsys, Dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var report finding.Report
	market := checker{report.On(Marketplace), latest}
	m := market.read(fsys)
	market.checkFields(m, "the file", marketplaceFields)
	market.checkPlugins(m.At("plugins"))
	market.checkName(m.At("name"))
	market.checkName(m.At("plugins", "0", "name"))
	market.checkVersion(m, m.At("version"), m.At("metadata", "version"))
	if entry := m.At("plugins", "0", "version"); entry != nil {
		market.checkVersion(m, entry)
	}

	plugin := checker{report.On(Manifest), latest}
	p := plugin.read(fsys)
	plugin.checkFields(p, "the file", pluginFields)
	plugin.checkVersion(p, p.At("version"))
	name, listed := p.At("name"), m.At("plugins", "0", "name")
	if name != nil && listed != nil && name.Text != listed.Text {
		plugin.list.Errorf(name.Line, "plugin-name", fmt.Sprintf("write %q, or change both", listed.Text),
			"the plugin is called %s here and %s in %s", text.Quote(name.Text), text.Quote(listed.Text), Marketplace)
	}
	return report.All()
}

// checker collects the findings about one of the files.
type checker struct {
	list   *finding.List
	latest string
}

// read returns the object that the file holds; nil, with a finding, when it
// holds none.
func (c checker) read(fsys fs.FS) *jsontree.Value {
	data, ok := c.list.Read(fsys, finding.MaxText, "add it, or remove the folder "+Dir)
	if !ok {
		return nil
	}
	const right = "write one JSON object"
	v, err := jsontree.Parse(data)
	switch syntax, ok := errors.AsType[*jsontree.SyntaxError](err); {
	case ok:
		c.list.Errorf(syntax.Line, "plugin-json", right, "the file is not JSON: %s", syntax.What)
	case v.Kind != jsontree.Object:
		c.list.Errorf(1, "plugin-json", right, "the file does not hold an object")
	default:
		return v
	}
	return nil
}

// checkFields reports members of an object that are not known, repeated, of the
// wrong kind or missing.
func (c checker) checkFields(v *jsontree.Value, of string, known map[string]field) {
	if v == nil {
		return
	}
	for _, member := range v.Children {
		f, ok := known[member.Key]
		name := text.Quote(member.Key)
		switch {
		case member.Repeats != nil:
			c.list.Errorf(member.Line, "plugin-field", "keep one of the two", "%s has %s twice", of, name)
		case ok:
			c.checkField(member, name, f)
		case member.Key == "skills" && c.list.File == Marketplace:
			c.list.Errorf(member.Line, "plugin-skills", "remove the list: go run ./tools/sync-skills",
				"%s lists skills, which are found in skills/", of)
		default:
			c.list.Errorf(member.Line, "plugin-field", "remove it, or agents refuse the file", "%s has the unknown field %s", of, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if known[name].required && v.At(name) == nil {
			c.list.Errorf(v.Line, "plugin-field", "add it", "%s has no %q", of, name)
		}
	}
}

// checkField reports a field that does not hold what it should.
func (c checker) checkField(v *jsontree.Value, name string, f field) {
	switch {
	case v.Kind != f.kind:
		c.list.Errorf(v.Line, "plugin-field", "write "+string(f.kind), "%s is %s", name, v.Kind)
	case v.Kind == jsontree.Text && strings.TrimSpace(v.Text) == "":
		c.list.Errorf(v.Line, "plugin-field", "write it or remove it", "%s is empty", name)
	case f.isURL && !strings.HasPrefix(v.Text, "https://"):
		c.list.Errorf(v.Line, "plugin-field", "write a URL that begins with https://", "%s is %s", name, text.Quote(v.Text))
	case v.Kind == jsontree.Object:
		c.checkFields(v, name, f.fields)
	case v.Kind == jsontree.Array:
		element := textField
		if f.fields != nil {
			element = field{kind: jsontree.Object, fields: f.fields}
		}
		for _, e := range v.Children {
			c.checkField(e, "an element of "+name, element)
		}
	}
}

// checkPlugins asks for one plugin, whose root is that of the collection.
func (c checker) checkPlugins(v *jsontree.Value) {
	if v == nil || v.Kind != jsontree.Array {
		return
	}
	if len(v.Children) != 1 {
		c.list.Errorf(v.Line, "plugin-source", "list one, with the source "+rootSource,
			"the marketplace lists %s", text.Count(len(v.Children), "plugin"))
	}
	for _, p := range v.Children {
		if source := p.At("source"); source != nil && source.Text != rootSource {
			c.list.Errorf(source.Line, "plugin-source", fmt.Sprintf("write %q", rootSource), "the source is not the root of the collection")
		}
	}
}

func (c checker) checkName(v *jsontree.Value) {
	if v != nil && v.Kind == jsontree.Text && !text.IsSkillName(v.Text) {
		c.list.Errorf(v.Line, "plugin-name", "write "+text.SkillName, "the name is %s", text.Quote(v.Text))
	}
}

// checkVersion asks for the version of the latest release at one of the places
// of a file at least, and for no other version at any of them.
func (c checker) checkVersion(file *jsontree.Value, places ...*jsontree.Value) {
	places = slices.DeleteFunc(places, func(v *jsontree.Value) bool { return v == nil })
	if file == nil || c.latest == "" {
		return
	}
	if len(places) == 0 {
		c.list.Errorf(file.Line, "plugin-version", fmt.Sprintf("write %q", c.latest), "the file has no version")
	}
	for _, v := range places {
		if v.Kind == jsontree.Text && v.Text != c.latest {
			c.list.Errorf(v.Line, "plugin-version", fmt.Sprintf("write %q", c.latest), "the version is %s, the latest release %s",
				text.Quote(v.Text), c.latest)
		}
	}
}
