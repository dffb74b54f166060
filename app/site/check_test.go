package site

import (
	"bytes"
	"io/fs"
	"maps"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"marketingskills/app/collection"
)

// copied reads the real collection into memory, where a test may change it, or
// some of its skills alone.
func copied(t testing.TB, skills ...string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	roots := []string{"VERSIONS.md"}
	for _, s := range skills {
		roots = append(roots, "skills/"+s)
	}
	if len(skills) == 0 {
		roots = append(roots, "skills")
	}
	for _, root := range roots {
		err := fs.WalkDir(content, root, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := fs.ReadFile(content, name)
			files[name] = &fstest.MapFile{Data: data}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// replace changes a text that stands in a file.
func replace(t testing.TB, files fstest.MapFS, name, old, new string) {
	t.Helper()
	data := string(files[name].Data)
	if !strings.Contains(data, old) {
		t.Fatalf("%s has no %q", name, old)
	}
	files[name] = &fstest.MapFile{Data: []byte(strings.Replace(data, old, new, 1))}
}

// fails wants an error that says all of this.
func fails(t *testing.T, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Error("nothing was wrong")
		return
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("got %v\nwant %s", err, w)
		}
	}
}

// TestBadCollectionsNameThePage: what validation would have found stops the
// generator too, and its message leads to the page.
func TestBadCollectionsNameThePage(t *testing.T) {
	const sms, compliance = "skills/sms/SKILL.md", "skills/sms/references/compliance.md"
	for _, c := range []struct {
		name   string
		change func(t *testing.T, files fstest.MapFS)
		want   []string
	}{
		{"a link to no file", func(t *testing.T, files fstest.MapFS) {
			replace(t, files, sms, "references/platforms.md", "references/platform.md")
		}, []string{"page /skills/sms/: ", `"/skills/sms/platform/" leads to no file`}},
		{"a link to no section of its page", func(t *testing.T, files fstest.MapFS) {
			replace(t, files, sms, "## References", "[x](#nowhere)\n\n## References")
		}, []string{"page /skills/sms/: ", `"#instructions-nowhere" leads to no section`}},
		{"a link to no section of another page", func(t *testing.T, files fstest.MapFS) {
			replace(t, files, sms, "references/platforms.md", "references/platforms.md#nowhere")
		}, []string{"page /skills/sms/: ", "leads to no section of skills/sms/platforms"}},
		{"a heading with an ID of the page's own", func(t *testing.T, files fstest.MapFS) {
			replace(t, files, compliance, "## TCPA\n", "## Title\n\n## TCPA\n")
		}, []string{"page /skills/sms/compliance/: ", `the ID "title" stands twice; a heading that has it needs other words`}},
		{"a skill without a title", func(t *testing.T, files fstest.MapFS) {
			replace(t, files, sms, "  title: SMS & MMS\n", "")
		}, []string{"page /skills/sms/: it has no title; give a skill one in metadata.title"}},
		{"a reference without a title", func(t *testing.T, files fstest.MapFS) {
			files[compliance] = &fstest.MapFile{Data: []byte("Words without a heading.\n")}
		}, []string{"page /skills/sms/compliance/: it has no title", "a reference a heading of level 1"}},
		{"two skills of one title", func(t *testing.T, files fstest.MapFS) {
			replace(t, files, sms, "  title: SMS & MMS\n", "  title: Prospecting\n")
			replace(t, files, "skills/prospecting/SKILL.md", "\n  title: ", "\n  title: Prospecting\n  was: ")
		}, []string{"page /skills/sms/: its title", "is also that of /skills/prospecting/; make them differ"}},
		{"two references of one title", func(t *testing.T, files fstest.MapFS) {
			files["skills/sms/references/zebra.md"] = files[compliance]
		}, []string{"page /skills/sms/zebra/: its title", "is also that of /skills/sms/compliance/"}},
		{"no release", func(t *testing.T, files fstest.MapFS) {
			before, _, _ := bytes.Cut(files["VERSIONS.md"].Data, []byte("## Recent Changes"))
			files["VERSIONS.md"] = &fstest.MapFile{Data: before}
		}, []string{"the manifest has no release; add one to VERSIONS.md"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := copied(t, "sms", "prospecting")
			c.change(t, files)
			read, _, err := collection.Load(files)
			if err != nil {
				t.Fatal(err)
			}
			out, err := Build(read, files, testConfig("/"), web, wasm)
			if out != nil {
				t.Error("there is a site nevertheless")
			}
			fails(t, err, c.want...)
		})
	}
}

// TestDoctoredPages changes one page of a good site and reads it back.
func TestDoctoredPages(t *testing.T) {
	const sms = "skills/sms/index.html"
	g, err := newGenerator(load(t, content), content, testConfig("/sub"))
	if err != nil {
		t.Fatal(err)
	}
	if err := g.build(web, wasm); err != nil {
		t.Fatal(err)
	}
	read := map[string]*parsedPage{}
	for _, p := range g.pages {
		read[pageFile(p)] = parsePage(g.files[pageFile(p)])
	}
	for _, c := range []struct{ name, file, old, new, want string }{
		{"a second first-level heading", sms, "</article>", "<h1>x</h1></article>", "it has 2 headings of level 1, not one"},
		{"no first-level heading", sms, `<h1 id="title" tabindex="-1">`, "<p>", "it has 0 headings of level 1, not one"},
		{"an empty heading", sms, `<h1 id="title" tabindex="-1">SMS &amp; MMS`, "<h1>", "it has no title"},
		{"an empty title", sms, "<title>SMS &amp; MMS · Marketing Skills", "<title> ", "it has no title"},
		{"the catalog's title", sms, "<title>SMS &amp; MMS · Marketing Skills", "<title>CATALOG", "is also that of /; make them differ"},
		{"a style attribute", sms, `<p class="Lead"`, `<p style="color:red"`, `<p> has the attribute "style", which the policy refuses`},
		{"a handler", sms, `<p class="Lead"`, `<p onclick="x()"`, `<p> has the attribute "onclick", which the policy refuses`},
		{"an ID twice", sms, `<p class="Lead"`, `<p id="about"`, `the ID "about" stands twice`},
		{"another page's data", sms, `"path":"skills/sms/"`, `"path":"skills/ads/"`, `the file answers for "skills/ads/"`},
		{"no data", sms, `id="page-data"`, `id="page-date"`, `the file answers for ""`},
		{"broken data", sms, `{"kind":"skill"`, `{"kind":skill`, `the file answers for ""`},
		{"a link out of the site", sms, `href="#main"`, `href="/elsewhere/"`, `the link "/elsewhere/" leaves the site; start it with /sub/`},
		{"a relative link", sms, `href="#main"`, `href="skills/"`, `the link "skills/" leaves the site`},
		{"a malformed link", sms, `href="#main"`, `href="%zz"`, `the link "%zz" is malformed`},
		{"a directory without its slash", sms, `href="#main"`, `href="/sub/changelog"`, `the link "/sub/changelog" leads to no file`},
		{"a missing script", sms, `src="/sub/page.`, `src="/sub/pages.`, `leads to no file`},
		{"a missing icon", sms, `href="/sub/icons/icon-192.png"`, `href="/sub/icons/icon.ico"`, `the link "/sub/icons/icon.ico" leads to no file`},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := string(g.files[c.file])
			if !strings.Contains(page, c.old) {
				t.Fatalf("%s has no %s", c.file, c.old)
			}
			change := strings.Replace(c.new, "CATALOG", g.pages[0].DocumentTitle, 1)
			doctored := maps.Clone(read)
			doctored[c.file] = parsePage([]byte(strings.Replace(page, c.old, change, 1)))
			fails(t, g.compare(doctored), "page /"+path.Dir(c.file)+"/: ", c.want)
		})
	}
}
