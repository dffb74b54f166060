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

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Document is one parsed Markdown text. Lines count from 1 in the text given
// to Parse.
type Document struct {
	Headings []Heading
	Links    []Link
	Codes    []Code
	Fences   []Fence

	source []byte
	root   ast.Node
	lines  []int // byte offset at which each line starts
}

// Heading is one heading. ID is its anchor, unique within the document and
// stable as long as the heading's words are.
type Heading struct {
	Level int
	Text  string
	ID    string
	Line  int
}

// Link is one link or image. Target is as written.
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

var library = goldmark.New(
	goldmark.WithExtensions(extension.NewTable(
		extension.WithTableCellAlignMethod(extension.TableCellAlignNone),
	)),
)

// Parse reads one Markdown text without frontmatter. It never fails: whatever
// is not Markdown is a paragraph.
func Parse(source []byte) *Document {
	source = bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n"))
	source = bytes.ToValidUTF8(source, []byte("\uFFFD"))
	d := &Document{source: source, lines: lineStarts(source)}
	d.root = library.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext()))
	d.collect()
	return d
}

// Text returns the document's words without markup or code blocks, for search
// and for counting.
func (d *Document) Text() string {
	var b strings.Builder
	ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.FencedCodeBlock, *ast.CodeBlock, *ast.HTMLBlock:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(d.source))
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

func (d *Document) collect() {
	ids := slugs{}
	ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			words := d.words(n)
			h := Heading{Level: n.Level, Text: words, ID: ids.next(words), Line: d.line(n)}
			d.Headings = append(d.Headings, h)
			n.SetAttributeString("id", []byte(h.ID))
		case *ast.Link:
			d.Links = append(d.Links, Link{Target: string(n.Destination), Text: d.words(n), Line: d.line(n)})
		case *ast.Image:
			d.Links = append(d.Links, Link{Target: string(n.Destination), Text: d.words(n), Image: true, Line: d.line(n)})
		case *ast.AutoLink:
			d.Links = append(d.Links, Link{Target: string(n.URL(d.source)), Text: string(n.Label(d.source)), Line: d.line(n)})
		case *ast.CodeSpan:
			d.Codes = append(d.Codes, d.code(n))
		case *ast.FencedCodeBlock:
			d.Fences = append(d.Fences, d.fence(n))
		}
		return ast.WalkContinue, nil
	})
}

func (d *Document) code(n *ast.CodeSpan) Code {
	c := Code{Text: d.words(n), Line: d.line(n)}
	for s := n.PreviousSibling(); s != nil; s = s.PreviousSibling() {
		c.Before = d.words(s) + c.Before
	}
	for s := n.NextSibling(); s != nil; s = s.NextSibling() {
		c.After += d.words(s)
	}
	return c
}

func (d *Document) fence(n *ast.FencedCodeBlock) Fence {
	f := Fence{Body: string(n.Lines().Value(d.source))}
	if n.Info != nil {
		f.Info = strings.TrimSpace(string(n.Info.Segment.Value(d.source)))
		f.Line = d.lineAt(n.Info.Segment.Start) + 1
	}
	if n.Lines().Len() > 0 {
		f.Line = d.lineAt(n.Lines().At(0).Start)
	}
	return f
}

// words returns the plain words below a node, code spans included.
func (d *Document) words(n ast.Node) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(d.source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(d.source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// line finds the line a node stands on: its own first text, or that of the
// nearest block around it.
func (d *Document) line(n ast.Node) int {
	at := -1
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			at = t.Segment.Start
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	for p := n; at < 0 && p != nil; p = p.Parent() {
		if p.Type() == ast.TypeBlock && p.Lines() != nil && p.Lines().Len() > 0 {
			at = p.Lines().At(0).Start
		}
	}
	return d.lineAt(max(at, 0))
}

func (d *Document) lineAt(offset int) int {
	return sort.SearchInts(d.lines, offset+1)
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
