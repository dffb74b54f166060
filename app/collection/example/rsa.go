package example

import (
	"fmt"
	"strings"
	"unicode"

	"marketingskills/app/text"
)

// rsa is a responsive search ad: the platform combines its texts.
type rsa struct {
	// Name is RSA1, RSA2 … in falling value.
	Name string
	// adGroup is the label of the ad group that it serves.
	Group string
	URL   string
	// Paths are shown after the domain, one or two.
	Paths []adText
	// Pins says which texts are tied to a position; "none" is the rule.
	Pins         string
	Descriptions []adText
	// Headlines come best first.
	Headlines []adText
	// Check is the self-check line as written.
	Check string

	label int           // the line with the name
	lines [fieldEnd]int // where each field begins
}

// The fields of an ad, in the order required.
const (
	fieldGroup = iota
	fieldURL
	fieldPaths
	fieldPins
	fieldDescriptions
	fieldDescription
	fieldHeadlines
	fieldHeadline
	fieldCheck
	fieldEnd
)

var rsaSteps = []step{
	{name: "Ad group:"}, {name: "URL:"}, {name: "Paths:"}, {name: "Pins:"},
	{name: "Descriptions:"}, {name: "D1", many: true},
	{name: "Headlines:"}, {name: "H1", many: true}, {name: "Check"},
}

func (r *adReader) readAd(p part) {
	ad := rsa{Name: p.name, label: p.line}
	fields := newOrder(rsaSteps)
	for i, row := range r.rows(p.from, p.to) {
		field, number, value := rsaField(row)
		if field < 0 {
			r.errorf(i, "search-ad-line", "write one of "+fields.String(), "%s is no line of an ad", text.Quote(row))
			continue
		}
		if wrong := fields.meet(field); wrong != "" {
			r.errorf(i, "search-ad-order", "keep to the order "+fields.String(), "%s", wrong)
		}
		if value == "" && field != fieldDescriptions && field != fieldHeadlines {
			r.errorf(i, "search-ad-missing", "write it after the label", "%s is empty", rsaSteps[field].name)
			continue
		}
		ad.lines[field] = i
		switch field {
		case fieldGroup:
			ad.Group = value
		case fieldURL:
			ad.URL = r.link(i, value)
		case fieldPaths:
			r.readPaths(&ad, i, value)
		case fieldPins:
			ad.Pins = value
		case fieldDescription:
			ad.Descriptions = append(ad.Descriptions, r.counted(i, "description", value, maxDescription))
			r.inTurn(i, "D", number, len(ad.Descriptions))
		case fieldHeadline:
			ad.Headlines = append(ad.Headlines, r.counted(i, "headline", value, maxHeadline))
			r.inTurn(i, "H", number, len(ad.Headlines))
		case fieldCheck:
			ad.Check = row
		}
	}
	for name := range fields.missing() {
		r.errorf(p.line, "search-ad-missing", "add it, in the order "+fields.String(), "%s has no line %s", p.name, name)
	}
	r.exactly(p.line, len(ad.Descriptions), descriptions, "description")
	r.exactly(p.line, len(ad.Headlines), headlines, "headline")
	r.checkDescriptions(ad)
	r.checkHeadlines(ad)
	r.Ads = append(r.Ads, ad)
}

// rsaField tells which field a row is, or -1, with the number of a description
// or headline and the value.
func rsaField(row string) (field, number int, value string) {
	for i, s := range rsaSteps {
		switch i {
		case fieldDescriptions, fieldHeadlines:
			if row == s.name {
				return i, 0, ""
			}
		case fieldDescription, fieldHeadline:
			n, rest, ok := numbered(row, s.name[:1])
			if ok && (rest == "" || rest[0] == ' ') {
				return i, n, strings.TrimSpace(rest)
			}
		default:
			rest, ok := strings.CutPrefix(row, s.name)
			if ok && (rest == "" || rest[0] == ' ') {
				return i, 0, strings.TrimSpace(rest)
			}
		}
	}
	return -1, 0, ""
}

