package prospects

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"marketingskills/app/prospect"
)

type column int

const (
	bySource column = iota // the place in the listing
	byName                 // this and the next three are the first fields of a person's text
	byCompany
	byEmail
	byLocation
	byFollowers
	columns
)

// found are the people of a table: all of them in the order of the listing,
// and those shown, searched and sorted.
type found struct {
	all   []person
	shown []int32

	words string
	by    column
	down  bool
	// arranged is when that was done last.
	arranged time.Time
}

type person struct {
	number int
	record *prospect.Record
	text   string              // what search looks through: fields in small letters
	texts  [byFollowers]string // parts of it, by the column that is sorted by them
}

const between = "\x00" // fields; no profile has it

// add puts somebody to their place; arrange must follow. Those asked again come
// late.
func (f *found) add(number int, r *prospect.Record) {
	fields := []string{nameOf(r), r.Company, r.Email, r.Location, r.Login, r.Blog, r.Bio}
	p := person{number: number, record: r, text: strings.ToLower(strings.Join(fields, between))}
	rest := p.text
	for by := byName; by < byFollowers; by++ {
		p.texts[by], rest, _ = strings.Cut(rest, between)
		p.texts[by] = strings.TrimLeft(p.texts[by], "@ ")
	}
	at := len(f.all)
	for at > 0 && f.all[at-1].number > number {
		at--
	}
	if at < len(f.all) {
		for i, place := range f.shown {
			if int(place) >= at {
				f.shown[i]++
			}
		}
	}
	f.all = slices.Insert(f.all, at, p)
}

// value is what a person is sorted by: a text, or a number from 1; neither if
// there is nothing in the column.
func (p *person) value(by column) (text string, number int) {
	switch followers := p.record.Followers; {
	case by == bySource:
		return "", p.number
	case by != byFollowers:
		return p.texts[by], 0
	case followers != nil:
		return "", max(*followers, 0) + 1
	}
	return "", 0
}

func nameOf(r *prospect.Record) string { return cmp.Or(r.Name, r.Login) }

func (f *found) remove(logins map[string]bool) {
	f.all = slices.DeleteFunc(f.all, func(p person) bool { return logins[p.record.Login] })
	f.arrange()
}

func (f *found) search(words string) {
	f.words = words
	f.arrange()
}

// sortBy sorts by a column, or turns the order when it is sorted by it
// already. Numbers begin with the largest, but for the place in the list.
func (f *found) sortBy(c column) {
	if f.by == c {
		f.down = !f.down
	} else {
		f.by, f.down = c, c == byFollowers
	}
	f.arrange()
}

// arrangeSoon calls arrange; with many people, while others still come, not
// more often than once a second.
func (f *found) arrangeSoon(now bool) {
	if now || len(f.all) < 2000 || time.Since(f.arranged) > time.Second {
		f.arrange()
	}
}

// arrange searches and sorts.
func (f *found) arrange() {
	f.arranged = time.Now()
	words := strings.Fields(strings.ToLower(f.words))
	f.shown = f.shown[:0]
	for i := range f.all {
		lacks := func(word string) bool { return !strings.Contains(f.all[i].text, word) }
		if !slices.ContainsFunc(words, lacks) {
			f.shown = append(f.shown, int32(i))
		}
	}
	if f.by != bySource || f.down {
		slices.SortFunc(f.shown, f.compare)
	}
}

// compare orders two people by the column. Those with nothing in it come last
// in both directions.
func (f *found) compare(a, b int32) int {
	text, number := f.all[a].value(f.by)
	otherText, otherNumber := f.all[b].value(f.by)
	switch has, otherHas := text != "" || number > 0, otherText != "" || otherNumber > 0; {
	case has && !otherHas:
		return -1
	case otherHas && !has:
		return 1
	}
	order := cmp.Or(number-otherNumber, strings.Compare(text, otherText))
	if f.down {
		order = -order
	}
	return cmp.Or(order, int(a-b))
}

// records are all people, in the order of the listing.
func (f *found) records() []prospect.Record {
	records := make([]prospect.Record, 0, len(f.all))
	for _, p := range f.all {
		records = append(records, *p.record)
	}
	return records
}
