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

// drawDocument draws one page as an HTML document.
func (g *generator) drawDocument(p *pages.Page) ([]byte, error) {
	entry, ok := pages.EntryOf(p.Kind)
	if !ok {
		return nil, fmt.Errorf("the kind %q is not in the registry of pages", p.Kind)
	}
	program := g.assets.programs[entry.Program]
	p.Build = program.build
	root, err := render(drawFunctions.Root(p))
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
	if err := g.describe(p, meta, link); err != nil {
		return nil, err
	}
	link("icon", g.assets.icon, ` type="image/svg+xml"`)
	link("apple-touch-icon", g.config.BasePath+"icons/icon-192.png", "")
	link("manifest", g.config.BasePath+"manifest.webmanifest", "")
	link("alternate", g.config.BasePath+"feed.xml", ` type="application/atom+xml" title="Releases"`)
	link("alternate", g.config.BasePath+newsFeedPath, ` type="application/atom+xml" title="`+newsTitle+`"`)
	if raw := g.markdownAddress(p); raw != "" {
		link("alternate", raw, ` type="text/markdown"`)
	}
	fmt.Fprintf(&b, "<style>%s</style>\n<script>%s</script>\n", program.css, g.assets.head)
	fmt.Fprintf(&b, "<script defer src=\"%s\" data-loader=\"%s\" data-start=\"%s\"></script>\n</head>\n<body>\n",
		html.EscapeString(g.assets.script), html.EscapeString(program.loader), entry.Start)
	b.WriteString(root)
	fmt.Fprintf(&b, "\n<script type=\"application/json\" id=\"%s\">%s</script>\n", browser.DataID, data)
	b.WriteString(loadingMarkup)
	b.WriteString("</body>\n</html>\n")
	return b.Bytes(), nil
}

// describe writes what search engines and networks show of a page.
func (g *generator) describe(p *pages.Page, meta func(kind, name, content string), link func(rel, href, more string)) error {
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

// loadingMarkup has the thin line that is shown while something loads, a live
// region for screen readers, and the hidden elements that go-app's script needs.
const loadingMarkup = `<div id="loading" class="Loader" aria-hidden="true"></div>
<p id="said" class="Hidden" role="status"></p>
<div id="app-wasm-loader" hidden><span id="app-wasm-loader-icon"></span><span id="app-wasm-loader-label"></span></div>
`

// absolute returns the URL of a page or file with its host.
func (g *generator) absolute(path string) string { return g.config.SiteURL + g.config.BasePath + path }

// markdownAddress returns the URL of the Markdown that a page was made from; "" if
// it was made from none.
func (g *generator) markdownAddress(p *pages.Page) string {
	switch p.Kind {
	case pages.KindSkill:
		return g.config.BasePath + p.Path + "SKILL.md"
	case pages.KindReference, pages.KindTool:
		return pages.Content[article.Data](p).Files[0].Href
	case pages.KindChangelog:
		return g.config.BasePath + "VERSIONS.md"
	default:
		return ""
	}
}
