package prospect_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/verify"
)

// large is a saved run of n people kept, some 800 bytes each.
func large(n int) *prospect.State {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	s := &prospect.State{Format: "prospects-run", Version: 1, SavedAt: at, Base: fakehost.Base,
		Query:    prospect.Query{Source: codehost.Stargazers, Repo: repo, Enrich: true, Purpose: "See who builds on it."},
		Position: codehost.Position{Pages: (n + 99) / 100, LastPage: (n + 99) / 100}}
	for i := range n {
		login := fmt.Sprintf("person-%05d", i)
		page := fmt.Sprintf("%s/repos/octo/tool/stargazers?per_page=100&page=%d", fakehost.Base, i/100+1)
		s.People = append(s.People, prospect.Entry{Person: codehost.Person{Login: login, Type: "User", URL: "https://codehost.test/" + login, StarredAt: at}, Page: page, Verdict: prospect.Matched, Record: &prospect.Record{User: codehost.User{Login: login, Name: fmt.Sprintf("Person Number %d", i), Company: "@acme", Email: login + "@mail.example", Location: "Lisbon", Bio: "Builds engines & <things> that run", Type: "User", PublicRepos: new(i % 90), Followers: new(i % 700), CreatedAt: at, HTMLURL: "https://codehost.test/" + login}, Source: "stargazers", SourceRepo: "octo/tool", SourceURL: page, StarredAt: at, FetchedAt: at}})
	}
	return s
}

// file is a state as it is written.
func file(t testing.TB, s *prospect.State) string {
	t.Helper()
	var b strings.Builder
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What is written is what encoding/json writes of the whole: files go back and
// forth between versions.
func TestSavedRunIsOneObject(t *testing.T) {
	empty := large(0)
	empty.People = []prospect.Entry{}
	waiting := large(3)
	waiting.People[1] = prospect.Entry{Person: codehost.Person{Login: "<&>\u2028"}, Page: "p"}
	waiting.Next, waiting.LastRead, waiting.ListEnd = "next", "last", "end"
	for _, s := range []*prospect.State{empty, large(1), waiting, large(500)} {
		whole, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := file(t, s); got != string(whole)+"\n" {
			t.Errorf("%d people: %.300s", len(s.People), got)
		}
	}
	big := large(500)
	var before prospect.State // as the version before reads
	decoder := json.NewDecoder(strings.NewReader(file(t, big)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&before); err != nil || !reflect.DeepEqual(&before, big) {
		t.Error(err)
	}
	if now, err := prospect.ReadState(strings.NewReader(file(t, big))); err != nil || !reflect.DeepEqual(now, big) {
		t.Error(err)
	}
}

// work is what was allocated from one call of the reader or writer to the
// next, as a measure of what was done.
type work struct {
	io.Reader
	at, most, all uint64
	sizes         []int
}

func (w *work) mark() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if w.at > 0 {
		w.most = max(w.most, m.Mallocs-w.at)
		w.all += m.Mallocs - w.at
	}
	w.at = m.Mallocs
}

func (w *work) Read(into []byte) (int, error) {
	w.mark()
	n, err := w.Reader.Read(into)
	w.sizes = append(w.sizes, n)
	return n, err
}

func (w *work) Write(p []byte) (int, error) {
	w.mark()
	w.sizes = append(w.sizes, len(p))
	return len(p), nil
}

// A reader or writer that lets the browser draw between two calls lets it draw
// all the time: the work is spread over the calls.
func TestSavedRunsAreReadAndWrittenInPieces(t *testing.T) {
	state := large(2000)
	text := file(t, state)
	var w, r work
	w.mark()
	if err := state.Write(&w); err != nil {
		t.Fatal(err)
	}
	w.mark()
	r.Reader = strings.NewReader(text)
	r.mark()
	if _, err := prospect.ReadState(&r); err != nil {
		t.Fatal(err)
	}
	r.mark()
	pieces := len(text) / (32 << 10)
	for name, w := range map[string]work{"write": w, "read": r} {
		if len(w.sizes) < pieces || len(w.sizes) > pieces+3 || slices.Max(w.sizes) > 64<<10 {
			t.Errorf("%s: %d bytes in %d pieces of at most %d", name, len(text), len(w.sizes), slices.Max(w.sizes))
		}
		if w.most > w.all/20 {
			t.Errorf("%s: %d of %d allocations in one go", name, w.most, w.all)
		}
	}
}

// full is a disk that is full after so many bytes.
type full int

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), int(*f))
	*f -= full(n)
	if n < len(p) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

