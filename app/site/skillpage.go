package site

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"marketingskills/app/collection"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/collection/skill"
	"marketingskills/app/pages"
	"marketingskills/app/pages/article"
	"marketingskills/app/pages/changelog"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

// addSkillPages adds the page of a skill and those of its references.
func (g *generator) addSkillPages(s *collection.Skill) error {
	for _, t := range s.Texts {
		page := g.referencePage
		if t.File == skill.MainFile {
			page = g.skillPage
		}
		p, err := page(s, t)
		if err != nil {
			return fmt.Errorf("skill %s, %s: %w", s.Dir, t.File, err)
		}
		g.pages = append(g.pages, p)
	}
	return nil
}

// pageSection is a section of a skill's page.
type pageSection struct {
	id, title, markup string
}

// skillPage is the page of a skill: what people use comes first, what their agent
// reads is folded below. t is SKILL.md.
func (g *generator) skillPage(s *collection.Skill, t collection.Text) (*pages.Page, error) {
	row, _ := g.collection.Manifest.Row(s.Dir)
	var markup strings.Builder
	var contents []pages.Anchor
	for _, part := range g.skillSections(s, t) {
		if part.markup == "" {
			continue
		}
		fmt.Fprintf(&markup, `<section class="Part"><h2 id="%s">%s</h2>%s</section>`, part.id, html.EscapeString(part.title), part.markup)
		contents = append(contents, pages.Anchor{Href: "#" + part.id, Text: part.title})
	}
	markup.WriteString(g.neighbours(s))
	return newPage(g, pages.Page{
		Kind:        pages.KindSkill,
		Path:        skillPath(s.Dir),
		Title:       s.Title,
		Description: s.Summary,
		Markup:      articleElement(markup.String()),
	}, &article.Data{
		Crumbs: []pages.Anchor{
			{Href: g.config.BasePath, Text: "Catalog"},
			{Href: g.config.BasePath + "?category=" + markdown.Slug(s.Category), Text: s.Category},
		},
		Lead:     s.Summary,
		Command:  g.installFromSite(s.Dir),
		Contents: contents,
		Details: []ui.Property{
			{Name: "Folder", Value: s.Dir},
			{Name: "Version", Value: s.Version},
			{Name: "Updated", Value: day(row.Updated)},
			{Name: "Always loaded", Value: "about " + aboutTokens(s.Name+s.Description) + " tokens"},
			{Name: "Loaded when used", Value: "about " + aboutTokens(t.Body) + " tokens"},
		},
		LinkLists: g.linkLists(s),
	})
}

// skillSections are the sections of a skill's page, in their order. One without
// markup is left out.
func (g *generator) skillSections(s *collection.Skill, main collection.Text) []pageSection {
	return []pageSection{
		{"ask", "Ask it", g.requests(s)},
		{"example", "Example", g.examples(s)},
		{"install", "Install", g.install(s.Dir)},
		{"facts", "What agents get wrong", g.skillFacts(s)},
		{"references", "References", g.referenceList(s)},
		{"instructions", "Instructions for your agent", fold("SKILL.md, as your agent reads it",
			main.Doc.HTML(g.renderOptions(s, skill.MainFile, "instructions"))) + g.rawLink(s)},
		{"evals", "Evals", evalList(s.Evals)},
		{"tried", "How it was tried", g.tried(s)},
		{"history", "What changed", g.history(s)},
	}
}

// linkLists are the lists of links in the side column of a skill's page.
func (g *generator) linkLists(s *collection.Skill) []article.LinkList {
	var tools, from []pages.Anchor
	for _, t := range g.collection.Tools.For(s.Dir) {
		tools = append(tools, pages.Anchor{Href: g.config.BasePath + toolPath(t.ID), Text: t.Name})
	}
	next := g.skillLinks(g.related[s.Dir])
	if len(next) > 0 {
		next = append(next, pages.Anchor{Href: g.config.BasePath + pages.PathMap + "#" + mapID(s.Dir), Text: mapTitle})
	}
	for _, other := range g.collection.Skills {
		if slices.Contains(g.related[other.Dir], s.Dir) && !slices.Contains(g.related[s.Dir], other.Dir) {
			from = append(from, g.skillLink(other.Dir))
		}
	}
	return withLinks(
		article.LinkList{Title: "Tools", Links: tools},
		article.LinkList{Title: "Related skills", Links: next},
		article.LinkList{Title: "Linked from", Links: from},
	)
}

// withLinks leaves out lists without a link.
func withLinks(blocks ...article.LinkList) []article.LinkList {
	return slices.DeleteFunc(blocks, func(b article.LinkList) bool { return len(b.Links) == 0 })
}

func (g *generator) skillLink(name string) pages.Anchor {
	return pages.Anchor{Href: g.skillAddress(name), Text: g.collection.Skill(name).Title}
}

func (g *generator) skillLinks(names []string) []pages.Anchor {
	var links []pages.Anchor
	for _, name := range names {
		links = append(links, g.skillLink(name))
	}
	return links
}

