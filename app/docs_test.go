package app_test

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
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

var (
	fencedBlock = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	codeSpan    = regexp.MustCompile("`([^`\n]+)`")
	// built is what the project makes, which need not be there.
	built = regexp.MustCompile(`^build/(?:dist|release|cache)\b`)
	// pathName begins in a folder of the project; fileName has the ending of a
	// file, and may lie in a folder that the same line names.
	pathName = regexp.MustCompile(`^(?:app|build|docs|skills|tools|wasm|web|\.github|\.claude-plugin)/[\w./-]*$`)
	fileName = regexp.MustCompile(`^[\w./-]+\.(?:go|md|sh|js|css|json|txt|yml)$`)
	// elsewhere are files that are not in the repository: what the site publishes, what a trial has,
	// what users of the skills write.
	elsewhere = []string{"facts.json", "tools.json", "search-tasks.json", "answer.md", ".agents/product-marketing.md", "product-marketing-context.md"}
	testName  = regexp.MustCompile(`^(?:Test|Fuzz)[A-Z]\w*$`)
	testFunc  = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	// declared are identifiers, and the file or package that is said to have them.
	declared = regexp.MustCompile("((?:`[\\w.]+`(?:, | and )?)+) in `([\\w./-]+)`")
)

// TestNamesInDocs: what documents for contributors name in backticks is there:
// files and folders, tests, and identifiers in the file that is said to have
// them.
func TestNamesInDocs(t *testing.T) {
	p := readProject(t)
	docs := []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "skills/WRITING.md", "tools/WRITING.md"}
	for name := range p.files {
		if strings.HasPrefix(name, "docs/") && path.Ext(name) == ".md" {
			docs = append(docs, name)
		}
	}
	for _, doc := range docs {
		for line := range strings.Lines(fencedBlock.ReplaceAllString(p.read(doc), "")) {
			for _, span := range spans(line) {
				for _, word := range strings.Fields(span) {
					word = strings.TrimSuffix(strings.TrimPrefix(word, "./"), "/...")
					switch {
					case testName.MatchString(word) && !p.tests[word]:
						t.Errorf("%s names the test %s, which does not exist", doc, word)
					case built.MatchString(word) || slices.Contains(elsewhere, word):
					case (pathName.MatchString(word) || fileName.MatchString(word)) && len(p.find(word, line)) == 0:
						t.Errorf("%s names %s, which does not exist, or not in a folder that the same line names", doc, word)
					}
				}
			}
			for _, m := range declared.FindAllStringSubmatch(line, -1) {
				code := p.code(p.find(m[2], line)...)
				for _, name := range spans(m[1]) {
					last := name[strings.LastIndex(name, ".")+1:]
					if code != "" && !regexp.MustCompile(`\b`+last+`\b`).MatchString(code) {
						t.Errorf("%s says that %s is in %s, which does not have it", doc, name, m[2])
					}
				}
			}
		}
	}
}

// spans are the code spans of a line.
func spans(line string) []string {
	var all []string
	for _, m := range codeSpan.FindAllStringSubmatch(line, -1) {
		all = append(all, m[1])
	}
	return all
}

// project is what lies in the repository.
type project struct {
	t     *testing.T
	files map[string]bool // and folders, by their paths from the root
	tests map[string]bool // names of test functions and fuzz targets
}

func readProject(t *testing.T) *project {
	t.Helper()
	p := &project{t, map[string]bool{}, map[string]bool{}}
	err := fs.WalkDir(os.DirFS(".."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (name == ".git" || built.MatchString(name)) {
			return cmp.Or(err, fs.SkipDir)
		}
		p.files[name] = true
		if strings.HasSuffix(name, "_test.go") {
			for _, m := range testFunc.FindAllStringSubmatch(p.read(name), -1) {
				p.tests[m[1]] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *project) read(name string) string {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join("..", name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

// find returns the paths of the files and folders that may be meant by a name,
// which may be the end of a path. Many packages have Go files of the same name,
// so those are looked for in the folders that the line names, and beside the
// files that it names.
func (p *project) find(name, line string) []string {
	name = path.Clean(name)
	if p.files[name] {
		return []string{name}
	}
	var found []string
	for file := range p.files {
		if !strings.HasSuffix(file, "/"+name) {
			continue
		}
		if path.Ext(name) != ".go" || slices.ContainsFunc(spans(line), func(span string) bool {
			if path.Ext(span) != "" {
				span = path.Dir(span)
			}
			return strings.HasSuffix("/"+path.Dir(file), "/"+path.Clean(span))
		}) {
			found = append(found, file)
		}
	}
	return found
}

// code is that of files, and of the Go files in folders.
func (p *project) code(names ...string) string {
	var code strings.Builder
	for _, name := range names {
		if path.Ext(name) != "" {
			code.WriteString(p.read(name))
		}
		for file := range p.files {
			if path.Dir(file) == name && path.Ext(file) == ".go" {
				code.WriteString(p.read(file))
			}
		}
	}
	return code.String()
}