func TestSavingFails(t *testing.T) {
	for _, room := range []full{0, 10, 100_000} {
		left := room
		if err := large(1000).Write(&left); !errors.Is(err, io.ErrShortWrite) || left != 0 {
			t.Errorf("with room for %d: %d left, %v", room, left, err)
		}
	}
}

const (
	oneFormat = `"format":"prospects-run","version":1,`
	oneHead   = `"saved_at":"2026-11-01T00:00:00Z","base":"https://api.codehost.test","pages":1,"duplicates":0`
	oneQuery  = `"query":{"source":"forks","repo":"octo/tool","enrich":true,"with_email":false,"with_company":false,"with_blog":false}`
	onePeople = `"people":[{"login":"a","page":"","verdict":"kept","record":{"login":"a","source":"stargazers","source_repo":"x/y"}},{"login":"b","page":""}]`
)

// The order of the keys means nothing.
func TestSavedRunInAnyOrder(t *testing.T) {
	want, err := prospect.ReadState(strings.NewReader("{" + oneFormat + oneHead + "," + oneQuery + "," + onePeople + "}"))
	if err != nil || len(want.People) != 2 || want.People[0].Record.Source != "forks" || want.People[0].Record.SourceRepo != "octo/tool" {
		t.Fatalf("%v, %+v", err, want)
	}
	got, err := prospect.ReadState(strings.NewReader(" {" + onePeople + " , " + oneQuery + "," + oneFormat + oneHead + "}\n "))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %+v", err, got)
	}
	for name, people := range map[string]string{"no": "", "null": `,"people":null`, "no one": `,"people":[]`} {
		if s, err := prospect.ReadState(strings.NewReader("{" + oneFormat + oneHead + "," + oneQuery + people + "}")); err != nil || len(s.People) != 0 {
			t.Errorf("%s people: %v", name, err)
		}
	}
}

