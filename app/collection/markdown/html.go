package markdown

import (
	"bytes"
	"fmt"
	"html"
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// Options say how a document becomes part of a page. The zero value is
// usable.
type Options struct {
	// RewriteLink returns the target for a link to another file, given as written
	// ("references/form.md#validation"). "" drops the link and keeps its text. Nil
	// keeps all targets.
	RewriteLink func(target string) string
	// LinkCodeSpan returns what a code span links to, for instance the page of the
	// skill that it names; "" for no link. Nil links none.
	LinkCodeSpan func(text string) string
	// RenderFence returns the markup of a fenced block; ok is false for those that
	// are drawn as any other code. The markup must be safe: it is written as it is.
	RenderFence func(info, body string) (markup string, ok bool)
	// DropTitle leaves out the first heading of level 1, which a page draws
	// itself.
	DropTitle bool
	// Section, if not "", makes the document the section of a page with this ID:
	// its headings have level 3 or below, and their IDs begin with this one.
	Section string
}

// HTML renders the document. The result is safe to put into a page whatever
// the source was.
func (d *Document) HTML(o Options) string {
	r := &pageRenderer{document: d, headingsLeft: d.Headings, options: o}
	md := goldmark.New(
		goldmark.WithExtensions(extension.NewTable(
			extension.WithTableCellAlignMethod(extension.TableCellAlignNone),
		)),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(r, 1))),
	)
	var b bytes.Buffer
	if err := md.Renderer().Render(&b, d.source, d.root); err != nil {
		// Only a failing writer can get here, and memory does not fail.
		return html.EscapeString(string(d.source))
	}
	return b.String()
}

// pageRenderer replaces the library's rendering where pages have other markup,
// and where hostile input must do no harm.
type pageRenderer struct {
	document     *Document
	options      Options
	headingsLeft []Heading // the ones not written yet
	titleDropped bool
	section      string // the text of the last heading, escaped
	linksOpened  []bool
}

func (r *pageRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHeading, r.heading)
	reg.Register(ast.KindLink, r.link)
	reg.Register(ast.KindAutoLink, withoutChildren(r.autoLink))
	reg.Register(ast.KindImage, withoutChildren(r.image))
	reg.Register(ast.KindCodeSpan, withoutChildren(r.codeSpan))
	reg.Register(ast.KindFencedCodeBlock, withoutChildren(r.fence))
	reg.Register(ast.KindCodeBlock, withoutChildren(r.codeBlock))
	reg.Register(ast.KindRawHTML, withoutChildren(r.rawHTML))
	reg.Register(ast.KindHTMLBlock, withoutChildren(r.htmlBlock))
	reg.Register(extast.KindTable, r.table)
	reg.Register(extast.KindTableCell, r.cell)
}

// withoutChildren makes a renderer of a function that writes a node together with
// the nodes below it.
func withoutChildren(markup func(ast.Node) string) renderer.NodeRendererFunc {
	return func(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.WriteString(markup(node))
		}
		return ast.WalkSkipChildren, nil
	}
}

func (r *pageRenderer) heading(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Heading)
	dropped := n.Level == 1 && r.options.DropTitle && !r.titleDropped
	level, id := max(n.Level, 2), r.headingsLeft[0].ID
	if r.options.Section != "" {
		level, id = max(n.Level, 3), r.options.Section+"-"+id
	}
	anchor := html.EscapeString(id)
	if entering {
		if dropped {
			return ast.WalkSkipChildren, nil
		}
		fmt.Fprintf(w, `<div class="Heading Heading--%d"><h%d id="%s">`, level, level, anchor)
		return ast.WalkContinue, nil
	}
	r.section = html.EscapeString(r.headingsLeft[0].Text)
	r.headingsLeft = r.headingsLeft[1:]
	if dropped {
		r.titleDropped = true
	} else {
		// Beside the heading, not in it: a screen reader would read the link as part
		// of the heading.
		fmt.Fprintf(w, `</h%d><a class="Anchor" href="#%s" aria-label="Link to %s">#</a></div>`+"\n", level, anchor, r.section)
	}
	return ast.WalkContinue, nil
}

