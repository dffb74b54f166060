package codehost

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Source is a way people relate to a repository.
type Source string

// The sources. Stars and watchers are listed to a repository's admins and
// collaborators only since July 2026; forks and contributors to everyone.
const (
	Stargazers   Source = "stargazers"
	Forks        Source = "forks"
	Watchers     Source = "watchers"
	Contributors Source = "contributors"
)

// Sources are all of them, in the order of the commands.
var Sources = []Source{Stargazers, Forks, Watchers, Contributors}

// segment is the source's name in the API: "watch" is "subscribe" there.
func (s Source) segment() string {
	if s == Watchers {
		return "subscribers"
	}
	return string(s)
}

func (s Source) guarded() bool { return s == Stargazers || s == Watchers }

// Person is an entry of a listing.
type Person struct {
	Login     string    `json:"login"` // empty: the host lists an account that is gone
	Type      string    `json:"type,omitempty"`
	URL       string    `json:"html_url,omitempty"`
	StarredAt time.Time `json:"starred_at,omitzero"` // stargazers only
}

// Page is a page of a listing.
type Page struct {
	Number int    // from 1
	URL    string // where it was read: the lineage of its people
	People []Person
	Last   int  // number of the last page, as far as the host says; else 0
	Again  bool // it was read before: see [Lister.ReadAgain]
}

// Lister walks a listing; each Next is one request. It is not for use by
// several goroutines at once.
type Lister struct {
	c      *Client
	repo   Repo
	source Source
	next   *url.URL // nil: no page after this one
	last   *url.URL // the page read last
	again  bool     // that one is read once more before next
	number int      // pages read
	seen   map[string]bool
	stop   error // why there is no next page although there should be
}

// List starts a listing; nothing is sent before the first Next.
func (c *Client) List(repo Repo, source Source) *Lister {
	first := c.at(repo.path()+"/"+source.segment(), "per_page="+strconv.Itoa(PageSize))
	return &Lister{c: c, repo: repo, source: source, next: first, seen: map[string]bool{}}
}

// Position is where the next page is, and how many have been read: what a
// saved run keeps. It is empty at the end.
func (l *Lister) Position() (address string, pages int) {
	if l.next == nil {
		return "", l.number
	}
	return l.next.String(), l.number
}

// ListFrom goes on at a position kept from an earlier listing of the same
// repository. The position may come from anywhere: it must be a listing of
// this source on this host.
func (c *Client) ListFrom(repo Repo, source Source, position string, pages int) (*Lister, error) {
	l := c.List(repo, source)
	target, err := l.place(position)
	if err == nil && (pages < 0 || pages > MaxPages) {
		err = fmt.Errorf("the saved run stopped after page %d, but there are %d pages at most; start a new run", pages, MaxPages)
	}
	if err != nil {
		return nil, err
	}
	l.next, l.number = target, pages
	return l, nil
}

// place reads the address of a page of this listing.
func (l *Lister) place(address string) (*url.URL, error) {
	c := l.c
	target, ok := c.sameHost(c.base, address)
	if !ok || address == "" || !strings.HasPrefix(target.Path, c.base.Path+"/repo") ||
		!strings.HasSuffix(target.Path, "/"+l.source.segment()) || strings.Contains(target.Path, "/.") {
		return nil, fmt.Errorf("the saved run continues at %q, which is not a page of the %s on %s; start a new run",
			c.clean(address), l.source, c.base.Host)
	}
	return target, nil
}

// LastRead is the address of the page read last; empty: none yet.
func (l *Lister) LastRead() string {
	if l.last == nil {
		return ""
	}
	return l.last.String()
}

// ReadAgain has the next Next read the page that was read last once more, and
// the listing go on from there, unless it has ended. When people in front of a
// page leave a repository, those behind move up: whoever moved onto a page
// that was read before is seen only so. The address is that of
// [Lister.LastRead] and may come from anywhere, as that of [Client.ListFrom].
func (l *Lister) ReadAgain(address string) error {
	target, err := l.place(address)
	if err == nil && l.next != nil && l.number > 0 {
		l.last, l.again = target, true
	}
	return err
}

func (l *Lister) attempt() string {
	text := fmt.Sprintf("list the %s of %s", l.source, l.repo)
	page := l.number + 1
	if l.again {
		page = l.number
	}
	if page > 1 {
		text += fmt.Sprintf(", page %d", page)
	}
	return text
}