// What is wrong with a file, and how it is said.
func TestSavedRunsAreRefused(t *testing.T) {
	const (
		broken = "this is not a saved run, or the file is damaged ("
		newer  = "this run was saved by a newer version (7, this tool reads 1); update this tool"
	)
	good := "{" + oneFormat + oneHead + "," + oneQuery + "," + onePeople + "}"
	change := func(old, with string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%s is not in the file", old)
		}
		return strings.Replace(good, old, with, 1)
	}
	for name, tt := range map[string]struct{ text, want string }{
		"empty":             {"", broken},
		"null":              {"null", broken},
		"a list":            {"[]", broken},
		"a word":            {"prospects-run", broken},
		"cut off":           {good[:len(good)-1], broken},
		"cut in a person":   {good[:len(good)-30], broken},
		"broken person":     {change(`"login":"b"`, `"login":b`), broken},
		"comma too many":    {change(`""}]}`, `""},]}`), broken},
		"no comma":          {change(`},{"login":"b"`, `}{"login":"b"`), broken},
		"wrong bracket":     {change(`""}]}`, `""}}}`), broken},
		"another":           {good + good, broken + `"there is more after the end`},
		"rubbish behind":    {good + "x", broken},
		"unknown":           {change(`"pages":1`, `"pages":1,"colour":"red"`), broken + `"json: unknown field \"colour\""`},
		"unknown of query":  {change(`"enrich":true`, `"enrich":true,"colour":[]`), broken + `"json: unknown field \"colour\""`},
		"of a person":       {change(`"login":"b"`, `"login":"b","colour":{}`), broken + `"json: unknown field \"colour\""`},
		"of a record":       {change(`"source":"star`, `"colour":1,"source":"star`), broken + `"json: unknown field \"colour\""`},
		"wrong type":        {change(`"pages":1`, `"pages":"1"`), broken},
		"wrong person":      {change(`{"login":"b","page":""}`, `"b"`), broken},
		"people an object":  {change(`[{"login":"a"`, `{"x":{"login":"a"`), broken},
		"people a word":     {"{" + oneFormat + oneHead + `,"people":"all"}`, broken},
		"twice":             {change(`"pages":1`, `"pages":1,"pages":1`), broken + `"pages is repeated"`},
		"people twice":      {change(onePeople, onePeople+","+onePeople), broken + `"people is repeated"`},
		"version twice":     {change(`"version":1`, `"version":7,"version":1`), newer},
		"newer":             {change(`"version":1`, `"version":7`), newer},
		"newer, more":       {change(`"version":1`, `"version":7,"colour":[{"red":1}]`), newer},
		"newer, cut off":    {`{"format":"prospects-run","version":7,"people":[{"log`, newer},
		"newer, and more":   {`{"format":"prospects-run","version":7}{}`, newer},
		"other format":      {change("prospects-run", "prospects"), `this is not a saved run (format "prospects", version 1); choose the .run.json file of a saved run`},
		"nothing in it":     {"{}", `this is not a saved run (format "", version 0); choose the .run.json file of a saved run`},
		"no query":          {"{" + oneFormat + oneHead + "," + onePeople + "}", `this saved run is damaged (invalid settings: unknown list ""`},
		"a person twice":    {change(`"login":"b"`, `"login":"A"`), "this saved run is damaged (person 2 is repeated); start a new run"},
		"twice but for \\u": {change(`"login":"b"`, `"login":"a\u200b"`), "this saved run is damaged (person 2 is repeated); start a new run"},
		"a verdict":         {change(`"login":"b"`, `"login":"b","verdict":"won"`), `this saved run is damaged (person 2: verdict "won"); start a new run`},
	} {
		if _, err := prospect.ReadState(strings.NewReader(tt.text)); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v\nwant %s", name, err, tt.want)
		}
	}
	// Within a person the last of two counts, and is checked.
	if s, err := prospect.ReadState(strings.NewReader(change(`"login":"b"`, `"login":"c","login":"b"`))); err != nil || s.People[1].Login != "b" {
		t.Errorf("%v, %+v", err, s)
	}
	lost := errors.New("the disk is gone")
	if _, err := prospect.ReadState(io.MultiReader(strings.NewReader(good[:200]), lostReader{lost})); err == nil || !strings.Contains(err.Error(), lost.Error()) {
		t.Error(err)
	}
}

type lostReader struct{ error }

func (l lostReader) Read([]byte) (int, error) { return 0, l.error }

// endless repeats a text for ever.
type endless struct {
	text string
	at   int
	read int
}

