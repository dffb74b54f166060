package site

import (
	"bytes"
	"fmt"
	"html"
	"io/fs"
	"strings"
	"time"

	"marketingskills/app/collection"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/pages"
	"marketingskills/app/pages/article"
	"marketingskills/app/text"
	"marketingskills/app/tryout"
	"marketingskills/app/ui"
)

// trial is a trial with its comparisons, which take a while to compute.
type trial struct {
	*tryout.Trial
	comparisons []tryout.Comparison
}

const (
	tryoutsFile   = "skills/TRYOUTS.md"
	tryoutsFolder = "skills/tryouts"
)

// readTryouts reads the trials of the skills.
func (g *generator) readTryouts() error {
	all, err := tryout.ReadAll(g.content, tryoutsFolder)
	if err != nil {
		return fmt.Errorf("reading the trials: %w", err)
	}
	for _, t := range all {
		g.trials = append(g.trials, trial{t, t.Compare()})
	}
	return nil
}

// tryoutsPage shows every trial with its control.
func (g *generator) tryoutsPage() (*pages.Page, error) {
	known, err := fs.ReadFile(g.content, tryoutsFile)
	if err != nil {
		known = []byte("# Try-outs\n\nNo trial is kept.\n")
	}
	words, _, _ := strings.Cut(string(known), "<!-- tryouts:begin")
	above := bytes.NewBufferString(words)
	if err := tryout.Markdown(above, []tryout.Section{tryout.Legend}, 2); err != nil {
		return nil, err
	}
	markup := bytes.NewBufferString(markdown.Parse(above.Bytes()).HTML(markdown.Options{DropTitle: true}))
	var contents []pages.Anchor
	verdicts := 0
	for i, t := range g.trials {
		verdicts += len(t.Verdicts)
		id := fmt.Sprintf("trial-%d", i+1)
		contents = append(contents, pages.Anchor{Href: "#" + id, Text: t.Name})
		sections := t.Sections(t.comparisons)
		fmt.Fprintf(markup, `<h2 id="%s">%s</h2>`, id, html.EscapeString(t.Name))
		for _, note := range sections[0].Notes {
			fmt.Fprintf(markup, "<p>%s</p>", html.EscapeString(note))
		}
		markup.WriteString(intervals(t.comparisons))
		sections[0].Notes = nil
		sections[0].Title = "All figures"
		var tables bytes.Buffer
		if err := tryout.Markdown(&tables, sections, 3); err != nil {
			return nil, err
		}
		inside := markdown.Parse(tables.Bytes()).HTML(markdown.Options{Section: id})
		markup.WriteString(fold("All figures and reasons: by kind of request, by skill, words", inside))
	}
	return newPage(g, pages.Page{
		Kind:  pages.KindTryouts,
		Title: "Do the skills help?",
		Description: "What happened when the skills were tried: the same requests answered with and without, " +
			"read by readers who did not know which was which.",
		Markup: articleElement(markup.String()),
	}, &article.Data{
		Crumbs:   []pages.Anchor{{Href: g.config.BasePath, Text: "Catalog"}},
		Contents: contents,
		Details: []ui.Property{
			{Name: "Trials", Value: text.Number(len(g.trials))},
			{Name: "Verdicts", Value: text.Number(verdicts)},
		},
	})
}

