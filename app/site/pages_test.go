package site

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"marketingskills/app/browser"
	"marketingskills/app/collection"
)

// htmlPages are the files that are pages, in order of their names.
func htmlPages(files Files) []string {
	var names []string
	for name := range files {
		if path.Ext(name) == ".html" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestEveryPage checks what holds for all kinds of pages.
func TestEveryPage(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		titles := map[string]bool{}
		for _, name := range htmlPages(files) {
			at := "https://skills.example" + base + strings.TrimSuffix(name, "index.html")
			verify(t, files, name,
				in("html[lang=en]"), in("h1#title"), in("main#main"), in("header"), in("footer"),
				in("title", unique(titles)),
				in("meta[name=description]", func(n *html.Node) error {
					if got := len([]rune(value(n, "content"))); got < 20 || got > 200 {
						return fmt.Errorf("it has %d characters", got)
					}
					return nil
				}),
				in(`meta[http-equiv="Content-Security-Policy"]`), policyHolds,
				in(`link[rel=manifest]`, attribute("href", base+"manifest.webmanifest")),
				in(`link[title="Releases"]`, attribute("href", base+"feed.xml")),
				in(`link[title="What changed in marketing"]`, attribute("href", base+"news/feed.xml")),
				in(`a.Skip`, attribute("href", "#main")),
				in(`#app-wasm-loader`),
				dataIs(base, strings.TrimSuffix(name, "index.html")),
				count("img, iframe, object, embed, base, form:not(.Find, .Way, .Form, .Missing-search), [style]", 0),
				count("script", 3), count("style", 1),
			)
			if name == "404.html" {
				verify(t, files, name, count("link[rel=canonical]", 0), in(`meta[name=robots][content=noindex]`))
				continue
			}
			verify(t, files, name, count("meta[name=robots]", 0),
				in("link[rel=canonical]", attribute("href", at)), in(`meta[property="og:url"]`, attribute("content", at)))
		}
	})
}

// unique wants a title that no earlier page has.
func unique(seen map[string]bool) check {
	return func(n *html.Node) error {
		title := wordsOf(n)
		if title == "" || seen[title] {
			return fmt.Errorf("%q is empty or another page's too", title)
		}
		seen[title] = true
		return nil
	}
}

// policyHolds computes the hashes of a page's own script and style anew and
// wants them in its policy, which must come before both, and nothing wider.
func policyHolds(doc *html.Node) error {
	policy := value(find(doc, `meta[http-equiv="Content-Security-Policy"]`)[0], "content")
	directives := map[string]string{}
	for d := range strings.SplitSeq(policy, "; ") {
		name, sources, _ := strings.Cut(d, " ")
		directives[name] = sources
	}
	inline := func(selector string) string {
		sum := sha256.Sum256([]byte(textContent(find(doc, selector)[0])))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	for name, want := range map[string]string{
		"default-src": "'none'",
		"script-src":  "'self' 'wasm-unsafe-eval' " + inline("script:not([src]):not([type])"),
		"style-src":   inline("style"),
		"connect-src": "'self' https://api.github.com",
		"base-uri":    "'none'", "form-action": "'self'", "img-src": "'self'", "manifest-src": "'self'", "worker-src": "'self'",
	} {
		if directives[name] != want {
			return fmt.Errorf("the policy's %s is %q, want %q", name, directives[name], want)
		}
	}
	if len(directives) != 9 {
		return fmt.Errorf("the policy has other directives: %s", policy)
	}
	if next := find(doc, "head > *"); value(next[1], "http-equiv") == "" {
		return fmt.Errorf("the policy is not the second thing in the head, after the character set")
	}
	return nil
}

// dataIs wants the page's data to be JSON that knows where the page is.
func dataIs(base, at string) check {
	return in(`script#`+browser.DataID+`[type="application/json"]`, func(n *html.Node) error {
		var data struct {
			Kind, Base, Path, Title string
			Release                 struct{ Version, Date string }
		}
		if err := json.Unmarshal([]byte(textContent(n)), &data); err != nil {
			return err
		}
		if data.Base != base || data.Path != at || data.Kind == "" || data.Title == "" || data.Release.Version == "" {
			return fmt.Errorf("got %+v", data)
		}
		return nil
	})
}

func TestNavigation(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		const here = `header nav a[aria-current="page"]`
		for name, want := range map[string][]string{
			"index.html": {"Catalog"}, "skills/sms/index.html": {"Catalog"}, "skills/sms/compliance/index.html": {"Catalog"},
			"tools/index.html": {"Tools"}, "tools/truelist/index.html": {"Tools"}, "changelog/index.html": {"Changelog"}, "404.html": nil,
		} {
			verify(t, files, name, each("header nav a", "Catalog", "Tools", "News", "Changelog", "Upgrade", "Prospects", "Verify"), each(here, want...),
				in(".Header-name", attribute("href", base)))
		}
	})
}

