package prospects

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"golang.org/x/net/html"

	"marketingskills/app/pages"
	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/rest"
	"marketingskills/app/ui"
	"marketingskills/app/ui/drawtest"
)

// parsed is what was drawn, as a browser reads it.
func parsed(t *testing.T, drawn ...app.UI) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(app.HTMLString(app.Div().Body(drawn...))))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// elements are those of a document, without what every document has.
func elements(doc *html.Node) []*html.Node {
	var all []*html.Node
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data != "html" && n.Data != "head" && n.Data != "body" {
			all = append(all, n)
		}
	}
	return all
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// textOf is all that can be read in what was drawn.
func textOf(drawn ...app.UI) string {
	doc, _ := html.Parse(strings.NewReader(app.HTMLString(app.Div().Body(drawn...)))) // a string does not fail
	var said []string
	for n := range doc.Descendants() {
		if n.Type == html.TextNode {
			said = append(said, strings.Fields(n.Data)...)
		}
	}
	return strings.Join(said, " ")
}

// widths are those of the parts of a bar.
func widths(t *testing.T, bar app.UI) []string {
	t.Helper()
	var all []string
	for _, n := range elements(parsed(t, bar)) {
		if n.Data == "rect" {
			all = append(all, attr(n, "width"))
		}
	}
	return all
}

// mounted brings a component to life as the browser does, so that what is
// inside it can be drawn, too.
func mounted(t *testing.T, x app.Composer) app.UI {
	t.Helper()
	engine := app.NewTestEngine()
	if err := engine.Load(x); err != nil {
		t.Fatal(err)
	}
	engine.ConsumeAll()
	return x
}

// atWork is a job that runs, or is paused.
func atWork(job *prospect.Job) *pages.Work {
	return &pages.Work{On: true, Task: pages.Task{Job: job}}
}

// everyStep is the page at each of its steps, all its texts the given one.
func everyStep(t *testing.T, s string) map[string]*extraction {
	t.Helper()
	client, err := codehost.New(codehost.Config{Base: fakehost.Base, Doer: &fakehost.Host{}})
	if err != nil {
		t.Fatal(err)
	}
	job, err := prospect.NewJob(client, planned, prospect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Hour)
	quota := codehost.Quota{Known: true, Limit: 60, Remaining: 20, Reset: later}
	record := prospect.Record{User: codehost.User{Login: s, Name: s, Company: s, Email: s, Blog: s, Location: s, Bio: s, Type: s, HTMLURL: s, PublicRepos: followers(1), Followers: followers(2), CreatedAt: later}, Source: s, SourceRepo: s, SourceURL: s, StarredAt: later, FetchedAt: later}
	ran := func(change func(r *run)) func(x *extraction) {
		r := newRun(job)
		r.failed, r.counts = map[int]prospect.Entry{1: {Person: codehost.Person{Login: s}, Detail: s}}, prospect.Counts{Listed: 3, Matches: 1, Filtered: 1, Failed: 1,
			FilteredBy: map[string]int{"x" + s: 1}, FailedBy: map[string]int{"host": 1}}
		r.progress = prospect.Progress{People: 100, Requests: 5, Quota: quota, TimeLeft: time.Minute}
		r.found.add(1, &record)
		r.found.arrange()
		r.summary.Add(record)
		change(r)
		return func(x *extraction) { x.here, x.run.current = atRun, r }
	}
	done := ran(func(r *run) { r.report.Complete = true })
	changes := map[string]func(x *extraction){
		"source":          func(*extraction) {},
		"source, a token": func(x *extraction) { x.access.token = rest.NewSecret(s) },
		"source, refused": func(x *extraction) {
			x.says.restricted = true
			x.source.form.Fields = map[string]string{"source": "stargazers", "repo": s, "since": s, "target": s, "limit": s, "type": s}
		},
		"source, saved": func(x *extraction) {
			x.source.resumed = &prospect.State{SavedAt: later, People: []prospect.Entry{{Person: codehost.Person{Login: s}, Verdict: prospect.Matched, Record: &record}}}
		},
		"plan": func(x *extraction) {
			x.here, x.plan.plan = atPlan, &prospect.Plan{People: 200, Pages: 1, Requests: 201, Least: 50, Quota: quota, Share: 3.35, Resets: 4, Spent: 1}
		},
		"purpose": func(x *extraction) {
			x.here, x.purpose.form.Fields = atPurpose, map[string]string{"use": s, "elsewhere": s, "basis": s}
		},
		"run, no answer":     ran(func(r *run) { *r = *newRun(job); r.work = atWork(r.job) }),
		"run":                ran(func(r *run) { r.work = atWork(r.job) }),
		"run, waiting":       ran(func(r *run) { r.work, r.wait = atWork(job), &codehost.Notice{Until: later, Why: s} }),
		"run, quota used up": ran(func(r *run) { r.report.Stop = &prospect.Stop{Reason: "quota", Message: s, RetryAt: later} }),
		"run, nobody":        ran(func(r *run) { r.found, r.report.Complete = &found{}, true }),
		"run, done":          done,
		"verify": func(x *extraction) {
			done(x)
			x.here, x.access.sample = atVerify, true
			x.verify.open()
		},
		"export": func(x *extraction) { done(x); x.here, x.export.downloaded = atExport, s },
	}
	all := map[string]*extraction{}
	for name, change := range changes {
		x := newExtraction(pageAt(t, s))
		x.Page.Title = s
		x.plan.query = prospect.Query{Repo: codehost.Repo{Owner: s, Name: s}, Source: codehost.Stargazers, Enrich: true, Purpose: s, LawfulBasis: s, Countries: []string{s}}
		x.plan.job, x.says, x.access.owner = job, messages{status: s, problem: s}, s
		for _, f := range []*ui.Form{&x.source.form, &x.purpose.form, &x.export.form} {
			f.Wrong = map[string]string{}
			for _, name := range f.Order {
				f.Wrong[name] = s
			}
		}
		change(x)
		all[name] = x
	}
	return all
}

