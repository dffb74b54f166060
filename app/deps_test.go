// Package app_test holds the rules that the whole project keeps: who may import
// whom (deps_test.go), how long lines and functions may be (shape_test.go), what
// documents may name (docs_test.go) and what may be committed (tracked_test.go). A
// rule in prose is a wish; these fail, with the reason, when one is broken.
package app_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marketingskills/build/wasmbuild"
)

const module = "marketingskills"

// order lists the packages below app. Each may import itself and what lies
// below it in the tree of folders, and those that come earlier in the list: so
// there are no circles, and what depends on little stays easy to test.
var order = []string{
	"text", "rest", "job", "collection/finding", "collection/jsontree", "collection/example", "collection/vendor", "collection/markdown", "collection/skill", "collection/manifest",
	"collection/facts", "collection/plugin", "collection/registry", "collection", "tryout", "search", "upgrade", "verify", "prospect",
	"browser", "ui", "pages", "site",
}

// domain are the packages that know marketing and no browser; they take bytes,
// file systems, clocks and Doers.
var domain = order[:slices.Index(order, "browser")]

// only lists, for a library, the packages that may import it, and why.
var only = []struct {
	library string
	allowed []string
	reason  string
}{
	{"github.com/yuin/goldmark", []string{"app/collection/markdown"},
		"one package knows the Markdown library, and it stays out of the browser (180 KB of brotli)"},
	{"go.yaml.in/yaml", []string{"app/collection/skill", "tools/check-openapi"},
		"frontmatter is read at one place, descriptions of APIs at another, and YAML never in the browser (90 KB of brotli)"},
	{"github.com/Masterminds/semver", []string{"app/collection/manifest"},
		"versions are ordered at one place"},
	{"github.com/agnivade/levenshtein", nil,
		"how alike two words are is app/text's; a test there compares it with this library"},
	{"github.com/maxence-charriere/go-app", []string{"app/browser", "app/ui", "app/pages", "app/site", "wasm"},
		"domain packages know no user interface"},
	{"github.com/andybalholm/brotli", []string{"build/site"},
		"compression happens once, when the site is built"},
}

// notInBrowser are libraries that must not be reachable from the WebAssembly
// main, whoever imports them.
var notInBrowser = map[string]string{
	"github.com/yuin/goldmark":                       "pages are rendered when the site is generated",
	"go.yaml.in/yaml":                                "a small line reader does in the browser",
	"golang.org/x/net/html":                          "the browser has a parser of its own",
	"crypto/tls":                                     "net/http brings it, for which build/wasmbuild/http stands in (350 KB of brotli)",
	"text/template":                                  "it defeats dead-code elimination",
	"html/template":                                  "it defeats dead-code elimination",
	"github.com/chromedp":                            "it drives the browser from outside",
	"github.com/andybalholm":                         "the browser decompresses by itself",
	module + "/app/site":                             "the site is generated natively",
	module + "/app/collection/skill":                 "the browser gets data, not files",
	module + "/app/verify/disposable":                "the browser fetches the list when it needs it",
	module + "/app/collection/markdown":              "pages are rendered when the site is generated",
	module + "/app/collection/example":               "examples are checked when the collection is",
	module + "/app/collection/finding":               "content is checked when the site is generated",
	module + "/app/collection/manifest/versionsfile": "the browser gets versions.json",
}

type pkg struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
	Standard   bool
}

const fields = "-json=ImportPath,Dir,GoFiles,Imports,Standard"

func list(t *testing.T, patterns ...string) []pkg {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", fields}, patterns...)...)
	cmd.Dir = ".."
	return packages(t, cmd)
}

