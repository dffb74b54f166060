package site

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"marketingskills/app/collection"
	"marketingskills/app/collection/manifest"
)

func TestRawFilesEqualTheirSources(t *testing.T) {
	withSite(t, func(t *testing.T, _ string, files Files) {
		equal := func(at, source string) {
			t.Helper()
			want, err := fs.ReadFile(content, source)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(files[at], want) {
				t.Errorf("%s has %d bytes, its source %d", at, len(files[at]), len(want))
			}
		}
		equal("VERSIONS.md", "VERSIONS.md")
		if m, err := manifest.Decode(files["versions.json"]); err != nil || !reflect.DeepEqual(m, load(t, content).Manifest) {
			t.Errorf("versions.json is not VERSIONS.md: %v", err)
		}
		for _, s := range load(t, content).Skills {
			for _, file := range s.Files {
				equal(skillPath(s.Dir)+file, path.Join("skills", s.Dir, file))
			}
		}
	})
}

func TestArchives(t *testing.T) {
	withSite(t, func(t *testing.T, _ string, files Files) {
		for _, s := range load(t, content).Skills {
			data := files[archivePath(s.Dir)]
			r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, f := range r.File {
				names = append(names, f.Name)
				if f.Modified.Year() != 1980 || f.Mode().Perm()&0o111 != 0 && !f.Mode().IsDir() {
					t.Errorf("%s: %s has the time %v and the mode %v", s.Dir, f.Name, f.Modified, f.Mode())
				}
				in, err := f.Open()
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(in)
				if err != nil || !bytes.Equal(got, files[skillPath(s.Dir)+f.Name]) {
					t.Errorf("%s: %s differs from the file beside the page", s.Dir, f.Name)
				}
			}
			if !slices.Equal(names, s.Files) || !slices.Contains(names, "SKILL.md") || !slices.Contains(names, "evals/evals.json") {
				t.Errorf("%s: it holds %q, want %q", s.Dir, names, s.Files)
			}
		}
	})
}

func TestCatalogJSON(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		var got struct {
			Release, Versions string
			Skills            []map[string]any
		}
		if err := json.Unmarshal(files["catalog.json"], &got); err != nil {
			t.Fatal(err)
		}
		c := load(t, content)
		latest, _ := c.Manifest.Latest()
		root := "https://skills.example" + base
		if got.Release != latest.Name() || got.Versions != root+"VERSIONS.md" || len(got.Skills) != len(c.Skills) {
			t.Fatalf("got release %q, %q, %d skills", got.Release, got.Versions, len(got.Skills))
		}
		fields := []string{"archive", "category", "description", "evals", "markdown", "name", "old_names", "page", "references", "related", "sha256", "title", "updated", "version"}
		for i, s := range c.Skills {
			e := got.Skills[i]
			if names := slices.Sorted(maps.Keys(e)); !slices.Equal(names, fields) {
				t.Errorf("%s has the fields %q in catalog.json; this test wants %q, so name a new one here, too", s.Dir, names, fields)
			}
			row, _ := c.Manifest.Row(s.Dir)
			sum := sha256.Sum256(files[archivePath(s.Dir)])
			for field, want := range map[string]any{
				"name": s.Dir, "title": s.Title, "description": s.Description, "category": s.Category, "version": s.Version, "updated": row.Updated,
				"page": root + "skills/" + s.Dir + "/", "markdown": root + "skills/" + s.Dir + "/SKILL.md", "archive": root + "skills/" + s.Dir + "/" + s.Dir + ".zip",
				"sha256": hex.EncodeToString(sum[:]), "evals": float64(len(s.Evals)),
			} {
				if e[field] != want {
					t.Errorf("%s: %s is %v, want %v", s.Dir, field, e[field], want)
				}
			}
			for _, address := range append([]any{e["page"], e["markdown"], e["archive"]}, e["references"].([]any)...) {
				leads(t, files, root, address.(string))
			}
			for field, want := range map[string]int{"references": len(s.References()), "old_names": len(c.Manifest.OldNames(s.Dir)), "related": len(c.Related()[s.Dir])} {
				if list := e[field].([]any); len(list) != want {
					t.Errorf("%s: %s has %d entries, want %d: %v", s.Dir, field, len(list), want, list)
				}
			}
		}
	})
}

