// Package export writes the records of a run as files.
//
// [Formats] are the kinds of files, and [New] starts one: give the [Writer]
// every record as it is found, then close it with the run's report.
// [Format.Write] does so with records that are there already. [About]
// writes what plain CSV does not include: purpose, lawful basis, countries,
// counts. Every record is passed on to the io.Writer at once, and errors are
// those of the io.Writer. Cells cannot run as formulas: see [text.SafeCell].
package export

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/text"
	"marketingskills/app/verify/csvfile"
)

// Format is a kind of file. The name is csv, json or, for CSV with the columns
// that the import of a CRM knows, that CRM's.
type Format struct {
	Name        string
	Title, Note string // for people
	Suffix      string // of file names
	Media       string

	header []string // of CSV
	cells  func(r *prospect.Record, q *prospect.Query) []string
}

// Columns are the columns of plain CSV, in order.
var Columns = []string{"login", "name", "company", "email", "blog", "location", "bio", "twitter_username", "type",
	"public_repos", "followers", "created_at", "html_url", "source", "source_repo", "source_url", "starred_at", "fetched_at"}

// Formats are all of them. There is none for cold-email tools, because
// GitHub's acceptable-use policy forbids that use.
//
// The columns for CRMs have the labels that the importers recognise by
// themselves. Sources: HubSpot knowledge base, "Set up your import files";
// Salesforce Help, "Field Mapping for Importing Leads". The columns on the
// source have no standard counterpart in HubSpot: the importer offers to make
// or skip them.
var Formats = []Format{
	{"csv", "CSV", "All columns, with the source of each row. Safe to open in a spreadsheet.", ".csv", "text/csv",
		Columns, func(r *prospect.Record, _ *prospect.Query) []string {
			return []string{r.Login, r.Name, r.Company, r.Email, r.Blog, r.Location, r.Bio, r.TwitterUsername, r.Type,
				optional(r.PublicRepos), optional(r.Followers), stamp(r.CreatedAt), r.HTMLURL, r.Source, r.SourceRepo, r.SourceURL,
				stamp(r.StarredAt), stamp(r.FetchedAt)}
		}},
	{"hubspot", "CSV for HubSpot", "Column names that HubSpot recognises, plus source and purpose.", "-hubspot.csv", "text/csv",
		[]string{"First Name", "Last Name", "Email", "Company Name", "Website URL", "City", "Twitter Username",
			"Profile URL", "Source", "Purpose"},
		func(r *prospect.Record, q *prospect.Query) []string {
			first, last := splitName(r.Name)
			return []string{first, last, r.Email, r.Company, r.Blog, r.Location, r.TwitterUsername, r.HTMLURL, source(r), purpose(q)}
		}},
	{"salesforce", "CSV for Salesforce", "Column names of the Salesforce lead import. Source and purpose are in Description.",
		"-salesforce.csv", "text/csv",
		[]string{"First Name", "Last Name", "Company", "Email", "Website", "City", "Lead Source", "Description"},
		func(r *prospect.Record, q *prospect.Query) []string {
			first, last := splitName(r.Name)
			description := strings.Join(strings.Fields(r.HTMLURL+" "+source(r)+" "+purpose(q)), " ")
			return []string{first, cmp.Or(last, r.Login), // required
				cmp.Or(r.Company, "[not provided]"), // required
				r.Email, r.Blog, r.Location, "GitHub", description}
		}},
	{Name: "json", Title: "JSON", Note: "People, settings, purpose, counts and API quota in one file.",
		Suffix: ".json", Media: "application/json"},
}

// Verified is the format with what verification found: the columns behind those
// of plain CSV. JSON has it in each person; a CRM's import has no column for it.
func (f Format) Verified() Format {
	if f.Name != "csv" {
		return f
	}
	cells := f.cells
	f.header = slices.Concat(f.header, csvfile.Columns)
	f.cells = func(r *prospect.Record, q *prospect.Query) []string {
		v := cmp.Or(r.Verification, &prospect.Verification{})
		return append(cells(r, q), string(v.State), string(v.SubState), v.DidYouMean, v.VerifiedAt)
	}
	return f
}

// Presets are the names of the CRMs.
func Presets() (names []string) {
	for _, f := range Formats {
		if f.Name != "csv" && f.Name != "json" {
			names = append(names, f.Name)
		}
	}
	return names
}

// Writer writes a file of one format. An empty file is whole once it is closed.
type Writer interface {
	Write(prospect.Record) error
	Close(prospect.Report) error
}

// Named returns the format with that name, and whether there is one.
func Named(name string) (f Format, ok bool) {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return Formats[i], true
}

// New starts a file of one of the formats.
func New(w io.Writer, q prospect.Query, f Format) Writer {
	if f.cells == nil {
		return &jsonObject{w: w, query: q}
	}
	return &csv{w: w, query: q, format: f}
}

// Write writes a whole file, of the records that there are.
func (f Format) Write(w io.Writer, records []prospect.Record, report prospect.Report) error {
	out := New(w, report.Query, f)
	for _, r := range records {
		if err := out.Write(r); err != nil {
			return err
		}
	}
	return out.Close(report)
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

// csv writes records as RFC 4180: UTF-8, CR LF, one header. Cells pass
// [text.CSVCell].
type csv struct {
	w       io.Writer
	query   prospect.Query
	format  Format
	started bool // the header was written
}

func (c *csv) Write(r prospect.Record) error {
	if err := c.Close(prospect.Report{}); err != nil {
		return err
	}
	return c.put(c.format.cells(&r, &c.query))
}

// Close sees to it that there is a header.
func (c *csv) Close(prospect.Report) error {
	if c.started {
		return nil
	}
	c.started = true
	return c.put(slices.Clone(c.format.header))
}

func (c *csv) put(cells []string) error {
	for i, cell := range cells {
		cells[i] = text.CSVCell(cell)
	}
	_, err := io.WriteString(c.w, strings.Join(cells, ",")+"\r\n")
	return err
}
