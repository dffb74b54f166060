package prospects

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
)

func followers(n int) *int { return &n }

// some people, in the order they were found: those asked again come late.
var some = []struct {
	number int
	record prospect.Record
}{
	{1, prospect.Record{User: codehost.User{Login: "ann", Name: "Ann Lee", Company: "@Acme", Email: "ann@mail.example", Location: "Lisbon", Followers: followers(10)}}},
	{2, prospect.Record{User: codehost.User{Login: "Bob", Company: "acme", Location: "Åre", Followers: followers(9)}}},
	{4, prospect.Record{User: codehost.User{Login: "cyd", Name: "@ Zoë", Company: "Acme Holdings A", Bio: "Makes engines\nin Lisbon", Followers: followers(0)}}},
	{5, prospect.Record{User: codehost.User{Login: "dee", Name: "ann lee", Company: "Acme Holdings B", Email: "Dee@mail.example", Blog: "HTTPS://DEE.example"}}},
	{3, prospect.Record{User: codehost.User{Login: "eve", Name: "Eve", Followers: followers(1200)}}},
}

func someFound() *found {
	f := &found{}
	for _, p := range some {
		f.add(p.number, &p.record)
	}
	f.arrange()
	return f
}

// logins of those shown, in order.
func logins(f *found) string {
	var all []string
	for _, i := range f.shown {
		all = append(all, f.all[i].record.Login)
	}
	return strings.Join(all, " ")
}

func TestSearch(t *testing.T) {
	f := someFound()
	for words, want := range map[string]string{
		"":                 "ann Bob eve cyd dee",
		" \t":              "ann Bob eve cyd dee",
		"ACME":             "ann Bob cyd dee",
		"lisbon":           "ann cyd", // a place, and in what somebody says
		"lisbon acme":      "ann cyd",
		"acme\u00a0zoË":    "cyd",
		"åRE":              "Bob",
		"dee.example":      "dee",
		"mail.example dee": "dee",
		"ann lisbon dee":   "", // words of several people
		"lee@acme":         "", // two fields are no word
		".*":               "",
		"\x00\xff":         "",
	} {
		f.search(words)
		if got := logins(f); got != want {
			t.Errorf("%q: got %q, want %q", words, got, want)
		}
	}
}

func TestSortBy(t *testing.T) {
	for _, c := range []struct {
		by             column
		first, turned  string
		ascendingFirst bool
	}{
		// @ and capitals do not count; ties by place; who has nothing is last.
		{byName, "ann dee Bob eve cyd", "cyd eve Bob ann dee", true},
		{byCompany, "ann Bob cyd dee eve", "dee cyd ann Bob eve", true},
		{byEmail, "ann dee Bob eve cyd", "dee ann Bob eve cyd", true},
		{byLocation, "ann Bob eve cyd dee", "Bob ann eve cyd dee", true},
		{byFollowers, "eve ann Bob cyd dee", "cyd Bob ann eve dee", false},
	} {
		f := someFound()
		for i, want := range []string{c.first, c.turned, c.first} {
			f.sortBy(c.by)
			if got := logins(f); got != want || f.by != c.by || f.down != ((i == 1) == c.ascendingFirst) {
				t.Errorf("column %d, click %d: got %q, down %v; want %q", c.by, i+1, got, f.down, want)
			}
		}
		if f.sortBy(bySource); logins(f) != "ann Bob eve cyd dee" {
			t.Errorf("back to the listing: got %q", logins(f))
		}
	}
	f := someFound()
	if f.sortBy(bySource); logins(f) != "dee cyd eve Bob ann" {
		t.Errorf("from the end: got %q", logins(f))
	}
}

func TestFoundKeepsSearchAndOrder(t *testing.T) {
	f := someFound()
	f.search("acme")
	f.sortBy(byName)
	f.add(6, &prospect.Record{User: codehost.User{Login: "abe", Company: "Acme"}})
	f.add(7, &prospect.Record{User: codehost.User{Login: "hal", Company: "Other"}})
	if f.arrange(); logins(f) != "abe ann dee Bob cyd" {
		t.Errorf("after two more: got %q", logins(f))
	}
	f.remove(map[string]bool{"ann": true, "eve": true, "nobody": true})
	if logins(f) != "abe dee Bob cyd" {
		t.Errorf("after two less: got %q", logins(f))
	}
	var listed []string
	for _, r := range f.records() {
		listed = append(listed, r.Login)
	}
	if got := strings.Join(listed, " "); got != "Bob cyd dee abe hal" {
		t.Errorf("exported: %q", got)
	}
}

