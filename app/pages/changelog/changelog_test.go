package changelog

import (
	"reflect"
	"strings"
	"testing"
)

// sampleChangelog has a release of each kind, the newest first; one is known
// by its date alone.
func sampleChangelog() *Data {
	item := func(markup string, skills ...string) Item {
		return Item{Markup: "<li>" + markup + "</li>", Skills: skills}
	}
	return &Data{
		Skills: []string{"ads", "cro", "sms"},
		Releases: []Release{
			{Name: "2.10.0", Items: []Item{item("a", "ads"), item("b", "cro"), item("c", "ads", "cro"), item("43 skills in all")}},
			{Name: "2.9.0", Items: []Item{item("d", "cro")}},
			{Name: "2026-05-05", Items: []Item{item("e", "ads")}},
			{Name: "2.0.0", Breaking: true, Items: []Item{item("f", "ads", "cro")}},
			{Name: "1.0.0", Breaking: true, Items: []Item{item("g")}},
		},
	}
}

// shown writes down the releases of a view and the changes in each.
func shown(v changelogView) string {
	var parts []string
	for _, r := range v.releases {
		part := r.Name
		for _, i := range r.Items {
			part += " " + strings.TrimSuffix(strings.TrimPrefix(i.Markup, "<li>"), "</li>")
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

func TestChangelogOf(t *testing.T) {
	const all = "2.10.0 a b c 43 skills in all; 2.9.0 d; 2026-05-05 e; 2.0.0 f; 1.0.0 g"
	for _, c := range []struct{ name, query, since, skill, shown, summary string }{
		{"all", "", "", "", all, "5 releases."},
		{"no choice", "since=all&skill=all", "", "", all, "5 releases."},
		{"since", "since=2.9.0", "2.9.0", "", "2.10.0 a b c 43 skills in all", "1 of 5 releases newer than 2.9.0. No breaking changes."},
		{"since a date", "since=2026-05-05", "2026-05-05", "", "2.10.0 a b c 43 skills in all; 2.9.0 d", "2 of 5 releases newer than 2026-05-05. No breaking changes."},
		{"since before the break", "since=1.0.0", "1.0.0", "", strings.TrimSuffix(all, "; 1.0.0 g"), "4 of 5 releases newer than 1.0.0. 1 has breaking changes."},
		{"since the newest", "since=2.10.0", "2.10.0", "", "", "You have the latest release."},
		{"since an unknown one", "since=3.0.0", "", "", all, `There is no release “3.0.0”. All 5 releases are shown.`},
		{"since markup", "since=%3Cb%3E%22", "", "", all, `There is no release “<b>"”. All 5 releases are shown.`},
		{"skill", "skill=ads", "", "ads", "2.10.0 a c; 2026-05-05 e; 2.0.0 f", "3 of 5 releases with changes to ads. 1 has breaking changes."},
		{"skill without a change", "skill=sms", "", "sms", "", "No release has changes to sms."},
		{"unknown skill", "skill=page-cro", "", "", all, `The changelog has no skill “page-cro”. All 5 releases are shown.`},
		{"both", "since=2026-05-05&skill=cro", "2026-05-05", "cro", "2.10.0 b c; 2.9.0 d", "2 of 5 releases with changes to cro, newer than 2026-05-05. No breaking changes."},
		{"both, the newest", "since=2.10.0&skill=cro", "2.10.0", "cro", "", "No newer release has changes to cro."},
		{"both, no change", "since=2.9.0&skill=sms", "2.9.0", "sms", "", "No newer release has changes to sms."},
		{"both unknown", "since=9&skill=x", "", "", all, `There is no release “9”. The changelog has no skill “x”. All 5 releases are shown.`},
		{"one unknown", "since=9&skill=ads", "", "ads", "2.10.0 a c; 2026-05-05 e; 2.0.0 f", `There is no release “9”. 3 of 5 releases with changes to ads. 1 has breaking changes.`},
		{"nonsense", "%%%&since", "", "", all, "5 releases."},
	} {
		d := sampleChangelog()
		v := changelogOf(d, c.query)
		if v.since != c.since || v.skill != c.skill || shown(v) != c.shown || v.summary != c.summary {
			t.Errorf("%s: got since %q, skill %q, %s; %s\nwant since %q, skill %q, %s; %s",
				c.name, v.since, v.skill, shown(v), v.summary, c.since, c.skill, c.shown, c.summary)
		}
		if !reflect.DeepEqual(d, sampleChangelog()) {
			t.Errorf("%s: the page's data was changed", c.name)
		}
	}
}

func TestChangelogCountsBreakingReleases(t *testing.T) {
	d := sampleChangelog()
	d.Releases[1].Breaking = true
	if got := changelogOf(d, "skill=cro").summary; got != "3 of 5 releases with changes to cro. 2 have breaking changes." {
		t.Errorf("got %s", got)
	}
}
