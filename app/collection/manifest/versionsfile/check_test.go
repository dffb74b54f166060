package versionsfile

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"marketingskills/app/collection/finding"
)

// TestFindings breaks the sample in one place and expects exactly the findings
// listed: severity, line and rule.
func TestFindings(t *testing.T) {
	const ads = "| ads         | 2.0.1   | 2026-05-26   |"
	const paid = "| paid-ads | ads      | renamed | `skills/ads/`           |"
	const head = "### 2.2.0 (2026-05-26)"
	const next = "### Unreleased\n\n"
	for _, tt := range []struct {
		name, old, new string
		want           string
	}{
		{"partial version", "| 2.0.1 ", "| 2.0 ", "error 9 manifest-version"},
		{"leading v", "| 2.0.1 ", "| v2.0.1 ", "error 9 manifest-version"},
		{"leading zero", "| 2.0.1 ", "| 2.01.1 ", "error 9 manifest-version"},
		{"pre-release", "| 2.0.1 ", "| 2.0.1-rc.1 ", "error 9 manifest-version"},
		{"build", "| 2.0.1 ", "| 2.0.1+x ", "error 9 manifest-version"},
		{"empty build", "| 2.0.1 ", "| 2.0.1+ ", "error 9 manifest-version"},
		{"number too long", "| 2.0.1 ", "| 99999999999999999999.0.1 ", "error 9 manifest-version"},
		{"no version", "| 2.0.1 ", "|  ", "error 9 manifest-version"},
		{"version in backticks", "| 2.0.1 ", "| `2.0.1` ", "error 9 manifest-version"},
		{"no such day", "2.0.0   | 2026-05-05", "2.0.0   | 2026-02-30", "error 10 manifest-date"},
		{"leap day in a common year", "2.0.0   | 2026-05-05", "2.0.0   | 2026-02-29", "error 10 manifest-date"},
		{"short date", "2.0.0   | 2026-05-05", "2.0.0   | 2026-5-5", "error 10 manifest-date"},
		{"no date", "2.0.0   | 2026-05-05", "2.0.0   | ", "error 10 manifest-date"},
		{"two mistakes in a row", "| 2.0.1   | 2026-05-26   |", "| 2 | now |", "error 9 manifest-date, error 9 manifest-version"},
		{"row too short", ads, "| ads |", "error 9 manifest-date, error 9 manifest-version"},
		{"row too long", ads, "| ads | 2.0.1 | 2026-05-26 | new |", "error 9 manifest-row-cells"},
		{"capital letters", "| prospecting |", "| Prospecting |", "warning 11 manifest-row-order, error 11 manifest-skill-name"},
		{"name in backticks", "| prospecting |", "| `prospecting` |", "warning 11 manifest-row-order, error 11 manifest-skill-name"},
		{"duplicate row", ads, ads + "\n" + ads, "error 10 manifest-duplicate-row, error 26 manifest-total"},
		{"rows not in order", "| cro         |", "| aardvark |",
			"warning 10 manifest-row-order, error 19 manifest-rename-target, error 20 manifest-rename-target"},
		{"no table", "| Skill       | Version | Last Updated |\n", "", "error 0 manifest-no-table, " +
			"error 18 manifest-rename-target, error 19 manifest-rename-target, error 20 manifest-rename-target, error 24 manifest-total"},
		{"no rows", ads + "\n| cro         | 2.0.0   | 2026-05-05   |\n| prospecting | 1.0.0   | 2026-05-26   |\n", "",
			"error 7 manifest-no-rows, error 16 manifest-rename-target, error 17 manifest-rename-target, " +
				"error 18 manifest-rename-target, error 22 manifest-total"},
		{"column missing", "Last Updated", "When", "error 7 manifest-column, error 9 manifest-date, error 10 manifest-date, error 11 manifest-date"},
		{"column twice", "| Last Updated |\n| ----------- | ------- | ------------ |", "| Last Updated | Version |\n|-|-|-|-|",
			"error 7 manifest-column"},
		{"second table", "How to use this file.", "| Skill | Version |\n|-|-|\n| zed | 1.0.0 |\n",
			"error 3 manifest-column, error 5 manifest-date, error 10 manifest-second-table, warning 12 manifest-row-order, error 28 manifest-total"},
		{"not UTF-8", "How to", "How\xff to", "error 3 manifest-encoding"},

		{"rename heading without a version", "Renamed in 2.0.0", "Renamed in", "error 13 manifest-rename-heading"},
		{"rename heading with a leading v", "Renamed in 2.0.0", "Renamed in v2.0.0", "error 13 manifest-rename-heading"},
		{"rename table elsewhere", "## Renamed in 2.0.0", "## Old names", "error 17 manifest-rename-heading"},
		{"no rename table", "| Old name | New name | Kind    | Where the content went |\n", "", "error 13 manifest-rename-table"},
		{"no kind column", "| Kind    |", "| Sort    |",
			"error 17 manifest-column, error 19 manifest-rename-kind, error 20 manifest-rename-kind, error 21 manifest-rename-kind"},
		{"unknown kind", "| renamed |", "| moved |", "error 21 manifest-rename-kind"},
		{"no place", "`SKILL.md`", "", "warning 20 manifest-rename-where"},
		{"bad old name", "| paid-ads |", "| Paid ads |", "error 21 manifest-skill-name"},
		{"old name twice", paid, paid + "\n" + paid, "error 22 manifest-duplicate-rename"},
		{"two renamed to one", "| cro      | merged ", "| cro      | renamed ", "error 20 manifest-rename-kind"},
		{"target without a row", "| paid-ads | ads ", "| paid-ads | adverts ", "error 21 manifest-rename-target"},
		{"old name with a row", "| paid-ads | ads ", "| prospecting | ads ", "error 21 manifest-rename-old-exists"},
		{"chain", "| paid-ads | ads ", "| paid-ads | page-cro ", "error 21 manifest-rename-chain"},
		{"chain to nowhere", "| page-cro | cro ", "| page-cro | paid-ads2 ", "error 20 manifest-rename-target"},
		{"circle of one", "| paid-ads | ads ", "| paid-ads | paid-ads ", "error 21 manifest-rename-circle"},
		{"circle of two",
			"cro      | merged  | `SKILL.md`              |\n| paid-ads | ads ", "paid-ads | merged  | x |\n| paid-ads | page-cro ",
			"error 20 manifest-rename-circle, error 21 manifest-rename-circle"},
		{"a way into a circle", paid, "| form-c | paid-ads | merged | x |\n| paid-ads | paid-ads | renamed | x |",
			"error 21 manifest-rename-chain, error 22 manifest-rename-circle"},
		{"rename in an unlisted release", "Renamed in 2.0.0", "Renamed in 3.0.0", "error 19 manifest-rename-release"},
		{"rename that breaks nothing", "**Breaking:** ", "", "warning 36 manifest-rename-release"},

		{"no section on releases", "## Recent Changes", "## Changes", "error 0 manifest-no-changes, error 19 manifest-rename-release"},
		{"no releases", "###", "####", "error 19 manifest-rename-release, error 23 manifest-no-changes"},
		{"second section", "### 2026-05-18", "## Recent Changes\n\n### 2026-05-18", "error 32 manifest-second-section"},
		{"heading of another kind", "### 2026-05-18", "### Soon", "error 32 manifest-release-heading"},
		{"heading with more", "(2026-05-26)", "(2026-05-26): people", "error 25 manifest-release-heading"},
		{"release without a date", "2.2.0 (2026-05-26)", "2.2.0", "error 25 manifest-date"},
		{"release on no day", "### 2026-05-18", "### 2026-02-30", "error 32 manifest-date, warning 36 manifest-release-order"},
		{"release with a leading v", "### 2.2.0", "### v2.2.0", "error 25 manifest-version, warning 32 manifest-release-order"},
		{"duplicate release", "### 2026-05-18", "### 2.2.0 (2026-05-26)", "error 32 manifest-duplicate-release"},
		{"duplicate date", "### 2.2.0 (2026-05-26)", "### 2026-05-18", "error 32 manifest-duplicate-release"},
		{"newer below older", "### 2026-05-18", "### 2.10.0 (2026-06-01)", "warning 32 manifest-release-order"},
		{"date against version", "### 2026-05-18", "### 2.1.0 (2026-05-01)", "error 32 manifest-release-date"},
		{"release without bullets", "- A typing error is gone from `page-cro`.\n", "", "error 32 manifest-release-empty"},
		{"text beside the bullets", "- A typing error is gone from `page-cro`.", "- Text.\n\nMore.", "warning 36 manifest-release-text"},
		{"small heading in a release", "- A typing error is gone", "#### Fixed\n- Gone", "warning 34 manifest-release-text"},
		{"empty bullet", "  better output.\n", "  better output.\n-\n", "warning 30 manifest-release-text"},
		{"wrong total", "Total: 3 skills", "Total: 4 skills", "error 25 manifest-total"},
		{"total twice", "- Total: 3 skills.", "- Total: 2 skills.\n- Total: 3 skills.", "error 31 manifest-total"},

		{"entry for the next release", head, next + "- `ads` (2.1.0): more. `ads` again.\n- The skill `new` (1.0.0).\n- `--flag` (1.0)\n\n" + head, ""},
		{"in other words", head, "### UNRELEASED\n\n* **Breaking:** `ads`\n  ( 2.1.0 ) and\n  `cro` (3.0.0).\n  - `prospecting`(1.0.1)\n" + head, ""},
		{"nothing in it", head, next + head, "error 25 manifest-release-empty"},
		{"twice", head, next + "- A.\n\n" + next + "- B.\n\n" + head, "error 29 manifest-unreleased"},
		{"below a release", "### 2026-05-18", next + "- A.\n\n### 2026-05-18", "error 32 manifest-unreleased"},
		{"with a total", head, next + "- A.\n- Total: 3 skills.\n\n" + head, "error 28 manifest-unreleased"},
		{"text beside its bullets", head, next + "- A.\n\nB.\n\n-\n\n" + head, "warning 29 manifest-release-text, warning 31 manifest-release-text"},
		{"no version behind the name", head, next + "- `ads` and `cro` (2.1.0), `ads`.\n- `unknown`.\n\n" + head, "error 27 manifest-unreleased-version"},
		{"something else behind it", head, next + "- `ads` (better) 2.1.0\n\n" + head, "error 27 manifest-unreleased-version"},
		{"not above the row", head, next + "- Less.\n- `ads`, `ads` (2.0.1).\n\n" + head, "error 28 manifest-unreleased-version"},
		{"two versions", head, next + "- `ads` (2.1.0).\n- `ads` (2.1.1).\n\n" + head, "error 28 manifest-unreleased-version"},
		{"no version", head, next + "- `ads` (2.1), `new` (v1.0.0).\n\n" + head, "error 27 manifest-version, error 27 manifest-version"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := changed(t, tt.old, tt.new)
			_, found := Parse([]byte(text))
			if got := brief(found); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
				for _, f := range found {
					t.Log(f)
				}
			}
			for _, f := range found {
				if f.File != "VERSIONS.md" || f.Wrong == "" || f.Right == "" {
					t.Errorf("incomplete: %+v", f)
				}
			}
		})
	}
}

