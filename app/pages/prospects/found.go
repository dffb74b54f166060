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

// found are the people of a table: all of them in the order they were found,
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
	text   string // what search looks through: fields in small letters
}

const between = "\x00" // fields; no profile has it

// add appends somebody; arrange must follow.
func (f *found) add(number int, r *prospect.Record) {
	text := strings.ToLower(strings.Join([]string{nameOf(r), r.Company, r.Email, r.Location, r.Login, r.Blog, r.Bio}, between))
	f.all = append(f.all, person{number, r, text})
}

// sortKey is what a person is sorted by: a number or a text.
type sortKey struct {
	index  int32
	number int // from 1
	text   string
}

func (f *found) key(index int32) sortKey {
	p, k := &f.all[index], sortKey{index: index}
	switch f.by {
	case bySource:
		k.number = p.number
	case byFollowers:
		if p.record.Followers != nil {
			k.number = max(*p.record.Followers, 0) + 1
		}
	default:
		rest := p.text
		for range f.by - byName {
			_, rest, _ = strings.Cut(rest, between)
		}
		k.text, _, _ = strings.Cut(rest, between)
		k.text = strings.TrimLeft(k.text, "@ ")
	}
	return k
}

// empty people have nothing in the column.
func (k *sortKey) empty() bool { return k.number == 0 && k.text == "" }

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

// arrange searches and sorts. People with nothing in the column come last in
// both directions.
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
	if f.by == bySource && !f.down && slices.IsSortedFunc(f.all, byNumber) {
		return
	}
	sign := 1
	if f.down {
		sign = -1
	}
	keys := make([]sortKey, len(f.shown))
	for i, index := range f.shown {
		keys[i] = f.key(index)
	}
	slices.SortFunc(keys, func(a, b sortKey) int {
		switch {
		case a.empty() && !b.empty():
			return 1
		case b.empty() && !a.empty():
			return -1
		case a.number != b.number:
			return sign * cmp.Compare(a.number, b.number)
		case a.text != b.text:
			return sign * strings.Compare(a.text, b.text)
		}
		return f.all[a.index].number - f.all[b.index].number
	})
	for i := range keys {
		f.shown[i] = keys[i].index
	}
}

func byNumber(a, b person) int { return cmp.Compare(a.number, b.number) }

// records are all people, in the order of the listing.
func (f *found) records() []prospect.Record {
	keys := make([]sortKey, len(f.all))
	for i, p := range f.all {
		keys[i] = sortKey{index: int32(i), number: p.number}
	}
	numberFirst(keys)
	var records []prospect.Record
	for _, k := range keys {
		records = append(records, *f.all[k.index].record)
	}
	return records
}

// numberFirst sorts by the numbers alone. Each kind of thing that is sorted is
// another kilobyte of the program, so the page sorts keys and nothing else.
func numberFirst(keys []sortKey) {
	slices.SortFunc(keys, func(a, b sortKey) int { return a.number - b.number })
}