// TestDiscovery: the list for installers names every skill with its archive,
// wherever the site is reached, and the digest of that archive.
func TestDiscovery(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		var got struct {
			Schema string `json:"$schema"`
			Skills []map[string]string
		}
		if err := json.Unmarshal(files[".well-known/agent-skills/index.json"], &got); err != nil {
			t.Fatal(err)
		}
		c := load(t, content)
		if got.Schema != "https://schemas.agentskills.io/discovery/0.2.0/schema.json" || len(got.Skills) != len(c.Skills) {
			t.Fatalf("got %q, %d skills", got.Schema, len(got.Skills))
		}
		for i, s := range c.Skills {
			sum := sha256.Sum256(files[archivePath(s.Dir)])
			want := map[string]string{
				"name": s.Dir, "type": "archive", "description": s.Description,
				"url": got.Skills[i]["url"], "digest": "sha256:" + hex.EncodeToString(sum[:]),
			}
			if !maps.Equal(got.Skills[i], want) {
				t.Errorf("got %q, want %q", got.Skills[i], want)
			}
			list, _ := url.Parse("http://elsewhere.example" + base + ".well-known/agent-skills/index.json")
			archive, err := list.Parse(got.Skills[i]["url"])
			if err != nil || archive.String() != "http://elsewhere.example"+base+archivePath(s.Dir) {
				t.Errorf("%s: the archive is %v, %v", s.Dir, archive, err)
			}
		}
	})
}

// TestUnreleased: what is collected for the next release is published with
// VERSIONS.md and nowhere else, and a skill that waits for it says so.
func TestUnreleased(t *testing.T) {
	doctored := copied(t)
	if !strings.Contains(string(doctored["VERSIONS.md"].Data), "### Unreleased") {
		replace(t, doctored, "VERSIONS.md", "### ", "### Unreleased\n\n- `ads` (99.0.0) waits, and the skill `sms` (99.0.1).\n\n### ")
		row := regexp.MustCompile(`\| sms .*\n`).FindString(string(doctored["VERSIONS.md"].Data))
		replace(t, doctored, "VERSIONS.md", row, "")
	}
	c := load(t, doctored)
	files, err := Build(c, doctored, testConfig("/"), web, wasm)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if name != "VERSIONS.md" && (bytes.Contains(data, []byte("Unreleased")) || bytes.Contains(data, []byte("99.0."))) {
			t.Errorf("%s tells of the next release", name)
		}
	}
	for _, s := range c.Skills {
		if _, released := c.Manifest.Row(s.Dir); !released {
			verify(t, files, skillPath(s.Dir)+"index.html", fact("Updated", "not released yet"))
		}
	}
	if latest, _ := load(t, content).Manifest.Latest(); c.Unreleased == nil || !strings.Contains(string(files["llms.txt"]), "Release "+latest.Name()+".") {
		t.Errorf("got %s", files["llms.txt"][:200])
	}
}

// leads wants an absolute address to be that of a file of the site.
func leads(t *testing.T, files Files, root, address string) {
	t.Helper()
	name, ok := strings.CutPrefix(address, root)
	name, _, _ = strings.Cut(name, "#")
	name, _, _ = strings.Cut(name, "?")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	if _, exists := files[name]; !ok || !exists {
		t.Errorf("%s leads to no file", address)
	}
}