func (e *endless) Read(into []byte) (int, error) {
	n := copy(into, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	e.read += n
	return n, nil
}

func TestSavedRunsHaveASize(t *testing.T) {
	head := "{" + oneFormat + oneHead + "," + oneQuery + `,"people":[`
	many := head + strings.Repeat(`{"login":"","page":""},`, prospect.MaxPeople+codehost.PageSize) + `{"login":"","page":""}]}`
	if _, err := prospect.ReadState(strings.NewReader(many)); err == nil || !strings.Contains(err.Error(), "damaged (\"more people than a listing has\")") {
		t.Error(err)
	}
	if testing.Short() {
		return
	}
	e := endless{text: "{}," + strings.Repeat(" ", 1<<20)}
	if _, err := prospect.ReadState(io.MultiReader(strings.NewReader(head), &e)); err == nil || err.Error() != "this is not a saved run: it is larger than 256 MB; choose the .run.json file of a saved run" || e.read > 257<<20 {
		t.Errorf("%v after %d bytes", err, e.read)
	}
}

// stretches notes how long it is from one call of the reader or writer to the
// next: so long does a browser stand still.
type stretches struct {
	io.Reader
	last    time.Time
	longest time.Duration
	calls   int
}

func (s *stretches) mark() {
	if now := time.Now(); !s.last.IsZero() {
		s.longest = max(s.longest, now.Sub(s.last))
	}
}

func (s *stretches) Read(into []byte) (int, error) {
	s.mark()
	n, err := s.Reader.Read(into)
	s.calls++
	s.last = time.Now()
	return n, err
}

func (s *stretches) Write(p []byte) (int, error) {
	s.mark()
	s.calls++
	s.last = time.Now()
	return len(p), nil
}

func (s *stretches) report(b *testing.B, longest time.Duration) {
	b.ReportMetric(float64(longest.Microseconds())/1000, "ms-longest")
	b.ReportMetric(float64(s.calls), "calls")
}

func eachSize(b *testing.B, f func(*testing.B, *prospect.State)) {
	for _, n := range []int{10_000, 40_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			f(b, large(n))
		})
	}
}

func BenchmarkReadState(b *testing.B) {
	eachSize(b, func(b *testing.B, state *prospect.State) {
		var file bytes.Buffer
		if err := state.Write(&file); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(file.Len()))
		var s stretches
		var longest time.Duration
		for b.Loop() {
			s = stretches{Reader: bytes.NewReader(file.Bytes())}
			if _, err := prospect.ReadState(&s); err != nil {
				b.Fatal(err)
			}
			s.mark()
			longest = max(longest, s.longest)
		}
		s.report(b, longest)
	})
}

func BenchmarkWriteState(b *testing.B) {
	eachSize(b, func(b *testing.B, state *prospect.State) {
		var s stretches
		var longest time.Duration
		for b.Loop() {
			s = stretches{last: time.Now()}
			err := state.Write(&s)
			if err != nil {
				b.Fatal(err)
			}
			s.mark()
			longest = max(longest, s.longest)
		}
		s.report(b, longest)
	})
}

// What the run waits for when it is saved while it goes.
func BenchmarkJobState(b *testing.B) {
	eachSize(b, func(b *testing.B, state *prospect.State) {
		j := job(b, client(b, &fakehost.Host{}, nil), state.Query, prospect.Options{State: state})
		for b.Loop() {
			j.State()
		}
	})
}

// What a verifier said is saved with the run, and read as text from a stranger.
func TestSavedVerification(t *testing.T) {
	s := large(3)
	s.People[0].Record.Verification = prospect.NewVerification(verify.Result{State: verify.Risky, SubState: verify.IsRole, VerifiedAt: "2026-11-22T10:00:00Z"}, verify.FromVerifier)
	s.People[1].Record.Verification = &prospect.Verification{State: "o\u202ek\n", DidYouMean: strings.Repeat("x", 5000)}
	s.People[2].Record.Verification = &prospect.Verification{SubState: "no state"}
	got, err := prospect.ReadState(strings.NewReader(file(t, s)))
	if err != nil {
		t.Fatal(err)
	}
	if v := got.People[0].Record.Verification; !reflect.DeepEqual(v, s.People[0].Record.Verification) {
		t.Errorf("saved as %+v", v)
	}
	if v := got.People[1].Record.Verification; v.State != "ok" || len(v.DidYouMean) > 400 {
		t.Errorf("a stranger's is read as %.600v", v)
	}
	if v := got.People[2].Record.Verification; v != nil {
		t.Errorf("one without a state is read as %+v", v)
	}
}