// Next reads the next page; io.EOF is the end. After an error it may be
// called again and asks for the same page. A page that reads [ErrListEnd],
// [ErrLoop] or [ErrForeignHost] instead has no successor.
func (l *Lister) Next(ctx context.Context) (Page, error) {
	if l.next == nil {
		if l.stop != nil {
			return Page{}, l.stop
		}
		return Page{}, io.EOF
	}
	accept := mediaJSON
	if l.source == Stargazers {
		accept = mediaStars
	}
	attempt, target := l.attempt(), l.next
	if l.again {
		target = l.last
	}
	ans, err := l.c.get(ctx, request{attempt: attempt, target: target, accept: accept, limit: maxListBody})
	if err != nil {
		return Page{}, err
	}
	switch {
	case ans.status == http.StatusUnprocessableEntity && l.number > 0:
		l.stop = l.c.fail(ErrListEnd, attempt, ans.status, ans.message,
			fmt.Sprintf("GitHub lists %d pages of %d people at most; the people after them are not available", MaxPages, PageSize))
		l.next = nil
		return Page{}, l.stop
	case ans.status == http.StatusNoContent: // a repository without commits
		ans.body = []byte("[]")
	case ans.status != http.StatusOK:
		var err error = l.c.refused(attempt, ans)
		if l.source.guarded() {
			err = l.c.explain(ctx, l.repo, l.source, attempt, err)
		}
		return Page{}, err
	}
	people, err := parsePeople(ans.body, l.source)
	if err != nil {
		return Page{}, l.c.malformed(attempt, ans.status, err.Error())
	}
	if len(people) == 0 && (l.number == 0 || l.again) && l.source.guarded() {
		if err := l.c.explain(ctx, l.repo, l.source, attempt, nil); err != nil {
			return Page{}, err
		}
	}
	if !l.again {
		l.number++
	}
	page := Page{Number: l.number, URL: ans.url.String(), People: people, Again: l.again}
	l.last, l.again = target, false
	l.advance(ans, &page)
	return page, nil
}

// advance finds the page after this one: rel="next" exactly as given, on the
// same host, never a page that was read before.
func (l *Lister) advance(ans *answer, page *Page) {
	l.seen[l.last.String()], l.seen[page.URL] = true, true
	links := Links(strings.Join(ans.header.Values("Link"), ", "))
	if last, err := url.Parse(links["last"]); err == nil {
		if n, err := strconv.Atoi(last.Query().Get("page")); err == nil && n >= page.Number && n <= 1<<20 {
			page.Last = n
		}
	}
	l.next = nil
	given, more := links["next"]
	if !more {
		page.Last = page.Number
		return
	}
	target, ok := l.c.sameHost(ans.url, given)
	switch {
	case !ok:
		l.stop = l.c.foreign(l.attempt(), 0, given)
	case l.seen[target.String()] || l.number > MaxPages:
		l.stop = l.c.fail(ErrLoop, l.attempt(), 0, given, "results so far are kept; report it to GitHub support")
	default:
		l.next = target
	}
}

// parsePeople reads the forms of entry: a user, a star with its time, a
// fork with its owner. A user can be null.
func parsePeople(body []byte, source Source) ([]Person, error) {
	type account struct {
		Login   string `json:"login"`
		Type    string `json:"type"`
		HTMLURL string `json:"html_url"`
	}
	var entries []*struct {
		account
		StarredAt json.RawMessage `json:"starred_at"`
		User      *account        `json:"user"`
		Owner     *account        `json:"owner"`
	}
	if err := json.Unmarshal(body, &entries); err != nil {
		return nil, err
	}
	people := make([]Person, 0, len(entries))
	for _, e := range entries {
		var p Person
		if e != nil {
			who := &e.account
			if source == Forks {
				who = e.Owner
			} else if e.User != nil || len(e.StarredAt) > 0 {
				who = e.User
			}
			if who != nil {
				p = Person{Login: who.Login, Type: who.Type, URL: who.HTMLURL}
			}
			// a time that is none is no reason to lose the person
			_ = json.Unmarshal(e.StarredAt, &p.StarredAt)
		}
		people = append(people, p)
	}
	return people, nil
}