// intervals draws a chart with a row for each comparison: the share of requests in
// which the first of the two answers was preferred, with its 95% interval, and a
// line at 50%, where the two do not differ.
func intervals(comparisons []tryout.Comparison) string {
	if len(comparisons) == 0 {
		return ""
	}
	const (
		left, width = 250, 300 // of 0% and from there to 100%
		row, top    = 26, 24
	)
	at := func(share float64) float64 { return left + width*share }
	height := top + row*len(comparisons) + 8
	var b strings.Builder
	fmt.Fprintf(&b, `<figure class="Intervals"><svg viewBox="0 0 640 %d" role="img" aria-label="%s">`,
		height, html.EscapeString(intervalsInWords(comparisons)))
	for _, share := range []float64{0, 0.5, 1} {
		class := "Intervals-rule"
		if share == 0.5 {
			class += " Intervals-rule--even"
		}
		fmt.Fprintf(&b, `<line class="%s" x1="%.0f" x2="%.0f" y1="%d" y2="%d"/>`, class, at(share), at(share), top-4, height-4)
		fmt.Fprintf(&b, `<text class="Intervals-scale" x="%.0f" y="12" text-anchor="middle">%.0f%%</text>`, at(share), 100*share)
	}
	for i, c := range comparisons {
		y := top + row*i + row/2
		class := "Intervals-row"
		if c.Control {
			class += " Intervals-row--control"
		}
		fmt.Fprintf(&b, `<g class="%s"><text x="0" y="%d">%s</text>`, class, y+4, html.EscapeString(text.Clip(comparisonName(c), 36)))
		fmt.Fprintf(&b, `<line x1="%.1f" x2="%.1f" y1="%d" y2="%d"/>`, at(c.Low), at(c.High), y, y)
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%d" r="4.5"/>`, at(c.Share), y)
		fmt.Fprintf(&b, `<text x="%d" y="%d">%.0f%%</text></g>`, left+width+14, y+4, 100*c.Share)
	}
	b.WriteString(`</svg><figcaption>Share of requests in which the first of the two was preferred, with its 95% interval. ` +
		`An interval that holds 50% does not tell them apart.</figcaption></figure>`)
	return b.String()
}

func comparisonName(c tryout.Comparison) string {
	if c.Control {
		return "control: two plain answers"
	}
	if c.Condition == installedCondition && c.Against == "none" {
		return "with the skill against without"
	}
	return c.Condition + " against " + c.Against
}

// intervalsInWords describes the chart of intervals to those who do not see it.
func intervalsInWords(comparisons []tryout.Comparison) string {
	var all []string
	for _, c := range comparisons {
		all = append(all, fmt.Sprintf("%s: %.0f%%, interval %.0f%% to %.0f%%", comparisonName(c), 100*c.Share, 100*c.Low, 100*c.High))
	}
	return strings.Join(all, "; ")
}

// installedCondition is the condition of a trial in which an agent had the skill as
// people install it.
const installedCondition = "skill"

// tried draws the results of the trials of a skill.
func (g *generator) tried(s *collection.Skill) string {
	page := `<a href="` + html.EscapeString(g.config.BasePath+pages.PathTryouts) + `">How all of them were tried</a>`
	var items strings.Builder
	for _, t := range g.trials {
		for _, c := range t.comparisons {
			for _, tally := range c.Skills {
				if tally.Group == s.Dir && c.Condition == installedCondition {
					items.WriteString("<li>" + html.EscapeString(trialSentence(t, tally)) + "</li>")
				}
			}
		}
	}
	if items.Len() == 0 {
		return `<p>This skill was not tried in its present form. ` + page + `.</p>`
	}
	return `<ul>` + items.String() + `</ul><p>` + page + `, with what chance alone does.</p>`
}

func trialSentence(t trial, of tryout.Tally) string {
	when, _ := time.Parse(tryout.Day, t.Date)
	all := of.Verdicts[0] + of.Verdicts[1] + of.Verdicts[2]
	words := fmt.Sprintf("%s: readers preferred the answer with this skill in %d of %s on %s (%.0f%%, interval %.0f%% to %.0f%%).",
		when.Format("2 January 2006"), of.Verdicts[0], text.Count(all, "verdict"), text.Count(of.Requests(), "request"),
		100*of.Share, 100*of.Low, 100*of.High)
	switch of.Result {
	case tryout.Better:
		return words + " That is better than without."
	case tryout.Worse:
		return words + " That is worse than without."
	}
	return words + " That is too few to tell."
}
