// Package markdown reads the collection's Markdown and writes safe HTML.
//
// Parse gives a Document: its headings, links, code spans and fenced blocks,
// each with the line it stands on, so that checks can point at it; and HTML
// turns it into markup for a page. Markdown is hostile input here: raw HTML is
// shown as text, only links to the web, to mail and to other files of the
// collection survive, and nothing the renderer writes needs a style attribute
// or a script. It is the only package that knows the Markdown library, and it
// stays out of the WebAssembly binary: pages are rendered when the site is
// generated.
package markdown

import (
	"bytes"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Document is one parsed Markdown text. Lines count from 1 in the text given
// to Parse. It keeps the source and not the library's tree, which is many times
// as large: a whole collection is held in memory while its site is written.
type Document struct {
	Headings []Heading
	Links    []Link
	Codes    []Code
	Fences   []Fence

	source []byte
	text   string
}

// Heading is one heading. ID is its anchor, unique within the document and
// stable as long as the heading's words are.
type Heading struct {
	Level int
	Text  string
	ID    string
	Line  int
}

// Link is one link or image. Target is where it leads: as written, with
// backslash escapes and character references resolved.
type Link struct {
	Target string
	Text   string
	Image  bool
	Line   int
}

// Code is one code span, with the words of the same block around it: Before
// ends where the span starts, After begins where it ends.
type Code struct {
	Text   string
	Before string
	After  string
	Line   int
}

// Fence is one fenced code block. Info is the whole info string; Line is the
// line of the body's first line, one below the opening fence.
type Fence struct {
	Info string
	Body string
	Line int
}

var library = newParser()

// Parse reads one Markdown text without frontmatter. It never fails: whatever
// is not Markdown is a paragraph.
func Parse(source []byte) *Document {
	if bytes.Contains(source, []byte("\r\n")) {
		source = bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n"))
	}
	if !utf8.Valid(source) {
		source = bytes.ToValidUTF8(source, []byte("\uFFFD"))
	}
	t := grow(source)
	d := &Document{source: source, text: t.text()}
	t.collect(d)
	return d
}

// Text returns the document's words without markup or code blocks, for search
// and for counting.
func (d *Document) Text() string { return d.text }

// tree is a text as the library parsed it.
type tree struct {
	source []byte
	root   ast.Node
	lines  []int // byte offset at which each line starts
}

func grow(source []byte) *tree {
	return &tree{source: source, root: library.Parse(text.NewReader(source)), lines: lineStarts(source)}
}

func (t *tree) text() string {
	var b strings.Builder
	ast.Walk(t.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.FencedCodeBlock, *ast.CodeBlock, *ast.HTMLBlock:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(t.source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte('\n')
				}
			}
		default:
			if !entering && (n.Type() == ast.TypeBlock || n.Kind() == extast.KindTableCell) {
				b.WriteByte('\n')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// collect gathers what a document tells of itself.
func (t *tree) collect(d *Document) {
	ids := slugs{}
	around := surroundings{}
	ast.Walk(t.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			words := t.words(n)
			d.Headings = append(d.Headings, Heading{Level: n.Level, Text: words, ID: ids.next(words), Line: t.line(n)})
		case *ast.Link:
			d.Links = append(d.Links, Link{Target: destination(n.Destination), Text: t.words(n), Line: t.line(n)})
		case *ast.Image:
			d.Links = append(d.Links, Link{Target: destination(n.Destination), Text: t.words(n), Image: true, Line: t.line(n)})
		case *ast.AutoLink:
			d.Links = append(d.Links, Link{Target: autoTarget(n, t.source), Text: string(n.Label(t.source)), Line: t.line(n)})
		case *ast.CodeSpan:
			d.Codes = append(d.Codes, t.code(n, around))
		case *ast.FencedCodeBlock:
			d.Fences = append(d.Fences, t.fence(n))
		}
		return ast.WalkContinue, nil
	})
}

// autoTarget returns where a link in angle brackets leads. The library leaves
// the scheme of a mail address out.
func autoTarget(n *ast.AutoLink, source []byte) string {
	target := string(n.URL(source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(target), "mailto:") {
		return "mailto:" + target
	}
	return target
}

// destination resolves what stands between a link's brackets.
func destination(written []byte) string {
	b := util.UnescapePunctuations(written)
	b = util.ResolveEntityNames(util.ResolveNumericReferences(b))
	return strings.TrimSpace(string(b))
}

// surroundings holds the words of each parent of a code span, and where in
// them each of its children stands: put together once, however many code
// spans there are.
type surroundings map[ast.Node]*surrounding

type surrounding struct {
	words string
	at    map[ast.Node]int
}

func (t *tree) code(n *ast.CodeSpan, around surroundings) Code {
	c := Code{Text: t.words(n), Line: t.line(n)}
	s := around[n.Parent()]
	if s == nil {
		s = &surrounding{at: map[ast.Node]int{}}
		var b strings.Builder
		for child := n.Parent().FirstChild(); child != nil; child = child.NextSibling() {
			s.at[child] = b.Len()
			b.WriteString(t.words(child))
		}
		s.words = b.String()
		around[n.Parent()] = s
	}
	c.Before = s.words[:s.at[n]]
	c.After = s.words[s.at[n]+len(c.Text):]
	return c
}

func (t *tree) fence(n *ast.FencedCodeBlock) Fence {
	f := Fence{Body: string(n.Lines().Value(t.source)), Line: t.line(n) + 1}
	if n.Info != nil {
		f.Info = strings.TrimSpace(string(n.Info.Segment.Value(t.source)))
	}
	return f
}

// words returns the plain words below a node: code spans and raw HTML, which
// is shown as text, included.
func (t *tree) words(n ast.Node) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			// A code span keeps its line breaks in one piece.
			b.Write(bytes.ReplaceAll(n.Segment.Value(t.source), []byte("\n"), []byte(" ")))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(t.source))
		case *ast.RawHTML:
			b.Write(n.Segments.Value(t.source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// line finds the line a node stands on.
func (t *tree) line(n ast.Node) int {
	return t.lineAt(max(n.Pos(), 0))
}

func (t *tree) lineAt(offset int) int {
	return sort.SearchInts(t.lines, offset+1)
}

func lineStarts(source []byte) []int {
	starts := []int{0}
	for i, c := range source {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}
