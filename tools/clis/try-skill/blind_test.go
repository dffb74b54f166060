package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"marketingskills/app/tryout"
)

// inOrder has IDs drawn with a seed, so that a test draws the same lots each
// time.
func inOrder(t *testing.T, seed uint64) {
	lot, before := rand.New(rand.NewPCG(seed, seed)), newID
	newID = func() string { return fmt.Sprintf("%012x", lot.Uint64()>>16) }
	t.Cleanup(func() { newID = before })
}

// prepared is a trial of n requests with one skill.
func prepared(t *testing.T, n int, options ...string) string {
	t.Helper()
	dir := t.TempDir()
	var requests strings.Builder
	requests.WriteString("Today is 23 November 2026.\n")
	for i := range n {
		fmt.Fprintf(&requests, "P%d: how do I begin, number %d\n", i+1, i+1)
	}
	for name, content := range map[string]string{"sms.md": requests.String(), "skills/sms/SKILL.md": skills["sms/SKILL.md"]} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	trial := filepath.Join(dir, "t")
	do(t, append([]string{"prepare", trial, "--requests", filepath.Join(dir, "sms.md"), "--skills", filepath.Join(dir, "skills")}, options...)...)
	return trial
}

func do(t *testing.T, arguments ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := &command{stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr}
	if err := c.run(context.Background(), arguments); err != nil {
		t.Fatalf("%q: %v\n%s", arguments, err, stderr.String())
	}
	return stdout.String()
}

