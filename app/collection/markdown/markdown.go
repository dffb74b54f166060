// Package markdown reads the collection's Markdown and writes safe HTML.
//
// [Parse] gives a [Document]: its blocks, headings, links, code spans and fenced
// code, each with its line, so that a finding can name it. [Document.HTML] turns
// it into markup for a page. Markdown is hostile input: raw HTML is shown as
// text, only links to the web, to mail and to other files of the collection are
// kept, and the markup needs no style attribute and no script. This is the only
// package that uses the Markdown library, and it is not in the WebAssembly
// programs: pages are rendered when the site is generated.
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
// to Parse. It is read once and not changed afterwards.
type Document struct {
	Blocks    []Block
	Headings  []Heading
	Links     []Link
	CodeSpans []CodeSpan
	Fences    []Fence

	source []byte
	root   ast.Node
	lines  []int // byte offset at which each line starts
	ids    slugs
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

// CodeSpan is a code span, with the words of its block before and after it.
type CodeSpan struct {
	Text   string
	Before string
	After  string
	Line   int
}

// Fence is a fenced code block. Info is the whole info string; Line is that of the
// first line of the body, one below the opening fence.
type Fence struct {
	Info string
	Body string
	Line int
}

var library = newParser()

// Parse reads one Markdown text without frontmatter. It never fails: whatever
// is not Markdown is a paragraph. Lines end in \n, \r\n or \r.
func Parse(source []byte) *Document {
	if bytes.ContainsRune(source, '\r') {
		source = bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n"))
		source = bytes.ReplaceAll(source, []byte("\r"), []byte("\n"))
	}
	if !utf8.Valid(source) {
		source = bytes.ToValidUTF8(source, []byte("\uFFFD"))
	}
	d := &Document{source: source, root: library.Parse(text.NewReader(source)), lines: lineStarts(source), ids: slugs{}}
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

// inlines adds the links and code spans of a node to a block.
func (d *Document) inlines(block ast.Node, into *Block) {
	around := map[ast.Node]*surrounding{}
	ast.Walk(block, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		line := d.line(n)
		switch n := n.(type) {
		case *ast.Link:
			into.Links = append(into.Links, Link{Target: destination(n.Destination), Text: d.words(n), Line: line})
		case *ast.Image:
			into.Links = append(into.Links, Link{Target: destination(n.Destination), Text: d.words(n), Image: true, Line: line})
		case *ast.AutoLink:
			into.Links = append(into.Links, Link{Target: autoTarget(n, d.source), Text: string(n.Label(d.source)), Line: line})
		case *ast.CodeSpan:
			s := around[n.Parent()]
			if s == nil {
				s = d.surrounding(n.Parent())
				around[n.Parent()] = s
			}
			words, at := d.words(n), s.at[n]
			into.CodeSpans = append(into.CodeSpans, CodeSpan{Text: words, Before: s.words[:at], After: s.words[at+len(words):], Line: line})
		}
		return ast.WalkContinue, nil
	})
}

// autoTarget returns the target of a link in angle brackets. The library leaves
// out the scheme of a mail address.
func autoTarget(n *ast.AutoLink, source []byte) string {
	target := string(n.URL(source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(target), "mailto:") {
		return "mailto:" + target
	}
	return target
}

// destination returns the target of a link, without escapes.
func destination(written []byte) string {
	b := util.UnescapePunctuations(written)
	b = util.ResolveEntityNames(util.ResolveNumericReferences(b))
	return strings.TrimSpace(string(b))
}

// surrounding has the words of a node with code spans, and at which offset in them
// each child of the node begins. It is made once for all code spans of the node.
type surrounding struct {
	words string
	at    map[ast.Node]int
}

func (d *Document) surrounding(parent ast.Node) *surrounding {
	s := &surrounding{at: map[ast.Node]int{}}
	var b strings.Builder
	for child := parent.FirstChild(); child != nil; child = child.NextSibling() {
		s.at[child] = b.Len()
		b.WriteString(d.words(child))
	}
	s.words = b.String()
	return s
}

func (d *Document) fence(n *ast.FencedCodeBlock) Fence {
	f := Fence{Body: string(n.Lines().Value(d.source)), Line: d.line(n) + 1}
	if n.Info != nil {
		f.Info = strings.TrimSpace(string(n.Info.Segment.Value(d.source)))
	}
	return f
}

// words returns the plain text below a node, with code spans, and with raw HTML,
// which is shown as text.
func (d *Document) words(n ast.Node) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			// A code span keeps its line breaks in one piece.
			b.Write(bytes.ReplaceAll(n.Segment.Value(d.source), []byte("\n"), []byte(" ")))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(d.source))
		case *ast.RawHTML:
			b.Write(n.Segments.Value(d.source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// line finds the line a node stands on.
func (d *Document) line(n ast.Node) int {
	return d.lineAt(max(n.Pos(), 0))
}

func (d *Document) lineAt(offset int) int { return sort.SearchInts(d.lines, offset+1) }

func lineStarts(source []byte) []int {
	starts := []int{0}
	for i, c := range source {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}
