package site

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"marketingskills/app/collection"
	"marketingskills/app/collection/facts"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/pages"
	"marketingskills/app/pages/article"
	"marketingskills/app/search"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

const (
	newsTitle    = "What changed in marketing"
	newsFeedPath = pages.PathNews + "feed.xml"
)

// newsChapter is a section of the page of news.
type newsChapter struct {
	id, title string
	facts     facts.Ledger
}

// newsChapters groups facts by date: those in the future, the next one first; then
// a chapter for each month back through two years; then those that are older, and
// those without a date.
func newsChapters(all facts.Ledger) []newsChapter {
	now := all.LastRead()
	var list []newsChapter
	add := func(id, title string, f *facts.Fact) {
		if n := len(list); n == 0 || list[n-1].id != id {
			list = append(list, newsChapter{id: id, title: title})
		}
		last := &list[len(list)-1]
		last.facts = append(last.facts, f)
	}
	for _, f := range all.Latest() {
		switch month := f.Since[:min(len("2006-01"), len(f.Since))]; {
		case month > now:
			add("ahead", "Still to come", f)
		case month > facts.MonthsBefore(now, 24):
			add(month, facts.FormatDate(month), f)
		case month != "":
			add("before", "Earlier", f)
		default:
			add("undated", "Rules without a date", f)
		}
	}
	if len(list) > 0 && list[0].id == "ahead" {
		slices.Reverse(list[0].facts)
	}
	return list
}

// newsPage lists all facts.
func (g *generator) newsPage() (*pages.Page, error) {
	all := g.collection.Facts
	var markup strings.Builder
	markup.WriteString(g.newsFilter(all))
	var contents []pages.Anchor
	for _, c := range newsChapters(all) {
		fmt.Fprintf(&markup, `<section class="Chapter"><h2 id="%s">%s</h2>`, c.id, html.EscapeString(c.title))
		for _, f := range c.facts {
			markup.WriteString(g.newsItem(f, all))
		}
		markup.WriteString("</section>")
		contents = append(contents, pages.Anchor{Href: "#" + c.id, Text: c.title})
	}
	primary := 0
	for _, f := range all {
		if slices.ContainsFunc(f.Sources, func(s facts.Source) bool { return s.Primary }) {
			primary++
		}
	}
	return newPage(g, pages.Page{
		Kind:  pages.KindNews,
		Title: newsTitle,
		Description: "Platform rules, law and ad prices that changed, by month, channel and country, each with its source " +
			"and the month in which it was read.",
		Markup: articleElement(markup.String()),
	}, &article.Data{
		Lead: "Platform rules, law and ad prices: what changed, since when, where it holds, and the page on which it can be read. " +
			"The skills know these facts, because AI agents often get them wrong.",
		Contents: contents,
		Files: []pages.Anchor{
			{Href: g.config.BasePath + newsFeedPath, Text: "Atom feed"},
			{Href: g.config.BasePath + "facts.json", Text: "All facts as JSON"},
		},
		Details: []ui.Property{
			{Name: "Facts", Value: text.Number(len(all))},
			{Name: "Last read", Value: facts.FormatDate(all.LastRead())},
			{Name: "From the source itself", Value: text.Number(primary)},
			{Name: "From reports on it", Value: text.Number(len(all) - primary)},
		},
	})
}

// newsFilter draws the filters of the page of news. The page script applies them.
func (g *generator) newsFilter(all facts.Ledger) string {
	var b strings.Builder
	b.WriteString(`<fact-filter class="Controls">`)
	choice := func(name, label, none string, values [][2]string) {
		fmt.Fprintf(&b, `<div class="Controls-choice"><label for="%[1]s">%[2]s</label><select id="%[1]s" name="%[1]s">`+
			`<option value="">%[3]s</option>`, name, label, none)
		for _, v := range values {
			fmt.Fprintf(&b, `<option value="%s">%s</option>`, html.EscapeString(v[0]), html.EscapeString(v[1]))
		}
		b.WriteString("</select></div>")
	}
	var channels, places, skills [][2]string
	for _, channel := range facts.Channels {
		if slices.ContainsFunc(all, func(f *facts.Fact) bool { return f.Channel == channel }) {
			channels = append(channels, [2]string{markdown.Slug(channel), channel})
		}
	}
	for _, place := range all.Places() {
		places = append(places, [2]string{markdown.Slug(place), place})
	}
	for _, s := range g.collection.Skills {
		if len(all.For(s.Dir)) > 0 {
			skills = append(skills, [2]string{s.Dir, s.Title})
		}
	}
	choice("channel", "Channel", "All channels", channels)
	choice("where", "Where you sell", "Everywhere", places)
	choice("skill", "Skill", "All skills", skills)
	fmt.Fprintf(&b, `</fact-filter><p class="Summary" id="summary" role="status">%s</p>`, text.Count(len(all), "fact"))
	return b.String()
}

// newsItem draws a fact with the attributes that it is filtered by.
func (g *generator) newsItem(f *facts.Fact, all facts.Ledger) string {
	var where []string
	for _, place := range all.Places() {
		if f.HoldsIn(place) {
			where = append(where, markdown.Slug(place))
		}
	}
	return fmt.Sprintf(`<article class="Fact" id="%s" data-channel="%s" data-where="%s" data-skill="%s">%s</article>`,
		f.ID, markdown.Slug(f.Channel), strings.Join(where, " "), html.EscapeString(strings.Join(f.Skills, " ")),
		factMarkup(f, g.config.BasePath+pages.PathNews, " Skills: "+linksMarkup(g.skillLinks(f.Skills))+"."))
}