// drawnSteps are all of them drawn, and a table with somebody shown in full.
func drawnSteps(t *testing.T, s string) map[string]*html.Node {
	t.Helper()
	all := map[string]*html.Node{}
	stepsDrawn := everyStep(t, s)
	for name, x := range stepsDrawn {
		all[name] = parsed(t, mounted(t, x))
	}
	f := stepsDrawn["run, done"].run.current.found
	all["a person"] = parsed(t, mounted(t, &table{Found: f, one: f.all[0].record}))
	return all
}

// hostile are texts that have broken pages before. Each has a letter: what has
// none is no place, and is drawn otherwise.
var hostile = []string{`"><script>alert(1)</script>`, `" onclick="alert(1)" x="`, `</textarea></option></table>`, `a\" b=\"`, "<!--x", "&lt;b&gt;", "a\x00b", "true"}

// sameShape tells where two drawings differ first.
func sameShape(t *testing.T, name string, got, want []string) {
	t.Helper()
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	if at < max(len(got), len(want)) {
		t.Errorf("%s: after %d elements alike, got %q, want %q", name, at, got[at:min(at+2, len(got))], want[at:min(at+2, len(want))])
	}
}

// TestStepsEscapeTheirTexts: no text, wherever it comes from, adds an element
// or an attribute.
func TestStepsEscapeTheirTexts(t *testing.T) {
	plain := drawnSteps(t, "word")
	for _, s := range hostile {
		for name, doc := range drawnSteps(t, s) {
			sameShape(t, fmt.Sprintf("%s with %q", name, s), drawtest.Shape(doc), drawtest.Shape(plain[name]))
		}
	}
}

// The policy of the pages refuses style attributes. An ID names one element,
// and what is named is there.
func TestStepsAreSound(t *testing.T) {
	for name, doc := range drawnSteps(t, "word") {
		ids := map[string]int{}
		for _, n := range elements(doc) {
			if id := attr(n, "id"); id != "" {
				ids[id]++
			}
		}
		for id, n := range ids {
			if n > 1 {
				t.Errorf("%s: %d elements are %q", name, n, id)
			}
		}
		if name != "a person" && ids["title"]+ids[hereID]+ids["status"]+ids["problem"] != 4 {
			t.Errorf("%s: title, step, status or problem is missing in %v", name, ids)
		}
		for _, n := range elements(doc) {
			for _, a := range n.Attr {
				switch a.Key {
				case "style":
					t.Errorf("%s: <%s> has a style", name, n.Data)
				case "for", "aria-labelledby", "aria-describedby":
					for id := range strings.FieldsSeq(a.Val) {
						if ids[id] == 0 {
							t.Errorf("%s: %s of <%s> names %q, which is not there", name, a.Key, n.Data, id)
						}
					}
				}
			}
		}
	}
}

func TestEveryInputHasALabel(t *testing.T) {
	for name, doc := range drawnSteps(t, "word") {
		labels := map[string]string{}
		for _, n := range elements(doc) {
			if n.Data == "label" {
				labels[attr(n, "for")] = words(n)
			}
		}
		for _, n := range elements(doc) {
			switch n.Data {
			case "input", "select", "textarea":
				said := ""
				for at := range n.Ancestors() {
					if at.Data == "label" {
						said = words(at)
					}
				}
				if said == "" && (attr(n, "id") == "" || labels[attr(n, "id")] == "") {
					t.Errorf("%s: <%s id=%q> has no label", name, n.Data, attr(n, "id"))
				}
			case "button", "a", "summary":
				if words(n) == "" {
					t.Errorf("%s: a <%s> says nothing", name, n.Data)
				}
			}
		}
	}
}

// words are those that can be read in an element.
func words(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.TrimSpace(b.String())
}

// What is wrong with a field, and what to know of it, is read out with it.
func TestFieldsAreDescribed(t *testing.T) {
	for name, doc := range drawnSteps(t, "word") {
		var described []string
		for _, n := range elements(doc) {
			described = append(described, strings.Fields(attr(n, "aria-describedby"))...)
		}
		for _, n := range elements(doc) {
			if id := attr(n, "id"); (strings.HasSuffix(id, "-note") || strings.HasSuffix(id, "-wrong")) && !slices.Contains(described, id) {
				t.Errorf("%s: %s describes nothing", name, id)
			}
		}
	}
}

// The table comes back from another step with its choice, and says which.
func TestTheTableSaysWhatIsSearched(t *testing.T) {
	f := someFound()
	f.search("acme")
	for _, n := range elements(parsed(t, mounted(t, &table{Found: f}))) {
		if attr(n, "id") == tableSearch && attr(n, "value") != "acme" {
			t.Errorf("%q is searched, and the field says %q", f.words, attr(n, "value"))
		}
	}
}

// However many were found, a few dozen are drawn, and each row says which of
// all it is.
func TestTableDrawsFewRows(t *testing.T) {
	f := &found{}
	for i := range 10_000 {
		f.add(i+1, &prospect.Record{User: codehost.User{Login: fmt.Sprint("login-", i)}})
	}
	f.arrange()
	var drawn []string
	for _, n := range elements(parsed(t, mounted(t, &table{Found: f}))) {
		if attr(n, "class") == rowClass {
			drawn = append(drawn, attr(n, "aria-rowindex"))
		}
	}
	if len(drawn) < 15 || len(drawn) > 40 || drawn[0] != "2" {
		t.Errorf("%d rows, %v", len(drawn), drawn)
	}
}
