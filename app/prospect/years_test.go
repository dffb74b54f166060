package prospect_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/export"
	"marketingskills/app/prospect/fakehost"
)

// changed is a host whose answers differ from the fake one's in a few words.
type changed struct {
	*fakehost.Host
	words  *strings.Replacer
	header func(http.Header)
}

func (c changed) Do(r *http.Request) (*http.Response, error) {
	resp, err := c.Host.Do(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	resp.Body = io.NopCloser(strings.NewReader(c.words.Replace(string(body))))
	if c.header != nil {
		c.header(resp.Header)
	}
	return resp, err
}

// RFC 3339 has no years above 9999, and files cannot hold them. Whatever times
// a host names, people are found, saved, read back and exported.
func TestYearsThatFilesCannotHold(t *testing.T) {
	for _, when := range []string{"9999-12-31T23:59:59-23:00", "0000-01-01T00:00:00+23:00", "10000-01-01T00:00:00Z", "soon", "0001-01-01T00:00:00Z"} {
		synctest.Test(t, func(t *testing.T) {
			h := &fakehost.Host{People: fakehost.Crowd(30), Quota: 21}
			words := strings.NewReplacer("2015-04-01T10:00:00Z", when, "2026-01-01T03:00:00Z", when)
			far := func(h http.Header) { h.Set("X-RateLimit-Reset", "999999999999") }
			j := job(t, client(t, h, func(c *codehost.Config) { c.Doer = changed{h, words, far} }), prospect.Query{Enrich: true}, prospect.Options{})
			var c collect
			report, err := j.Run(t.Context(), c.each)
			c.lawful(t, report)
			if report.Counts.Matches != 20 || report.Counts.Failed > 0 || err == nil || report.Stop.RetryAt.Year() > 9999 {
				t.Errorf("%s: %v, %+v, %v", when, report.Counts, report.Stop, err)
			}
			if s := saved(t, j); len(s.People) != 30 {
				t.Errorf("%s: %d people saved", when, len(s.People))
			}
			var b bytes.Buffer
			for _, name := range []string{"json", "csv"} {
				f, _ := export.Named(name)
				w := export.New(&b, report.Query, f)
				for _, o := range c.outcomes {
					if o.Record == nil {
						continue
					}
					if err := w.Write(*o.Record); err != nil {
						t.Errorf("%s: %v", when, err)
					}
				}
				if err := w.Close(report); err != nil {
					t.Errorf("%s: %v", when, err)
				}
			}
			if strings.Contains(b.String(), "10000-") || strings.Contains(b.String(), "-0001-") {
				t.Errorf("%s is in the export", when)
			}
		})
	}
}

// The same times in a saved run, and in the settings.
func TestYearsThatSavedRunsCannotHold(t *testing.T) {
	const late = `"9999-12-31T23:59:59-23:00"`
	text := strings.NewReplacer(`"starred_at":"2026-11-20T09:00:00Z"`, `"starred_at":`+late, `"created_at":"2026-11-20T09:00:00Z"`, `"created_at":`+late,
		`"fetched_at":"2026-11-20T09:00:00Z"`, `"fetched_at":`+late).Replace(file(t, large(3)))
	s, err := prospect.ReadState(strings.NewReader(text))
	if err != nil || !strings.Contains(text, late) {
		t.Fatal(err)
	}
	if err := s.Write(io.Discard); err != nil {
		t.Error(err)
	}
	for _, e := range s.People {
		for _, at := range []time.Time{e.StarredAt, e.Record.StarredAt, e.Record.CreatedAt, e.Record.FetchedAt} {
			if !at.IsZero() {
				t.Errorf("of %s, %v was believed", e.Login, at)
			}
		}
	}
	late10000 := time.Date(9999, 12, 31, 23, 59, 59, 0, time.FixedZone("", -23*3600))
	if err := (prospect.Query{Source: codehost.Stargazers, Repo: repo, StarredSince: late10000}).Check(true); err == nil {
		t.Error("a date of the year 10000 was taken")
	}
}
