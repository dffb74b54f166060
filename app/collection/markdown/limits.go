package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The library takes time with the square of the length of a paragraph or heading,
// and of the depth to which lists and quotations are nested; and in a wide table a
// line of two bytes becomes a thousand cells. These limits are far beyond what
// anybody writes, and keep the time for a hostile text in proportion to its
// length. What exceeds one is shown as plain text or code.
const (
	maxParagraph = 10_000 // bytes; of a table, those of one line
	maxDepth     = 32     // lists and quotations around a block
	maxCells     = 50_000 // of one table
)

// newParser returns the library's parser, with tables, within the limits.
func newParser() parser.Parser {
	blocks := parser.DefaultBlockParsers()
	for i := range blocks {
		blocks[i].Value = boundedBlock{blocks[i].Value.(parser.BlockParser)}
	}
	tables := boundedTable{extension.NewTableParagraphTransformer()}
	transformers := append(parser.DefaultParagraphTransformers(),
		util.Prioritized(boundedParagraph{tables}, 50),
		util.Prioritized(tables, 200),
	)
	return parser.NewParser(
		parser.WithBlockParsers(blocks...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(transformers...),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
}

// boundedBlock refuses blocks that are nested too deep and headings that are too
// long, so that a later parser, in the end that of paragraphs, takes them.
type boundedBlock struct{ parser.BlockParser }

func (b boundedBlock) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	at, position := reader.Position()
	node, state := b.BlockParser.Open(parent, reader, pc)
	refused := false
	switch node.(type) {
	case *ast.List, *ast.Blockquote:
		refused = tooDeep(parent)
	case *ast.Heading:
		refused = len(line) > maxParagraph
	}
	if refused {
		reader.SetPosition(at, position)
		return nil, parser.NoChildren
	}
	return node, state
}

func tooDeep(n ast.Node) bool {
	depth := 0
	for ; n != nil && depth < maxDepth; n = n.Parent() {
		switch n.(type) {
		case *ast.List, *ast.Blockquote:
			depth++
		}
	}
	return depth >= maxDepth
}

// boundedParagraph shows a paragraph that is too long as a code block, unless
// it is a table.
type boundedParagraph struct{ tables parser.ParagraphTransformer }

func (b boundedParagraph) Transform(p *ast.Paragraph, reader text.Reader, pc parser.Context) {
	if length(p) <= maxParagraph {
		return
	}
	b.tables.Transform(p, reader, pc)
	if p.Parent() == nil || length(p) <= maxParagraph {
		return
	}
	code := ast.NewCodeBlock()
	code.SetLines(p.Lines())
	code.SetPos(p.Pos())
	p.Parent().ReplaceChild(p.Parent(), p, code)
}

func length(p *ast.Paragraph) int {
	n := 0
	for _, line := range p.Lines().Sliced(0, p.Lines().Len()) {
		n += line.Len()
	}
	return n
}

// boundedTable leaves tables that are too large as paragraphs.
type boundedTable struct{ parser.ParagraphTransformer }

func (b boundedTable) Transform(p *ast.Paragraph, reader text.Reader, pc parser.Context) {
	columns := 1
	lines := p.Lines().Sliced(0, p.Lines().Len())
	for _, line := range lines {
		if line.Len() > maxParagraph {
			return
		}
		columns = max(columns, bytes.Count(line.Value(reader.Source()), []byte("|"))+1)
	}
	if columns*len(lines) <= maxCells {
		b.ParagraphTransformer.Transform(p, reader, pc)
	}
}
