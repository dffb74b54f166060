// Package facts reads the ledger of facts: what platforms, laws and vendors do
// that an agent's answer may get wrong, each with its source and the month in
// which it was read there.
//
// The ledger is the folder skills/facts, with a JSON file for each channel: a
// list of objects with the fields of [Fact], sorted by ID. A fact is there once,
// whatever skills use it. The page of news and each skill's references/facts.md
// are made from it.
package facts

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/jsontree"
	"marketingskills/app/text"
)

// Dir is the folder of the ledger in the collection.
const Dir = "skills/facts"

// Channels are what facts are about, in the order of pages.
var Channels = []string{
	"Search", "AI answers", "Paid ads", "Social", "Email", "Text messages", "Analytics", "App stores", "Reviews",
	"Subscriptions and checkout", "Privacy and consent", "Consumer law and claims", "AI content", "Sales and business", "Tools and APIs",
}

// FileOf returns the path of a channel's file in the collection.
func FileOf(channel string) string {
	return path.Join(Dir, strings.ReplaceAll(strings.ToLower(channel), " ", "-")+".json")
}

// Fact is an entry of the ledger.
type Fact struct {
	ID string `json:"id"`
	// Title is the fact in a few words.
	Title string `json:"title"`
	// Said is what an answer may say that is outdated, wrong or too broad, Holds
	// what is true instead, in whole sentences.
	Said  string `json:"said"`
	Holds string `json:"holds"`
	// Since is the day, YYYY-MM-DD, or month, YYYY-MM, from which the fact holds.
	// It may be in the future, and is "" for what did not begin at some date.
	Since string `json:"since"`
	// Where are the places where it holds, as [Ledger.Places] names them, or
	// [Worldwide].
	Where []string `json:"where"`
	// For limits it to a platform, a plan, businesses or consumers; "" if it is
	// not limited.
	For     string   `json:"for"`
	Sources []Source `json:"sources"`
	Skills  []string `json:"skills"`

	// Channel and Line say where it was read: on that line of the channel's file.
	Channel string `json:"-"`
	Line    int    `json:"-"`
}

// Source is a page on which a fact can be read.
type Source struct {
	URL  string `json:"url"`
	Read string `json:"read"` // the month, YYYY-MM
	// Primary is true for the platform's, the authority's or the law's own page.
	Primary bool `json:"primary"`
}

// Host returns the host of the page without "www.".
func (s Source) Host() string {
	u, err := url.Parse(s.URL)
	if err != nil {
		return s.URL
	}
	return strings.TrimPrefix(u.Host, "www.")
}

// LastRead returns the month, YYYY-MM, in which the fact was last read at one of
// its sources.
func (f *Fact) LastRead() string {
	last := ""
	for _, s := range f.Sources {
		last = max(last, s.Read)
	}
	return last
}

// Ledger is a list of facts, sorted by channel and ID unless a method says
// otherwise.
type Ledger []*Fact

// For returns the facts that a skill uses, in the order of [Ledger.Latest].
func (l Ledger) For(skill string) Ledger {
	return slices.DeleteFunc(l.Latest(), func(f *Fact) bool { return !slices.Contains(f.Skills, skill) })
}

// Latest returns the facts by date, the latest first and those without one last.
func (l Ledger) Latest() Ledger {
	return slices.SortedStableFunc(slices.Values(l), func(a, b *Fact) int { return strings.Compare(b.Since, a.Since) })
}

// LastRead returns the month, YYYY-MM, in which any of the facts was last read.
func (l Ledger) LastRead() string {
	last := ""
	for _, f := range l {
		last = max(last, f.LastRead())
	}
	return last
}

// MonthsBefore returns the month that is n months before another, both YYYY-MM;
// "" if month is not written so.
func MonthsBefore(month string, n int) string {
	at, err := time.Parse("2006-01", month)
	if err != nil {
		return ""
	}
	return at.AddDate(0, -n, 0).Format("2006-01")
}

// FormatDate writes a day or a month of [Fact.Since] for people: "28 November
// 2026", "November 2026". Anything else stays as it is.
func FormatDate(date string) string {
	if at, err := time.Parse(time.DateOnly, date); err == nil {
		return at.Format("2 January 2006")
	}
	if at, err := time.Parse("2006-01", date); err == nil {
		return at.Format("January 2006")
	}
	return date
}

// Load reads the ledger of a collection and checks it. A collection without one
// has no facts. isSkill tells whether the collection has a skill of that name.
func Load(fsys fs.FS, isSkill func(name string) bool) (Ledger, []finding.Finding) {
	var report finding.Report
	l := &loader{first: map[string]string{}, isSkill: isSkill}
	files, err := fs.Glob(fsys, Dir+"/*")
	if err != nil {
		return nil, nil // cannot happen: the pattern is well formed
	}
	for _, file := range files {
		l.list = report.On(file)
		i := slices.IndexFunc(Channels, func(channel string) bool { return FileOf(channel) == file })
		if i < 0 {
			l.list.Errorf(0, "fact-file", "name it after a channel, such as "+FileOf("Paid ads"), "there is no such channel")
			continue
		}
		l.channel = Channels[i]
		l.read(fsys)
	}
	slices.SortStableFunc(l.all, func(a, b *Fact) int {
		return cmp.Compare(slices.Index(Channels, a.Channel), slices.Index(Channels, b.Channel))
	})
	return l.all, report.All()
}