// fold hides markup behind a summary that opens it.
func fold(summary, markup string) string {
	return `<details class="Fold"><summary>` + html.EscapeString(summary) +
		`</summary><div class="Fold-inside">` + markup + `</div></details>`
}

func (g *generator) rawLink(s *collection.Skill) string {
	at := g.config.BasePath + skillPath(s.Dir) + skill.MainFile
	return `<p class="Soft"><a href="` + html.EscapeString(at) + `">View SKILL.md as plain text</a></p>`
}

// requests draws three requests that a visitor could begin with: the thin request
// of the examples, and the shortest ones of the evals.
func (g *generator) requests(s *collection.Skill) string {
	const most = 3
	var all []string
	for _, a := range s.AnsweredRequests() {
		all = append(all, plainText(a.Request))
	}
	all = all[:min(len(all), 1)]
	prompts := make([]string, 0, len(s.Evals))
	for _, e := range s.Evals {
		prompts = append(prompts, e.Prompt)
	}
	slices.SortStableFunc(prompts, func(a, b string) int { return len(a) - len(b) })
	all = append(all, prompts[:min(len(prompts), most-len(all))]...)
	var b strings.Builder
	b.WriteString(`<p>With the skill installed, type what you need in your own words. For example:</p><ul class="Requests">`)
	for _, request := range all {
		b.WriteString(`<li><span>` + html.EscapeString(request) + `</span>` + copyButton("Copy: "+request, "") + "</li>")
	}
	b.WriteString("</ul>")
	return b.String()
}

// examples draws the requests with their answers; all but the first are folded.
func (g *generator) examples(s *collection.Skill) string {
	var b strings.Builder
	for i, a := range s.AnsweredRequests() {
		id := fmt.Sprintf("answer-%d", i+1)
		answer := markdown.Parse([]byte(a.Answer)).HTML(g.renderOptions(s, skill.TwoAnswers, id))
		request := markdown.Parse([]byte(a.Request)).HTML(g.renderOptions(s, skill.TwoAnswers, id+"-request"))
		shown := `<figure class="Asked"><figcaption class="Label">Asked</figcaption><blockquote>` + request +
			`</blockquote></figure><div class="Answered"><p class="Label">Answered</p><div id="` + id +
			`" class="Answered-text" tabindex="0" role="group" aria-label="The answer">` + answer + `</div>` +
			copyButton("Copy this answer", id) + `</div>`
		if i == 0 {
			b.WriteString(`<p class="Soft">What an agent with this skill answered. Companies, people and figures are invented.</p>` + shown)
		} else {
			b.WriteString(fold("A longer request, with numbers", shown))
		}
	}
	return b.String()
}

// referenceList draws the references, with what SKILL.md says of each.
func (g *generator) referenceList(s *collection.Skill) string {
	when := openWhen(s)
	when[skill.TwoAnswers] = "the example above, on a page of its own"
	var b strings.Builder
	b.WriteString(`<ul class="References">`)
	for _, t := range s.References() {
		fmt.Fprintf(&b, `<li><a href="%s">%s</a>`, html.EscapeString(g.config.BasePath+referencePath(s.Dir, t.File)), html.EscapeString(t.Title))
		if words := when[t.File]; words != "" {
			b.WriteString(` <span class="Soft">` + html.EscapeString(words) + "</span>")
		}
		b.WriteString("</li>")
	}
	b.WriteString("</ul>")
	return b.String()
}

// evalList draws the evals, each with an anchor.
func evalList(cases []skill.Eval) string {
	var b strings.Builder
	b.WriteString(`<p class="Soft">Evals are test requests: what an answer to each must do, so that anyone can check one.</p>`)
	for i, c := range cases {
		fmt.Fprintf(&b, `<details class="Eval" id="eval-%d"><summary>%s</summary><h3>Expected answer</h3><p>%s</p><h3>Checks</h3><ul>`,
			i+1, html.EscapeString(c.Prompt), html.EscapeString(c.Expected))
		for _, assertion := range c.Assertions {
			b.WriteString("<li>" + html.EscapeString(assertion) + "</li>")
		}
		fmt.Fprintf(&b, `</ul><a class="Soft" href="#eval-%d">Link to this eval</a></details>`, i+1)
	}
	return b.String()
}

// history draws links to the releases that changed the skill.
func (g *generator) history(s *collection.Skill) string {
	var b strings.Builder
	for _, r := range g.collection.Manifest.Touching(s.Dir) {
		at := g.config.BasePath + pages.PathChangelog + "?skill=" + s.Dir + "#" + changelog.ReleaseID(r.Name())
		fmt.Fprintf(&b, `<li><a href="%s">Release %s</a> <span class="Soft">%s</span></li>`,
			html.EscapeString(at), html.EscapeString(r.Name()), day(r.Date))
	}
	if b.Len() == 0 {
		return ""
	}
	return `<ul class="History">` + b.String() + "</ul>"
}

// skillsIn returns the skills of a category in the order of the catalog.
func (g *generator) skillsIn(category string) []*collection.Skill {
	return slices.DeleteFunc(slices.Clone(g.collection.Skills), func(s *collection.Skill) bool { return s.Category != category })
}

