package codehost_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/rest"
	"marketingskills/app/text"
)

// liar is a host that answers every request with the same headers, true or
// not.
type liar struct {
	status  int
	header  http.Header
	body    string
	asked   int
	foreign int // requests to other hosts
}

func (l *liar) Do(r *http.Request) (*http.Response, error) {
	l.asked++
	if r.URL.Scheme+"://"+r.URL.Host != fakehost.Base {
		l.foreign++
	}
	length, _ := strconv.ParseInt(l.header.Get("Content-Length"), 10, 64)
	return &http.Response{StatusCode: l.status, Header: l.header, Body: io.NopCloser(strings.NewReader(l.body)), ContentLength: length, Request: r}, nil
}

// checkLies asks a host for two pages, a profile and the quota, and checks what
// no header may bring a client to: ask others, ask without end, wait without
// end, or believe what cannot be written into a file.
func checkLies(t *testing.T, l *liar) {
	t.Helper()
	const mostRequests = 16 // of one call: tries, pauses and redirects
	config := codehost.Config{Base: fakehost.Base, Token: rest.NewSecret(fakehost.Token), Doer: l}
	c, err := codehost.New(config)
	if err != nil {
		t.Fatal(err)
	}
	law := func(what string, err error, started time.Time, asked int) {
		t.Helper()
		if asked = l.asked - asked; asked > mostRequests {
			t.Errorf("%s: %d requests", what, asked)
		}
		if took := time.Since(started); took > mostRequests*2*time.Minute {
			t.Errorf("%s: took %v", what, took)
		}
		if at, limit := codehost.RetryAt(err); limit && (at.Before(started) || at.After(time.Now().Add(25*time.Hour))) {
			t.Errorf("%s: resume at %v", what, at)
		}
		quota := c.Quota()
		if _, err := json.Marshal(quota); err != nil || quota.Known && quota.Reset.After(time.Now().Add(25*time.Hour)) {
			t.Errorf("%s: the quota resets at %v, %v", what, quota.Reset, err)
		}
		if quota.Limit < 0 || quota.Remaining < 0 {
			t.Errorf("%s: a negative quota, %+v", what, quota)
		}
		if least := c.LeastTime(100); least < 0 {
			t.Errorf("%s: a negative time left, %v", what, least)
		}
		noToken(t, err)
	}
	l.body = `[{"login":"a","owner":{"login":"a"}}]`
	list := start(c, repo, codehost.Forks)
	for range 2 {
		started, asked := time.Now(), l.asked
		page, err := list.Next(t.Context())
		law("page", err, started, asked)
		if page.LastPage > codehost.MaxPages {
			t.Errorf("the last page is %d", page.LastPage)
		}
		if page.Next != "" && page.Next == page.URL {
			t.Errorf("after %s it comes again", page.URL)
		}
		if page.Next != "" && !strings.HasPrefix(page.Next, fakehost.Base+"/") {
			t.Errorf("the next page is %s", page.Next)
		}
	}
	l.body = `{"login":"a","created_at":"2015-04-01T10:00:00Z"}`
	started, asked := time.Now(), l.asked
	_, err = c.User(t.Context(), "a")
	law("profile", err, started, asked)
	l.body = `{"rate":{"limit":60,"remaining":9,"reset":` + strconv.Itoa(1<<53) + `}}`
	started, asked = time.Now(), l.asked
	_, err = c.RateLimit(t.Context())
	law("quota", err, started, asked)
	if l.foreign > 0 {
		t.Errorf("%d requests to other hosts", l.foreign)
	}
}

