package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// The most that a reader is asked to take in at once.
const (
	mostLines   = 60  // of a function, its comment not counted
	mostColumns = 140 // characters of a line
	mostMethods = 25  // of a component, which is a type with a method Render
)

// TestShape walks the project's Go files, tests apart.
func TestShape(t *testing.T) {
	methods, components := map[string]int{}, map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "dist" || d.Name() == "cache" || strings.HasPrefix(d.Name(), ".") && path != ".."):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		checkLines(t, path)
		checkFunctions(t, path, methods, components)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range methods {
		if n > mostMethods && components[name] {
			t.Errorf("%s has %d methods; split it into types that each have a task, %d at most", name, n, mostMethods)
		}
	}
}

func checkLines(t *testing.T, path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line = strings.TrimSuffix(line, "\n")
		if n := utf8.RuneCountInString(line); n > mostColumns {
			t.Errorf("%s:%d has %d columns; break it, %d at most", path, number, n, mostColumns)
		}
	}
}

func checkFunctions(t *testing.T, path string, methods map[string]int, components map[string]bool) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		from, to := set.Position(f.Pos()), set.Position(f.End())
		if n := to.Line - from.Line + 1; n > mostLines {
			t.Errorf("%s: %s has %d lines; split it, %d at most", from, f.Name.Name, n, mostLines)
		}
		if f.Recv != nil && len(f.Recv.List) == 1 {
			of := f.Recv.List[0].Type
			if star, ok := of.(*ast.StarExpr); ok {
				of = star.X
			}
			if generic, ok := of.(*ast.IndexExpr); ok {
				of = generic.X
			}
			if name, ok := of.(*ast.Ident); ok {
				full := filepath.Dir(path) + "." + name.Name
				methods[full]++
				components[full] = components[full] || f.Name.Name == "Render"
			}
		}
	}
}
