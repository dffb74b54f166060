package table

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// sample is the table that the cases below change in one place.
const sample = "Intro.\n\n| Skill | Version |\n|---|:-:|\n| ads | 2.0.1 |\n| sms | 1.0.0 |\n\nMore.\n"

func sampleTable() Table {
	return Table{
		Line: 3, Header: []string{"Skill", "Version"}, Align: []Align{None, Center},
		Rows: []Row{
			{Line: 5, Cells: []string{"ads", "2.0.1"}},
			{Line: 6, Cells: []string{"sms", "1.0.0"}},
		},
	}
}

func TestFind(t *testing.T) {
	shifted := func(lines int) func(*Table) {
		return func(want *Table) {
			want.Line += lines
			for i := range want.Rows {
				want.Rows[i].Line += lines
			}
		}
	}
	same := func(*Table) {}
	rows := func(n int) func(*Table) { return func(want *Table) { want.Rows = want.Rows[:n] } }
	row := func(cells ...string) func(*Table) { return func(want *Table) { want.Rows[0].Cells = cells } }

	for _, tt := range []struct {
		name, old, new string
		want           func(*Table) // nil: no table
	}{
		{"as it is", "", "", same},
		{"no outer pipes", "| ads | 2.0.1 |", "ads | 2.0.1", row("ads", "2.0.1")},
		{"no outer pipes, header and delimiter", "| Skill | Version |\n|---|:-:|", "Skill | Version\n--- | :-:", same},
		{"no spaces", "| ads | 2.0.1 |", "|ads|2.0.1|", row("ads", "2.0.1")},
		{"many spaces", "| ads | 2.0.1 |", "  |  ads\t|   2.0.1  |  ", row("ads", "2.0.1")},
		{"escaped pipe", "| ads |", `| a\|s |`, row("a|s", "2.0.1")},
		{"escaped pipe in a code span", "| ads |", "| `a\\|s` |", row("`a|s`", "2.0.1")},
		{"bare pipe in a code span", "| ads |", "| `a|s` |", row("`a", "s`", "2.0.1")},
		{"backslash before an escaped pipe", "| ads |", `| a\\|s |`, row(`a\|s`, "2.0.1")},
		{"other escapes stay", "| ads |", `| \*a\\ |`, row(`\*a\\`, "2.0.1")},
		{"escaped pipe at the end", "| 2.0.1 |", `| 2.0.1 \|`, row("ads", "2.0.1 |")},
		{"empty cell", "| ads |", "|  |", row("", "2.0.1")},
		{"short row", "| ads | 2.0.1 |", "| ads |", row("ads")},
		{"row of one pipe", "| ads | 2.0.1 |", "|", func(w *Table) { w.Rows[0].Cells = []string{} }},
		{"long row", "| 2.0.1 |", "| 2.0.1 | x | y |", row("ads", "2.0.1", "x", "y")},
		{"row without a pipe", "| ads | 2.0.1 |", "ads", row("ads")},
		{"row indented like code", "| ads |", "        | ads |", same},
		{"CRLF", "\n", "\r\n", same},
		{"lone CR", "\n", "\r", same},
		{"no final newline", "\n\nMore.\n", "", same},
		{"paragraph directly above", "Intro.\n\n", "Intro.\n", shifted(-1)},
		{"heading directly above", "Intro.\n\n", "# Intro\n", shifted(-1)},
		{"comment directly above", "Intro.\n\n", "<!-- a -->\n", shifted(-1)},
		{"comment directly below", "\n\nMore.", "\n<!-- end -->", same},
		{"closed fence above", "Intro.\n", "```\ncode\n```\n", shifted(2)},
		{"ended by a heading", "| sms | 1.0.0 |", "## sms | 1.0.0", rows(1)},
		{"ended by a list", "| sms | 1.0.0 |", "- sms | 1.0.0", rows(1)},
		{"ended by a quotation", "| sms | 1.0.0 |", "> sms | 1.0.0", rows(1)},
		{"ended by a rule", "| sms | 1.0.0 |", "---", rows(1)},
		{"ended by code", "| sms | 1.0.0 |", "```", rows(1)},
		{"ended by HTML", "| sms | 1.0.0 |", "</details>", rows(1)},
		{"inline HTML is a row", "| sms |", "<b>sms</b> |", func(w *Table) { w.Rows[1].Cells[0] = "<b>sms</b>" }},
		{"blank line of spaces ends it", "| sms | 1.0.0 |", "  \t", rows(1)},
		{"left and right", "|---|:-:|", "| :--- | ---: |", func(w *Table) { w.Align = []Align{Left, Right} }},
		{"single dashes", "|---|:-:|", "|-|:-:|", same},
		{"delimiter too short", "|---|:-:|", "|---|", nil},
		{"one mismatch spoils its paragraph", "Intro.\n\n", "a | b\n|-|\n", nil},
		{"a mismatch in another paragraph does not", "Intro.\n", "a | b\n|-|\n", shifted(1)},
		{"delimiter too long", "|---|:-:|", "|---|:-:|---|", nil},
		{"delimiter with a letter", "|---|:-:|", "|---|:x:|", nil},
		{"delimiter with an empty cell", "|---|:-:|", "|---||", nil},
		{"delimiter that begins a list", "|---|:-:|", "- | :-:", nil},
		{"no delimiter", "|---|:-:|\n", "", nil},
		{"header is a list item", "| Skill |", "- Skill |", nil},
		{"header is indented code", "| Skill |", "    | Skill |", nil},
		{"in a fence", "Intro.\n", "```\n", nil},
		{"in a fence of tildes", "Intro.\n", "~~~ text\n```\n", nil},
		{"in a comment", "Intro.\n", "<!--\n", nil},
		{"in an HTML block", "Intro.\n\n", "<div>\n", nil},
		{"in preformatted text", "Intro.\n", "<pre>\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var want []Table
			if tt.want != nil {
				table := sampleTable()
				tt.want(&table)
				want = []Table{table}
			}
			got := Find(Lines(strings.ReplaceAll(sample, tt.old, tt.new)))
			if tt.old == "" {
				got = Find(Lines(sample))
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestFindSeveral(t *testing.T) {
	got := Find(Lines("|a|\n|-|\n|1|\n\nb|c\n-|-\n2|3\n"))
	want := []Table{
		{Line: 1, Header: []string{"a"}, Align: []Align{None}, Rows: []Row{{3, []string{"1"}}}},
		{Line: 5, Header: []string{"b", "c"}, Align: []Align{None, None}, Rows: []Row{{7, []string{"2", "3"}}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestLines(t *testing.T) {
	got := Lines("a\nb\r\nc\rd\n\ne")
	want := []string{"a\n", "b\r\n", "c\r", "d\n", "\n", "e"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestColumnAndCell(t *testing.T) {
	table := Table{Header: []string{"Skill", "last   updated"}}
	for title, want := range map[string]int{"skill": 0, "Last Updated": 1, "Version": -1} {
		if got := table.Column(title); got != want {
			t.Errorf("Column(%q) = %d, want %d", title, got, want)
		}
	}
	row := Row{Cells: []string{"ads"}}
	if row.Cell(0) != "ads" || row.Cell(1) != "" || row.Cell(-1) != "" {
		t.Error("Cell must answer for any index")
	}
}

func TestHidden(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       string // one character per line, x for hidden
	}{
		{"none", "a\n\nb\n", "..."},
		{"fence", "a\n```go\nx\n```\nb\n", ".xxx."},
		{"longer close", "```\nx\n`````\nb\n", "xxx."},
		{"shorter close", "````\nx\n```\nb\n", "xxxx"},
		{"close with text", "```\nx\n``` no\n```\nb\n", "xxxx."},
		{"close indented like code", "```\n    ```\n```\nb\n", "xxx."},
		{"tilde inside", "```\n~~~\n```\nb\n", "xxx."},
		{"code span is no fence", "```a```\nb\n", ".."},
		{"indented code is no fence", "    ```\nb\n", ".."},
		{"comment on one line", "<!-- a -->\nb\n", "x."},
		{"comment of many lines", "<!-- a\n\nb\n--> c\nd\n", "xxxx."},
		{"block tag", "<div>\na\n\nb\n", "xxx."},
		{"closing block tag", "</DIV\na\n\nb\n", "xxx."},
		{"raw tag", "<script>\n\n</script>\nb\n", "xxx."},
		{"processing", "<?php\n\n?>\nb\n", "xxx."},
		{"declaration", "<!DOCTYPE html>\nb\n", "x."},
		{"data", "<![CDATA[\n\n]]>\nb\n", "xxx."},
		{"link", "<https://example.com>\nb\n", ".."},
		{"inline tag", "<b>x</b>\nb\n", ".."},
		{"name that begins like a block", "<divan>\nb\n", ".."},
		{"less than", "< 5\nb\n", ".."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for _, hidden := range Hidden(Lines(tt.text)) {
				got += map[bool]string{true: "x", false: "."}[hidden]
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestLinear feeds what would hurt a quadratic reader. A generous bound: the
// point is seconds, not hours.
func TestLinear(t *testing.T) {
	const size = 1 << 22
	for name, text := range map[string]string{
		"pipes":            strings.Repeat("|", size),
		"escaped pipes":    strings.Repeat(`\|`, size/2),
		"delimiters":       strings.Repeat("|-|-|\n", size/6),
		"one-cell rows":    "a\n:-\n" + strings.Repeat("x\n", size/2),
		"fences":           strings.Repeat("```\n", size/4),
		"open comments":    strings.Repeat("<!--\n", size/5),
		"open scripts":     strings.Repeat("<script>\n", size/9),
		"long rows":        "|a|\n|-|\n" + strings.Repeat(strings.Repeat("a|", 5000)+"\n", size/10000),
		"carriage returns": strings.Repeat("\r", size),
	} {
		start := time.Now()
		tables := Find(Lines(text))
		for _, table := range tables {
			_ = table.String()
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: %v for %d bytes", name, took, len(text))
		}
	}
}