// neighbours draws links to the skills before and after this one in its category.
func (g *generator) neighbours(s *collection.Skill) string {
	inCategory := g.skillsIn(s.Category)
	at := slices.Index(inCategory, s)
	link := func(class, word string, i int) string {
		if i < 0 || i >= len(inCategory) {
			return ""
		}
		return fmt.Sprintf(`<a class="%s" href="%s"><span class="Label">%s</span> %s</a>`,
			class, html.EscapeString(g.skillAddress(inCategory[i].Dir)), word, html.EscapeString(inCategory[i].Title))
	}
	before, after := link("Next-before", "Previous", at-1), link("Next-after", "Next", at+1)
	if before+after == "" {
		return ""
	}
	return `<nav class="Next" aria-label="` + html.EscapeString(s.Category) + `">` + before + after + "</nav>"
}

// installOption is a way to install a skill: the label of its tab, what to know,
// and what to type.
type installOption struct {
	label, note, command string
}

// install draws a box with a tab for each way to install the skill. The tabs are
// radio buttons, so they work without a script.
func (g *generator) install(name string) string {
	options := g.installOptions(name)
	var choices, panels strings.Builder
	for i, o := range options {
		checked := ""
		if i == 0 {
			checked = " checked"
		}
		fmt.Fprintf(&choices, `<input type="radio" name="install" id="install-%[1]d"%[2]s><label for="install-%[1]d">%[3]s</label>`,
			i+1, checked, html.EscapeString(o.label))
		fmt.Fprintf(&panels, `<div class="Tabs-panel"><p>%s</p>`, o.note)
		if o.command != "" {
			panels.WriteString(`<div class="Code Code--line"><pre tabindex="0"><code>` + html.EscapeString(o.command) + `</code></pre>` +
				copyButton("Copy: "+o.command, "") + `</div>`)
		}
		panels.WriteString("</div>")
	}
	return `<fieldset class="Tabs"><legend class="Hidden">How to install</legend>` +
		choices.String() + panels.String() + "</fieldset>" + folders
}

// folders says which agent reads which folder. Source: the documentation of the
// installer (github.com/vercel-labs/skills, docs/agents.md) and of Gemini CLI,
// November 2026.
const folders = `<div class="Table" role="group" aria-label="Table: folders" tabindex="0"><table>` +
	`<thead><tr><th scope="col">Agent</th><th scope="col">In your project</th><th scope="col">For all projects</th></tr></thead><tbody>` +
	`<tr><td>Claude Code</td><td><code>.claude/skills</code></td><td><code>~/.claude/skills</code></td></tr>` +
	`<tr><td>Codex</td><td><code>.agents/skills</code></td><td><code>~/.agents/skills</code></td></tr>` +
	`<tr><td>Cursor</td><td><code>.agents/skills</code></td><td><code>~/.cursor/skills</code></td></tr>` +
	`<tr><td>Gemini CLI</td><td><code>.agents/skills</code></td><td><code>~/.agents/skills</code></td></tr>` +
	`<tr><td>GitHub Copilot</td><td><code>.agents/skills</code></td><td><code>~/.copilot/skills</code></td></tr>` +
	`</tbody></table></div><p class="Soft">Folders as of November 2026. npx finds the right one by itself.</p>`

func (g *generator) installOptions(name string) []installOption {
	zip := g.absolute(archivePath(name))
	posix := "mkdir -p .agents/skills/%[2]s && curl -fsSL %[1]s -o %[2]s.zip && " +
		"unzip -oq %[2]s.zip -d .agents/skills/%[2]s && rm %[2]s.zip"
	powerShell := `Invoke-WebRequest %[1]s -OutFile %[2]s.zip; ` +
		`Expand-Archive -Force %[2]s.zip .agents\skills\%[2]s; Remove-Item %[2]s.zip`
	download := fmt.Sprintf(`<a href="%s">Download %s.zip</a>`,
		html.EscapeString(g.config.BasePath+archivePath(name)), html.EscapeString(name))
	options := []installOption{
		{"npx", "Run in a terminal, in your project folder. It asks which agents you use.", g.installFromSite(name)},
		{"macOS, Linux", "Run in a terminal, in your project folder. Installs to <code>.agents/skills</code>.", fmt.Sprintf(posix, zip, name)},
		{"Windows", `Run in PowerShell, in your project folder. Installs to <code>.agents\skills</code>.`, fmt.Sprintf(powerShell, zip, name)},
		{"Zip", download + " and unzip it into the skills folder of your agent, as a folder named <code>" + html.EscapeString(name) +
			"</code>. Without a terminal: chat apps that take skills have an upload in their settings, below Skills.", ""},
	}
	if g.config.RepoURL != "" {
		plugin := "/plugin marketplace add " + g.config.RepoURL
		all := text.Number(len(g.collection.Skills)) + " skills at once: type this in Claude Code, then install the plugin it lists."
		same := "Run in a terminal, in your project folder: the same skill, from the repository."
		options = append(options,
			installOption{"Repository", same, installFrom(g.config.RepoURL, name)},
			installOption{"Plugin", all, plugin})
	}
	return options
}

func archivePath(name string) string { return skillPath(name) + name + ".zip" }