func TestFeed(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		var got atomFeed
		if err := xml.Unmarshal(files["feed.xml"], &got); err != nil {
			t.Fatal(err)
		}
		root := "https://skills.example" + base
		m := load(t, content).Manifest
		history := m.History()
		if got.ID != root || got.Author == "" || got.Title == "" || len(got.Links) != 2 || len(got.Entries) != len(history) {
			t.Fatalf("got %+v", got)
		}
		for _, l := range got.Links {
			leads(t, files, root, l.Href)
		}
		ids := map[string]bool{}
		newest := ""
		for i, e := range got.Entries {
			if _, err := time.Parse(time.RFC3339, e.Updated); err != nil || e.Title != history[i].Name() || ids[e.ID] || e.Content.Text == "" || strings.ContainsAny(e.Content.Text, "`*") {
				t.Errorf("got %+v", e)
			}
			ids[e.ID] = true
			newest = max(newest, e.Updated)
			leads(t, files, root, e.Link.Href)
			verify(t, files, "changelog/index.html", in(`[id="`+strings.Split(e.Link.Href, "#")[1]+`"]`))
		}
		if got.Updated != newest {
			t.Errorf("the feed is of %s, its newest entry of %s", got.Updated, newest)
		}
	})
}

func TestSitemapAndRobots(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		root := "https://skills.example" + base
		var got struct {
			URL []sitemapURL `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 url"`
		}
		if err := xml.Unmarshal(files["sitemap.xml"], &got); err != nil {
			t.Fatal(err)
		}
		m := load(t, content).Manifest
		var listed, pages []string
		for _, u := range got.URL {
			listed = append(listed, u.Loc)
			if u.LastMod != "" {
				if _, err := time.Parse(time.DateOnly, u.LastMod); err != nil {
					t.Errorf("%s: %v", u.Loc, err)
				}
			} else if _, released := m.Row(path.Base(u.Loc)); released {
				t.Errorf("%s has no date", u.Loc)
			}
		}
		for _, name := range htmlPages(files) {
			if name != "404.html" {
				pages = append(pages, root+strings.TrimSuffix(name, "index.html"))
			}
		}
		slices.Sort(listed)
		slices.Sort(pages)
		if !slices.Equal(listed, pages) {
			t.Errorf("listed\n%s\npages\n%s", strings.Join(listed, "\n"), strings.Join(pages, "\n"))
		}
		if want := "User-agent: *\nAllow: /\n\nSitemap: " + root + "sitemap.xml\n"; string(files["robots.txt"]) != want {
			t.Errorf("got %s", files["robots.txt"])
		}
	})
}

func TestLLMs(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		text := string(files["llms.txt"])
		root := "https://skills.example" + base
		c := load(t, content)
		for _, want := range []string{"# Marketing Skills\n\n> ", "(" + root + "VERSIONS.md)", "(" + root + "catalog.json)", "\n## Skills\n", "\n## Tools\n\n- [REGISTRY.md](" + root + "tools/REGISTRY.md): "} {
			if !strings.Contains(text, want) {
				t.Errorf("there is no %q in\n%s", want, text)
			}
		}
		for _, s := range c.Skills {
			address := root + "skills/" + s.Dir + "/SKILL.md"
			leads(t, files, root, address)
			if line := "\n- [" + s.Title + "](" + address + "): " + s.Description + "\n"; strings.Count(text, line) != 1 {
				t.Errorf("there is no line %q", line)
			}
		}
	})
}