func (r *adReader) readPaths(ad *rsa, line int, value string) {
	fields := split(value, "|")
	if len(fields) > maxPaths {
		r.errorf(line, "search-ad-count", "give one or two", "%s", text.Count(len(fields), "path"))
	}
	for _, f := range fields {
		ad.Paths = append(ad.Paths, r.counted(line, "path", f, maxPath))
	}
}

func (r *adReader) inTurn(line int, letter string, number, want int) {
	if number != want {
		r.errorf(line, "search-ad-order", fmt.Sprintf("number it %s%d", letter, want), "%s%d stands in place %d", letter, number, want)
	}
}

func (r *adReader) exactly(line, have, want int, noun string) {
	if have != want {
		r.errorf(line, "search-ad-count", fmt.Sprintf("give exactly %d", want), "%s", text.Count(have, noun))
	}
}

func (r *adReader) checkDescriptions(ad rsa) {
	for _, d := range ad.Descriptions {
		r.once(d.line, fmt.Sprintf("description %d %s", ad.label, normal(d.Text)), "description")
	}
}

// checkHeadlines asks that every headline can stand beside every other.
func (r *adReader) checkHeadlines(ad rsa) {
	openings := map[string]int{}
	for _, h := range ad.Headlines {
		if strings.ContainsAny(h.Text, "!！") {
			r.errorf(h.line, "search-ad-exclamation", "end it without one", "an exclamation mark in a headline")
		}
		if !r.once(h.line, fmt.Sprintf("headline %d %s", ad.label, normal(h.Text)), "headline") {
			continue
		}
		words := opening(h.Text)
		if words == "" {
			continue
		}
		if first, twice := openings[words]; twice {
			r.errorf(h.line, "search-ad-opening", "begin one of the two otherwise",
				"the same first three words as on line %d", r.first+first)
			continue
		}
		openings[words] = h.line
	}
}

// opening returns the first three words of a headline, without case and
// punctuation, or "" when it has fewer: then only the whole can be repeated.
func opening(headline string) string {
	words := strings.FieldsFunc(normal(headline), unicode.IsSpace)
	kept := words[:0]
	for _, w := range words {
		if w = strings.TrimFunc(w, unicode.IsPunct); w != "" {
			if kept = append(kept, w); len(kept) == 3 {
				return strings.Join(kept, " ")
			}
		}
	}
	return ""
}

// checkLine compares an ad's self-check with what the set holds, item by item.
func (r *adReader) checkLine(ad rsa) {
	if ad.Check == "" {
		return
	}
	seen, repeated := map[string]bool{}, 0
	for _, h := range ad.Headlines {
		key := normal(h.Text)
		if seen[key] {
			repeated++
		}
		seen[key] = true
	}
	const separator = " · "
	want := []string{
		fmt.Sprintf("Check H%d/%d max%d", len(ad.Headlines), headlines, longest(ad.Headlines)),
		fmt.Sprintf("D%d/%d max%d", len(ad.Descriptions), descriptions, longest(ad.Descriptions)),
		fmt.Sprintf("NEG %d", len(r.Negatives)),
		fmt.Sprintf("SL%d CO%d", len(r.Sitelinks), len(r.Callouts)),
		fmt.Sprintf("labels %d", len(r.Groups)),
		fmt.Sprintf("dup %d", repeated),
		"unproven claims 0",
	}
	line := ad.lines[fieldCheck]
	have := strings.Split(ad.Check, separator)
	if len(have) != len(want) {
		r.errorf(line, "search-ad-check", "write "+strings.Join(want, separator),
			"the check line has %s, not %d", text.Count(len(have), "item"), len(want))
		return
	}
	for i := range want {
		if have[i] != want[i] {
			r.errorf(line, "search-ad-check", "write "+want[i], "%s is not what the set holds", text.Quote(have[i]))
		}
	}
}

func longest(texts []adText) (length int) {
	for _, t := range texts {
		length = max(length, t.Length)
	}
	return length
}