func TestCatalogPage(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		c := load(t, content)
		verify(t, files, "index.html",
			count(".Row", len(c.Skills)), in("#count[role=status]", says(fmt.Sprintf("%d skills", len(c.Skills)))),
			in("h1", mentions("marketing skills for AI agents")),
			in("form[role=search]", attribute("action", base), in("input[name=q]", attribute("id", "find")), in("label[for=find]")),
			in("#empty[hidden]"), each(`[data-category][aria-current]`, fmt.Sprintf("All%d", len(c.Skills))),
			in(`script[data-start=intent]`), has(`.Order-links a[href="`+base+`?sort=name"]`),
			count(`link[type="text/markdown"]`, 0),
		)
		for _, s := range c.Skills {
			row, _ := c.Manifest.Row(s.Dir)
			verify(t, files, "index.html", in(`.Row[data-name="`+s.Dir+`"]`,
				in("a.Row-title", says(s.Title), attribute("href", base+"skills/"+s.Dir+"/")),
				in(".Row-folder", says(s.Dir)), in(".Row-description", says(s.Summary)),
				in(".Row-facts", says(day(row.Updated)))))
		}
	})
}

// skillParts are the sections of a skill's page.
var skillParts = []string{
	"Ask it", "Example", "Install", "What agents get wrong", "References", "Instructions for your agent", "Evals",
	"How it was tried", "What changed",
}

// TestHomeSaysWhatToDo: a command, an answered example that leads to the whole
// answer, and three steps.
func TestHomeSaysWhatToDo(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		s := load(t, content).Skill(homeExample)
		verify(t, files, "index.html",
			in(".Hero .Command-line", says("npx skills@1.5.14 add https://skills.example"+base)),
			in(".Hero-request", says(plainText(s.AnsweredRequests()[0].Request))),
			in(`.Hero-example a[href="`+base+`skills/`+homeExample+`/#example"]`), count(".Steps li", 3))
	})
}

// shown is how the page of a skill shows each of its fields; nil is for one that
// it shows otherwise, or not at all.
var shown = map[string]func(s *collection.Skill) check{
	"Dir":          func(s *collection.Skill) check { return fact("Folder", s.Dir) },
	"Name":         nil, // equals Dir
	"Description":  nil, // for agents
	"Version":      func(s *collection.Skill) check { return fact("Version", s.Version) },
	"VersionLine":  nil,
	"Title":        func(s *collection.Skill) check { return in("h1", says(s.Title)) },
	"Category":     func(s *collection.Skill) check { return each(".Crumbs a", "Catalog", s.Category) },
	"Summary":      func(s *collection.Skill) check { return in(".Lead", says(s.Summary)) },
	"Keywords":     nil, // for the search
	"KeywordsLine": nil,
	"Texts":        nil, // TestSkillPages and TestReferencePages
	"Evals":        func(s *collection.Skill) check { return count("details.Eval", len(s.Evals)) },
	"Files":        nil, // TestArchives
}

