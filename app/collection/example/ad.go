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

// adField is a field of a search ad, written as a block that can be pasted into
// the ad platform: a line for each text.
type adField struct {
	kind               string
	noun               string // of one line
	minLines, maxLines int    // lines; most is 0 for no limit
	// maxLengths are the most characters, by [adLength], of the columns of a line,
	// which are separated by "|". A column of 0 holds an address. Nil means that
	// only check looks at the line.
	maxLengths []int
	check      func(r *adReader, line int, row string)
}

// adFields are the fields in the order of an answer. Lengths and the numbers of
// headlines and descriptions are those of responsive search ads and their
// assets on Google Ads, as of November 2026; the other numbers are the
// collection's own choice.
var adFields = []adField{
	{kind: "ad-structure", noun: "line", minLines: 2, check: (*adReader).checkStructure},
	{kind: "ad-keywords", noun: "keyword", minLines: 5, maxLines: 15, check: (*adReader).checkKeyword},
	{kind: "ad-negatives", noun: "negative keyword", minLines: 8, check: (*adReader).checkKeyword},
	{kind: "ad-sitelinks", noun: "sitelink", minLines: 4, maxLengths: []int{25, 35, 35, 0}},
	{kind: "ad-callouts", noun: "callout", minLines: 4, maxLengths: []int{25}},
	{kind: "ad-paths", noun: "path", minLines: 1, maxLines: 2, maxLengths: []int{15}},
	{kind: "ad-descriptions", noun: "description", minLines: 4, maxLines: 4, maxLengths: []int{90}},
	{kind: "ad-headlines", noun: "headline", minLines: 15, maxLines: 15, maxLengths: []int{30}, check: (*adReader).checkHeadline},
}

// AdLabel says for people what a block of a search ad holds: "15 headlines,
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
	if len(f.maxLengths) == 1 {
		label += fmt.Sprintf(", longest %d of %d", longest, f.maxLengths[0])
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
	block    *block
	field    adField
	openings map[string]int // of headlines
}

// checkAd adds what is wrong with a block of a search ad to into. It returns
// false for a kind that is not a field of a search ad.
func checkAd(kind, body string, firstLine int, into *finding.List) bool {
	f, ok := adFieldOf(kind)
	if ok {
		r := &adReader{block: newBlock(body, firstLine, into), field: f, openings: map[string]int{}}
		r.read()
		r.block.report()
	}
	return ok
}

func (r *adReader) read() {
	lines, seen := 0, map[string]int{}
	for i, row := range r.block.rows() {
		lines++
		if first, twice := seen[normalized(row)]; twice {
			r.block.errorf(i, "search-ad-duplicate", "replace one of the two", "the same %s as on line %d", r.field.noun, r.block.firstLine+first)
			continue
		}
		seen[normalized(row)] = i
		if r.field.maxLengths != nil {
			r.checkColumns(i, row)
		}
		if r.field.check != nil {
			r.field.check(r, i, row)
		}
	}
	least, most := r.field.minLines, r.field.maxLines
	right := fmt.Sprintf("give at least %d", least)
	if most > 0 {
		right = fmt.Sprintf("give %d to %d", least, most)
	}
	if lines < least || most > 0 && lines > most {
		r.block.errorf(0, "search-ad-count", right, "%s", text.Count(lines, r.field.noun))
	}
}

// checkColumns checks the columns of a line.
func (r *adReader) checkColumns(line int, row string) {
	columns := strings.Split(row, "|")
	if len(columns) != len(r.field.maxLengths) {
		r.block.errorf(line, "search-ad-line", fmt.Sprintf("write %s, parted by |", text.Count(len(r.field.maxLengths), "column")),
			"%s is not a %s", text.Quote(row), r.field.noun)
		return
	}
	for i, most := range r.field.maxLengths {
		column := strings.TrimSpace(columns[i])
		if most == 0 {
			r.checkAddress(line, column)
			continue
		}
		if n := adLength(column); n == 0 || n > most {
			r.block.errorf(line, "search-ad-length", fmt.Sprintf("write 1 to %d characters", most), "%s is %d long", text.Quote(column), n)
		}
	}
}

// checkAddress reports what is not the https address of a page.
func (r *adReader) checkAddress(line int, s string) {
	if u, err := url.Parse(s); err != nil || u.Scheme != "https" || u.Host == "" || strings.ContainsAny(s, " |") {
		r.block.errorf(line, "search-ad-url", "write an https:// address", "%s is not one", text.Quote(s))
	}
}

// groupLine is an ad group: its label and the page it leads to.
var groupLine = regexp.MustCompile(`^AG[1-9][0-9]*_[\pL\pN-]+_(exact|phrase|broad|mixed) > (\S+)$`)

func (r *adReader) checkStructure(line int, row string) {
	if name, ok := strings.CutPrefix(row, "Campaign:"); ok && strings.TrimSpace(name) != "" {
		return
	}
	group := groupLine.FindStringSubmatch(row)
	if group == nil {
		r.block.errorf(line, "search-ad-group", "write Campaign: name, or AG1_theme_match > https://page",
			"%s is neither", text.Quote(row))
		return
	}
	r.checkAddress(line, group[2])
}

// keywordLine is "phrase", [exact] or bare broad.
var keywordLine = regexp.MustCompile(`^("[^"\[\]]+"|\[[^"\[\]]+\]|[^"\[\]|]+)$`)

func (r *adReader) checkKeyword(line int, row string) {
	if !keywordLine.MatchString(row) {
		r.block.errorf(line, "search-ad-keyword", `write "phrase", [exact] or bare broad`, "%s is not a keyword", text.Quote(row))
	}
}

// checkHeadline checks that a headline can be shown beside any other.
func (r *adReader) checkHeadline(line int, row string) {
	if strings.ContainsAny(row, "!！") {
		r.block.errorf(line, "search-ad-exclamation", "end it without one", "an exclamation mark in a headline")
	}
	words := strings.FieldsFunc(normalized(row), func(c rune) bool { return unicode.IsSpace(c) || unicode.IsPunct(c) })
	if len(words) < 3 {
		return
	}
	opening := strings.Join(words[:3], " ")
	if first, twice := r.openings[opening]; twice {
		r.block.errorf(line, "search-ad-opening", "begin one of the two otherwise",
			"the same first three words as on line %d", r.block.firstLine+first)
		return
	}
	r.openings[opening] = line
}

// keywordInsertion is what the platform replaces by the searched keyword, or by
// the default text in it.
var keywordInsertion = regexp.MustCompile(`(?i)\{keyword:([^}]*)\}`)

// adLength returns the length of an ad's text as the ad platforms count it
// against their limits: a character counts 1, one of double width (Chinese,
// Japanese, Korean, fullwidth forms, most emoji) counts 2, and a keyword
// keywordInsertion, {KeyWord:Default}, counts as its default text.
//
// Sources: support.google.com/admob/answer/6177141 (limits halved for
// double-width languages); Microsoft's "Update to the maximum character limit
// check" (each character counted by its own width, whatever the language).
func adLength(s string) int {
	length := 0
	for _, c := range keywordInsertion.ReplaceAllString(s, "$1") {
		length++
		if kind := width.LookupRune(c).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
			length++
		}
	}
	return length
}

// normalized is the form in which texts that look the same to a reader are equal:
// keyword insertions replaced by their default text, in lower case, with single
// spaces.
func normalized(s string) string {
	return strings.Join(strings.Fields(strings.ToLower(keywordInsertion.ReplaceAllString(s, "$1"))), " ")
}
