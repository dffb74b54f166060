package example

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"marketingskills/app/collection/finding"
	"marketingskills/app/text"
)

// adField is one field of a search ad, as a block that can be pasted: a line
// for each text, without counts.
type adField struct {
	kind        string
	noun        string // of one line
	least, most int    // lines; most is 0 for no limit
	// columns are the most characters of each column, by [adLength]; columns
	// are parted by "|". A column of 0 holds an address.
	columns []int
	check   func(r *adReader, line int, row string)
}

// adFields are the fields in the order of an answer. Lengths and the numbers of
// headlines and descriptions are those of responsive search ads and their
// assets on Google Ads, as of November 2026; the other numbers are the
// collection's own contract.
var adFields = []adField{
	{kind: "ad-structure", noun: "line", least: 2, check: (*adReader).structure},
	{kind: "ad-keywords", noun: "keyword", least: 5, most: 15, check: (*adReader).keyword},
	{kind: "ad-negatives", noun: "negative keyword", least: 8, check: (*adReader).keyword},
	{kind: "ad-sitelinks", noun: "sitelink", least: 4, columns: []int{25, 35, 35, 0}},
	{kind: "ad-callouts", noun: "callout", least: 4, columns: []int{25}},
	{kind: "ad-paths", noun: "path", least: 1, most: 2, columns: []int{15}},
	{kind: "ad-descriptions", noun: "description", least: 4, most: 4, columns: []int{90}},
	{kind: "ad-headlines", noun: "headline", least: 15, most: 15, columns: []int{30}, check: (*adReader).headline},
}

// AdLabel says what a block of a search ad holds, for people: "15 headlines,
// longest 28 of 30". It is "" for a kind that is not a field of a search ad.
func AdLabel(kind, body string) string {
	f, ok := adFieldOf(kind)
	if !ok {
		return ""
	}
	lines, longest := 0, 0
	for _, row := range newBlock(body, 1, &finding.List{}).rows() {
		lines++
		longest = max(longest, adLength(row))
	}
	label := text.Count(lines, f.noun)
	if len(f.columns) == 1 {
		label += fmt.Sprintf(", longest %d of %d", longest, f.columns[0])
	}
	return label
}

func adFieldOf(kind string) (f adField, ok bool) {
	i := slices.IndexFunc(adFields, func(f adField) bool { return f.kind == kind })
	if i < 0 {
		return adField{}, false
	}
	return adFields[i], true
}

// adReader checks one field.
type adReader struct {
	*block
	field    adField
	openings map[string]int // of headlines
}

// checkAd adds what is wrong with a block of a search ad to into. It returns
// false for a kind that is none.
func checkAd(kind, body string, firstLine int, into *finding.List) bool {
	f, ok := adFieldOf(kind)
	if ok {
		r := &adReader{block: newBlock(body, firstLine, into), field: f, openings: map[string]int{}}
		r.read()
		r.close()
	}
	return ok
}

func (r *adReader) read() {
	lines, seen := 0, map[string]int{}
	for i, row := range r.rows() {
		lines++
		if first, twice := seen[normal(row)]; twice {
			r.errorf(i, "search-ad-duplicate", "replace one of the two", "the same %s as on line %d", r.field.noun, r.first+first)
			continue
		}
		seen[normal(row)] = i
		if r.field.columns != nil {
			r.texts(i, row)
		}
		if r.field.check != nil {
			r.field.check(r, i, row)
		}
	}
	least, most := r.field.least, r.field.most
	right := fmt.Sprintf("give at least %d", least)
	if most > 0 {
		right = fmt.Sprintf("give %d to %d", least, most)
	}
	if lines < least || most > 0 && lines > most {
		r.errorf(0, "search-ad-count", right, "%s", text.Count(lines, r.field.noun))
	}
}