// TestEveryFieldIsShown: whoever adds a field to a skill decides whether people
// see it, and what is to be seen is on every page.
func TestEveryFieldIsShown(t *testing.T) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[collection.Skill]()) {
		if _, known := shown[f.Name]; !known {
			t.Errorf("skill.Skill has the field %s; say in shown how its page shows it", f.Name)
		}
	}
	withSite(t, func(t *testing.T, _ string, files Files) {
		for _, s := range load(t, content).Skills {
			for _, check := range shown {
				if check != nil {
					verify(t, files, skillPath(s.Dir)+"index.html", check(s))
				}
			}
		}
	})
}

func TestSkillPages(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		c := load(t, content)
		related := c.Related()
		for _, s := range c.Skills {
			name := skillPath(s.Dir) + "index.html"
			row, _ := c.Manifest.Row(s.Dir)
			parts := skillParts
			if len(c.Manifest.Touching(s.Dir)) == 0 {
				parts = parts[:len(parts)-1]
			}
			verify(t, files, name,
				in("article["+browser.ArticleMark+"]"), in(`meta[name=description]`, attribute("content", s.Summary)),
				in(`link[type="text/markdown"]`, attribute("href", base+"skills/"+s.Dir+"/SKILL.md")),
				in(`a[href="`+base+`skills/`+s.Dir+`/`+s.Dir+`.zip"]`), in(`article a[href="`+base+`skills/`+s.Dir+`/SKILL.md"]`),
				fact("Updated", day(row.Updated)),
				fact("Always loaded", "about "+aboutTokens(s.Name+s.Description)+" tokens"),
				fact("Loaded when used", "about "+aboutTokens(s.Texts[0].Body)+" tokens"),
				each(".Contents a", parts...), each("article h2", parts...),
				count(".Requests li .Copy", 3), count(".Answered .Copy[data-copy-from]", 2), count(".Asked", 2),
				count(".Tabs input", 4), count(".Tabs-panel", 4), in("#instructions-how-to-answer", says("How to answer")),
				in(`script[data-start=intent]`), count("article h1", 0),
			)
			for i, e := range s.Evals {
				verify(t, files, name, func(n *html.Node) error {
					return evalReads(find(n, "details.Eval")[i], e.Prompt, e.Expected, e.Assertions)
				})
			}
			for _, r := range s.References() {
				verify(t, files, name, in(`.References a[href="`+base+referencePath(s.Dir, r.File)+`"]`))
			}
			for _, r := range c.Manifest.Touching(s.Dir) {
				verify(t, files, name, in(`.History a[href="`+base+`changelog/?skill=`+s.Dir+`#v`+r.Name()+`"]`, says("Release "+r.Name())))
			}
			for _, other := range related[s.Dir] {
				verify(t, files, name, has(`.Facts-column a[href="`+base+`skills/`+other+`/"]`))
				// The other page leads back, whether its text does or not.
				verify(t, files, skillPath(other)+"index.html", has(`.Facts-column a[href="`+base+`skills/`+s.Dir+`/"]`))
			}
			verify(t, files, name, count(`article code:not(pre code) > a, a a`, 0), count(`.Facts-column a[href="`+base+`skills/`+s.Dir+`/"]`, 0))
		}
	})
}

// fact wants a line of the list of facts to begin so.
func fact(name, want string) check {
	return func(n *html.Node) error {
		for _, row := range find(n, ".Facts-row") {
			if wordsOf(find(row, "dt")[0]) == name {
				return in("dd", mentions(want))(row)
			}
		}
		return fmt.Errorf("there is no fact %q", name)
	}
}

func evalReads(n *html.Node, prompt, expected string, assertions []string) error {
	tidy := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	for i := range assertions {
		assertions[i] = tidy(assertions[i])
	}
	for _, c := range []check{in("summary", says(tidy(prompt))), in("p", says(tidy(expected))), each("li", assertions...)} {
		if err := c(n); err != nil {
			return err
		}
	}
	return nil
}

