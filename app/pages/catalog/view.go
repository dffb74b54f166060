package catalog

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"marketingskills/app/pages"
	"marketingskills/app/search"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

// Data is what a catalog knows of what it lists: skills on the home page, tools
// on theirs.
type Data struct {
	// Noun is what one of them is called, "skill", and Below the path below
	// which their pages are, "skills/".
	Noun  string `json:"noun"`
	Below string `json:"below"`
	// Lead stands below the heading, Hint in the empty search line.
	Lead string `json:"lead"`
	Hint string `json:"hint"`
	// Start is for those who are here for the first time, of skills.
	Start *Start `json:"start,omitempty"`
	// Tasks stand above the cards, of tools, and TaskIndex is the address of the
	// search index of them.
	Tasks     []TaskGroup `json:"tasks,omitempty"`
	TaskIndex string      `json:"task_index,omitempty"`
	// Cards are in the order of the catalog: by category, then by name.
	Cards []Card `json:"cards"`
	// Categories are in their order.
	Categories []Category `json:"categories"`
	// Dated is set when the list can be ordered by the dates of its cards, which
	// are their details then, shown in that order only.
	Dated bool `json:"dated,omitempty"`
	// Ways and Skills are offered as filters, of tools.
	Ways   []string `json:"ways,omitempty"`
	Skills []string `json:"skills,omitempty"`
	// Characters is how long all descriptions are together, of skills: an agent
	// has them in its context at all times.
	Characters int `json:"characters,omitempty"`
	// Map is the path of the page that draws what leads to what, "" for none.
	Map string `json:"map,omitempty"`
	// Index is the address of the search index.
	Index string `json:"index"`
	// Also is another catalog, whose hits are named in a line above the list.
	Also *Also `json:"also,omitempty"`
}

// Start is a way in: what to type, and an example of what comes of it.
type Start struct {
	// Command installs skills.
	Command string `json:"command"`
	// Request is what somebody asked, Answer how the answer begins; the whole of
	// it is on the page of the skill at Path, called Skill.
	Request string `json:"request"`
	Answer  string `json:"answer"`
	Skill   string `json:"skill"`
	Path    string `json:"path"`
}

// Also is another catalog: what it lists, where, and its search index.
type Also struct {
	Noun  string `json:"noun"`
	Path  string `json:"path"`
	Index string `json:"index"`
}

// Category is a category of the catalog. ID is its form in URLs.
type Category struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Count int    `json:"count"`
	// Picture is a drawing as markup, "" for none.
	Picture string `json:"picture,omitempty"`
	// Advice is when to use what stands in it.
	Advice []ui.Property `json:"advice,omitempty"`
}

// Card is one skill or tool as listed.
type Card struct {
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	CategoryID  string `json:"category"`
	// Changed names the release in which it changed, "" if that is not worth saying.
	Changed string `json:"changed,omitempty"`
	// Details stand at the end of its row, a line each.
	Details []string `json:"details"`
	// Day is the date of the last change, YYYY-MM-DD.
	Day string `json:"day,omitempty"`
	// For are links to the tasks of a tool.
	For []pages.Anchor `json:"for,omitempty"`
	// Ways are how programs reach a tool, Skills the skills that use it.
	Ways   []string `json:"ways,omitempty"`
	Skills []string `json:"skills,omitempty"`
	// Old are the names given up in 2.0.0, and Words what else the filter finds
	// before the index has arrived.
	Old   string `json:"old,omitempty"`
	Words string `json:"words,omitempty"`
}

// The orders a catalog can be read in. The first is the default: by category
// without a query, the best match first with one.
const (
	sortDefault = ""
	sortName    = "name"
	sortUpdated = "updated"
)

// request is what the visitor asks of the catalog; it is the address's query.
type request struct {
	Text     string
	Category string // the ID of a category, "" for all
	Sort     string
	Way      string // one of Data.Ways, "" for all
	Skill    string // one of Data.Skills, "" for all
}

// parseRequest reads an address's raw query. What it does not know it takes
// for the default, so that no address fails.
func parseRequest(raw string, d *Data) request {
	q := pages.ParseQuery(raw)
	// A text field drops line breaks, so that the same is asked opened or typed.
	r := request{Text: strings.Map(func(c rune) rune {
		if c == '\r' || c == '\n' {
			return -1
		}
		return c
	}, q["q"])}
	if id := q["category"]; d.category(id).ID != "" {
		r.Category = id
	}
	if s := q["sort"]; s == sortName || s == sortUpdated && d.Dated {
		r.Sort = s
	}
	if way := q["way"]; slices.Contains(d.Ways, way) {
		r.Way = way
	}
	if skill := q["skill"]; slices.Contains(d.Skills, skill) {
		r.Skill = skill
	}
	return r
}

