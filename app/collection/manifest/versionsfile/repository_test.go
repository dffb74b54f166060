package versionsfile

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/manifest"
)

// The data of rules 10 to 12, written out once more. It says what 2.2.0 is:
// of a skill that a later release names, the row is newer.
const (
	specVersions = `
2.0.0 2026-05-05 ab-testing ad-creative analytics aso churn-prevention co-marketing cold-email
2.0.0 2026-05-05 community-marketing competitor-profiling competitors content-strategy copy-editing
2.0.0 2026-05-05 copywriting cro customer-research directory-submissions emails free-tools launch
2.0.0 2026-05-05 lead-magnets marketing-ideas marketing-psychology onboarding paywalls popups pricing
2.0.0 2026-05-05 product-marketing programmatic-seo referrals revops sales-enablement schema seo-audit
2.0.0 2026-05-05 signup site-architecture social
2.0.1 2026-05-18 ai-seo image video
2.0.1 2026-05-26 ads
1.0.0 2026-05-26 prospecting
1.0.0 2026-05-21 sms`

	specRenames = `ab-test-setup to ab-testing; analytics-tracking to analytics; aso-audit to aso;
competitor-alternatives to competitors; email-sequence to emails; free-tool-strategy to free-tools;
launch-strategy to launch; onboarding-cro to onboarding; paid-ads to ads; paywall-upgrade-cro to paywalls;
popup-cro to popups; pricing-strategy to pricing; product-marketing-context to product-marketing;
referral-program to referrals; schema-markup to schema; signup-flow-cro to signup; social-content to social`
)

func readRepository(t *testing.T) (*manifest.Manifest, []byte) {
	t.Helper()
	data, err := os.ReadFile("../../../../VERSIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	m, found := Parse(data)
	for _, f := range found {
		t.Errorf("%v", f)
	}
	return m, data
}

// TestRepositoryReadsAlike: the browser finds the rows that the library finds.
func TestRepositoryReadsAlike(t *testing.T) {
	m, data := readRepository(t)
	if got := manifest.ReadRows(string(data)); !slices.Equal(got, m.Rows) {
		t.Errorf("got %v", got)
	}
}

func TestRepositoryRows(t *testing.T) {
	m, _ := readRepository(t)
	want := map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(specVersions)) {
		words := strings.Fields(line)
		for _, skill := range words[2:] {
			want[skill] = words[0] + " " + words[1]
		}
	}
	if len(want) != 42 {
		t.Errorf("2.2.0 has %d skills", len(want))
	}
	for skill, written := range want {
		row, _ := m.Row(skill)
		version, _, _ := strings.Cut(written, " ")
		right := fmt.Sprintf("%s %s", row.Version, row.Updated) == written
		if day := later(m.Touching(skill)); day != "" {
			right = row.Updated == day && manifest.Compare(row.Version, manifest.Version(version)) > 0
		}
		if !right {
			t.Errorf("%s: %s of %s; 2.2.0 has %s", skill, row.Version, row.Updated, written)
		}
	}
}

// later returns the day of the newest release, if that is later than 2.2.0.
func later(releases []manifest.Release) string {
	if len(releases) == 0 || manifest.Compare(releases[0].Version, "2.2.0") <= 0 {
		return ""
	}
	return releases[0].Date
}

func TestRepositoryRenames(t *testing.T) {
	m, _ := readRepository(t)
	want := map[string]string{
		"page-cro": "merged cro `skills/cro/SKILL.md`",
		"form-cro": "merged cro `skills/cro/references/form.md`",
	}
	pairs := strings.Split(specRenames, ";")
	for _, pair := range pairs {
		old, skill, _ := strings.Cut(strings.TrimSpace(pair), " to ")
		want[old] = fmt.Sprintf("renamed %s `skills/%s/`", skill, skill)
	}
	got := map[string]string{}
	for _, r := range m.Renames {
		got[r.Old] = fmt.Sprintf("%s %s %s", r.Kind, r.New, r.Where)
		if skill, _, ok := m.Resolve(r.Old); !ok || skill != r.New || r.Release != "2.0.0" {
			t.Errorf("%s resolves to %s; renamed in %s", r.Old, skill, r.Release)
		}
	}
	if len(pairs) != 17 || len(m.Renames) != 19 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d renames: %v", len(m.Renames), got)
	}
}

func TestRepositoryReleases(t *testing.T) {
	m, _ := readRepository(t)
	var got []string
	history := m.History()
	for later(history) != "" {
		history = history[1:]
	}
	for _, r := range history {
		skills := []string{}
		for _, c := range r.Changes {
			skills = append(skills, c.Skills...)
		}
		slices.Sort(skills)
		got = append(got, fmt.Sprintf("%s %s total %d breaking %v %v", r.Version, r.Date, r.Total, r.Breaking(), slices.Compact(skills)))
	}
	want := []string{
		"2.2.0 2026-05-26 total 42 breaking false [ads prospecting]",
		"2.1.0 2026-05-21 total 41 breaking false [sms]",
		"2.0.1 2026-05-18 total 40 breaking false [ai-seo image video]",
		"2.0.0 2026-05-05 total 40 breaking true [cro]",
		"1.10.0 2026-05-04 total 0 breaking false [co-marketing]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	// What each release must say, in words that may otherwise change.
	for release, words := range map[string][]string{
		"2.2.0": {"`prospecting`", "1.0.0", "command-line tool", "email verification", "code-hosting API", "page scraper",
			"cloud browser", "`ads`", "2.0.0 to 2.0.1", "search-ad output", "plugin manifest"},
		"2.1.0":  {"`sms`", "1.0.0"},
		"2.0.1":  {"content patch", "2.0.0 to 2.0.1"},
		"2.0.0":  {"17 skills", "`page-cro` and `form-cro`", "`references/form.md`", "reinstall"},
		"1.10.0": {"`co-marketing`"},
	} {
		i := slices.IndexFunc(m.Releases, func(r manifest.Release) bool { return r.Name() == release })
		text := ""
		for _, c := range m.Releases[max(i, 0)].Changes {
			text += c.Text + "\n"
		}
		for _, w := range words {
			if !strings.Contains(text, w) {
				t.Errorf("release %s does not say %q", release, w)
			}
		}
	}
	touching := m.Touching("ads")
	for later(touching) != "" {
		touching = touching[1:]
	}
	if got := releaseNames(touching); !slices.Equal(got, []string{"2.2.0", "2.0.0"}) {
		t.Errorf("releases touching ads: %q", got)
	}
}

// TestRepositoryPromises: the words that an agent needs.
func TestRepositoryPromises(t *testing.T) {
	_, data := readRepository(t)
	for _, want := range []string{
		"# Versions\n", "\n## Skills\n\n| Skill", "| Version | Last Updated |", "`metadata.version`",
		"\n## Renamed in 2.0.0\n", "upgrade from 1.x", "must be removed", "\n## Recent Changes\n",
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("VERSIONS.md does not say %q", want)
		}
	}
}
