package markdown_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/markdown"
)

func TestBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		want   []string
	}{
		"words":          {"# *A* b #\n\nOne\ntwo.\n\n***\n\nSet\n---", []string{"1 heading1 *A* b", "3 paragraph One two.", "6 rule", "8 heading2 Set"}},
		"list":           {"- a\n  b\n\n  c\n  - d\n\n1. e", []string{"1 item a b c", "5 item d", "7 item e"}},
		"lazy":           {"- a\nb\n- \n* `x`", []string{"1 item a b", "3 item", "4 item `x`"}},
		"quotation":      {"> a\n> b\n>\n> - c\n\nd", []string{"1 quotation a b", "4 item c", "6 paragraph d"}},
		"code":           {"```x\na\n```\n\n    b\n\n<p>\nc\n</p>\n\n<!--\n# d\n-->", []string{"1 code a", "5 code b", "7 HTML", "11 HTML"}},
		"table":          {"|a|b|\n|-|-|\n| c \\| `d` | e |\nf", []string{"1 table head a;b", "3 table row c | `d`;e", "4 table row f"}},
		"ragged":         {"a|b\n-|-\n|c|d|e|\n|f||\ng\\|", []string{"1 table head a;b", "3 table row c;d;e", "4 table row f;", "5 table row g|"}},
		"table in lists": {"- |a|b|\n  |-|-|\n  |c|d|\n\n> |a|\n> |-|\n> |b|", []string{"1 item", "1 table head a;b", "3 table row c;d", "5 table head a", "7 table row b"}},
	} {
		for _, ending := range []string{"\n", "\r\n", "\r"} {
			var got []string
			for _, b := range markdown.Parse([]byte(strings.ReplaceAll(c.source, "\n", ending))).Blocks {
				text := strings.TrimSpace(b.Text)
				if b.Cells != nil {
					text = strings.Join(b.Cells, ";")
				}
				level := ""
				if b.Level > 0 {
					level = fmt.Sprint(b.Level)
				}
				got = append(got, strings.TrimSpace(fmt.Sprintf("%d %s%s %s", b.Line, b.Kind, level, text)))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s, %q: got  %q\nwant %q", name, ending, got, c.want)
			}
		}
	}
}

// TestSection: rules name sections of level 2; a heading below another section
// may have the same words.
func TestSection(t *testing.T) {
	d := markdown.Parse([]byte("# T\n\n## Operations\n\n### Version\n\nOne.\n\n## Version\n\nTwo.\n\n### More\n\nThree.\n\n## Empty\n"))
	words := ""
	for _, b := range d.Section("Version") {
		words += b.Text + " "
	}
	if words != "Two. More Three. " {
		t.Errorf("got %q", words)
	}
	if empty, none := d.Section("Empty"), d.Section("More"); empty == nil || len(empty) > 0 || none != nil {
		t.Errorf("empty: %v, none: %v", empty, none)
	}
}