// fits tells whether a card passes the filters that are not the category.
func (r request) fits(c Card) bool {
	return (r.Way == "" || slices.Contains(c.Ways, r.Way)) && (r.Skill == "" || slices.Contains(c.Skills, r.Skill))
}

// encode is the inverse of parseRequest; defaults are left out.
func (r request) encode() string {
	q := url.Values{}
	for name, value := range map[string]string{
		"q": strings.TrimSpace(r.Text), "category": r.Category, "sort": r.Sort, "way": r.Way, "skill": r.Skill,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q.Encode()
}

// catalogView is what the catalog shows, decided.
type catalogView struct {
	count   string
	tasks   []taskView
	heading string
	groups  []group
	empty   *nothing
}

// group is the rows of a category; a list that is ranked or sorted is one group
// without.
type group struct {
	category Category
	rows     []row
}

// row is one card as listed.
type row struct {
	card        Card
	title       []ui.Range
	description []ui.Range
	// note says why a row is here when it shows no mark.
	note string
}

// nothing is what an empty result says and offers.
type nothing struct {
	sentence string
	offers   []offer
}

// offer is a link of an empty result: another request, or the page of a card.
type offer struct {
	label   string
	request *request
	card    string
}

// indexes rank what is found; those that have not arrived are nil.
type indexes struct{ cards, tasks *search.Index }

// catalogOf decides what to show. Without indexes, words only filter, by the
// same rules as the script that runs before WebAssembly: so taking over moves
// nothing.
func catalogOf(d *Data, r request, by indexes) catalogView {
	words := strings.TrimSpace(r.Text)
	tasks := d.tasksOf(r, by.tasks)
	var v catalogView
	switch {
	case words == "":
		v = listed(d, r, d.Cards)
	case by.cards == nil:
		v = listed(d, r, filter(d.Cards, words))
	default:
		v = ranked(d, r, by.cards)
	}
	if len(v.groups) == 0 && len(tasks) > 0 {
		// No card has the words, but some are for a task that has.
		if instead := listed(d, r, under(d.Cards, tasks)); len(instead.groups) > 0 {
			v = instead
		}
	}
	if len(v.groups) == 0 && v.empty == nil {
		v.empty = &nothing{sentence: d.nothingFound(words, r)}
	}
	rows := 0
	for _, g := range v.groups {
		rows += len(g.rows)
	}
	v.tasks, v.count = tasks, d.counted(tasks, rows)
	return v
}

// filter keeps the cards that hold every word somewhere. The rule is that of
// web/js/page.js, and one list of queries is tried on both: words are what
// stands between white space as JavaScript and Go together know it, and only
// the letters A to Z are the same as a to z.
func filter(cards []Card, query string) []Card {
	words := wordsOf(query)
	return slices.DeleteFunc(slices.Clone(cards), func(c Card) bool {
		hay := lower(strings.Join([]string{c.Name, c.Title, c.Description, c.Old, c.Words}, " "))
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(hay, w) })
	})
}

func wordsOf(query string) []string {
	return strings.FieldsFunc(lower(query), func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' })
}

func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}, s)
}

// listed shows cards that are not ranked, in the order asked for.
func listed(d *Data, r request, cards []Card) catalogView {
	cards = slices.DeleteFunc(slices.Clone(cards), func(c Card) bool { return r.Category != "" && c.CategoryID != r.Category || !r.fits(c) })
	v := catalogView{heading: "By category"}
	rows := make([]row, 0, len(cards))
	for _, c := range cards {
		rows = append(rows, row{card: c})
	}
	if r.Sort != sortDefault {
		slices.SortStableFunc(rows, byName)
	}
	v.arrange(rows, r.Sort)
	for _, found := range rows {
		c := found.card
		if r.Sort == sortDefault && (len(v.groups) == 0 || v.groups[len(v.groups)-1].category.ID != c.CategoryID) {
			v.groups = append(v.groups, group{category: d.category(c.CategoryID)})
		} else if len(v.groups) == 0 {
			v.groups = append(v.groups, group{})
		}
		last := &v.groups[len(v.groups)-1]
		last.rows = append(last.rows, found)
	}
	return v
}