func TestReferencePages(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		for _, s := range load(t, content).Skills {
			for _, text := range s.Texts[1:] {
				name := strings.TrimPrefix(referencePath(s.Dir, text.File), "/") + "index.html"
				raw := base + "skills/" + s.Dir + "/" + text.File
				verify(t, files, name,
					in("h1", says(text.Title)), in("title", says(text.Title+" · "+s.Title+" · Marketing Skills")),
					in(`link[type="text/markdown"]`, attribute("href", raw)), in(`.Facts-column a[href="`+raw+`"]`),
					each(".Crumbs a", "Catalog", s.Title), fact("Loaded when opened", "about "+aboutTokens(text.Body)+" tokens"), count(".Command", 0),
					has(`.Facts-column a[href="`+base+`skills/`+s.Dir+`/"]`), contentsMatch(text),
				)
			}
		}
	})
}

// contentsMatch wants the contents list to hold the text's sections, in order.
func contentsMatch(text collection.Text) check {
	var want []string
	for _, h := range text.Doc.Headings {
		if h.Level == 2 {
			want = append(want, strings.Join(strings.Fields(h.Text), " "))
		}
	}
	return each(".Contents a", want...)
}

func TestInstallCommands(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		site := "npx skills@1.5.14 add https://skills.example" + base + " --skill sms"
		zip := "https://skills.example" + base + "skills/sms/sms.zip"
		curl := "mkdir -p .agents/skills/sms && curl -fsSL " + zip + " -o sms.zip && unzip -oq sms.zip -d .agents/skills/sms && rm sms.zip"
		shell := `Invoke-WebRequest ` + zip + ` -OutFile sms.zip; Expand-Archive -Force sms.zip .agents\skills\sms; Remove-Item sms.zip`
		verify(t, files, "skills/sms/index.html", each(".Command-line", site),
			each(".Tabs-panel pre", site, curl, shell), in(`.Tabs a[href="`+base+`skills/sms/sms.zip"]`))

		config := testConfig(base)
		config.RepoURL = "https://code.example/marketing/skills/"
		npx := "npx skills@1.5.14 add https://code.example/marketing/skills --skill sms"
		verify(t, build(t, config), "skills/sms/index.html", each(".Tabs-panel pre", site, curl, shell, npx,
			"/plugin marketplace add https://code.example/marketing/skills"))
	})
}

func TestChangelogPage(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		m := load(t, content).Manifest
		history := m.History()
		var names []string
		for _, r := range history {
			names = append(names, r.Name())
		}
		verify(t, files, "changelog/index.html",
			each(".Release h2", names...), each(".Timeline a", names...),
			in("#summary[role=status]", says(fmt.Sprintf("%d releases.", len(history)))),
			each("#since option", append([]string{"Show all releases"}, names...)...), in("label[for=since]"), in("label[for=skill]"),
			count(".Renames tbody tr", len(m.Renames)), has(`.Release a[href="#renames"]`),
			in(`link[type="text/markdown"]`, attribute("href", base+"VERSIONS.md")),
		)
		for _, r := range history {
			items := len(r.Changes)
			if r.Total > 0 {
				items++
			}
			verify(t, files, "changelog/index.html", in(`.Release[data-release="`+r.Name()+`"]`,
				count(".Release-items > li", items), in(`h2[id="v`+r.Name()+`"]`)))
		}
	})
}

func TestMissingPage(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		verify(t, files, "404.html", in("h1", says("Page not found")), in("#meant[role=status]"), in(`script[data-start=never]`),
			in(`main form[action="`+base+`"] input[name="q"]`),
			in(`main a[href="`+base+`"]`), in(`main a[href="`+base+`changelog/#renames"]`),
			in("#"+browser.DataID, mentions(`{"href":"`+base+`skills/cro/","text":"page-cro","change":"merged into","skill":"cro","release":"2.0.0"}`)))
	})
}
