package manifest_test

import (
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/manifest/versionsfile"
)

const table = "| Skill | Version | Last Updated |\n| --- | --- | --- |\n| ads | 2.0.1 | 2026-05-26 |\n| cro | 1.0.0 | 2026-05-05 |\n"

// TestReadRows: the line reader finds what the Markdown library finds.
func TestReadRows(t *testing.T) {
	for name, source := range map[string]string{
		"plain":              table,
		"empty":              "",
		"CRLF":               strings.ReplaceAll(table, "\n", "\r\n"),
		"CR":                 strings.ReplaceAll(table, "\n", "\r"),
		"byte order mark":    "\ufeff" + table,
		"no outer pipes":     "Skill|Version|last  updated\n-|:-:|-\nads|2.0.1|2026-05-26\n",
		"other columns":      "| Note | Version | Skill |\n|-|-|-|\n| a \\| b | 1.0.0 | ads |\n",
		"no date":            "| Skill | Version |\n|-|-|\n| ads | 1.0.0 |\n",
		"ragged":             table + "| sms |\n| seo | 1 | 2 | 3 |\n",
		"prose around":       "# Versions\n\nA | B\n\n" + table + "\nMore | words\n\n## Renamed in 2.0.0\n\n| Old name | New name |\n|-|-|\n| x | y |\n",
		"in a fence":         "```\n" + table + "```\n\n~~~\n" + table + "~~~\n",
		"after a fence":      "```\n| x |\n```\n" + table,
		"two tables":         table + "\n" + table,
		"code and emphasis":  strings.ReplaceAll(table, "ads", "**`ads`**"),
		"other table":        "| Field | Meaning |\n|-|-|\n| a | b |\n",
		"capital letters":    strings.ToUpper(table),
		"indented":           strings.ReplaceAll(table, "\n|", "\n  |"),
		"rows at the end":    strings.TrimSuffix(table, "\n"),
		"table without rows": "| Skill | Version | Last Updated |\n| --- | --- | --- |\n",
	} {
		want, _ := versionsfile.Parse([]byte(source))
		if got := manifest.ReadRows(source); !slices.Equal(got, want.Rows) {
			t.Errorf("%s: got %v, want %v", name, got, want.Rows)
		}
	}
}

// TestReadRowsIsTolerant: what is no table to the library, and was meant as one.
func TestReadRowsIsTolerant(t *testing.T) {
	for name, source := range map[string]string{
		"no delimiter line": strings.Replace(table, "| --- | --- | --- |\n", "", 1),
		"deep indent":       "    " + strings.ReplaceAll(table, "\n|", "\n    |"),
		"quoted in a list":  strings.ReplaceAll(table, "\n|", "\n   |"),
	} {
		if got := manifest.ReadRows(source); len(got) != 2 || got[0].Skill != "ads" || got[1].Version != "1.0.0" {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func FuzzReadRows(f *testing.F) {
	f.Add(table)
	f.Fuzz(func(t *testing.T, source string) {
		for _, row := range manifest.ReadRows(source) {
			if row.Line < 1 || row.Line > 1+strings.Count(source, "\n")+strings.Count(source, "\r") || strings.ContainsAny(row.Skill, "\r\n") {
				t.Fatalf("got %+v", row)
			}
		}
	})
}
