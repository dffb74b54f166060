package export

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
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
// senders of cold mail, on purpose: the host's acceptable-use policy forbids
// unsolicited mail to people found through its API.
type Preset string

// The presets.
const (
	NoPreset   Preset = ""
	HubSpot    Preset = "hubspot"
	Salesforce Preset = "salesforce"
)

// Columns are the columns of the CSV, in order.
var Columns = []string{"login", "name", "company", "email", "blog", "location", "bio", "twitter_username", "type",
	"public_repos", "followers", "created_at", "html_url", "source", "source_repo", "source_url", "starred_at", "fetched_at"}

// row is the record as cells, in the order of [Columns], not yet disarmed.
func row(r prospect.Record) []string {
	return []string{r.Login, r.Name, r.Company, r.Email, r.Blog, r.Location, r.Bio, r.TwitterUsername, r.Type,
		optional(r.PublicRepos), optional(r.Followers), stamp(r.CreatedAt), r.HTMLURL, r.Source, r.SourceRepo, r.SourceURL,
		stamp(r.StarredAt), stamp(r.FetchedAt)}
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

// A column is a header and how its cell is made.
type column struct {
	header string
	cell   func(r prospect.Record, q prospect.Query) string
}

// presets map to the labels that the importers recognise by themselves.
// Sources: HubSpot knowledge base, "Set up your import files"; Salesforce
// Help, "Field Mapping for Importing Leads". The columns on lineage have no
// standard counterpart in HubSpot: the importer offers to make or skip them.
var presets = map[Preset][]column{
	HubSpot: {
		{"First Name", func(r prospect.Record, _ prospect.Query) string { first, _ := splitName(r); return first }},
		{"Last Name", func(r prospect.Record, _ prospect.Query) string { _, last := splitName(r); return last }},
		{"Email", func(r prospect.Record, _ prospect.Query) string { return r.Email }},
		{"Company Name", func(r prospect.Record, _ prospect.Query) string { return r.Company }},
		{"Website URL", func(r prospect.Record, _ prospect.Query) string { return r.Blog }},
		{"City", func(r prospect.Record, _ prospect.Query) string { return r.Location }},
		{"Twitter Username", func(r prospect.Record, _ prospect.Query) string { return r.TwitterUsername }},
		{"Profile URL", func(r prospect.Record, _ prospect.Query) string { return r.HTMLURL }},
		{"Source", func(r prospect.Record, q prospect.Query) string { return lineage(r) }},
		{"Purpose", func(_ prospect.Record, q prospect.Query) string { return purpose(q) }},
	},
	Salesforce: {
		{"First Name", func(r prospect.Record, _ prospect.Query) string { first, _ := splitName(r); return first }},
		{"Last Name", func(r prospect.Record, _ prospect.Query) string { // required
			_, last := splitName(r)
			return cmp.Or(last, r.Login)
		}},
		{"Company", func(r prospect.Record, _ prospect.Query) string { return cmp.Or(r.Company, "[not provided]") }}, // required
		{"Email", func(r prospect.Record, _ prospect.Query) string { return r.Email }},
		{"Website", func(r prospect.Record, _ prospect.Query) string { return r.Blog }},
		{"City", func(r prospect.Record, _ prospect.Query) string { return r.Location }},
		{"Lead Source", func(prospect.Record, prospect.Query) string { return "GitHub" }},
		{"Description", func(r prospect.Record, q prospect.Query) string {
			return strings.Join(strings.Fields(r.HTMLURL+" "+lineage(r)+" "+purpose(q)), " ")
		}},
	},
}

// splitName takes the last word as the family name, which importers ask for;
// a single word is a family name.
func splitName(r prospect.Record) (first, last string) {
	words := strings.Fields(r.Name)
	if len(words) == 0 {
		return "", ""
	}
	return strings.Join(words[:len(words)-1], " "), words[len(words)-1]
}

func lineage(r prospect.Record) string {
	return fmt.Sprintf("%s of %s, %s, read %s", r.Source, r.SourceRepo, r.SourceURL, stamp(r.FetchedAt))
}

// purpose is what the data is for, in one cell.
func purpose(q prospect.Query) string {
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

// CSV writes records as RFC 4180: UTF-8, CR LF, one header; every record is
// written through at once. Cells pass [Cell].
type CSV struct {
	w      *csv.Writer
	query  prospect.Query
	preset Preset
	header bool
}

// NewCSV starts a file; the header is written with the first record, or at
// [CSV.Close].
func NewCSV(w io.Writer, q prospect.Query, preset Preset) *CSV {
	c := &CSV{w: csv.NewWriter(w), query: q, preset: preset}
	c.w.UseCRLF = true
	return c
}

// Write appends a record.
func (c *CSV) Write(r prospect.Record) error {
	if err := c.start(); err != nil {
		return err
	}
	cells := row(r)
	if columns := presets[c.preset]; columns != nil {
		cells = cells[:0]
		for _, column := range columns {
			cells = append(cells, column.cell(r, c.query))
		}
	}
	return c.put(cells)
}

// Close ends the file; an empty one has its header.
func (c *CSV) Close(prospect.Report) error { return c.start() }

func (c *CSV) start() error {
	if c.header {
		return nil
	}
	c.header = true
	header := append([]string(nil), Columns...)
	if columns := presets[c.preset]; columns != nil {
		header = header[:0]
		for _, column := range columns {
			header = append(header, column.header)
		}
	}
	return c.put(header)
}

func (c *CSV) put(cells []string) error {
	for i, cell := range cells {
		cells[i] = Cell(cell)
	}
	if err := c.w.Write(cells); err != nil {
		return err
	}
	c.w.Flush()
	return c.w.Error()
}

// Cell makes a text fit for a cell of a spreadsheet: [text.Plain], on one line, at
// most [maxCell] characters, and if a spreadsheet would run it as a formula,
// disarmed with one apostrophe in front: '@acme stays readable.
func Cell(s string) string {
	s = strings.TrimSpace(strings.ReplaceAll(text.Plain(s), "\n", " "))
	if utf8.RuneCountInString(s) > maxCell {
		s = strings.TrimSpace(string([]rune(s)[:maxCell-1])) + "…"
	}
	if formula(s) {
		return "'" + s
	}
	return s
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
