package verification

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"golang.org/x/net/html"

	"marketingskills/app/browser"
	"marketingskills/app/pages"
	"marketingskills/app/rest"
	"marketingskills/app/ui/drawtest"
	"marketingskills/app/verify"
)

// atWork has the verifier asked about the list.
func atWork(d *listPage) {
	d.panel.used, d.panel.work = true, pages.Work{On: true, Task: pages.Task{Job: d.panel.job}}
}

// every is the page for a list in all its states, all its texts the given one.
func every(t *testing.T, s string) map[string]*html.Node {
	t.Helper()
	entries := checked(t, map[string]verify.Result{"a@x.example": said(verify.OK), "b@x.example": {State: verify.State(s), SubState: verify.SubState(s), DidYouMean: s},
		"c@x.example": said(verify.AcceptAll)}, "a@x.example", "b@x.example", "c@x.example", "d@x.example", s)
	entries[3].Err = rest.ErrTimeout
	all := map[string]*html.Node{}
	for name, change := range map[string]func(d *listPage){
		"no list":    func(d *listPage) { d.file = nil },
		"wrong list": func(d *listPage) { d.file, d.form.Wrong = nil, map[string]string{listField: s} },
		"checking":   func(d *listPage) { d.panel.checked = false },
		"looking":    func(d *listPage) { d.panel.proxy.state = unasked },
		"no proxy":   func(d *listPage) { d.panel.proxy.state, d.panel.proxy.err = away, verify.ErrAbsent },
		"no key":     func(d *listPage) { d.panel.proxy.state, d.panel.list = keyless, browser.Failed },
		"open":       func(d *listPage) { d.panel.proxy.account = s },
		"no lists":   func(d *listPage) { d.panel.proxy.health.Lists = false },
		"guarded":    func(d *listPage) { d.panel.proxy.state = guarded },
		"wrong token": func(d *listPage) {
			d.panel.proxy.state = guarded
			d.panel.proxy.form.Wrong = map[string]string{tokenField: s}
		},
		"running":      func(d *listPage) { atWork(d) },
		"paused":       func(d *listPage) { atWork(d); d.panel.job.Pause() },
		"stopping":     func(d *listPage) { atWork(d); d.panel.work.Stopping = true },
		"stopped":      func(d *listPage) { d.panel.used, d.panel.err = true, rest.ErrUnreachable },
		"corrected":    func(d *listPage) { d.given = nil },
		"with results": func(d *listPage) { d.panel.used, d.panel.filter = true, onlySlips },
	} {
		p := &pages.Page{Kind: pages.KindVerify, Base: "/", Path: pages.PathVerify, Title: s}
		if err := pages.SetContent(p, &Config{Disposable: s, Proxy: "https://p.example"}); err != nil {
			t.Fatal(err)
		}
		d := newListPage(p)
		file, err := parseList([]byte("a@x.example\nb@x.example\n"))
		if err != nil {
			t.Fatal(err)
		}
		d.file, d.given, d.name, d.status, d.problem = file, file, s, s, s
		d.panel.used = true
		d.panel.take(entries)
		d.panel.job, d.panel.checked, d.panel.list, d.panel.proxy.state = verify.NewJob([]string{"a@x.example"}), true, browser.Loaded, open
		d.panel.proxy.health.Lists = true
		change(d)
		engine := app.NewTestEngine()
		if err := engine.Load(d); err != nil {
			t.Fatal(err)
		}
		engine.ConsumeAll()
		doc, err := html.Parse(strings.NewReader(app.HTMLString(d)))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = doc
	}
	return all
}

func attr(n *html.Node, name string) string {
	i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
	if i < 0 {
		return ""
	}
	return n.Attr[i].Val
}

// No text, wherever it comes from, adds an element or an attribute. IDs name
// one element each, and what is named is there; every input has a label, every
// button a text, and nothing a style.
func TestDrawing(t *testing.T) {
	plain := every(t, "word")
	for _, s := range []string{`"><script>alert(1)</script>`, `" onclick="alert(1)" x="`, "</textarea></option>", `a\" b=\"`, "<!--x", "a\x00b"} {
		for name, doc := range every(t, s) {
			if !slices.Equal(drawtest.Shape(doc), drawtest.Shape(plain[name])) {
				t.Errorf("%s with %q is another drawing", name, s)
			}
		}
	}
	for name, doc := range plain {
		ids, labels := map[string]int{}, map[string]bool{}
		for n := range doc.Descendants() {
			if id := attr(n, "id"); id != "" {
				ids[id]++
			}
			if n.Data == "label" {
				labels[attr(n, "for")] = true
			}
		}
		for id, times := range ids {
			if times > 1 {
				t.Errorf("%s: %d elements are %q", name, times, id)
			}
		}
		if ids["title"]+ids["status"]+ids["problem"] != 3 {
			t.Errorf("%s: title, status or problem is missing", name)
		}
		for n := range doc.Descendants() {
			for id := range strings.FieldsSeq(attr(n, "for") + " " + attr(n, "aria-describedby")) {
				if ids[id] == 0 {
					t.Errorf("%s: <%s> names %q, which is not there", name, n.Data, id)
				}
			}
			if (n.Data == "input" || n.Data == "textarea") && attr(n, "type") != "file" && !labels[attr(n, "id")] {
				t.Errorf("%s: <%s id=%q> has no label", name, n.Data, attr(n, "id"))
			}
			if attr(n, "style") != "" {
				t.Errorf("%s: <%s> has a style", name, n.Data)
			}
		}
	}
}

// buttonsOf are the texts of the buttons in a drawing.
func buttonsOf(doc *html.Node) (all []string) {
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "button" && n.FirstChild != nil {
			all = append(all, strings.TrimSpace(n.FirstChild.Data))
		}
	}
	return all
}

func TestButtons(t *testing.T) {
	drawn := every(t, "word")
	for name, want := range map[string]string{
		"looking":   "Open another list, Download 1 chosen row, Download all rows, Did you mean word?",
		"no proxy":  "Open another list, Try again, Download 1 chosen row, Download all rows, Did you mean word?",
		"guarded":   "Open another list, Retry failed emails, Show account, Submit 1 email, Download 1 chosen row, Download all rows, Did you mean word?",
		"no lists":  "Open another list, Retry failed emails, Show account, Download 1 chosen row, Download all rows, Did you mean word?",
		"running":   "Open another list, Pause, Stop, Download 1 chosen row, Download all rows",
		"paused":    "Open another list, Resume, Stop, Download 1 chosen row, Download all rows",
		"corrected": "Open another list, Undo corrections, Retry failed emails, Show account, Submit 1 email, Download 1 chosen row, Download all rows, Did you mean word?",
		"stopping":  "Open another list, Download 1 chosen row, Download all rows",
	} {
		if got := strings.Join(buttonsOf(drawn[name]), ", "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestTimeFor(t *testing.T) {
	for limit, want := range map[int]time.Duration{0: 100 * time.Second, 10: 100 * time.Second, 2: 500 * time.Second} {
		p := proxy{health: verify.Health{Limit: limit}}
		if got := p.timeFor(970); got.Round(time.Second) != want {
			t.Errorf("at %d a second, 970 emails take %v", limit, got)
		}
	}
}