// value is what somebody is sorted by, worked out plainly.
func value(r *prospect.Record, by column) string {
	text := map[column]string{byName: cmp.Or(r.Name, r.Login), byCompany: r.Company, byEmail: r.Email, byLocation: r.Location}[by]
	if by == byFollowers && r.Followers != nil {
		text = fmt.Sprintf("%09d", *r.Followers)
	}
	return strings.TrimLeft(strings.ToLower(text), "@ ")
}

func matches(r *prospect.Record, words string) bool {
	for _, word := range strings.Fields(strings.ToLower(words)) {
		if !slices.ContainsFunc([]string{r.Login, r.Name, r.Company, r.Email, r.Location, r.Blog, r.Bio},
			func(field string) bool { return strings.Contains(strings.ToLower(field), word) }) {
			return false
		}
	}
	return true
}

// checkFound tells whether those shown are those who match, in order, and
// whether everybody is exported once.
func checkFound(f *found, all map[int]*prospect.Record) error {
	want := 0
	for _, r := range all {
		if matches(r, f.words) {
			want++
		}
	}
	if len(f.shown) != want {
		return fmt.Errorf("%d shown, %d match %q", len(f.shown), want, f.words)
	}
	seen := map[int32]bool{}
	for i, at := range f.shown {
		p := f.all[at]
		if seen[at] || all[p.number] != p.record || !matches(p.record, f.words) {
			return fmt.Errorf("%s is shown", p.record.Login)
		}
		seen[at] = true
		if i == 0 {
			continue
		}
		before := f.all[f.shown[i-1]]
		a, b := value(before.record, f.by), value(p.record, f.by)
		order, tie := cmp.Compare(a, b), before.number-p.number
		if f.down {
			order = -order
		}
		if f.by == bySource && f.down {
			tie = -tie
		}
		if f.by != bySource && (a == "") != (b == "") {
			if order = -1; a == "" {
				order = 1
			}
		}
		if cmp.Or(order, tie) >= 0 {
			return fmt.Errorf("%s comes before %s in column %d, down %v", before.record.Login, p.record.Login, f.by, f.down)
		}
	}
	records := f.records()
	for i, number := range slices.Sorted(maps.Keys(all)) {
		if len(records) != len(all) || records[i] != *all[number] {
			return fmt.Errorf("%d records of %d, number %d is %+v", len(records), len(all), i, records[i])
		}
	}
	return nil
}

func FuzzFound(f *testing.F) {
	f.Add([]byte("a1a2a3d1s1d1a9s3d1r1s0"), "Ann @acme Zoë lisbon")
	f.Add([]byte("aXaQaFd4aAaBd4d0s2rQrX"), "@@ İ ẞ ſ é 00000000a 00000000b")
	f.Fuzz(func(t *testing.T, steps []byte, pool string) {
		steps, pool = steps[:min(len(steps), 160)], pool[:min(len(pool), 160)]
		texts := append(strings.Fields(strings.ToValidUTF8(strings.ReplaceAll(pool, "\x00", ""), "")), "", "@")
		text := func(n int) string {
			return texts[n%len(texts)] + map[bool]string{true: " " + texts[n*5%len(texts)]}[n%4 == 0]
		}
		f, all := &found{}, map[int]*prospect.Record{}
		for i := 0; i+1 < len(steps); i += 2 {
			switch n := int(steps[i+1]); steps[i] % 4 {
			case 'a' % 4:
				if all[n+1] == nil {
					r := &prospect.Record{User: codehost.User{Login: fmt.Sprint("l", n), Name: text(n), Company: text(n / 2), Email: text(n / 3), Location: text(n / 5), Bio: text(n / 7)}}
					if n%3 > 0 {
						r.Followers = followers(n % 5)
					}
					all[n+1] = r
					f.add(n+1, r)
					f.arrange()
				}
			case 's' % 4:
				f.search(text(n))
			case 'r' % 4:
				delete(all, n+1)
				f.remove(map[string]bool{fmt.Sprint("l", n): true})
			default:
				f.sortBy(column(n % int(columns)))
			}
			if err := checkFound(f, all); err != nil {
				t.Fatalf("after step %d of %q with %q: %v", i/2, steps, pool, err)
			}
		}
	})
}