// ranked shows what the index finds, best match first unless another order is
// asked for.
func ranked(d *Data, r request, index *search.Index) catalogView {
	result := index.Search(r.Text, d.category(r.Category).Name)
	v := catalogView{heading: "Best match first"}
	rows := d.hits(r, result)
	v.arrange(rows, r.Sort)
	if len(rows) > 0 {
		v.groups = []group{{rows: rows}}
		return v
	}
	v.empty = emptyResult(d, r, result, index)
	return v
}

// hits are the rows for what was found and fits the filters.
func (d *Data) hits(r request, result search.Result) []row {
	rows := make([]row, 0, len(result.Hits))
	for _, h := range result.Hits {
		i := slices.IndexFunc(d.Cards, func(c Card) bool { return c.Name == h.Name })
		if i < 0 || !r.fits(d.Cards[i]) {
			continue
		}
		rows = append(rows, row{
			card:        d.Cards[i],
			title:       ranges(h.TitleMarks),
			description: ranges(h.ShownMarks),
			note:        h.Note,
		})
	}
	return rows
}

// arrange puts rows into the order asked for and says which it is; without one
// they stay as they are. Of one day, they keep the order they come in.
func (v *catalogView) arrange(rows []row, order string) {
	switch order {
	case sortName:
		v.heading = "By name"
		slices.SortStableFunc(rows, byName)
	case sortUpdated:
		v.heading = "Recently updated first"
		slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.card.Day, a.card.Day) })
	}
}

func byName(a, b row) int { return cmp.Compare(a.card.Name, b.card.Name) }

func emptyResult(d *Data, r request, result search.Result, index *search.Index) *nothing {
	n := &nothing{sentence: d.nothingFound(result.Query, r)}
	if unfiltered := (request{Text: r.Text, Sort: r.Sort}); r != unfiltered {
		everywhere := index.Search(r.Text, "")
		wider, where := r, " in other categories"
		wider.Category = ""
		found := len(d.hits(wider, everywhere))
		if found == 0 {
			wider, where = unfiltered, " without filters"
			found = len(d.hits(wider, everywhere))
		}
		if found > 0 {
			n.offers = append(n.offers, offer{label: d.count(found) + where, request: &wider})
		}
	}
	for _, s := range result.Suggestions {
		if s.Query != "" {
			n.offers = append(n.offers, offer{label: s.Query, request: &request{Text: s.Query}})
		} else {
			n.offers = append(n.offers, offer{label: s.Name, card: s.Name})
		}
	}
	return n
}

// nothingFound says that nothing matches the words and the filters.
func (d *Data) nothingFound(words string, r request) string {
	if len([]rune(words)) > 60 {
		words = string([]rune(words)[:60]) + "…"
	}
	what, instead := d.count(0), "Choose other filters."
	if words != "" {
		what, instead = what+" match “"+words+"”", "Try other words."
	}
	if in := d.category(r.Category); in.Name != "" {
		what += " in " + in.Name
	}
	if r.Way != "" {
		what += " with " + r.Way
	}
	if r.Skill != "" {
		what += " for " + r.Skill
	}
	return what + ". " + instead
}

func ranges(marks []search.Range) []ui.Range {
	out := make([]ui.Range, 0, len(marks))
	for _, m := range marks {
		out = append(out, ui.Range{From: m.Start, To: m.End})
	}
	return out
}

func (d *Data) category(id string) Category {
	for _, s := range d.Categories {
		if s.ID == id {
			return s
		}
	}
	return Category{}
}

func (d *Data) count(n int) string {
	if n == 0 {
		return "No " + d.Noun + "s"
	}
	return text.Count(n, d.Noun)
}

// others names what another catalog finds for the same words.
type others struct {
	links []other
	more  int // hits beside those linked
}

type other struct{ name, title string }

// maxOthers is how many hits of the other catalog are named.
const maxOthers = 3

func othersOf(words string, index *search.Index) others {
	if strings.TrimSpace(words) == "" || index == nil {
		return others{}
	}
	hits := index.Search(words, "").Hits
	var o others
	for _, h := range hits[:min(maxOthers, len(hits))] {
		o.links = append(o.links, other{name: h.Name, title: index.Title(h.Doc)})
	}
	o.more = len(hits) - len(o.links)
	return o
}
