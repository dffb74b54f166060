package upgrade

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"marketingskills/app/collection/manifest/versionsfile"
)

// library reads the same two fields with the YAML library. ok is false when
// the text is no YAML.
func library(text string) (f Frontmatter, ok bool) {
	text = strings.TrimPrefix(text, "\uFEFF")
	_, rest, _ := strings.Cut(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "---\n")
	lines := strings.Split(rest, "\n")
	end := slices.IndexFunc(lines, func(line string) bool { return strings.TrimRight(line, " \t") == "---" })
	if end < 0 {
		return f, false
	}
	front := "\n" + strings.Join(lines[:end], "\n")
	var doc, more yaml.Node
	d := yaml.NewDecoder(strings.NewReader(front))
	if err := d.Decode(&doc); err != nil && err != io.EOF {
		return f, false
	}
	if err := d.Decode(&more); err != io.EOF {
		return f, false
	}
	if len(doc.Content) == 0 {
		return f, true
	}
	scalar := func(n *yaml.Node) string {
		if n == nil || n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
			return ""
		}
		return n.Value
	}
	get := func(n *yaml.Node, key string) *yaml.Node {
		if n == nil || n.Kind != yaml.MappingNode {
			return nil
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				return n.Content[i+1]
			}
		}
		return nil
	}
	root := doc.Content[0]
	return Frontmatter{scalar(get(root, "name")), scalar(get(get(root, "metadata"), "version")), scalar(get(root, "version"))}, true
}

const sampleFront = `---
name: cro
description: "Audit pages: what to test."
license: MIT
metadata:
  version: "2.0.0"
  title: Page and form CRO
---
# Page
`

var frontCases = []struct {
	name     string
	old, new string // what changes in the sample
	want     Frontmatter
	// unread is set where the library reads more than the reader promises.
	unread bool
}{
	{name: "sample", want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "plain version", old: `"2.0.0"`, new: "2.0.0", want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "single quotes", old: `"2.0.0"`, new: "'2.0.0'", want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "single quotes doubled", old: "name: cro", new: "name: 'it''s'", want: Frontmatter{Name: "it's", Version: "2.0.0"}},
	{name: "escapes", old: "name: cro", new: `name: "c\u0072o\t\x21\\"`, want: Frontmatter{Version: "2.0.0"}, unread: true},
	{name: "comments", old: "name: cro", new: "# first\nname: cro # the name", want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "number sign in a word", old: "name: cro", new: "name: c#o", want: Frontmatter{Name: "c#o", Version: "2.0.0"}},
	{name: "comment behind quotes", old: `"2.0.0"`, new: `"2.0.0" # current`, want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "space before the colon", old: "name: cro", new: "name : cro", want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "quoted key", old: "name: cro", new: `"name": cro`, want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "much space", old: "name: cro", new: "name:      cro   ", want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "tab behind the colon", old: "name: cro", new: "name:\tcro", want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "empty lines", old: "name: cro", new: "\nname: cro\n\n", want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "CRLF", old: "\n", new: "\r\n", want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "CR", old: "name: cro\n", new: "name: cro\r", want: Frontmatter{}, unread: true},
	{name: "byte order mark", old: "---\nname", new: "\uFEFF---\nname", want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "deeper metadata", old: "  version:", new: "  nested:\n    version: 9.9.9\n  version:", want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "metadata indented by four", old: "  version: \"2.0.0\"\n  title", new: "    version: 2.0.0\n    title", want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "metadata in braces", old: "metadata:\n  version: \"2.0.0\"\n  title: Page and form CRO", new: "metadata: {author: me, version: \"2.0.0\"}", want: Frontmatter{Name: "cro"}, unread: true},
	{name: "metadata in braces over lines", old: "metadata:\n  version: \"2.0.0\"\n  title: Page and form CRO", new: "metadata: {author: me,\n  version: \"2.0.0\"\n}", want: Frontmatter{Name: "cro"}, unread: true},
	{name: "value on the next line", old: `version: "2.0.0"`, new: "version:\n    2.0.0", want: Frontmatter{Name: "cro"}, unread: true},
	{name: "null", old: "name: cro", new: "name: ~", want: Frontmatter{Version: "2.0.0"}},
	{name: "null in quotes", old: "name: cro", new: "name: 'null'", want: Frontmatter{Name: "null", Version: "2.0.0"}},
	{name: "nothing", old: "name: cro", new: "name:", want: Frontmatter{Version: "2.0.0"}},
	{name: "number", old: "name: cro", new: "name: 42", want: Frontmatter{Name: "42", Version: "2.0.0"}},
	{name: "float", old: `"2.0.0"`, new: "2.0", want: Frontmatter{Name: "cro", Version: "2.0"}},
	{name: "truth", old: "name: cro", new: "name: yes", want: Frontmatter{Name: "yes", Version: "2.0.0"}},
	{name: "version at the top", old: "license: MIT", new: "version: 1.0.0", want: Frontmatter{Name: "cro", Version: "2.0.0", TopVersion: "1.0.0"}},
	{name: "name inside a text", old: `"Audit pages: what to test."`, new: "|\n  name: wrong\n  version: 9\n", want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "name inside a quoted text", old: "name: cro\ndescription: \"Audit pages: what to test.\"", new: "description: \"Audit\nname: wrong\nmore\"\nname: cro", want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "name inside a list", old: "license: MIT", new: "items:\n- name: wrong\n  version: 9\n- two", want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "name inside brackets", old: "license: MIT", new: "items: [a,\n  \"]\", name, b\n]", want: Frontmatter{Name: "cro"}, unread: true},
	{name: "brackets on a line", old: "license: MIT", new: "items: [\"a]\", 'b', it's] # [", want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "quoted text deep inside", old: "license: MIT", new: "a:\n  b: \"x\nname: wrong\"", want: Frontmatter{Name: "cro"}, unread: true},
	{name: "plain text over lines", old: "name: cro", new: "name: cro\n  and more", want: Frontmatter{Version: "2.0.0"}, unread: true},
	{name: "anchor", old: "name: cro", new: "name: &n cro", want: Frontmatter{Version: "2.0.0"}, unread: true},
	{name: "indented fields", old: sampleFront, new: "---\n  name: cro\n  metadata:\n    version: 2.0.0\n---\n", want: Frontmatter{Name: "cro", Version: "2.0.0"}},
	{name: "no metadata", old: "metadata:\n  version: \"2.0.0\"\n  title: Page and form CRO\n", new: "", want: Frontmatter{Name: "cro"}},
	{name: "metadata is a text", old: "metadata:\n  version: \"2.0.0\"\n  title: Page and form CRO", new: "metadata: none", want: Frontmatter{Name: "cro"}},
	{name: "metadata is empty", old: "metadata:\n  version: \"2.0.0\"\n  title: Page and form CRO", new: "metadata:", want: Frontmatter{Name: "cro"}},
	{name: "metadata is a list", old: "metadata:\n  version: \"2.0.0\"\n  title: Page and form CRO", new: "metadata:\n  - version: 1", want: Frontmatter{Name: "cro"}},
	{name: "no fields", old: sampleFront, new: "---\n---\n", want: Frontmatter{}},
	{name: "ends with the file", old: sampleFront, new: "---\nname: cro\n---", want: Frontmatter{Name: "cro"}},
}

