package markdown

import (
	"bytes"
	"slices"
	"strings"

	"marketingskills/app/text"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// Kind is the kind of a block.
type Kind string

// The kinds that checks ask for. Others are a rule across the page, and HTML,
// which is shown as text.
const (
	KindHeading   Kind = "heading"
	KindParagraph Kind = "paragraph"
	// KindQuotation is a paragraph in a quotation.
	KindQuotation Kind = "quotation"
	// KindItem is one item of a list, with all of its paragraphs. What is nested in
	// it follows as blocks of their own.
	KindItem Kind = "item"
	// KindTableHead and KindTableRow are the lines of a table; a new head begins a
	// new table.
	KindTableHead Kind = "table head"
	KindTableRow  Kind = "table row"
	// KindCode is fenced or indented code.
	KindCode Kind = "code"
)

// Block is a heading, a paragraph or another block of a document.
type Block struct {
	Kind Kind
	// Line is where the block begins, counted from 1.
	Line int
	// Level is that of a heading, 1 to 6.
	Level int
	// Depth is how many list items and quotations are around the block.
	Depth int
	// Text is the inline Markdown of a heading, a paragraph, an item or a table
	// row on one line; the content of code as it is.
	Text string
	// Cells are those of a line of a table, as inline Markdown with \| as |.
	// There may be fewer or more of them than the table has columns; the library
	// adds or drops cells.
	Cells []string
	// Links and CodeSpans are those in Text.
	Links     []Link
	CodeSpans []CodeSpan
}

// Section returns the blocks below a heading of level 2, up to the next one or
// a title; nil when no such heading has that text.
func (d *Document) Section(heading string) []Block {
	const level = 2
	start := slices.IndexFunc(d.Blocks, func(b Block) bool { return b.Kind == KindHeading && b.Level == level && b.Text == heading })
	if start < 0 {
		return nil
	}
	rest := d.Blocks[start+1:]
	if end := slices.IndexFunc(rest, func(b Block) bool { return b.Kind == KindHeading && b.Level <= level }); end >= 0 {
		rest = rest[:end]
	}
	return rest
}

// Table returns the first table among blocks, its head and its rows; false when
// there is none.
func Table(blocks []Block) (head Block, rows []Block, ok bool) {
	start := slices.IndexFunc(blocks, func(b Block) bool { return b.Kind == KindTableHead })
	if start < 0 {
		return Block{}, nil, false
	}
	rows = blocks[start+1:]
	if end := slices.IndexFunc(rows, func(b Block) bool { return b.Kind != KindTableRow }); end >= 0 {
		rows = rows[:end]
	}
	return blocks[start], rows, true
}

// collect fills in the blocks, headings, links, code spans and fences.
func (d *Document) collect() {
	var items []int // the list items around the node, as indexes of Blocks
	quotations := 0 // around the node
	ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		step := 1
		if !entering {
			step = -1
		}
		switch n.(type) {
		case *ast.Document, *ast.List, *extast.Table:
			return ast.WalkContinue, nil
		case *ast.Blockquote:
			quotations += step
			return ast.WalkContinue, nil
		case *ast.ListItem:
			if entering {
				items = append(items, len(d.Blocks))
				d.Blocks = append(d.Blocks, Block{Kind: KindItem, Line: d.line(n), Depth: len(items) - 1 + quotations})
			} else {
				items = items[:len(items)-1]
			}
			return ast.WalkContinue, nil
		}
		if !entering {
			return ast.WalkContinue, nil
		}
		b, ok := d.block(n)
		if !ok {
			return ast.WalkSkipChildren, nil
		}
		d.Links, d.CodeSpans = append(d.Links, b.Links...), append(d.CodeSpans, b.CodeSpans...)
		b.Depth = len(items) + quotations
		_, inItem := n.Parent().(*ast.ListItem)
		switch {
		case b.Kind == KindParagraph && inItem:
			item := &d.Blocks[items[len(items)-1]]
			item.Text = strings.TrimSpace(item.Text + " " + b.Text)
			item.Links, item.CodeSpans = append(item.Links, b.Links...), append(item.CodeSpans, b.CodeSpans...)
			return ast.WalkSkipChildren, nil
		case b.Kind == KindParagraph && quotations > 0:
			b.Kind = KindQuotation
		}
		d.Blocks = append(d.Blocks, b)
		return ast.WalkSkipChildren, nil
	})
}

// block reads a node that holds no other blocks; ok is false for any other.
func (d *Document) block(n ast.Node) (b Block, ok bool) {
	b.Line = d.line(n)
	d.inlines(n, &b)
	switch n := n.(type) {
	case *ast.Heading:
		b.Kind, b.Level, b.Text = KindHeading, n.Level, d.inline(n)
		words := d.words(n)
		d.Headings = append(d.Headings, Heading{Level: n.Level, Text: words, ID: d.ids.unique(words), Line: b.Line})
	case *ast.Paragraph, *ast.TextBlock:
		b.Kind, b.Text = KindParagraph, d.inline(n)
	case *extast.TableHeader:
		b.Kind, b.Text = KindTableHead, d.restOfLine(n)
		b.Cells = text.Cells(b.Text)
	case *extast.TableRow:
		b.Kind, b.Text = KindTableRow, d.restOfLine(n)
		b.Cells = text.Cells(b.Text)
	case *ast.FencedCodeBlock:
		f := d.fence(n)
		b.Kind, b.Text = KindCode, f.Body
		d.Fences = append(d.Fences, f)
	case *ast.CodeBlock:
		b.Kind, b.Text = KindCode, string(n.Lines().Value(d.source))
	case *ast.ThematicBreak:
		b.Kind = "rule"
	case *ast.HTMLBlock:
		b.Kind = "HTML"
	default:
		return b, false
	}
	return b, true
}

// inline returns the inline Markdown of a block on one line.
func (d *Document) inline(n ast.Node) string {
	value := bytes.TrimSpace(n.Lines().Value(d.source))
	if !bytes.ContainsAny(value, "\n\t") && !bytes.Contains(value, []byte("  ")) {
		return string(value)
	}
	return strings.Join(strings.Fields(string(value)), " ")
}

// restOfLine returns the line on which a node begins, from there to its end.
func (d *Document) restOfLine(n ast.Node) string {
	line, _, _ := bytes.Cut(d.source[max(n.Pos(), 0):], []byte("\n"))
	return string(bytes.TrimSpace(line))
}