// TestNextReleaseIsPrepared: while an entry Unreleased is there, rows may be
// more or fewer than the newest total, and renames of a release to come.
func TestNextReleaseIsPrepared(t *testing.T) {
	text := changed(t, "### 2.2.0", "### Unreleased\n\n- More.\n\n### 2.2.0")
	text = strings.Replace(text, "| prospecting | 1.0.0   | 2026-05-26   |\n", "", 1)
	text = strings.Replace(text, "## Recent", "## Renamed in 3.0.0\n\n|Old name|New name|Kind|Where the content went|\n|-|-|-|-|\n|find|ads|renamed|x|\n\n## Recent", 1)
	if _, found := Parse([]byte(text)); len(found) > 0 {
		t.Errorf("got %v", found)
	}
	// Not of a release that is out.
	_, found := Parse([]byte(strings.Replace(text, "Renamed in 3.0.0", "Renamed in 2.1.0", 1)))
	if got := brief(found); got != "error 26 manifest-rename-release" {
		t.Errorf("got %s", got)
	}
}

func brief(found []finding.Finding) string {
	var all []string
	for _, f := range found {
		all = append(all, fmt.Sprintf("%s %d %s", f.Severity, f.Line, f.Rule))
	}
	return strings.Join(all, ", ")
}

// TestWorstFiles: what is not a manifest at all.
func TestWorstFiles(t *testing.T) {
	const nothing = "error 0 manifest-no-table, error 0 manifest-no-changes"
	for name, text := range map[string]string{
		"empty": "", "blank": "\n \r\n", "only a mark": "\ufeff", "prose": "Hello.\n", "unclosed fence": "```\n" + sample,
		"unclosed comment": "<!--\n" + sample, "zeros": "\x00\x00\n\x00",
	} {
		_, found := Parse([]byte(text))
		// Both stand on line 0; their rules sort them.
		if got := brief(found); got != nothing && got != "error 0 manifest-no-changes, error 0 manifest-no-table" {
			t.Errorf("%s: %s", name, got)
		}
	}
	_, found := Parse([]byte(strings.ReplaceAll(sample, "", "\x00"))) // as UTF-16 looks
	if len(found) == 0 {
		t.Error("UTF-16 passes")
	}
}