func TestFrontmatter(t *testing.T) {
	for _, c := range frontCases {
		text := sampleFront
		if c.old != "" {
			if !strings.Contains(text, c.old) {
				t.Fatalf("%s: the sample has no %q", c.name, c.old)
			}
			text = strings.ReplaceAll(text, c.old, c.new)
		}
		got, err := ReadFrontmatter([]byte(text))
		if err != nil || got != c.want {
			t.Errorf("%s: got %+v, %v; want %+v", c.name, got, err, c.want)
		}
		lib, ok := library(text)
		if !ok {
			t.Errorf("%s: the library does not read it", c.name)
		}
		if lib != got && !c.unread {
			t.Errorf("%s: the library reads %+v, the reader %+v", c.name, lib, got)
		}
	}
}

// TestFrontmatterForgives: what is no YAML, and still says what is wanted.
func TestFrontmatterForgives(t *testing.T) {
	for _, broken := range []string{
		"description: Audit pages: what to test",
		"description: \"Audit\" pages",
		"just words",
		"\ttabbed: x",
	} {
		text := strings.Replace(sampleFront, `description: "Audit pages: what to test."`, broken, 1)
		if got, err := ReadFrontmatter([]byte(text)); err != nil || got.Name != "cro" || got.Version != "2.0.0" {
			t.Errorf("%s: got %+v, %v", broken, got, err)
		}
	}
}

func TestFrontmatterRefused(t *testing.T) {
	for _, c := range []struct {
		text string
		want error
	}{
		{"", errNoFrontmatter},
		{"# Title\n", errNoFrontmatter},
		{"\n---\nname: cro\n---\n", errNoFrontmatter},
		{"----\nname: cro\n----\n", errNoFrontmatter},
		{"---\nname: cro\n", errUnended},
		{"---\n" + strings.Repeat("a: b\n", HeadSize), errUnended},
		{"\x00\x01\xff", errNoFrontmatter},
	} {
		if got, err := ReadFrontmatter([]byte(c.text)); !errors.Is(err, c.want) || got != (Frontmatter{}) {
			t.Errorf("%.20q: %+v, %v", c.text, got, err)
		}
	}
}

func TestFrontmatterOfRepository(t *testing.T) {
	files, err := filepath.Glob("../../skills/*/SKILL.md")
	if err != nil || len(files) == 0 {
		t.Fatal("no skills: ", err)
	}
	source, err := os.ReadFile("../../VERSIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	m, _ := versionsfile.Parse(source)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ReadFrontmatter(data[:min(len(data), HeadSize)])
		want, ok := library(string(data))
		row, released := m.Row(got.Name)
		if err != nil || !ok || got != want || released && got.Version != string(row.Version) {
			t.Errorf("%s: %+v, %v; the library reads %+v", file, got, err, want)
		}
	}
}

