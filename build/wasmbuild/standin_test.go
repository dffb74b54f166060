package wasmbuild

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// lastHeld is the version of Go on which the stand-in for net/http last held.
// It is tied to files of the Go installation, so a new version of Go is where it
// may break: docs/design/net-http.md says what to do then.
const lastHeld = "go1.26.8"

// TestStandIn: the files that stay are there, and what the stand-in declares is
// what net/http declares, so that code for it compiles with either.
func TestStandIn(t *testing.T) {
	t.Cleanup(func() {
		switch now := runtime.Version(); {
		case t.Failed():
			t.Logf("the stand-in for net/http last held on %s, and does not on %s; see docs/design/net-http.md", lastHeld, now)
		case now != lastHeld:
			t.Logf("the stand-in for net/http holds on %s; write that in place of %s", now, lastHeld)
		}
	})
	goroot, err := linkedGoRoot("../..", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	library := filepath.Join(goroot, "src", "net", "http")
	for _, name := range keptFiles {
		if _, err := os.Stat(filepath.Join(library, name)); err != nil {
			t.Errorf("a file of net/http that stays is gone: %v", err)
		}
	}
	theirs := declared(t, library)
	for name := range declared(t, "http") {
		if !theirs[name] {
			t.Errorf("net/http does not declare %s", name)
		}
	}
	if len(theirs) < 100 {
		t.Errorf("net/http declares only %d names", len(theirs))
	}
}

// declared are the exported names that a package declares at its top; methods
// and fields of exported types are written Type.Name.
func declared(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := goFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	add := func(parts ...string) {
		if !slices.ContainsFunc(parts, func(p string) bool { return !ast.IsExported(p) }) {
			names[strings.Join(parts, ".")] = true
		}
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(d.Name.Name)
				} else {
					of := d.Recv.List[0].Type
					if star, ok := of.(*ast.StarExpr); ok {
						of = star.X
					}
					if of, ok := of.(*ast.Ident); ok {
						add(of.Name, d.Name.Name)
					}
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					addSpec(spec, add)
				}
			}
		}
	}
	return names
}

func addSpec(spec ast.Spec, add func(parts ...string)) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			add(name.Name)
		}
	case *ast.TypeSpec:
		add(spec.Name.Name)
		if of, ok := spec.Type.(*ast.StructType); ok {
			for _, field := range of.Fields.List {
				for _, name := range field.Names {
					add(spec.Name.Name, name.Name)
				}
			}
		}
	}
}
