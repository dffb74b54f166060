// Package export writes the records of a run as files.
//
// [NewCSV] writes CSV for spreadsheets or, with a [Preset], for the import of
// a CRM; [NewJSON] writes one JSON object. Both are a [Writer]: give it every
// record as it is found, then close it with the run's report. [About] writes
// what plain CSV does not include: purpose, lawful basis, countries, counts.
// Every record is passed on to the io.Writer at once, and errors are those of
// the io.Writer. Cells cannot run as formulas: see [Cell].
package export

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"marketingskills/app/prospect"
	"marketingskills/app/text"
)

// maxCell is the longest text of a cell, in characters: a spreadsheet puts
// what is beyond 32,767 into the next row, where it could start a formula.
const maxCell = 32_000

// Preset is a choice of columns for the import of a CRM. There is none for
// cold-email tools, because GitHub's acceptable-use policy forbids that use.
type Preset string

// The presets.
const (
	NoPreset   Preset = ""
	HubSpot    Preset = "hubspot"
	Salesforce Preset = "salesforce"
)

// Columns are the columns of the CSV without a preset, in order.
var Columns = []string{"login", "name", "company", "email", "blog", "location", "bio", "twitter_username", "type",
	"public_repos", "followers", "created_at", "html_url", "source", "source_repo", "source_url", "starred_at", "fetched_at"}

type layout struct {
	header []string
	cells  func(r *prospect.Record, q *prospect.Query) []string
}

// layouts have the labels that the importers recognise by themselves.
// Sources: HubSpot knowledge base, "Set up your import files"; Salesforce
// Help, "Field Mapping for Importing Leads". The columns on the source have no
// standard counterpart in HubSpot: the importer offers to make or skip them.
var layouts = map[Preset]layout{
	NoPreset: {Columns, func(r *prospect.Record, _ *prospect.Query) []string {
		return []string{r.Login, r.Name, r.Company, r.Email, r.Blog, r.Location, r.Bio, r.TwitterUsername, r.Type,
			optional(r.PublicRepos), optional(r.Followers), stamp(r.CreatedAt), r.HTMLURL, r.Source, r.SourceRepo, r.SourceURL,
			stamp(r.StarredAt), stamp(r.FetchedAt)}
	}},
	HubSpot: {[]string{"First Name", "Last Name", "Email", "Company Name", "Website URL", "City", "Twitter Username",
		"Profile URL", "Source", "Purpose"}, func(r *prospect.Record, q *prospect.Query) []string {
		first, last := splitName(r.Name)
		return []string{first, last, r.Email, r.Company, r.Blog, r.Location, r.TwitterUsername, r.HTMLURL, source(r), purpose(q)}
	}},
	Salesforce: {[]string{"First Name", "Last Name", "Company", "Email", "Website", "City", "Lead Source",
		"Description"}, func(r *prospect.Record, q *prospect.Query) []string {
		first, last := splitName(r.Name)
		description := strings.Join(strings.Fields(r.HTMLURL+" "+source(r)+" "+purpose(q)), " ")
		return []string{first, cmp.Or(last, r.Login), // required
			cmp.Or(r.Company, "[not provided]"), // required
			r.Email, r.Blog, r.Location, "GitHub", description}
	}},
}

func optional(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// splitName takes the last word as the family name, which importers ask for;
// a single word is a family name.
func splitName(name string) (first, last string) {
	words := strings.Fields(name)
	if len(words) == 0 {
		return "", ""
	}
	return strings.Join(words[:len(words)-1], " "), words[len(words)-1]
}

// source is where a record comes from, in one cell.
func source(r *prospect.Record) string {
	return fmt.Sprintf("%s of %s, %s, fetched %s", r.Source, r.SourceRepo, r.SourceURL, stamp(r.FetchedAt))
}

// purpose is what the data is for, in one cell.
func purpose(q *prospect.Query) string {
	var more []string
	if q.LawfulBasis != "" {
		more = append(more, "lawful basis: "+q.LawfulBasis)
	}
	if len(q.Countries) > 0 {
		more = append(more, "countries: "+strings.Join(q.Countries, ", "))
	}
	if more == nil {
		return q.Purpose
	}
	return strings.TrimSpace(q.Purpose + " (" + strings.Join(more, "; ") + ")")
}

// CSV writes records as RFC 4180: UTF-8, CR LF, one header. Cells pass [Cell];
// those with a semicolon are quoted, too, because spreadsheets may take it for
// a separator.
type CSV struct {
	w       io.Writer
	query   prospect.Query
	layout  layout
	started bool // the header was written
}

// NewCSV starts a file; the header is written with the first record, or at
// [CSV.Close].
func NewCSV(w io.Writer, q prospect.Query, preset Preset) *CSV {
	return &CSV{w: w, query: q, layout: layouts[preset]}
}

// Write appends a record.
func (c *CSV) Write(r prospect.Record) error {
	if err := c.start(); err != nil {
		return err
	}
	return c.put(c.layout.cells(&r, &c.query))
}

// Close ends the file; an empty one has its header.
func (c *CSV) Close(prospect.Report) error { return c.start() }

func (c *CSV) start() error {
	if c.started {
		return nil
	}
	c.started = true
	return c.put(slices.Clone(c.layout.header))
}

func (c *CSV) put(cells []string) error {
	for i, cell := range cells {
		cell = Cell(cell)
		if strings.ContainsAny(cell, `,;"`) {
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
		cells[i] = cell
	}
	_, err := io.WriteString(c.w, strings.Join(cells, ",")+"\r\n")
	return err
}

// Cell makes a text fit for a cell of a spreadsheet: [text.Plain], on one line, at
// most [maxCell] characters, and with an apostrophe in front of what a
// spreadsheet would run as a formula: '@acme stays readable. That is at the
// start, and after a semicolon, which separates cells in German, French and
// many other spreadsheets; quotation marks around the cell do not count there.
func Cell(s string) string {
	s = strings.TrimSpace(strings.ReplaceAll(text.Plain(s), "\n", " "))
	if utf8.RuneCountInString(s) > maxCell {
		s = strings.TrimSpace(string([]rune(s)[:maxCell-1])) + "…"
	}
	parts := strings.Split(s, ";")
	for i, part := range parts {
		if formula(part) || i > 0 && formula(strings.ReplaceAll(part, `"`, "")) {
			parts[i] = "'" + part
		}
	}
	return strings.Join(parts, ";")
}

// formula tells whether the first character that takes room starts a formula:
// = + - @ and their full-width and small forms.
func formula(s string) bool {
	for _, r := range s {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			continue
		}
		return strings.ContainsRune("=+-@＝＋－＠﹦﹢﹣﹫", r)
	}
	return false
}