// FuzzFrontmatter makes frontmatter out of numbers: fields in any order, each
// in any of many forms. What the reader reads the library reads as well.
func FuzzFrontmatter(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})
	f.Add([]byte("name metadata version"))
	f.Fuzz(func(t *testing.T, recipe []byte) {
		text := generated(recipe)
		want, ok := library(text)
		if !ok {
			t.Fatalf("the generator made no YAML:\n%s", text)
		}
		if got, err := ReadFrontmatter([]byte(text)); err != nil || !within(got, want) {
			t.Fatalf("%+v, %v; the library reads %+v in\n%s", got, err, want, text)
		}
	})
}

// within reports whether one reading has nothing that the other has otherwise.
func within(got, want Frontmatter) bool {
	return (got.Name == "" || got.Name == want.Name) && (got.Version == "" || got.Version == want.Version) &&
		(got.TopVersion == "" || got.TopVersion == want.TopVersion)
}

// generated writes a frontmatter as the bytes say.
func generated(recipe []byte) string {
	var b strings.Builder
	next := func(choices ...string) string {
		if len(recipe) == 0 {
			return choices[0]
		}
		c := choices[int(recipe[0])%len(choices)]
		recipe = recipe[1:]
		return c
	}
	scalar := func() string {
		return next("cro", "page-cro", "2.0.0", `"1.10.0"`, `'1.2.3'`, `""`, "", "~", "null", "'a # b'", "a#b", `"tab\there"`, `"qu\"ote"`, "'it''s'", "12", "1.5", "true", `"\u00e9"`, "ünï", "a-b_c.d", "-x", "'- x'", `"{a}"`, "2026-05-05")
	}
	comment := func() string { return next("", "", " # note", "   ", "\t") }
	filler := func() string {
		return next("", "\n", "# comment\n", "   \n", "license: MIT\n", "description: \"name: x\"\n",
			"text: |\n  name: wrong\n\n  version: 1\n", "folded: >-\n  a\n  b\n", "list:\n- name: x\n- version: y\n", "list2:\n  - a\n  - b: c\n",
			"nested:\n  name: x\n  deeper:\n    version: y\n", "flow: [a, 'b]', c]\n", "flow2: {name: x}\n", "quoted: \"a\n  name: b\n  c\"\n", "'sq': 'x\n\n  y'\n",
			"keywords: \"a, b: c\"\n", "plain: some text\n  that goes on\n", "anchor: &a x\n", "tag: !!str 5\n", "empty:\n")
	}
	field := func(indent, key string) {
		b.WriteString(indent + next(key, key, `"`+key+`"`, "'"+key+"'", key+" ") + ":" + next(" ", " ", "   ", " \t") + scalar() + comment() + "\n")
	}
	used := map[string]bool{}
	for _, step := range []func(){
		func() { field("", "name") },
		func() { field("", "version") },
		func() {
			b.WriteString("metadata:" + comment() + "\n")
			indent := next("  ", "    ", " ")
			b.WriteString(next("", indent+"title: x\n", indent+"# note\n", "\n", indent+"deep:\n"+indent+"  version: 7\n"))
			if next("y", "n") == "y" {
				field(indent, "version")
			}
			b.WriteString(next("", indent+"author: me\n", indent+"list:\n"+indent+"- version: 3\n"))
		},
	} {
		for range 2 {
			if text := filler(); !used[text] {
				used[text] = strings.Contains(text, ":")
				b.WriteString(text)
			}
		}
		if next("y", "y", "y", "n") == "y" {
			step()
		}
	}
	text := "---\n" + b.String() + "---\n" + next("", "# Title\n", "name: below\n")
	switch next("lf", "crlf", "bom") {
	case "crlf":
		return strings.ReplaceAll(text, "\n", "\r\n")
	case "bom":
		return "\uFEFF" + text
	}
	return text
}

// FuzzFrontmatterBytes: whatever the file, no panic; what is read is in a text
// that ends, and a longer file gives the same.
func FuzzFrontmatterBytes(f *testing.F) {
	for _, c := range frontCases {
		f.Add([]byte(strings.Replace(sampleFront, c.old, c.new, 1)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := ReadFrontmatter(data)
		if err != nil && got != (Frontmatter{}) {
			t.Fatalf("%+v with %v", got, err)
		}
		if want, ok := library(string(data)); ok && err == nil {
			if !within(got, want) {
				t.Fatalf("read %+v; the library reads %+v", got, want)
			}
		}
		if err == nil {
			long, err := ReadFrontmatter(append(bytes.Clone(data), "\nmore: text\n"...))
			if err != nil && bytes.HasSuffix(bytes.TrimRight(data, " \t"), []byte("---")) {
				return // the end was only at the end of the file
			}
			if err != nil || long != got {
				t.Fatalf("%+v, and with more behind it %+v, %v", got, long, err)
			}
		}
	})
}