func opened(t *testing.T, dir string) (p *plan, k key) {
	t.Helper()
	p, err := openPlan(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := readJSON(filepath.Join(dir, keyFile), &k); err != nil {
		t.Fatal(err)
	}
	return p, k
}

// read has readers who decide by a function read all pairs.
func read(t *testing.T, dir string, readers int, decide func(p *plan, reader int, x, y string) string) []tryout.Comparison {
	t.Helper()
	p, _ := opened(t, dir)
	answers := map[string]string{}
	for _, f := range p.Folders {
		answers[f.ID] = f.ID // an answer that says which it is
		if err := save(p.path(f.ID, answerFile), f.ID); err != nil {
			t.Fatal(err)
		}
	}
	for i := range readers {
		r, err := newReading(p, reader{name: fmt.Sprint("r", i)}, answers)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(r.file()), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, pair := range r.left() {
			x, y, _ := r.show(pair)
			if err := r.say(pair, decide(p, i, x, y), ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	trials, err := openTrials(dir)
	if err != nil {
		t.Fatal(err)
	}
	return trials[0].Compare()
}

// TestNoDifference: where answers do not differ, chance, a liking for the first
// answer or for the second say nothing; a skill that is better in four of five
// requests is found, and the control beside it says nothing still.
func TestNoDifference(t *testing.T) {
	inOrder(t, 5)
	chance := func(_ *plan, _ int, x, y string) string {
		a, b := fnv.New64a(), fnv.New64a()
		io.WriteString(a, x)
		io.WriteString(b, y)
		if a.Sum64() > b.Sum64() {
			return "X"
		}
		return "Y"
	}
	for name, decide := range map[string]func(*plan, int, string, string) string{
		"chance": chance,
		"first":  func(*plan, int, string, string) string { return "X" },
		"second": func(*plan, int, string, string) string { return "Y" },
		"tie":    func(*plan, int, string, string) string { return tryout.Tie },
	} {
		for _, c := range read(t, prepared(t, 40), 2, decide) {
			if c.Requests() != 40 || c.Result != tryout.TooFew {
				t.Errorf("%s: %s against %s: %+v", name, c.Condition, c.Against, c.Tally)
			}
		}
	}
	dir := prepared(t, 40)
	_, k := opened(t, dir)
	all := read(t, dir, 2, func(p *plan, reader int, x, y string) string {
		with := slices.IndexFunc([]string{x, y}, func(id string) bool { return k.Conditions[id] == conditionSkill })
		if with < 0 || p.draw(x, y)[0]%5 == 0 {
			return chance(p, reader, x, y)
		}
		return []string{"X", "Y"}[with]
	})
	if len(all) != 2 || all[0].Result != tryout.Better || !all[1].Control || all[1].Result != tryout.TooFew {
		t.Errorf("a difference that was put in: %+v", all)
	}
}

// TestLots: each reader has an order and a side for every pair of their own,
// which say nothing of the conditions, and they stay the same when one goes on
// later.
func TestLots(t *testing.T) {
	inOrder(t, 7)
	p, k := opened(t, prepared(t, 100))
	answers := map[string]string{}
	for _, f := range p.Folders {
		answers[f.ID] = "x"
	}
	var orders []string
	var sides []map[string]string
	for _, who := range []reader{{name: "r1"}, {name: "r2"}, {name: "r1"}, {"r", 1, "c"}, {"r", 2, "c"}} {
		r, err := newReading(p, who, answers)
		if err != nil {
			t.Fatal(err)
		}
		first, early, order, side := 0, 0, "", map[string]string{}
		for i, pair := range r.left() {
			x, _, _ := r.show(pair)
			if x == k.Pairs[pair.ID][0] {
				first++
			}
			if control := k.Conditions[k.Pairs[pair.ID][0]] != conditionSkill; control && i < len(p.Pairs)/2 {
				early++
			}
			order += pair.ID
			side[pair.ID] = x
		}
		if first < 120 || first > 180 { // of 300
			t.Errorf("%s: what is on trial is X in %d of %d pairs", who, first, len(p.Pairs))
		}
		if early < 33 || early > 67 { // of 100
			t.Errorf("%s: %d controls of 100 are in the first half", who, early)
		}
		orders, sides = append(orders, order), append(sides, side)
	}
	if orders[0] == orders[1] || maps.Equal(sides[0], sides[1]) || orders[0] != orders[2] || !maps.Equal(sides[0], sides[2]) {
		t.Error("two readers have one order or the same sides, or one reader has two")
	}
	for id, x := range sides[3] {
		if sides[4][id] == x {
			t.Fatalf("a command that reads twice sees the pair %s from one side", id)
		}
	}
	if orders[3] == orders[4] {
		t.Error("a command that reads twice has the same order")
	}
	// Nor does any order in trial.json, or in a listing, say anything: it is that of
	// random names.
	byName := func(a, b folder) int { return strings.Compare(a.ID, b.ID) }
	if !slices.IsSortedFunc(p.Folders, byName) || !slices.IsSortedFunc(p.Pairs, func(a, b pair) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("folders or pairs stand in another order than that of their names")
	}
	for _, pair := range p.Pairs {
		if pair.Folders[0] > pair.Folders[1] {
			t.Errorf("the folders of a pair stand in another order than that of their names: %v", pair.Folders)
		}
	}
}

// TestNothingTold: what a reader is given is the same when all conditions are
// exchanged, whatever the times, sizes and modes of files; and trial.json, which
// the programs of readers open, has no condition in it.
func TestNothingTold(t *testing.T) {
	dir := prepared(t, 5)
	p, k := opened(t, dir)
	given := func() (all []string) {
		c := &command{stderr: io.Discard}
		answers, _, err := c.readable(p)
		if err != nil {
			t.Fatal(err)
		}
		r, err := newReading(p, reader{name: "ann"}, answers)
		if err != nil {
			t.Fatal(err)
		}
		s := &server{reading: r, host: "127.0.0.1:1", nonce: "n"}
		for _, pair := range r.pairs {
			_, _, shown := r.show(pair)
			all = append(all, shown.text())
		}
		for _, path := range []string{"/", "/pair"} {
			w := httptest.NewRecorder()
			request := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:1"+path, nil)
			s.routes().ServeHTTP(w, request)
			all = append(all, fmt.Sprint(w.Header()), w.Body.String())
		}
		return all
	}
	for _, f := range p.Folders {
		if err := os.WriteFile(p.path(f.ID, answerFile), []byte("\ufeffAnswer.\r\n\r\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := given()
	for _, f := range p.Folders {
		path := p.path(f.ID, answerFile)
		long := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
		if k.Conditions[f.ID] == conditionSkill {
			if err := os.WriteFile(path, []byte("\nAnswer.\n\n\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, long, long); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, 0o640); err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(p.path(f.ID, ".agents")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Remove(filepath.Join(dir, keyFile)); err != nil {
		t.Fatal(err)
	}
	if after := given(); !slices.Equal(before, after) {
		t.Errorf("a reader is given\n%q\nwithout the key and with other files\n%q", before, after)
	}
	data, err := os.ReadFile(filepath.Join(dir, planFile))
	told := regexp.MustCompile(`none|look|against|condition|"skill": "[^s]`)
	if err != nil || told.Match(data) {
		t.Errorf("%s tells %q", planFile, told.Find(data))
	}
	for _, s := range before {
		if id := regexp.MustCompile(`[0-9a-f]{12}`).FindAllString(s, -1); slices.ContainsFunc(id, func(id string) bool { return k.Conditions[id] != "" }) {
			t.Errorf("a folder is named: %s", s)
		}
		if told := regexp.MustCompile(`(?i)last-modified|etag|none-|\bskill\b|sms`).FindString(s); told != "" {
			t.Errorf("%q is told in %s", told, s)
		}
	}
}

// TestNaming: answers that name a skill or its files, and those that only use
// the word.
func TestNaming(t *testing.T) {
	p := &plan{Skills: []string{"sms", "pricing", "cold-email"}, Files: []string{"SKILL.md", "numbers.md"},
		Requests: []tryout.Request{{ID: "a", Text: "x"}, {ID: "b", Text: "what is in numbers.md"}}}
	for answer, want := range map[string]bool{
		"See SKILL.md.": true, "in .agents/skills": true, "skills/sms has it": true, "the pricing skill goes deeper": true,
		"The `cold-email` skill": true, "**sms** skill": true, `the skill "sms"`: true, "see numbers.md": true, "see references/numbers.md": true,
		"Pricing is a skill.": false, "Learn pricing skills, sms and cold-email.": false, "your numbers, md": false, "": false,
		"A designer with pricing skill": false,
	} {
		if got := p.naming("a", answer); (got != "") != want {
			t.Errorf("%q: %q", answer, got)
		}
	}
	if got := p.naming("b", "In numbers.md there are numbers."); got != "" {
		t.Errorf("what the request says: %q", got)
	}
	if got := (&plan{Requests: p.Requests}).naming("a", "nothing\x00 to see"); strings.Trim(got, "\x00") != "" {
		t.Errorf("without a list: %q", got)
	}
}

// TestPage: only the page's own script posts, one verdict counts for a pair, and
// what answers have in them is shown and not run.
func TestPage(t *testing.T) {
	p, _ := opened(t, prepared(t, 1))
	answers := map[string]string{}
	for _, f := range p.Folders {
		answers[f.ID] = "<script>alert(1)</script>\n\n**bold** [link](https://x.example) ![i](https://x.example/i.png)"
	}
	r, err := newReading(p, reader{name: "ann"}, answers)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(r.file()), 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := &server{reading: r, host: "127.0.0.1:1", nonce: "n", read: make(chan struct{}, 1)}
	call := func(method, url, kind, body string) *httptest.ResponseRecorder {
		w, request := httptest.NewRecorder(), httptest.NewRequest(method, url, strings.NewReader(body))
		request.Header.Set("Content-Type", kind)
		s.routes().ServeHTTP(w, request)
		return w
	}
	type view struct {
		Pair, X     string
		Done, Total int
	}
	get := func() (v view) {
		if err := json.Unmarshal(call("GET", "http://127.0.0.1:1/pair", "", "").Body.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	first := get()
	if first.Total != 3 || strings.Contains(first.X, "<script") || strings.Contains(first.X, "<img") || !strings.Contains(first.X, "<strong>bold</strong>") {
		t.Errorf("%+v", first)
	}
	body := fmt.Sprintf(`{"pair": %q, "better": "X", "reason": "a\nb"}`, first.Pair)
	for _, refused := range []*httptest.ResponseRecorder{
		call("POST", "http://127.0.0.1:1/verdict", "text/plain", body), call("POST", "http://evil.example/verdict", "application/json", body),
		call("GET", "http://evil.example/pair", "", ""), call("POST", "http://127.0.0.1:1/verdict", "application/json", "{"),
		call("POST", "http://127.0.0.1:1/verdict", "application/json", strings.Replace(body, `"X"`, `"Z"`, 1)),
	} {
		if refused.Code < 400 || len(r.said) > 0 {
			t.Errorf("%d %s", refused.Code, refused.Body)
		}
	}
	call("POST", "http://127.0.0.1:1/verdict", "application/json", body)
	call("POST", "http://127.0.0.1:1/verdict", "application/json", strings.Replace(body, `"X"`, `"Y"`, 1)) // another tab
	if len(r.said) != 1 || r.said[0].Better != r.said[0].X || r.said[0].Reason != "a b" || get().Done != 1 {
		t.Errorf("%+v", r.said)
	}
	// Resumed, another process begins where this one was.
	again, err := newReading(p, reader{name: "ann"}, answers)
	if err != nil || len(again.left()) != 2 || again.left()[0].ID != get().Pair {
		t.Errorf("%+v, %v", again.left(), err)
	}
}