// texts checks the columns of a line.
func (r *adReader) texts(line int, row string) {
	columns := strings.Split(row, "|")
	if len(columns) != len(r.field.columns) {
		r.errorf(line, "search-ad-line", fmt.Sprintf("write %s, parted by |", text.Count(len(r.field.columns), "column")),
			"%s is not a %s", text.Quote(row), r.field.noun)
		return
	}
	for i, most := range r.field.columns {
		column := strings.TrimSpace(columns[i])
		if most == 0 {
			r.address(line, column)
			continue
		}
		if n := adLength(column); n == 0 || n > most {
			r.errorf(line, "search-ad-length", fmt.Sprintf("write 1 to %d characters", most), "%s is %d long", text.Quote(column), n)
		}
	}
}

// address asks for a link that can be opened.
func (r *adReader) address(line int, s string) {
	if u, err := url.Parse(s); err != nil || u.Scheme != "https" || u.Host == "" || strings.ContainsAny(s, " |") {
		r.errorf(line, "search-ad-url", "write an https:// address", "%s is not one", text.Quote(s))
	}
}

// groupLine is an ad group: its label and the page it leads to.
var groupLine = regexp.MustCompile(`^AG[1-9][0-9]*_[\pL\pN-]+_(exact|phrase|broad|mixed) > (\S+)$`)

func (r *adReader) structure(line int, row string) {
	if name, ok := strings.CutPrefix(row, "Campaign:"); ok && strings.TrimSpace(name) != "" {
		return
	}
	group := groupLine.FindStringSubmatch(row)
	if group == nil {
		r.errorf(line, "search-ad-group", "write Campaign: name, or AG1_theme_match > https://page",
			"%s is neither", text.Quote(row))
		return
	}
	r.address(line, group[2])
}

// keywordLine is "phrase", [exact] or bare broad.
var keywordLine = regexp.MustCompile(`^("[^"\[\]]+"|\[[^"\[\]]+\]|[^"\[\]|]+)$`)

func (r *adReader) keyword(line int, row string) {
	if !keywordLine.MatchString(row) {
		r.errorf(line, "search-ad-keyword", `write "phrase", [exact] or bare broad`, "%s is not a keyword", text.Quote(row))
	}
}

// headline asks that every headline can stand beside every other.
func (r *adReader) headline(line int, row string) {
	if strings.ContainsAny(row, "!！") {
		r.errorf(line, "search-ad-exclamation", "end it without one", "an exclamation mark in a headline")
	}
	words := strings.FieldsFunc(normal(row), func(c rune) bool { return unicode.IsSpace(c) || unicode.IsPunct(c) })
	if len(words) < 3 {
		return
	}
	opening := strings.Join(words[:3], " ")
	if first, twice := r.openings[opening]; twice {
		r.errorf(line, "search-ad-opening", "begin one of the two otherwise", "the same first three words as on line %d", r.first+first)
		return
	}
	r.openings[opening] = line
}

// insertion is a keyword insertion, which counts as its default text.
var insertion = regexp.MustCompile(`(?i)\{keyword:([^}]*)\}`)

// adLength returns the length of an ad's text as the ad platforms count it
// against their limits: a character counts 1, one of double width (Chinese,
// Japanese, Korean, fullwidth forms, most emoji) counts 2, and a keyword
// insertion, {KeyWord:Default}, counts as its default text.
//
// Sources: support.google.com/admob/answer/6177141 (limits halved for
// double-width languages); Microsoft's "Update to the maximum character limit
// check" (each character counted by its own width, whatever the language).
func adLength(s string) int {
	length := 0
	for _, c := range insertion.ReplaceAllString(s, "$1") {
		length++
		if kind := width.LookupRune(c).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
			length++
		}
	}
	return length
}

// normal is the form in which two texts are the same to a reader: insertions
// replaced by their defaults, case and space evened out.
func normal(s string) string {
	return strings.Join(strings.Fields(strings.ToLower(insertion.ReplaceAllString(s, "$1"))), " ")
}
