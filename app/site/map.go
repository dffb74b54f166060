package site

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"marketingskills/app/collection/markdown"
	"marketingskills/app/collection/skill"
	"marketingskills/app/pages"
	"marketingskills/app/pages/article"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

const mapTitle = "Map of the skills"

// mapID is the address of a skill on the map's page, where its lines show.
func mapID(skill string) string { return "map-" + skill }

// mapPage draws which skill leads to which, once as a picture and once in words.
func (g *generator) mapPage() (*pages.Page, error) {
	m := newSkillMap(g)
	var list strings.Builder
	var contents []pages.Anchor
	for _, category := range m.categories {
		id := markdown.Slug(category)
		contents = append(contents, pages.Anchor{Href: "#" + id, Text: category})
		fmt.Fprintf(&list, `<h2 id="%s">%s%s</h2><ul class="Map-list">`, id, picture(category), html.EscapeString(category))
		for _, s := range g.skillsIn(category) {
			fmt.Fprintf(&list, "<li>%s <span class=\"Soft\">leads to</span> %s</li>",
				linksMarkup(g.skillLinks([]string{s.Dir})), linksMarkup(g.skillLinks(g.related[s.Dir])))
		}
		list.WriteString("</ul>")
	}
	lines := 0
	for _, next := range g.related {
		lines += len(next)
	}
	return newPage(g, pages.Page{
		Kind:        pages.KindMap,
		Title:       mapTitle,
		Description: "All skills by category, and which one to use instead when your task fits another skill better.",
		Markup:      articleElement(m.draw() + list.String()),
	}, &article.Data{
		Crumbs: []pages.Anchor{{Href: g.config.BasePath, Text: "Catalog"}},
		Lead: "An arrow leads from a skill to the one to use instead when your task fits that one better: " +
			"from SMS to Emails, say, when the messages go to an inbox.",
		Contents: contents,
		Details: []ui.Property{
			{Name: "Skills", Value: text.Number(len(g.collection.Skills))},
			{Name: "Lines", Value: text.Number(lines)},
		},
	})
}

// skillMap is the picture of the skills: two columns of names, category by
// category, and between them a line from each skill to those it leads to.
type skillMap struct {
	site       *generator
	categories []string       // those that have skills
	dots       map[string]dot // by skill
	height     int
}

// dot is the end of a name, where its lines begin.
type dot struct {
	x, y  int
	right bool // in the right column
}

// Measures of the picture, in its own units.
const (
	mapWidth   = 640
	mapLeft    = 210 // dots of the left column
	mapRow     = 24
	mapHeading = 34
)

func newSkillMap(g *generator) *skillMap {
	m := &skillMap{site: g, dots: map[string]dot{}}
	m.categories = slices.DeleteFunc(slices.Clone(skill.Categories), func(c string) bool { return len(g.skillsIn(c)) == 0 })
	var bottom [2]int
	for i, category := range m.categories {
		column := i % 2
		y := bottom[column] + mapHeading
		for _, s := range g.skillsIn(category) {
			at := dot{x: mapLeft, y: y + mapRow/2, right: column == 1}
			if at.right {
				at.x = mapWidth - mapLeft
			}
			m.dots[s.Dir] = at
			y += mapRow
		}
		bottom[column] = y
	}
	m.height = max(bottom[0], bottom[1]) + mapRow/2
	return m
}

// draw returns the map as markup. Every skill is a group of its name and, unseen until
// somebody points at it, the lines to and from it. Keys and screen readers are
// left to the lists, which say the same.
func (m *skillMap) draw() string {
	var lines, names strings.Builder
	touching := map[string]*strings.Builder{}
	for _, s := range m.site.collection.Skills {
		touching[s.Dir] = &strings.Builder{}
	}
	for _, s := range m.site.collection.Skills {
		for _, next := range m.site.related[s.Dir] {
			line := curve(m.dots[s.Dir], m.dots[next])
			fmt.Fprintf(&lines, `<path d="%s" marker-end="url(#map-end)"/>`, line)
			fmt.Fprintf(touching[s.Dir], `<path d="%s" marker-end="url(#map-end-lit)"/>`, line)
			fmt.Fprintf(touching[next], `<path d="%s" marker-end="url(#map-end-lit)"/>`, line)
		}
	}
	for _, category := range m.categories {
		skills := m.site.skillsIn(category)
		first := m.dots[skills[0].Dir]
		fmt.Fprintf(&names, `<text class="Map-category" x="%d" y="%d"%s>%s</text>`,
			first.beside(), first.y-mapRow/2-5, first.anchor(), html.EscapeString(category))
		for _, s := range skills {
			at := m.dots[s.Dir]
			fmt.Fprintf(&names, `<g id="%s" class="Map-skill"><a href="%s" tabindex="-1">`,
				mapID(s.Dir), html.EscapeString(m.site.skillAddress(s.Dir)))
			fmt.Fprintf(&names, `<text x="%d" y="%d"%s>%s</text>`, at.beside(), at.y+4, at.anchor(), html.EscapeString(s.Title))
			fmt.Fprintf(&names, `<circle cx="%d" cy="%d" r="3"/></a>%s</g>`, at.x, at.y, touching[s.Dir])
		}
	}
	return fmt.Sprintf(`<figure class="Map"><svg viewBox="0 0 %d %d" aria-hidden="true">`+
		`<defs>`+arrowhead("map-end", "Map-end")+arrowhead("map-end-lit", "Map-end--lit")+`</defs>`+
		`<g class="Map-lines">%s</g>%s</svg><figcaption>Point at a skill to see what it leads to and what leads to it.</figcaption></figure>`,
		mapWidth, m.height, &lines, &names)
}

// beside is where the name of a dot ends, or begins in the right column.
func (d dot) beside() int {
	if d.right {
		return d.x + 10
	}
	return d.x - 10
}

func (d dot) anchor() string {
	if d.right {
		return ""
	}
	return ` text-anchor="end"`
}

// curve leads from one dot to another: across, or, within a column, in a bow
// that is wider the farther they are apart.
func curve(from, to dot) string {
	inward := func(d dot, by int) int {
		if d.right {
			return d.x - by
		}
		return d.x + by
	}
	bend := (mapWidth - 2*mapLeft) / 2
	if from.right == to.right {
		apart := max(from.y-to.y, to.y-from.y)
		bend = min(bend, 14+apart/3)
	}
	return fmt.Sprintf("M%d %dC%d %d %d %d %d %d", from.x, from.y, inward(from, bend), from.y, inward(to, bend), to.y, to.x, to.y)
}

// arrowhead ends a line just before the dot that it leads to.
func arrowhead(id, class string) string {
	return fmt.Sprintf(`<marker id="%s" class="%s" viewBox="0 0 8 8" refX="11" refY="4" markerWidth="7" markerHeight="7" orient="auto">`+
		`<path d="M0 0L8 4L0 8z"/></marker>`, id, class)
}
