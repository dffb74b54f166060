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
	byName
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

// person is a row with what sorting and searching compare, made once: a table
// of ten thousand people is sorted while somebody waits for it.
type person struct {
	number int
	record *prospect.Record
	text   string // what search looks through
	keys   [columns]sortKey
}

// sortKey is what one column is sorted by: the beginning as a number, which
// settles most comparisons, and where the whole is in the person's text. It
// holds no text of its own: the garbage collector looks at every one.
type sortKey struct {
	head     uint64
	from, to uint32
}

// textKey is the key of a part of a text in small letters.
func textKey(text string, from, to int) sortKey {
	for from < to && (text[from] == '@' || text[from] == ' ') {
		from++
	}
	k := sortKey{from: uint32(from), to: uint32(to)}
	for i := range 8 {
		k.head <<= 8
		if from+i < to {
			k.head |= uint64(text[from+i])
		}
	}
	return k
}

// numberKey is never empty.
func numberKey(n int) sortKey { return sortKey{head: uint64(max(n, 0)) + 1} }

// add appends somebody; arrange must follow.
func (f *found) add(number int, r *prospect.Record) {
	p := person{number: number, record: r}
	fields := []string{nameOf(r), r.Company, r.Email, r.Location, r.Login, r.Blog, r.Bio}
	for i, field := range fields {
		fields[i] = strings.ToLower(field)
	}
	p.text = strings.Join(fields, "\n")
	p.keys[bySource] = numberKey(number)
	at := 0
	for i, c := range []column{byName, byCompany, byEmail, byLocation} {
		p.keys[c] = textKey(p.text, at, at+len(fields[i]))
		at += len(fields[i]) + 1
	}
	if r.Followers != nil {
		p.keys[byFollowers] = numberKey(*r.Followers)
	}
	f.all = append(f.all, p)
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
	if f.by == bySource && !f.down && slices.IsSortedFunc(f.all, func(a, b person) int { return cmp.Compare(a.number, b.number) }) {
		return
	}
	sign := 1
	if f.down {
		sign = -1
	}
	slices.SortFunc(f.shown, func(i, j int32) int {
		a, b := &f.all[i], &f.all[j]
		ka, kb := &a.keys[f.by], &b.keys[f.by]
		switch {
		case ka.head == kb.head:
		case ka.head == 0 || kb.head == 0:
			return cmp.Compare(kb.head, ka.head) // nothing comes last
		default:
			return sign * cmp.Compare(ka.head, kb.head)
		}
		if c := strings.Compare(a.text[ka.from:ka.to], b.text[kb.from:kb.to]); c != 0 {
			return sign * c
		}
		return a.number - b.number
	})
}

// records are all people, in the order of the listing.
func (f *found) records() []prospect.Record {
	sorted := slices.Clone(f.all)
	slices.SortStableFunc(sorted, func(a, b person) int { return cmp.Compare(a.number, b.number) })
	records := make([]prospect.Record, 0, len(sorted))
	for _, p := range sorted {
		records = append(records, *p.record)
	}
	return records
}
