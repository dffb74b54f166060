package tryout

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"marketingskills/app/collection/example"
	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/markdown"
)

// mostFindings is how many are kept of an answer.
const mostFindings = 20

// Check returns what a program can find wrong in an answer given on a day:
// checked examples and JSON that do not hold, stated lengths of texts that they
// do not have, totals that are not the sum of their rows, weekdays that do not
// fit their dates, and one label with two figures. Days without a year are those
// next to the answer's.
func Check(answer string, day time.Time) []string {
	doc := markdown.Parse([]byte(answer))
	var found []string
	found = append(found, fences(doc)...)
	found = append(found, totals(doc.Blocks)...)
	found = append(found, differing(doc.Blocks)...)
	found = append(found, lengths(answer)...)
	found = append(found, weekdays(answer, day)...)
	return found[:min(len(found), mostFindings)]
}

var linkedData = regexp.MustCompile(`(?is)<script[^>]*application/ld\+json[^>]*>(.*?)</script>`)

// fences checks the blocks that the collection's checkers know, and JSON in
// others.
func fences(doc *markdown.Document) (found []string) {
	for _, f := range doc.Fences {
		list := &finding.List{}
		body := strings.TrimSpace(f.Body)
		switch scripts := linkedData.FindAllStringSubmatch(body, -1); {
		case scripts != nil:
			for _, script := range scripts {
				example.Check(example.KindJSON, strings.TrimSpace(script[1]), f.Line, list)
			}
		case f.Info == "" && strings.HasPrefix(body, "{") && strings.Contains(body, `"@context"`):
			example.Check(example.KindJSON, body, f.Line, list)
		default:
			example.Check(f.Info, f.Body, f.Line, list)
		}
		for _, problem := range list.All {
			found = append(found, fmt.Sprintf("%s: line %d: %s", problem.Rule, problem.Line, problem.Wrong))
		}
	}
	return found
}

// figure is a number with what may stand around it: a currency, a unit.
var figure = regexp.MustCompile(`^([^\d\s.,+–-]{0,3})([+–-]?)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s?([%\pL]{0,3})$`)

// number reads a cell. The places are those behind the point, the unit is what
// stands around the number.
func number(cell string) (value float64, places int, unit string, ok bool) {
	match := figure.FindStringSubmatch(strings.TrimSpace(strings.NewReplacer("*", "", "_", "", "~", "").Replace(cell)))
	if match == nil {
		return 0, 0, "", false
	}
	digits := strings.ReplaceAll(match[3], ",", "")
	if _, fraction, hasFraction := strings.Cut(digits, "."); hasFraction {
		places = len(fraction)
	}
	value, err := strconv.ParseFloat(digits, 64)
	if match[2] == "-" || match[2] == "–" {
		value = -value
	}
	return value, places, match[1] + match[4], err == nil
}

var totalLabel = regexp.MustCompile(`(?i)^\W*(grand )?(total|sum)\W*$`)

// totals compares the last row of a table with the sum of the rows above, if it
// is a total and all of them are numbers of one unit.
func totals(blocks []markdown.Block) (found []string) {
	for len(blocks) > 0 {
		_, rows, ok := markdown.Table(blocks)
		if !ok {
			return found
		}
		for i := range blocks {
			if blocks[i].Kind == markdown.KindTableHead {
				blocks = blocks[i+1:]
				break
			}
		}
		if len(rows) < 3 || len(rows[len(rows)-1].Cells) == 0 || !totalLabel.MatchString(rows[len(rows)-1].Cells[0]) {
			continue
		}
		total, rows := rows[len(rows)-1], rows[:len(rows)-1]
		for column := 1; column < len(total.Cells); column++ {
			if sum, stated, differ := sumDiffers(rows, total, column); differ {
				found = append(found, fmt.Sprintf("sum: line %d: the rows add up to %s, the total says %s", total.Line, sum, stated))
			}
		}
	}
	return found
}

