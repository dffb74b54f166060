package site

import (
	"fmt"
	"html"
	"strings"
	"time"
	"unicode/utf8"

	"marketingskills/app/collection"
	"marketingskills/app/collection/example"
	"marketingskills/app/collection/finding"
	"marketingskills/app/text"
)

// day writes a date as people do: 2026-05-26 becomes 26 May 2026. What is not
// a date stays as it is; a skill without one waits for its first release.
func day(date string) string {
	if date == "" {
		return "not released yet"
	}
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return t.Format("2 January 2006")
}

// aboutTokens estimates how many tokens a text costs, at four characters each,
// rounded so that nobody takes it for a count.
func aboutTokens(s string) string {
	n := utf8.RuneCountInString(s) / 4
	step := 100
	if n < 200 {
		step = 10
	}
	return text.Number((n + step/2) / step * step)
}

func words(t collection.Text) int { return len(strings.Fields(t.Doc.Text())) }

var (
	ones = []string{"No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten",
		"Eleven", "Twelve", "Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen", "Eighteen", "Nineteen"}
	tens = []string{"", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"}
)

// inCount writes a number in words up to ninety-nine, in figures above.
func inCount(n int) string {
	switch {
	case n < len(ones):
		return ones[n]
	case n >= 100:
		return text.Number(n)
	case n%10 == 0:
		return tens[n/10]
	default:
		return tens[n/10] + "-" + strings.ToLower(ones[n%10])
	}
}

// inWords counts things in words.
func inWords(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return inCount(n) + " " + noun
}

// checkedExample is the title of what validation counts or reads.
const checkedExample = "Checked example"

// exampleHead begins the figure of an example, labelled with what was counted.
func exampleHead(title, label string) string {
	return `<figure class="Example"><figcaption><span>` + html.EscapeString(title) + "</span><span>" +
		html.EscapeString(label) + "</span></figcaption>"
}

// textMessage draws a text message as a phone would count it.
func textMessage(body string) string {
	m := example.ParseSMS(body, 1, &finding.List{})
	var b strings.Builder
	b.WriteString(exampleHead(checkedExample, m.Size.String()))
	b.WriteString(`<pre class="Example-message" tabindex="0">` + html.EscapeString(m.Text) + "</pre>" + copyButton("Copy this message", ""))
	var notes []string
	for _, f := range m.Merges {
		notes = append(notes, fmt.Sprintf("{%s}: sample value %s, longest value %s", f.Field, f.Sample, f.Longest))
	}
	if len(m.Merges) > 0 {
		notes = append(notes, "longest message: "+m.Worst.String())
	}
	notes = append(notes, "consent: "+m.Consent, "quiet hours: "+m.QuietHours)
	b.WriteString(`<p class="Example-notes">` + html.EscapeString(strings.Join(notes, " · ")) + "</p></figure>\n")
	return b.String()
}