func packages(t *testing.T, cmd *exec.Cmd) []pkg {
	t.Helper()
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func within(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}

func TestPackagesImportOnlyEarlierOnes(t *testing.T) {
	for _, p := range list(t, "./app/...") {
		name := strings.TrimPrefix(p.ImportPath, module+"/app/")
		if p.ImportPath == module+"/app" {
			continue
		}
		place := slices.IndexFunc(order, func(o string) bool { return within(name, o) })
		if place < 0 {
			t.Errorf("app/%s has no place in the order of packages; give it one in app/deps_test.go", name)
			continue
		}
		for _, imported := range p.Imports {
			other, ok := strings.CutPrefix(imported, module+"/app/")
			if !ok || within(other, order[place]) {
				continue
			}
			at := slices.IndexFunc(order, func(o string) bool { return within(other, o) })
			if at > place {
				t.Errorf("app/%s imports app/%s, which comes later in the order of packages in app/deps_test.go; move what both need to an earlier one", name, other)
			}
			if name == "ui" && at >= 0 && slices.Contains(domain, order[at]) {
				t.Errorf("app/ui imports app/%s: widgets know no skills, releases or prospects", other)
			}
		}
	}
}

// TestPagesDoNotKnowEachOther: what two pages share belongs to app/pages.
func TestPagesDoNotKnowEachOther(t *testing.T) {
	const below = module + "/app/pages/"
	for _, p := range list(t, "./app/pages/...") {
		for _, imported := range p.Imports {
			if strings.HasPrefix(p.ImportPath, below) && strings.HasPrefix(imported, below) && !within(imported, p.ImportPath) {
				t.Errorf("%s imports %s: a page knows no other page; move what they share to app/pages", p.ImportPath, imported)
			}
		}
	}
}

// TestCodeHostHasOneCaller: what a page shows of the code host comes through
// app/prospect.
func TestCodeHostHasOneCaller(t *testing.T) {
	const host = module + "/app/prospect/"
	allowed := []string{module + "/app/prospect", module + "/app/pages/prospects", module + "/tools/clis/github-prospects"}
	for _, p := range list(t, "./...") {
		for _, imported := range p.Imports {
			if within(imported, strings.TrimSuffix(host, "/")) && !slices.ContainsFunc(allowed, func(a string) bool { return within(p.ImportPath, a) }) {
				t.Errorf("%s imports %s: only the extraction, its page and its command know the code host", p.ImportPath, imported)
			}
		}
	}
}

// TestJavaScriptStaysBehindOneDoor: pages and widgets hold no JavaScript
// values; app/browser hands them strings, numbers and bytes.
func TestJavaScriptStaysBehindOneDoor(t *testing.T) {
	doors := []string{"JSSrc", "Window", "Value", "ValueOf", "FuncOf", "CopyBytesToGo", "CopyBytesToJS"}
	for _, p := range list(t, "./app/pages/...", "./app/ui/...", "./app/site/...") {
		selectors(t, p, func(at token.Position, x *ast.Ident, name string) {
			if slices.Contains(doors, name) && (x.Name == "app" || x.Name == "ctx") {
				t.Errorf("%s uses %s.%s: add what is needed to app/browser", at, x.Name, name)
			}
		})
	}
}

func TestDomainPackagesTouchNothingOutside(t *testing.T) {
	for _, p := range list(t, "./app/...") {
		name := strings.TrimPrefix(p.ImportPath, module+"/app/")
		if !slices.ContainsFunc(domain, func(d string) bool { return within(name, d) }) {
			continue
		}
		for _, imported := range p.Imports {
			if imported == "os" || imported == "os/exec" || imported == "net" || imported == "syscall" {
				t.Errorf("app/%s imports %s: only mains touch the environment, files and the network", name, imported)
			}
		}
	}
}

func TestLibrariesHaveOneHome(t *testing.T) {
	for _, p := range list(t, "./...") {
		place := strings.TrimPrefix(p.ImportPath, module+"/")
		for _, imported := range p.Imports {
			for _, rule := range only {
				if within(imported, rule.library) || strings.HasPrefix(imported, rule.library) {
					if !slices.ContainsFunc(rule.allowed, func(a string) bool { return within(place, a) }) {
						t.Errorf("%s imports %s: %s", place, imported, rule.reason)
					}
				}
			}
		}
	}
}

func TestBrowserStaysSmall(t *testing.T) {
	cmd, err := wasmbuild.Tool("..", t.TempDir(), "list", fields, "-deps", "./wasm/...")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages(t, cmd) {
		for banned, reason := range notInBrowser {
			if within(p.ImportPath, banned) || strings.HasPrefix(p.ImportPath, banned+"/") {
				t.Errorf("the browser's program reaches %s: %s", p.ImportPath, reason)
			}
		}
		if within(p.ImportPath, module) && !within(p.ImportPath, module+"/build") {
			checkHTTP(t, p)
		}
	}
}

// checkHTTP looks for the two functions that the stand-in for net/http has for
// go-app's sake and that do nothing in the browser.
func checkHTTP(t *testing.T, p pkg) {
	t.Helper()
	selectors(t, p, func(at token.Position, x *ast.Ident, name string) {
		if x.Name == "http" && x.Obj == nil && (name == "Get" || name == "FileServer") {
			t.Errorf("%s uses http.%s, which does nothing in the browser: take a Doer", at, name)
		}
	})
}

// selectors calls visit for each x.name in a package.
func selectors(t *testing.T, p pkg, visit func(at token.Position, x *ast.Ident, name string)) {
	t.Helper()
	for _, name := range p.GoFiles {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if selector, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := selector.X.(*ast.Ident); ok {
					visit(set.Position(n.Pos()), x, selector.Sel.Name)
				}
			}
			return true
		})
	}
}