// TestMessages keeps hostile content out of terminals and long lines out of
// reports.
func TestMessages(t *testing.T) {
	long := strings.Repeat("é", 2_000)
	_, found := Parse([]byte(changed(t, "| 2.0.1 ", "| \x1b[31m"+long+" ")))
	if len(found) != 1 || len(found[0].String()) > 400 || strings.ContainsAny(found[0].String(), "\x1b\n") {
		t.Errorf("got %q", found)
	}
}

// TestLinear feeds a few megabytes of what would hurt a quadratic reader. A
// generous bound: the point is seconds, not hours.
func TestLinear(t *testing.T) {
	const size = 1 << 22
	head, tail, _ := strings.Cut(sample, "| ads ")
	numbered := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(format, "N", fmt.Sprint(i)), "M", fmt.Sprint(i+1)))
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"garbage":       strings.Repeat("\x00\xff|`-#*", size/8),
		"newlines":      strings.Repeat("\n", size),
		"rows":          head + strings.Repeat("| x | y | z |\n", size/14) + "| ads " + tail,
		"long line":     strings.Replace(sample, "has a", strings.Repeat("x", size), 1),
		"backticks":     strings.Replace(sample, "has a", strings.Repeat("` `` ``` ", size/9), 1),
		"long lines":    strings.Replace(sample, "has a", strings.Repeat(strings.Repeat("`ads` ", 1700)+"\n", size/10_000), 1),
		"one bullet":    strings.Replace(sample, "has a", strings.Repeat("x\n", size/2), 1),
		"bullets":       strings.Replace(sample, "has a", strings.Repeat("x\n- `paid-ads`\n", size/14), 1),
		"sections":      strings.Repeat("## Skills\n", size/10),
		"headings":      "## Recent Changes\n" + strings.Repeat("### 1.2.3 (2026-05-26)\n", size/23),
		"releases":      "## Recent Changes\n" + numbered("### 1.N.0 (2026-05-26)\n", 100_000),
		"bare dates":    "## Recent Changes\n" + strings.Repeat("### 2026-05-26\n### 1.0.0 (2026-05-26)\n", size/40),
		"rename chain":  "## Renamed in 2.0.0\n|Old name|New name|Kind|Where the content went|\n|-|-|-|-|\n" + numbered("|nN|nM|renamed|x|\n", 100_000),
		"rename circle": "## Renamed in 2.0.0\n|Old name|New name|\n|-|-|\n|n100000|n0|\n" + numbered("|nN|nM|\n", 100_000),
		"planned":       "## Recent Changes\n### Unreleased\n" + numbered("- `sN` (1.0.N)\n", 100_000),
		"unreleased":    "## Recent Changes\n" + strings.Repeat("### Unreleased\n- `ads`\n", size/24),
		"hashes":        "## Recent Changes\n" + strings.Repeat(strings.Repeat("#", 10_000)+"\n", size/10_000),
	} {
		start := time.Now()
		_, found := Parse([]byte(text))
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: %v for %d bytes", name, took, len(text))
		}
		if len(found) > maxFindings+1 {
			t.Errorf("%s: %d findings", name, len(found))
		}
	}
}