type loader struct {
	list    *finding.List
	channel string
	all     Ledger
	first   map[string]string // the file that has an ID first
	isSkill func(string) bool
}

// read reads the file of a channel.
func (l *loader) read(fsys fs.FS) {
	const right = "write a list of facts as skills/WRITING.md describes"
	data, ok := l.list.Read(fsys, finding.MaxText, right)
	if !ok {
		return
	}
	root, err := jsontree.Parse(data)
	if syntax, ok := errors.AsType[*jsontree.SyntaxError](err); ok {
		l.list.Errorf(syntax.Line, "fact-file", right, "the file is not JSON: %s", syntax.What)
		return
	}
	for v := range root.All() {
		if v.Repeats != nil {
			l.list.Errorf(v.Line, "fact-file", "keep one of the two", "the field %q stands twice", v.Key)
		}
	}
	var all Ledger
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&all); err != nil || slices.Contains(all, nil) {
		line := 0
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			line = 1 + bytes.Count(data[:wrong.Offset], []byte("\n"))
		}
		l.list.Errorf(line, "fact-file", right, "the file is no list of facts: %v", cmp.Or(err, errors.New("an entry is null")))
		return
	}
	last := ""
	for i, f := range all {
		f.Channel, f.Line = l.channel, root.Children[i].Line
		l.check(f)
		if f.ID < last {
			l.list.Errorf(f.Line, "fact-id", "sort the facts by id", "%q stands below %q", f.ID, last)
		}
		last = f.ID
	}
	l.all = append(l.all, all...)
}

var (
	identifier = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	// advice matches the beginning of texts that advise and state no fact.
	advice = regexp.MustCompile(`(?i)^(always|never|make sure|remember|ensure|consider|try|use|avoid)\b`)
)

func (l *loader) check(f *Fact) {
	switch first, taken := l.first[f.ID]; {
	case !identifier.MatchString(f.ID):
		l.list.Errorf(f.Line, "fact-id", "write lower-case words with hyphens between them", "the id is %q", f.ID)
	case taken:
		l.list.Errorf(f.Line, "fact-id", "keep the fact at one place", "the id %q stands in %s too", f.ID, first)
	}
	l.first[f.ID] = l.list.File
	for _, part := range []struct {
		name, text string
		max        int // characters
		optional   bool
	}{{"title", f.Title, 90, false}, {"said", f.Said, 160, false}, {"holds", f.Holds, 420, false}, {"for", f.For, 100, true}} {
		n := utf8.RuneCountInString(part.text)
		switch {
		case n > part.max:
			l.list.Errorf(f.Line, "fact-text", "say it shorter", "%s of %q has %d characters, more than %d", part.name, f.ID, n, part.max)
		case strings.TrimSpace(part.text) == "" && !part.optional:
			l.list.Errorf(f.Line, "fact-text", "write it", "%q has no %s", f.ID, part.name)
		case part.name != "said" && advice.MatchString(part.text):
			l.list.Errorf(f.Line, "fact-text", "say what a platform, a law or a vendor does", "%s of %q is advice: %s",
				part.name, f.ID, text.Quote(text.Clip(part.text, 60)))
		}
	}
	if f.Since != "" && FormatDate(f.Since) == f.Since {
		l.list.Errorf(f.Line, "fact-since", "write YYYY-MM-DD, YYYY-MM or nothing", "since of %q is %q", f.ID, f.Since)
	}
	for _, place := range f.Where {
		if _, ok := places[place]; !ok {
			l.list.Errorf(f.Line, "fact-where", "write a name of the list in app/collection/facts, or add it there", "%q is no place", place)
		}
	}
	for _, s := range f.Sources {
		u, err := url.Parse(s.URL)
		if err != nil || u.Scheme != "https" || u.Host == "" {
			l.list.Errorf(f.Line, "fact-source", "write the address of the page, with https", "a source of %q is %q", f.ID, s.URL)
		}
		if MonthsBefore(s.Read, 0) == "" {
			l.list.Errorf(f.Line, "fact-source", "write the month in which it was read, such as 2026-11", "a source of %q was read %q", f.ID, s.Read)
		}
	}
	for _, s := range f.Skills {
		if !l.isSkill(s) {
			l.list.Errorf(f.Line, "fact-skill", "write the folder of a skill", "there is no skill %q", s)
		}
	}
	for rule, n := range map[finding.Rule]int{"fact-where": len(f.Where), "fact-source": len(f.Sources), "fact-skill": len(f.Skills)} {
		if n == 0 {
			l.list.Errorf(f.Line, rule, "name at least one", "%q has none", f.ID)
		}
	}
}
