package finding_test

import (
	"go/constant"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"marketingskills/app/collection/finding"
)

// TestRules asks the compiler which constants become rules of findings: each is
// in the table, and each rule of the table is made into a finding somewhere.
func TestRules(t *testing.T) {
	known := map[finding.Rule]bool{}
	shape := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	for _, r := range finding.Rules {
		if known[r.Name] || !shape.MatchString(string(r.Name)) || !strings.HasSuffix(r.Sentence, ".") {
			t.Errorf("the rule %+v is not in order", r)
		}
		known[r.Name] = true
	}
	used := ruleConstants(t)
	for rule, at := range used {
		if !known[rule] {
			t.Errorf("%s: the rule %q is not in the table", at, rule)
		}
	}
	for rule := range known {
		if _, ok := used[rule]; !ok {
			t.Errorf("nothing makes a finding of the rule %q", rule)
		}
	}
}

// ruleConstants returns the constants of the type finding.Rule in the code of
// the collection, each with a place where it stands.
func ruleConstants(t *testing.T) map[finding.Rule]token.Position {
	t.Helper()
	const module = "marketingskills/app/collection"
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo,
	}, module+"/...")
	if err != nil {
		t.Fatal(err)
	}
	used := map[finding.Rule]token.Position{}
	for _, p := range loaded {
		for _, err := range p.Errors {
			t.Fatal(err)
		}
		for e, value := range p.TypesInfo.Types {
			if value.Value == nil || value.Type.String() != module+"/finding.Rule" {
				continue
			}
			if at := p.Fset.Position(e.Pos()); filepath.Base(at.Filename) != "rules.go" { // which has the table
				used[finding.Rule(constant.StringVal(value.Value))] = at
			}
		}
	}
	return used
}