// factMarkup draws a fact: when and where it holds, what it is, what is often said
// instead, and where it was read. news is the URL of the page of news; more
// follows at the end.
func factMarkup(f *facts.Fact, news, more string) string {
	var b strings.Builder
	var head []string
	if f.Since != "" {
		head = append(head, facts.FormatDate(f.Since))
	}
	head = append(head, f.Channel, strings.Join(f.Where, ", "))
	fmt.Fprintf(&b, `<p class="Fact-when">%s</p><h3><a href="%s#%s">%s</a></h3><p>%s</p>`,
		html.EscapeString(strings.Join(head, " · ")), html.EscapeString(news), f.ID, html.EscapeString(f.Title), html.EscapeString(f.Holds))
	fmt.Fprintf(&b, `<p class="Fact-said">Common mistake: %s</p>`, html.EscapeString(f.Said))
	if f.For != "" {
		fmt.Fprintf(&b, `<p class="Fact-more">For: %s</p>`, html.EscapeString(f.For))
	}
	var sources []pages.Anchor
	for _, s := range f.Sources {
		sources = append(sources, pages.Anchor{Href: s.URL, Text: s.Host()})
	}
	fmt.Fprintf(&b, `<p class="Fact-more">Read in %s: %s.%s</p>`, facts.FormatDate(f.LastRead()), linksMarkup(sources), more)
	return b.String()
}

// skillFacts draws the facts that a skill uses: up to four of the last year, the
// others folded.
func (g *generator) skillFacts(s *collection.Skill) string {
	const most = 4
	all := g.collection.Facts.For(s.Dir)
	if len(all) == 0 {
		return ""
	}
	news := g.config.BasePath + pages.PathNews
	list := func(all facts.Ledger) string {
		var b strings.Builder
		for _, f := range all {
			b.WriteString(`<div class="Fact">` + factMarkup(f, news, "") + "</div>")
		}
		return b.String()
	}
	now := g.collection.Facts.LastRead()
	late := 0
	for late < min(len(all), most) && all[late].Since > facts.MonthsBefore(now, 12) {
		late++
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<p class="Soft">What an AI agent often says, and what holds instead, each with its source. As of %s. `+
		`<a href="%s?skill=%s">All of them in the news</a></p>`,
		facts.FormatDate(now), html.EscapeString(news), html.EscapeString(s.Dir))
	if late > 0 {
		b.WriteString(`<p class="Label">Changed lately</p>` + list(all[:late]))
	}
	if n := len(all) - late; n > 0 {
		b.WriteString(fold(text.Count(n, "more fact"), list(all[late:])))
	}
	return b.String()
}

func (g *generator) newsDocuments() []search.Document {
	var documents []search.Document
	for _, f := range g.collection.Facts.Latest() {
		documents = append(documents, search.Document{
			Name: f.ID, Title: f.Title, Category: f.Channel, Description: f.Holds, Body: f.Said + " " + f.For, Keywords: f.Where,
		})
	}
	return documents
}

// newsFeed is an Atom feed of the latest facts. One that holds from a date in the
// future is dated by the month in which it was read.
func (g *generator) newsFeed() ([]byte, error) {
	const most = 60
	f := atomFeed{
		Title:  newsTitle,
		ID:     g.absolute(pages.PathNews),
		Author: "Marketing Skills",
		Links: []atomLink{
			{Rel: "self", Href: g.absolute(newsFeedPath)},
			{Rel: "alternate", Href: g.absolute(pages.PathNews)},
		},
	}
	for _, fact := range g.collection.Facts.Latest() {
		day := fact.Since
		if len(day) == len("2006-01") {
			day += "-01"
		}
		if read := fact.LastRead() + "-01"; fact.Since > fact.LastRead()+"-31" {
			day = read
		}
		if day == "" || len(f.Entries) == most {
			continue
		}
		address := g.absolute(pages.PathNews) + "#" + fact.ID
		f.Entries = append(f.Entries, atomEntry{
			Title: fact.Title, ID: address, Updated: day + "T00:00:00Z",
			Link:    atomLink{Rel: "alternate", Href: address},
			Content: atomContent{Type: "text", Text: fact.Holds + "\nCommon mistake: " + fact.Said + "\n" + fact.Sources[0].URL + "\n"},
		})
	}
	slices.SortStableFunc(f.Entries, func(a, b atomEntry) int { return strings.Compare(b.Updated, a.Updated) })
	if len(f.Entries) > 0 {
		f.Updated = f.Entries[0].Updated
	}
	return marshalXML(f)
}

// factsJSON lists the facts for programs, each with its channel.
func (g *generator) factsJSON() ([]byte, error) {
	type entry struct {
		*facts.Fact
		Channel string `json:"channel"`
	}
	entries := make([]entry, 0, len(g.collection.Facts))
	for _, f := range g.collection.Facts {
		entries = append(entries, entry{f, f.Channel})
	}
	return readableJSON(struct {
		Facts []entry `json:"facts"`
	}{entries})
}
