package table

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestString(t *testing.T) {
	long := strings.Repeat("x", maxWidth+1)
	for _, tt := range []struct {
		name  string
		table Table
		want  string
	}{
		{"aligned", sampleTable(), "" +
			"| Skill | Version |\n" +
			"| ----- | :-----: |\n" +
			"| ads   |  2.0.1  |\n" +
			"| sms   |  1.0.0  |\n"},
		{"left and right", Table{Header: []string{"a", "Number"}, Align: []Align{Left, Right}, Rows: []Row{{Cells: []string{"b", "7"}}}}, "" +
			"| a   | Number |\n" +
			"| :-- | -----: |\n" +
			"| b   |      7 |\n"},
		{"no rows", Table{Header: []string{"a"}}, "| a   |\n| --- |\n"},
		{"no columns", Table{}, ""},
		{"pipes and line ends", Table{Header: []string{"a|b"}, Rows: []Row{{Cells: []string{"c\r\nd "}}}}, "" +
			"| a\\|b |\n" +
			"| ---- |\n" +
			"| c d  |\n"},
		{"ragged rows", Table{Header: []string{"a"}, Rows: []Row{{Cells: []string{"b", "c"}}, {}}}, "" +
			"| a   |     |\n" +
			"| --- | --- |\n" +
			"| b   | c   |\n" +
			"|     |     |\n"},
		{"characters, not bytes", Table{Header: []string{"été!"}, Rows: []Row{{Cells: []string{"äöüß"}}}}, "" +
			"| été! |\n" +
			"| ---- |\n" +
			"| äöüß |\n"},
		{"a long cell sticks out", Table{Header: []string{"a"}, Rows: []Row{{Cells: []string{long}}}}, "" +
			"| a   |\n" +
			"| --- |\n" +
			"| " + long + " |\n"},
		{"more alignments than columns", Table{Header: []string{"a"}, Align: []Align{Left, Left}}, "| a   |\n| :-- |\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.table.String(); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestSetCell(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		i          int
		text, want string
		ok         bool
	}{
		{"same width", "| ads | 2.0.1 |\n", 1, "2.0.2", "| ads | 2.0.2 |\n", true},
		{"fills its column", "| ads | 2.0.1  |\r\n", 1, "2.0.10", "| ads | 2.0.10 |\r\n", true},
		{"leaves room", "| ads | 2.0.10 |\n", 1, "2.1.0", "| ads | 2.1.0  |\n", true},
		{"grows", "|ads|2.0.1|", 1, "2.0.10", "|ads|2.0.10|", true},
		{"set to the right", "| ads |  2.0.1 |", 1, "2.0.10", "| ads | 2.0.10 |", true},
		{"shrinks at the right", "| ads |  2.0.1 |", 1, "2.0", "| ads |    2.0 |", true},
		{"empty cell", "| ads |       |", 1, "2.0.1", "| ads | 2.0.1 |", true},
		{"cell without width", "|ads||", 1, "2.0.1", "|ads|2.0.1|", true},
		{"no outer pipes", "ads | 2.0.1", 1, "2.1", "ads | 2.1", true},
		{"pipe in the text", "| ads | x |", 1, "a|b", `| ads | a\|b |`, true},
		{"line end in the text", "| ads | x |", 1, "a\nb", "| ads | a b |", true},
		{"backslash before a pipe", "|ads|x|", 0, `a\`, `|a\ |x|`, true},
		{"extra columns stay", "| ads | 2.0.1 | note \\| more |", 1, "2.0.2", "| ads | 2.0.2 | note \\| more |", true},
		{"no such cell", "| ads |\n", 1, "2.0.2", "| ads |\n", false},
		{"negative", "| ads |\n", -1, "2.0.2", "| ads |\n", false},
		{"would lose the cell", "ads | 2.0.1", 1, "", "ads | 2.0.1", false},
		{"blank line", "\n", 0, "a", "\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := SetCell(tt.line, tt.i, tt.text)
			if got != tt.want || ok != tt.ok {
				t.Errorf("got %q, %v; want %q, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

// FuzzLines: cutting loses nothing, and a line ends where it ends.
func FuzzLines(f *testing.F) {
	f.Add(sample)
	f.Add("a\r\n\rb\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		lines := Lines(text)
		if strings.Join(lines, "") != text {
			t.Fatal("the lines joined are not the text")
		}
		for _, line := range lines {
			body := strings.TrimSuffix(strings.TrimRight(line, "\n"), "\r")
			if line == "" || strings.ContainsAny(body, "\r\n") || len(line)-len(body) > 2 {
				t.Fatalf("line %q", line)
			}
		}
	})
}

// FuzzWrite: what is found is written so that the same is found again, and
// what is written once is not changed by writing it twice.
func FuzzWrite(f *testing.F) {
	f.Add(sample)
	f.Add("a|b\n-|-:\n`c\\|d`|\\\\|e\n|\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, table := range Find(Lines(text)) {
			if len(table.Header) != len(table.Align) {
				t.Fatalf("header %q, align %q", table.Header, table.Align)
			}
			written := table.String()
			again := Find(Lines(written))
			if len(again) != 1 {
				t.Fatalf("%d tables in\n%s", len(again), written)
			}
			if again[0].String() != written {
				t.Fatalf("written differently:\n%s\n%s", written, again[0].String())
			}
			equalButForFilling(t, table, again[0])
		}
	})
}

func equalButForFilling(t *testing.T, a, b Table) {
	t.Helper()
	if len(a.Rows) != len(b.Rows) {
		t.Fatalf("%d rows, then %d", len(a.Rows), len(b.Rows))
	}
	columns := len(b.Header)
	fill := func(cells []string) []string {
		return append(slices.Clone(cells), make([]string, columns-len(cells))...)
	}
	if !reflect.DeepEqual(fill(a.Header), b.Header) {
		t.Fatalf("header %q, then %q", a.Header, b.Header)
	}
	for i := range a.Rows {
		if !reflect.DeepEqual(fill(a.Rows[i].Cells), b.Rows[i].Cells) {
			t.Fatalf("row %q, then %q", a.Rows[i].Cells, b.Rows[i].Cells)
		}
	}
}

// FuzzSetCell: one cell changes, the others and the line end do not, and a row
// with outer pipes takes any text.
func FuzzSetCell(f *testing.F) {
	f.Add("| ads | 2.0.1 |\n", 1, "2.0.10")
	f.Add(`a\|b|`, 0, `\`)
	f.Fuzz(func(t *testing.T, line string, i int, text string) {
		if strings.ContainsAny(strings.TrimRight(line, space), "\r\n") {
			return
		}
		before := Split(line)
		set, ok := SetCell(line, i, text)
		if !ok {
			trimmed := strings.Trim(line, space)
			if 0 <= i && i < len(before) && strings.HasSuffix(trimmed, "|") && strings.HasPrefix(trimmed, "|") &&
				!strings.HasSuffix(trimmed, `\|`) && utf8.ValidString(line) {
				t.Fatalf("%q refuses %q in cell %d", line, text, i)
			}
			if set != line {
				t.Fatalf("refused and yet changed: %q to %q", line, set)
			}
			return
		}
		before[i] = oneLine(text)
		if !slices.Equal(Split(set), before) {
			t.Fatalf("%q is %q, want %q", set, Split(set), before)
		}
	})
}