func sumDiffers(rows []markdown.Block, total markdown.Block, column int) (sum, stated string, differ bool) {
	want, places, unit, ok := number(total.Cells[column])
	if !ok || strings.Contains(unit, "%") {
		return "", "", false
	}
	got := 0.0
	for _, row := range rows {
		if column >= len(row.Cells) || strings.Contains(strings.ToLower(row.Cells[0]), "total") {
			return "", "", false
		}
		value, _, rowUnit, ok := number(row.Cells[column])
		if !ok || rowUnit != unit {
			return "", "", false
		}
		got += value
	}
	// A total may be rounded to its own last place.
	return strconv.FormatFloat(math.Round(got*100)/100, 'f', -1, 64), total.Cells[column], math.Abs(got-want) > 0.501*math.Pow10(-places)
}

var labelled = regexp.MustCompile(`^\W*([\pL][\pL ]{5,60}?)\W*: *\W?([\d][\d,.]*\d|\d)(.*)$`)

// differing looks for a label of a paragraph, an item or a row of two cells that
// has one figure here and another there.
func differing(blocks []markdown.Block) (found []string) {
	first := map[string]string{}
	for _, b := range blocks {
		line := b.Text
		switch {
		case b.Kind == markdown.KindTableRow && len(b.Cells) == 2:
			line = b.Cells[0] + ": " + b.Cells[1]
		case b.Kind != markdown.KindParagraph && b.Kind != markdown.KindItem:
			continue
		}
		match := labelled.FindStringSubmatch(strings.ReplaceAll(line, "*", ""))
		if match == nil {
			continue
		}
		label, value := strings.ToLower(match[1]), strings.TrimRight(match[2], ".,")
		if other, twice := first[label]; twice && other != value {
			found = append(found, fmt.Sprintf("figure: line %d: %s is %s here and %s above", b.Line, label, value, other))
		}
		first[label] = value
	}
	return found
}

var stated = regexp.MustCompile("[\"“`]([^\"“”`\n]{3,400})[\"”`][\\s*_]*[(–—-]\\s*([0-9]{1,3}) (characters|chars|segments?)\\b")

// lengths compares the length that is stated behind a quoted text with its own:
// characters, or segments of a text message.
func lengths(answer string) (found []string) {
	for _, match := range stated.FindAllStringSubmatch(answer, -1) {
		n, what := utf8.RuneCountInString(match[1]), "characters"
		if strings.HasPrefix(match[3], "segment") {
			n, what = example.SizeOf(match[1]).Segments, "segments"
		}
		if strconv.Itoa(n) != match[2] {
			found = append(found, fmt.Sprintf("length: %.40q has %d %s, stated are %s", match[1], n, what, match[2]))
		}
	}
	return found
}

const (
	dayNames   = `(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day`
	monthNames = `(January|February|March|April|May|June|July|August|September|October|November|December)`
)

var (
	dayFirst   = regexp.MustCompile(dayNames + `,? ([0-9]{1,2})(?:st|nd|rd|th)? ` + monthNames + `(?:,? (20[0-9]{2}))?\b`)
	monthFirst = regexp.MustCompile(dayNames + `,? ` + monthNames + ` ([0-9]{1,2})(?:st|nd|rd|th)?(?:,? (20[0-9]{2}))?\b`)
)

func weekdays(answer string, day time.Time) (found []string) {
	report := func(whole, weekday, date, month, year string) {
		if at, ok := nearest(date, month, year, day); ok && at.Weekday().String() != weekday+"day" {
			found = append(found, fmt.Sprintf("weekday: %q is a %s", whole, at.Weekday()))
		}
	}
	for _, m := range dayFirst.FindAllStringSubmatch(answer, -1) {
		report(m[0], m[1], m[2], m[3], m[4])
	}
	for _, m := range monthFirst.FindAllStringSubmatch(answer, -1) {
		report(m[0], m[1], m[3], m[2], m[4])
	}
	return found
}

// nearest returns the date that is meant: of the year that is given, else the
// one next to the day.
func nearest(date, month, year string, day time.Time) (at time.Time, ok bool) {
	years := []int{day.Year(), day.Year() - 1, day.Year() + 1}
	if year != "" {
		n, _ := strconv.Atoi(year)
		years = []int{n}
	} else if day.IsZero() {
		return at, false
	}
	for _, y := range years {
		candidate, err := time.Parse("2 January 2006", fmt.Sprintf("%s %s %d", date, month, y))
		if err == nil && (!ok || candidate.Sub(day).Abs() < at.Sub(day).Abs()) {
			at, ok = candidate, true
		}
	}
	return at, ok
}
