package site

import (
	"encoding/json"
	"encoding/xml"
	"slices"
	"strings"
	"testing"
	"time"

	"marketingskills/app/collection/facts"
)

// TestChapters: what is to come stands first in its order, then month by month,
// then what is older, then what has no date.
func TestChapters(t *testing.T) {
	read := []facts.Source{{URL: "https://a.example", Read: "2026-11"}}
	var all facts.Ledger
	for _, since := range []string{"", "2027-05-06", "2026-11-09", "2024-11", "2024-12-01", "2026-12-01", "2020-04-18", "2026-11"} {
		all = append(all, &facts.Fact{ID: since, Since: since, Sources: read})
	}
	var got []string
	for _, c := range newsChapters(all) {
		line := c.title + ":"
		for _, f := range c.facts {
			line += " " + f.Since
		}
		got = append(got, line)
	}
	want := []string{
		"Still to come: 2026-12-01 2027-05-06", "November 2026: 2026-11-09 2026-11", "December 2024: 2024-12-01",
		"Earlier: 2024-11 2020-04-18", "Rules without a date: ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if newsChapters(nil) != nil {
		t.Error("nothing gives no chapters")
	}
}

// TestNews: every fact stands on the page once with its source, and on the pages
// of its skills; the feed leads to it.
func TestNews(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		page := string(files["news/index.html"])
		all := load(t, content).Facts
		if len(all) < 150 {
			t.Errorf("%d facts", len(all))
		}
		for _, f := range all {
			if strings.Count(page, `<article class="Fact" id="`+f.ID+`"`) != 1 {
				t.Errorf("%s does not stand on the page once", f.ID)
			}
			for _, s := range f.Skills {
				if !strings.Contains(string(files["skills/"+s+"/index.html"]), base+"news/#"+f.ID) {
					t.Errorf("the page of %s does not know %s", s, f.ID)
				}
			}
		}
		verify(t, files, "news/index.html",
			in(`article[id="texas-text-hours"][data-channel="text-messages"][data-where="texas united-states"][data-skill~="sms"] a[href="`+base+`skills/sms/"]`),
			in(`option[value="germany"]`), in(`option[value="text-messages"]`), in(`option[value="sms"]`),
			in(`a[href="`+base+`news/feed.xml"]`))
		var feed atomFeed
		if err := xml.Unmarshal(files["news/feed.xml"], &feed); err != nil {
			t.Fatal(err)
		}
		root := "https://skills.example" + base
		if len(feed.Entries) != 60 || feed.Updated != feed.Entries[0].Updated {
			t.Errorf("the feed has %d entries, of %s", len(feed.Entries), feed.Updated)
		}
		for i, e := range feed.Entries {
			at, err := time.Parse(time.RFC3339, e.Updated)
			if err != nil || at.Format("2006-01") > all.LastRead() || i > 0 && e.Updated > feed.Entries[i-1].Updated {
				t.Errorf("entry %d is of %q: %v", i, e.Updated, err)
			}
			leads(t, files, root, e.Link.Href)
		}
		var published struct {
			Facts []struct {
				ID, Channel string
				Sources     []facts.Source
			}
		}
		if err := json.Unmarshal(files["facts.json"], &published); err != nil || len(published.Facts) != len(all) ||
			published.Facts[0].Channel == "" || published.Facts[0].Sources[0].URL == "" {
			t.Errorf("facts.json: %v, %+v", err, published.Facts[:1])
		}
	})
}