func TestManifestAndWorkerKnowTheBase(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		var manifest struct {
			Scope    string
			StartURL string `json:"start_url"`
			Icons    []struct{ Src string }
		}
		if err := json.Unmarshal(files["manifest.webmanifest"], &manifest); err != nil {
			t.Fatal(err)
		}
		if manifest.Scope != base || manifest.StartURL != base || len(manifest.Icons) == 0 {
			t.Errorf("got %+v", manifest)
		}
		for _, i := range manifest.Icons {
			leads(t, files, base, i.Src)
		}
		worker := string(files["app-worker.js"])
		if !strings.Contains(worker, `const base = "`+base+`"`) || strings.Contains(worker, "{{") || !strings.Contains(worker, `"skills/sms/"`) {
			t.Errorf("got %.400s", worker)
		}
		if script := string(hashed(t, files, "page.*.js")); strings.Contains(script, "{{") || !strings.Contains(script, `"`+base+`wasm_exec.`) {
			t.Error("the page script does not know its other scripts")
		}
		for name, program := range wasm {
			if loader := string(hashed(t, files, name+".*.js")); !strings.Contains(loader, base+name+"."+hash(program)+".wasm") {
				t.Errorf("the loader of %s does not know its program", name)
			}
		}
		for name, program := range wasm {
			if !strings.Contains(worker, `"`+name+"."+hash(program)+`.wasm"`) {
				t.Errorf("the worker does not know the program %s", name)
			}
		}
	})
}

// TestTheSameInputGivesTheSameBytes builds twice, each time from files read
// anew.
func TestTheSameInputGivesTheSameBytes(t *testing.T) {
	withSite(t, func(t *testing.T, base string, first Files) {
		second := build(t, testConfig(base))
		for _, name := range slices.Sorted(maps.Keys(first)) {
			if !bytes.Equal(first[name], second[name]) {
				t.Errorf("%s differs", name)
			}
		}
		if len(first) != len(second) {
			t.Errorf("%d files, then %d", len(first), len(second))
		}
	})
}

// hashed returns the one file of a pattern, whose name carries its hash.
func hashed(t *testing.T, files Files, pattern string) []byte {
	t.Helper()
	for name, data := range files {
		if ok, _ := path.Match(pattern, name); ok {
			return data
		}
	}
	t.Fatalf("no file %s", pattern)
	return nil
}

// TestArchiveNames: what one system packs no other unpacks elsewhere.
func TestArchiveNames(t *testing.T) {
	for _, name := range []string{`..\x.sh`, `C:x.sh`} {
		g := &generator{content: fstest.MapFS{"skills/a/" + name: {}}, files: Files{}}
		if err := g.addSkillFiles(&collection.Skill{Dir: "a", Files: []string{name}}); err == nil {
			t.Errorf("%s was packed", name)
		}
	}
}

// TestToolsJSON: programs get the tasks and the tools that the registry has, and
// addresses that lead to pages of the site.
func TestToolsJSON(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		tools := load(t, content).Tools
		var got struct {
			Tasks []struct {
				Name, Group, Page string
				FirstChoice       string   `json:"first_choice"`
				AlsoTypedAs       []string `json:"also_typed_as"`
				Tools             []string
			}
			Tools []struct {
				Name, Page, Markdown string
				For, Access          []string
			}
		}
		if err := json.Unmarshal(files["tools.json"], &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Tasks) != len(tools.Tasks) || len(got.Tools) != len(tools.Tools) {
			t.Fatalf("%d tasks and %d tools, want %d and %d", len(got.Tasks), len(got.Tools), len(tools.Tasks), len(tools.Tools))
		}
		for i, task := range tools.Tasks {
			e := got.Tasks[i]
			if e.Name != task.Name || e.Group != task.Group || e.FirstChoice != plainText(task.First) || !slices.Equal(e.AlsoTypedAs, task.Words) ||
				!strings.HasPrefix(e.Page, "https://skills.example"+base+"tools/?q=") || !slices.Equal(e.Tools[:len(task.Begins)], task.Begins) {
				t.Errorf("%s: %+v", task.Name, e)
			}
		}
		for i, tool := range tools.Tools {
			e := got.Tools[i]
			at := strings.TrimPrefix(e.Page, "https://skills.example"+base)
			if e.Name != tool.ID || !slices.Equal(e.For, tool.Tasks) || !slices.Equal(e.Access, tool.Ways) || files[at+"index.html"] == nil ||
				files[strings.TrimPrefix(e.Markdown, "https://skills.example"+base)] == nil {
				t.Errorf("%s: %+v", tool.ID, e)
			}
		}
	})
}
