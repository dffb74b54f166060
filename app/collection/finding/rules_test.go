package finding_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"marketingskills/app/collection/finding"
)

// reports are the functions that make findings, with the place of the rule
// among their arguments.
var reports = map[string]int{"Errorf": 1, "Warnf": 1, "errorf": 1, "warnf": 1, "Close": 1, "has": 1, "number": 1, "missing": 0}

// TestRules walks the code of validation: every rule that it names is in the
// table, and every rule of the table is used.
func TestRules(t *testing.T) {
	known := map[string]bool{}
	shape := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	for _, r := range finding.Rules {
		if known[r.Name] || !shape.MatchString(r.Name) || !strings.HasSuffix(r.Sentence, ".") {
			t.Errorf("the rule %+v is not in order", r)
		}
		known[r.Name] = true
	}
	used := map[string]bool{}
	err := fs.WalkDir(os.DirFS(".."), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "finding/rules.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "../"+name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if text, ok := literal(n); ok && known[text] {
				used[text] = true
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			function, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if at, ok := reports[function.Sel.Name]; ok && at < len(call.Args) && (len(call.Args) > 2 || function.Sel.Name == "Close") {
				if rule, ok := literal(call.Args[at]); ok && !known[rule] {
					t.Errorf("%s: the rule %q is not in the table", set.Position(call.Pos()), rule)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range finding.Rules {
		if !used[r.Name] {
			t.Errorf("nothing makes a finding of the rule %q", r.Name)
		}
	}
}

func literal(n ast.Node) (string, bool) {
	l, ok := n.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil
}