func (r *pageRenderer) link(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		target := r.target(destination(node.(*ast.Link).Destination))
		r.linksOpened = append(r.linksOpened, target != "")
		if target != "" {
			w.WriteString(`<a href="` + html.EscapeString(target) + `">`)
		}
		return ast.WalkContinue, nil
	}
	last := len(r.linksOpened) - 1
	if r.linksOpened[last] {
		w.WriteString("</a>")
	}
	r.linksOpened = r.linksOpened[:last]
	return ast.WalkContinue, nil
}

func (r *pageRenderer) autoLink(node ast.Node) string {
	n := node.(*ast.AutoLink)
	return linked(r.target(autoTarget(n, r.document.source)), html.EscapeString(string(n.Label(r.document.source))))
}

// linked puts markup into a link, unless the target is "".
func linked(target, markup string) string {
	if target == "" {
		return markup
	}
	return `<a href="` + html.EscapeString(target) + `">` + markup + "</a>"
}

// image writes the words that stand for the picture: the collection has no
// pictures, and a page fetches nothing from other hosts.
func (r *pageRenderer) image(node ast.Node) string { return html.EscapeString(r.document.words(node)) }

func (r *pageRenderer) codeSpan(node ast.Node) string {
	words, target := r.document.words(node), ""
	if r.options.LinkCodeSpan != nil && !insideLink(node) {
		target = r.options.LinkCodeSpan(words)
	}
	return linked(target, "<code>"+html.EscapeString(words)+"</code>")
}

func insideLink(n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == ast.KindLink || p.Kind() == ast.KindHeading {
			return true
		}
	}
	return false
}

func (r *pageRenderer) fence(node ast.Node) string {
	f := r.document.fence(node.(*ast.FencedCodeBlock))
	if r.options.RenderFence != nil {
		if markup, ok := r.options.RenderFence(f.Info, f.Body); ok {
			return markup
		}
	}
	return pre(f.Body)
}

func (r *pageRenderer) codeBlock(node ast.Node) string {
	return pre(string(node.Lines().Value(r.document.source)))
}

// pre draws code. It scrolls, so it can be focused: otherwise it could not be
// scrolled with the keyboard.
func pre(body string) string {
	return `<pre tabindex="0"><code>` + html.EscapeString(body) + "</code></pre>\n"
}

func (r *pageRenderer) rawHTML(node ast.Node) string {
	return html.EscapeString(string(node.(*ast.RawHTML).Segments.Value(r.document.source)))
}

func (r *pageRenderer) htmlBlock(node ast.Node) string {
	n := node.(*ast.HTMLBlock)
	body := string(n.Lines().Value(r.document.source))
	if n.HasClosure() {
		body += string(n.ClosureLine.Value(r.document.source))
	}
	return "<p>" + html.EscapeString(body) + "</p>\n"
}

func (r *pageRenderer) table(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		label := "Table"
		if r.section != "" {
			label += ": " + r.section
		}
		w.WriteString(`<div class="Table" role="group" aria-label="` + label + `" tabindex="0"><table>` + "\n")
	} else {
		w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}

func (r *pageRenderer) cell(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*extast.TableCell)
	tag := "td"
	scope := ""
	if n.Parent().Kind() == extast.KindTableHeader {
		tag, scope = "th", ` scope="col"`
	}
	if !entering {
		w.WriteString("</" + tag + ">\n")
		return ast.WalkContinue, nil
	}
	class := ""
	if n.Alignment == extast.AlignRight {
		class = ` class="Cell--number"`
	}
	w.WriteString("<" + tag + scope + class + ">")
	return ast.WalkContinue, nil
}

// target returns the target of a link as a page may have it; "" if only the text
// of the link may be drawn.
func (r *pageRenderer) target(written string) string {
	u, err := url.Parse(written)
	if err != nil {
		return ""
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https", "mailto":
		return written
	case "":
		// Browsers take a backslash for a slash, and any number of them for
		// the start of a host.
		if strings.HasPrefix(written, "//") || strings.Contains(written, `\`) {
			return ""
		}
		if anchor, here := strings.CutPrefix(written, "#"); here && r.options.Section != "" {
			return "#" + r.options.Section + "-" + anchor
		} else if here || r.options.RewriteLink == nil {
			return written
		}
		return r.options.RewriteLink(written)
	default:
		return ""
	}
}

// SplitTarget cuts a relative link into the cleaned file path and the anchor,
// the latter without its number sign.
func SplitTarget(target string) (file, anchor string) {
	file, anchor, _ = strings.Cut(target, "#")
	if file != "" {
		file = path.Clean(file)
	}
	return file, anchor
}
