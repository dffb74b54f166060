package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"strconv"

	"marketingskills/app/browser"
	"marketingskills/app/pages"
	"marketingskills/app/pages/article"
)

// document draws one page as an HTML document.
func (g *generator) document(p *pages.Page) ([]byte, error) {
	entry, ok := pages.EntryOf(p.Kind)
	if !ok {
		return nil, fmt.Errorf("the kind %q is not in the registry of pages", p.Kind)
	}
	program := g.assets.programs[entry.Program]
	p.Build = program.build
	root, err := render(drawers.Root(p))
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("writing the page's data: %w", err)
	}
	var b bytes.Buffer
	b.Grow(len(program.css) + len(g.assets.head) + len(root) + len(data) + 4<<10)
	b.WriteString("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	meta := func(kind, name, content string) {
		fmt.Fprintf(&b, "<meta %s=\"%s\" content=\"%s\">\n", kind, name, html.EscapeString(content))
	}
	link := func(rel, href, more string) {
		fmt.Fprintf(&b, "<link rel=\"%s\" href=\"%s\"%s>\n", rel, html.EscapeString(href), more)
	}
	meta("http-equiv", "Content-Security-Policy", program.policy)
	meta("name", "viewport", "width=device-width, initial-scale=1")
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(p.DocumentTitle))
	meta("name", "description", p.Description)
	meta("name", "color-scheme", "light dark")
	if err := g.shared(p, meta, link); err != nil {
		return nil, err
	}
	link("icon", g.assets.icon, ` type="image/svg+xml"`)
	link("apple-touch-icon", g.BasePath+"icons/icon-192.png", "")
	link("manifest", g.BasePath+"manifest.webmanifest", "")
	link("alternate", g.BasePath+"feed.xml", ` type="application/atom+xml" title="Releases"`)
	link("alternate", g.BasePath+newsFeed, ` type="application/atom+xml" title="`+newsTitle+`"`)
	if raw := g.rawText(p); raw != "" {
		link("alternate", raw, ` type="text/markdown"`)
	}
	fmt.Fprintf(&b, "<style>%s</style>\n<script>%s</script>\n", program.css, g.assets.head)
	fmt.Fprintf(&b, "<script defer src=\"%s\" data-loader=\"%s\" data-start=\"%s\"></script>\n</head>\n<body>\n",
		html.EscapeString(g.assets.script), html.EscapeString(program.loader), entry.Start)
	b.WriteString(root)
	fmt.Fprintf(&b, "\n<script type=\"application/json\" id=\"%s\">%s</script>\n", browser.DataID, data)
	b.WriteString(loader)
	b.WriteString("</body>\n</html>\n")
	return b.Bytes(), nil
}

// shared writes what search engines and networks show of a page.
func (g *generator) shared(p *pages.Page, meta func(kind, name, content string), link func(rel, href, more string)) error {
	if p.Kind == pages.KindMissing {
		meta("name", "robots", "noindex")
		return nil
	}
	card, err := g.socialCard(p)
	if err != nil {
		return err
	}
	link("canonical", g.absolute(p.Path), "")
	meta("property", "og:url", g.absolute(p.Path))
	meta("property", "og:type", "website")
	meta("property", "og:title", p.DocumentTitle)
	meta("property", "og:description", p.Description)
	meta("property", "og:image", g.absolute(card))
	meta("property", "og:image:width", strconv.Itoa(cardWidth))
	meta("property", "og:image:height", strconv.Itoa(cardHeight))
	meta("property", "og:image:alt", p.Title+". "+p.Description)
	meta("name", "twitter:card", "summary_large_image")
	return nil
}

// loader is the thin line that shows while something is on its way, a place
// for what is said to those who do not see the page, and what go-app's script
// expects to find, out of sight.
const loader = `<div id="loading" class="Loader" aria-hidden="true"></div>
<p id="said" class="Hidden" role="status"></p>
<div id="app-wasm-loader" hidden><span id="app-wasm-loader-icon"></span><span id="app-wasm-loader-label"></span></div>
`

// absolute returns the whole address of a page or file.
func (g *generator) absolute(path string) string { return g.SiteURL + g.BasePath + path }

// rawText returns the address of the Markdown a page was made from.
func (g *generator) rawText(p *pages.Page) string {
	switch p.Kind {
	case pages.KindSkill:
		return g.BasePath + p.Path + "SKILL.md"
	case pages.KindReference, pages.KindTool:
		return pages.Content[article.Data](p).Files[0].Href
	case pages.KindChangelog:
		return g.BasePath + "VERSIONS.md"
	default:
		return ""
	}
}