func TestHostThatLiesInItsHeaders(t *testing.T) {
	const century = "3155760000"
	next := func(address string) []string {
		return []string{"<" + address + `>; rel="next", </x?page=99999999>; rel="last"`}
	}
	for name, l := range map[string]*liar{
		"reset far away":          {status: 200, header: http.Header{"X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Limit": {"60"}, "X-Ratelimit-Reset": {"999999999999"}}},
		"reset for ever":          {status: 403, header: http.Header{"X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Reset": {"9223372036854775807"}}},
		"reset before 1970":       {status: 429, header: http.Header{"X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Reset": {"-1"}}},
		"negative numbers":        {status: 200, header: http.Header{"X-Ratelimit-Remaining": {"-5"}, "X-Ratelimit-Limit": {"-5"}, "X-Ratelimit-Reset": {"-5"}}},
		"date of year 1":          {status: 200, header: http.Header{"Date": {"Mon, 01 Jan 0001 00:00:00 GMT"}, "X-Ratelimit-Remaining": {"1"}, "X-Ratelimit-Reset": {"999999999999"}}},
		"date of year 9999":       {status: 200, header: http.Header{"Date": {"Fri, 31 Dec 9999 23:59:59 GMT"}, "X-Ratelimit-Remaining": {"1"}, "X-Ratelimit-Reset": {"1"}}},
		"retry after a century":   {status: 429, header: http.Header{"Retry-After": {century}}},
		"retry in year 9999":      {status: 403, header: http.Header{"Retry-After": {"Fri, 31 Dec 9999 23:59:59 GMT"}}},
		"retry in the past":       {status: 403, header: http.Header{"Retry-After": {"Mon, 01 Jan 0001 00:00:00 GMT"}}},
		"retry, negative":         {status: 429, header: http.Header{"Retry-After": {"-30"}}},
		"retry and server error":  {status: 503, header: http.Header{"Retry-After": {century}}},
		"link to itself":          {status: 200, header: http.Header{"Link": next("/repos/octo/tool/forks?per_page=100")}},
		"link elsewhere":          {status: 200, header: http.Header{"Link": next("https://evil.example/repos/octo/tool/forks?page=2")}},
		"link with a password":    {status: 200, header: http.Header{"Link": next("https://a:b@api.codehost.test/repos/octo/tool/forks?page=2")}},
		"link to plain http":      {status: 200, header: http.Header{"Link": next("http://api.codehost.test/repos/octo/tool/forks?page=2")}},
		"link without a scheme":   {status: 200, header: http.Header{"Link": next("//evil.example/repos/octo/tool/forks?page=2")}},
		"redirect to itself":      {status: 302, header: http.Header{"Location": {"?again"}}},
		"redirect elsewhere":      {status: 307, header: http.Header{"Location": {"//evil.example/"}}},
		"redirect nowhere":        {status: 301, header: http.Header{}},
		"length of nothing":       {status: 200, header: http.Header{"Content-Length": {"0"}}},
		"length beyond all":       {status: 200, header: http.Header{"Content-Length": {"9223372036854775807"}}},
		"a length that is no one": {status: 200, header: http.Header{"Content-Length": {"-7"}}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { checkLies(t, l) })
		})
	}
	synctest.Test(t, func(t *testing.T) {
		l := &liar{status: 200, body: `{"login":"a"}`, header: http.Header{"X-Ratelimit-Remaining": {"3"}, "X-Ratelimit-Reset": {"-1"}, "Content-Length": {"1"}}}
		if u, err := client(t, nil, func(c *codehost.Config) { c.Doer = l }).User(t.Context(), "a"); err != nil || u.Login != "a" {
			t.Errorf("lies that do no harm: %v", err)
		}
	})
}

// TestPageOfACrowd: a page is as long as it was asked for, or not much longer;
// one that is refused is not split into people before.
func TestPageOfACrowd(t *testing.T) {
	page := func(n int) *liar {
		return &liar{status: 200, header: http.Header{}, body: "[" + strings.TrimSuffix(strings.Repeat("null,", n), ",") + "]"}
	}
	for _, n := range []int{0, 1, 100, 1000} {
		got, err := start(client(t, nil, func(c *codehost.Config) { c.Doer = page(n) }), repo, codehost.Forks).Next(t.Context())
		if err != nil || len(got.People) != n {
			t.Errorf("a page of %d: %d, %v", n, len(got.People), err)
		}
	}
	for _, n := range []int{1001, 3_300_000} {
		c := client(t, nil, func(c *codehost.Config) { c.Doer = page(n) })
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := start(c, repo, codehost.Forks).Next(t.Context())
		runtime.ReadMemStats(&after)
		if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; err == nil || taken > 200 {
			t.Errorf("a page of %d: %d MiB taken, %v", n, taken, err)
		} else if want := fmt.Sprintf("it lists %s accounts, where at most 100 were asked for", text.Number(n)); !strings.Contains(err.Error(), want) {
			t.Errorf("a page of %d: %v, want %s", n, err, want)
		}
	}
}

func FuzzHostThatLiesInItsHeaders(f *testing.F) {
	f.Add(uint16(403), "0", "60", "999999999999", "3155760000", "Fri, 31 Dec 9999 23:59:59 GMT", `</x>; rel="next"`, "?again", "-1")
	f.Add(uint16(200), "5", "-1", "-1", "", "", `<https://evil.example/>; rel=next`, "//evil.example", "99999999999999")
	f.Fuzz(func(t *testing.T, status uint16, remaining, limit, reset, retry, date, link, location, length string) {
		header := http.Header{}
		for name, value := range map[string]string{"X-RateLimit-Remaining": remaining, "X-RateLimit-Limit": limit, "X-RateLimit-Reset": reset,
			"Retry-After": retry, "Date": date, "Link": link, "Location": location, "Content-Length": length} {
			if value != "" {
				header.Set(name, value)
			}
		}
		statuses := []int{200, 204, 301, 302, 304, 401, 403, 404, 422, 429, 451, 500, 502, 503}
		l := &liar{status: statuses[int(status)%len(statuses)], header: header}
		synctest.Test(t, func(t *testing.T) { checkLies(t, l) })
	})
}
