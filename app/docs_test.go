package app_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	rule      = regexp.MustCompile(`(?m)^(\d+)\. `)
	citedRule = regexp.MustCompile(`\b[Rr]ules? (\d+)(?:(?:, \d+)* (?:and|to) (\d+))?`)
	citedPage = regexp.MustCompile(`\bdocs/(?:design/[\w-]+|rules)\.md`)
)

// TestDocs: a decision has its four parts and a line in the list of decisions,
// and what code cites of docs/ is there.
func TestDocs(t *testing.T) {
	read := func(file string) string {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	decisions, err := filepath.Glob("../docs/design/*.md")
	if err != nil || len(decisions) < 2 {
		t.Fatalf("%d decisions, %v", len(decisions), err)
	}
	index := read("../docs/design/README.md")
	for _, file := range decisions {
		name := filepath.Base(file)
		if name == "README.md" {
			continue
		}
		if !strings.Contains(index, "]("+name+")") {
			t.Errorf("docs/design/README.md does not list %s", name)
		}
		for _, part := range []string{"Situation.", "Choice.", "Price.", "Exit."} {
			if !strings.Contains(read(file), "\n**"+part+"** ") {
				t.Errorf("%s has no part %q", file, part)
			}
		}
	}
	rules := map[string]bool{}
	for _, m := range rule.FindAllStringSubmatch(read("../docs/rules.md"), -1) {
		rules[m[1]] = true
	}
	cited := 0
	for _, p := range list(t, "./...") {
		files, err := filepath.Glob(filepath.Join(p.Dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			code := read(file)
			for _, page := range citedPage.FindAllString(code, -1) {
				if _, err := os.Stat(filepath.Join("..", page)); err != nil {
					t.Errorf("%s cites %s: %v", file, page, err)
				}
			}
			for _, m := range citedRule.FindAllStringSubmatch(code, -1) {
				for _, n := range m[1:] {
					if cited++; n != "" && !rules[n] {
						t.Errorf("%s cites %q, which docs/rules.md does not have", file, m[0])
					}
				}
			}
		}
	}
	if cited < 10 {
		t.Errorf("only %d rules are cited", cited)
	}
}
