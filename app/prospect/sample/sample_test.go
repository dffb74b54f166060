package sample_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/prospect/sample"
	"marketingskills/app/rest"
)

func client(t *testing.T, h *fakehost.Host, token string) *codehost.Client {
	t.Helper()
	c, err := codehost.New(codehost.Config{Base: sample.Base, Doer: h, Token: rest.NewSecret(token)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func job(t *testing.T, h *fakehost.Host, q prospect.Query) *prospect.Job {
	t.Helper()
	q.Repo = sample.Repo
	j, err := prospect.NewJob(client(t, h, sample.Token), q, prospect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// run gives the records kept; the run must end complete.
func run(t *testing.T, h *fakehost.Host, q prospect.Query) ([]prospect.Record, prospect.Report) {
	t.Helper()
	var kept []prospect.Record
	report, err := job(t, h, q).Run(t.Context(), func(e prospect.Event) error {
		if e.Outcome != nil && e.Outcome.Record != nil {
			kept = append(kept, *e.Outcome.Record)
		}
		return nil
	})
	if err != nil || !report.Complete {
		t.Fatalf("complete %v: %v", report.Complete, err)
	}
	if err := report.Counts.Check(); err != nil {
		t.Error(err)
	}
	if len(kept) != report.Counts.Matches {
		t.Errorf("%d records of %d kept", len(kept), report.Counts.Matches)
	}
	return kept, report
}

func TestEverySourceRunsToItsEnd(t *testing.T) {
	all := prospect.Query{Source: codehost.Forks, Enrich: true}
	mail := all
	mail.WithEmail = true
	firms := all
	firms.Type = "Organization"
	target := mail
	target.Target = 25
	missing := map[string]int{"missing": 2}
	for name, test := range map[string]struct {
		query prospect.Query
		want  prospect.Counts
	}{
		"forks": {all, prospect.Counts{Listed: 311, Matches: 309, Failed: 2, FailedBy: missing, Duplicates: 1}},
		"with address": {mail, prospect.Counts{Listed: 311, Matches: 116, Filtered: 193, FilteredBy: map[string]int{"with-email": 193},
			Failed: 2, FailedBy: missing, Duplicates: 1}},
		"organisations": {firms, prospect.Counts{Listed: 311, Matches: 7, Filtered: 304, FilteredBy: map[string]int{"type": 304}, Duplicates: 1}},
		"stargazers":    {prospect.Query{Source: codehost.Stargazers, Enrich: true}, prospect.Counts{Listed: 304, Matches: 302, Failed: 2, FailedBy: missing}},
		"watchers":      {prospect.Query{Source: codehost.Watchers, Enrich: true}, prospect.Counts{Listed: 104, Matches: 103, Failed: 1, FailedBy: map[string]int{"missing": 1}}},
		"contributors":  {prospect.Query{Source: codehost.Contributors, Enrich: true}, prospect.Counts{Listed: 62, Matches: 62}},
		"listing only":  {prospect.Query{Source: codehost.Forks}, prospect.Counts{Listed: 311, Matches: 311, Duplicates: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if _, report := run(t, sample.New(sample.Sleep), test.query); !reflect.DeepEqual(report.Counts, test.want) {
					t.Errorf("%+v, want %+v", report.Counts, test.want)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		if kept, report := run(t, sample.New(sample.Sleep), target); len(kept) != 25 || report.Requests > 100 {
			t.Errorf("%d of 25 after %d requests", len(kept), report.Requests)
		}
	})
}

func TestPlanAndPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := job(t, sample.New(sample.Sleep), prospect.Query{Source: codehost.Forks, Enrich: true})
		began := time.Now()
		p, err := j.Plan(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if p.People != 400 || p.Exact || p.Pages != 3 || p.Requests != 403 || !p.Fits || p.Spent != 1 || p.Quota.Limit != 5000 || p.Quota.Remaining != 4999 {
			t.Errorf("plan %+v", p)
		}
		if hour := p.Quota.Reset.Sub(began); hour < 59*time.Minute || hour > 61*time.Minute {
			t.Errorf("the quota is back after %v", hour)
		}
		report, err := j.Run(t.Context(), nil)
		if err != nil || report.Requests != 3+311 || report.Quota.Remaining != 5000-1-3-311 {
			t.Errorf("%d requests, quota %+v: %v", report.Requests, report.Quota, err)
		}
		if took := time.Since(began); took < 2*time.Second || took > 6*time.Second {
			t.Errorf("the run took %v; it is to be watched, and not waited for", took)
		}
	})
}

func TestTwoRunsAreTheSame(t *testing.T) {
	var runs [2][]prospect.Record
	for i := range runs {
		synctest.Test(t, func(t *testing.T) {
			runs[i], _ = run(t, sample.New(sample.Sleep), prospect.Query{Source: codehost.Stargazers, Enrich: true})
			for n := range runs[i] {
				runs[i][n].FetchedAt = time.Time{}
			}
		})
	}
	if !reflect.DeepEqual(runs[0], runs[1]) {
		t.Error("two runs found different people")
	}
}

// reserved tells whether a host belongs to nobody, by RFC 2606 and RFC 6761.
func reserved(host string) bool {
	return host == "example.com" || slices.ContainsFunc([]string{".example", ".example.com", ".invalid"}, func(end string) bool { return strings.HasSuffix(host, end) })
}

func TestPeopleAreInventedAndVaried(t *testing.T) {
	records, _ := run(t, sample.New(nil), prospect.Query{Source: codehost.Forks, Enrich: true})
	firms, places, seen := map[string]int{}, map[string]int{}, map[string]bool{}
	var addresses, companies, located int
	for _, r := range records {
		for _, unique := range []string{r.Login, r.Name, r.Email} {
			if seen[unique] && unique != "" && r.Type == "User" {
				t.Errorf("%s: %q is there twice", r.Login, unique)
			}
			seen[unique] = true
		}
		if !codehost.ValidLogin(r.Login) || !strings.Contains(r.Login, "_") || r.HTMLURL != "https://sample.invalid/"+r.Login {
			t.Errorf("login %q at %s", r.Login, r.HTMLURL)
		}
		if r.Email != "" {
			addresses++
			if local, host, ok := strings.Cut(r.Email, "@"); !ok || local == "" || !reserved(host) {
				t.Errorf("%s: address %q", r.Login, r.Email)
			}
		}
		if r.Blog != "" {
			site, err := url.Parse("https://" + strings.TrimPrefix(r.Blog, "https://"))
			if err != nil || !reserved(site.Host) || strings.Contains(site.Host, "_") {
				t.Errorf("%s: site %q: %v", r.Login, r.Blog, err)
			}
		}
		if r.Company != "" {
			companies++
			firms[r.Company]++
		}
		if r.Location != "" {
			located++
			places[r.Location]++
		}
		if r.TwitterUsername != "" || r.CreatedAt.IsZero() || r.Name == "" || len(r.Bio) > 60 {
			t.Errorf("%+v", r)
		}
	}
	for what, test := range map[string]struct{ n, least, most int }{
		"addresses": {addresses, 35, 40}, "companies": {companies, 45, 55}, "places": {located, 70, 90},
	} {
		if share := 100 * test.n / len(records); share < test.least || share > test.most {
			t.Errorf("%s: %d %%, want %d to %d", what, share, test.least, test.most)
		}
	}
	t.Logf("%d people, %d addresses, %d with one of %d companies, %d at one of %d places", len(records), addresses, companies, len(firms), located, len(places))
	if firms["@acme"] < 3 || firms["Hexagon Labs"] < 3 || len(firms) > 40 || places["Berlin, Germany"] < 3 || len(places) > 30 {
		t.Errorf("no clusters: %v, %v", firms, places)
	}
}

func ask(t *testing.T, h *fakehost.Host, method, path string, header ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, sample.Base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := h.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var body json.RawMessage
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return resp, string(body)
}

func TestAnswers(t *testing.T) {
	const token, stars = "Bearer " + sample.Token, "application/vnd.github.star+json"
	for name, test := range map[string]struct {
		method, path string
		header       []string
		status       int
		has, hasNot  string // in the body
		link         string // the header, "none" for none; empty: whatever
	}{
		"the visitor":         {path: "/user", header: []string{"Authorization", token}, status: 200, has: `"login":"you-sample"`},
		"nobody":              {path: "/user", status: 401, has: `"message":"Requires authentication"`},
		"an address":          {path: "/users/hugo_fiorelli_dev", header: []string{"Authorization", token}, status: 200, has: `"email":"hugo.fiorelli@mail.example"`},
		"no address":          {path: "/users/Hugo_Fiorelli_dev", status: 200, has: `"email":null`, hasNot: "@"},
		"somebody gone":       {path: "/users/olga_ortega", header: []string{"Authorization", token}, status: 404, has: `"message":"Not Found"`},
		"the repository":      {path: "/repos/acme/engine", status: 200, has: `"stargazers_count":304`},
		"another repository":  {path: "/repos/acme/engines", status: 404, has: `"message":"Not Found"`},
		"no list":             {path: "/repos/acme/engine/issues", status: 404},
		"a list by itself":    {path: "/forks", status: 404},
		"a star and its time": {path: "/repos/acme/engine/stargazers", header: []string{"Authorization", token, "Accept", stars}, status: 200, has: `"starred_at":"2025-05-02T00:00:00Z"`},
		"a star":              {path: "/repos/acme/engine/stargazers", header: []string{"Authorization", token}, status: 200, hasNot: "starred_at"},
		"stars, to anybody":   {path: "/repos/acme/engine/stargazers", status: 401},
		"first page": {path: "/repos/acme/engine/forks?per_page=100", status: 200, has: `"owner":{`,
			link: `<https://api.sample.invalid/repos/acme/engine/forks?per_page=100&page=2>; rel="next", <https://api.sample.invalid/repos/acme/engine/forks?per_page=100&page=4>; rel="last"`},
		"last page": {path: "/repos/acme/engine/forks?per_page=100&page=4", status: 200,
			link: `<https://api.sample.invalid/repos/acme/engine/forks?per_page=100&page=3>; rel="prev", <https://api.sample.invalid/repos/acme/engine/forks?per_page=100&page=1>; rel="first"`},
		"the only page":       {path: "/repos/acme/engine/contributors", status: 200, has: `"contributions":`, link: "none"},
		"no such page":        {path: "/repos/acme/engine/contributors?page=-1", status: 200, has: `"contributions":`, link: "none"},
		"after the last page": {path: "/repos/acme/engine/contributors?page=9000000000", status: 200, has: `[]`},
		"another's list":      {path: "/repos/acme/engineforks", status: 404},
		"a change":            {method: http.MethodDelete, path: "/repos/acme/engine", status: 404},
	} {
		t.Run(name, func(t *testing.T) {
			resp, body := ask(t, sample.New(nil), test.method, test.path, test.header...)
			if resp.StatusCode != test.status || !strings.Contains(body, test.has) || test.hasNot != "" && strings.Contains(body, test.hasNot) {
				t.Errorf("%s: %.300s", resp.Status, body)
			}
			if link := resp.Header.Get("Link"); test.link != "" && cmp.Or(link, "none") != test.link {
				t.Errorf("Link: %s", link)
			}
			if resp.Header.Get("X-RateLimit-Used") != "1" {
				t.Errorf("headers %v", resp.Header)
			}
		})
	}
}

func TestQuota(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := sample.New(nil)
		reset := strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10)
		for n := range 62 { // one more than there are without a token, and the look-up
			path, status, left := "/users/nobody", 404, max(60-n, 0)
			if n == 0 {
				path, status = "/rate_limit", 200
			} else if n == 61 {
				status = 403
			}
			resp, body := ask(t, h, http.MethodGet, path)
			if resp.StatusCode != status || resp.Header.Get("X-RateLimit-Remaining") != strconv.Itoa(left) || resp.Header.Get("X-RateLimit-Reset") != reset {
				t.Fatalf("request %d: %s %v %s", n, resp.Status, resp.Header, body)
			}
		}
		if _, body := ask(t, h, http.MethodGet, "/rate_limit", "Authorization", "Bearer any"); !strings.Contains(body, `"core":{"limit":5000,"remaining":4940,`) {
			t.Error(body)
		}
		time.Sleep(time.Hour)
		if resp, _ := ask(t, h, http.MethodGet, "/user", "Authorization", "Bearer any"); resp.Header.Get("X-RateLimit-Remaining") != "4999" {
			t.Errorf("an hour later: %v", resp.Header)
		}
	})
}

func TestContextEndsAWait(t *testing.T) {
	for name, wait := range map[string]func(context.Context, time.Duration) error{"latency": sample.Sleep, "none": nil} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
				defer cancel()
				if wait == nil {
					cancel()
				}
				if _, err := client(t, sample.New(wait), sample.Token).User(ctx, "hexagon_labs"); !errors.Is(err, rest.ErrInterrupted) {
					t.Errorf("err %v", err)
				}
				r, err := http.NewRequestWithContext(ctx, http.MethodGet, sample.Base+"/user", nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := sample.New(wait).Do(r); !errors.Is(err, ctx.Err()) {
					t.Errorf("err %v, want %v", err, ctx.Err())
				}
				if took := time.Since(began); took > 10*time.Millisecond {
					t.Errorf("ended after %v", took)
				}
			})
		})
	}
}
