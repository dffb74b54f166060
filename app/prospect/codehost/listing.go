package codehost

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"marketingskills/app/text"
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

// Position is where a listing stands, in the fields of a saved run; the zero
// value is its beginning.
type Position struct {
	Next     string `json:"position,omitempty"`  // address of the page to read next; empty: none
	LastRead string `json:"last_read,omitempty"` // address of the page read last
	Pages    int    `json:"pages"`               // pages read
	LastPage int    `json:"last_page,omitempty"` // pages there are, as far as the host says
}

// Listing is a list of people around a repository, and how far it was read. It
// is a value: [Client.Page] leaves it as it is, and its page has the next one.
type Listing struct {
	Position
	// Again has the page that was read last read once more before the next:
	// when people in front of a page leave a repository, those behind move up,
	// and whoever moved onto a page that was read before is seen only so.
	Again  bool
	repo   Repo
	source Source
	read   map[string]bool // addresses of pages
}

// Page is a page of a listing.
type Page struct {
	Listing        // after this page
	URL     string // where it was read: the source of its people
	People  []Person
	End     error // why there is no next page although there should be: [ErrLoop] or [ErrForeignHost]
}

// List is a listing at its beginning.
func List(repo Repo, source Source) Listing {
	return Listing{repo: repo, source: source, read: map[string]bool{}}
}

// ListFrom continues an earlier listing of the same repository, with the page
// that was read last. The position may come from anywhere: its addresses must
// be of this listing on this host.
func (c *Client) ListFrom(repo Repo, source Source, from Position) (Listing, error) {
	l := List(repo, source)
	l.Position, l.Again = from, from.LastRead != "" && from.Pages > 0
	if from.Pages < 0 || from.Pages > MaxPages {
		return l, fmt.Errorf("the saved run stopped after page %d, but there are %d pages at most; start a new run", from.Pages, MaxPages)
	}
	for _, address := range []string{from.Next, cmp.Or(from.LastRead, from.Next)} {
		target, ok := c.service.Resolve(c.service.Base(), address)
		if !ok || address == "" || !strings.HasPrefix(target.Path, c.service.Base().Path+"/repo") ||
			!strings.HasSuffix(target.Path, "/"+source.segment()) || strings.Contains(target.Path, "/.") {
			return l, fmt.Errorf("the saved run continues at %q, which is not a page of the %s on %s; start a new run",
				c.service.Clean(address), source, c.service.Base().Host)
		}
	}
	return l, nil
}

func (l Listing) attempt() string {
	text := fmt.Sprintf("list the %s of %s", l.source, l.repo)
	page := l.Pages + 1
	if l.Again {
		page = l.Pages
	}
	if page > 1 {
		text += fmt.Sprintf(", page %d", page)
	}
	return text
}

// Page reads a listing's next page: one request. io.EOF is the end. After
// another error the same page may be asked for again, but after [ErrListEnd].
func (c *Client) Page(ctx context.Context, l Listing) (Page, error) {
	address, accept, attempt := l.Next, mediaJSON, l.attempt()
	switch {
	case l.Again:
		address = l.LastRead
	case l.Pages == 0 && address == "":
		address = c.service.At(l.repo.path()+"/"+l.source.segment(), "per_page="+strconv.Itoa(PageSize)).String()
	case address == "":
		return Page{}, io.EOF
	}
	if l.source == Stargazers {
		accept = mediaStars
	}
	target, ok := c.service.Resolve(c.service.Base(), address)
	if !ok {
		return Page{}, c.foreign(attempt, 0, address)
	}
	got, err := c.get(ctx, request{attempt: attempt, target: target, accept: accept, most: maxListBody})
	if err != nil {
		return Page{}, err
	}
	switch {
	case got.Status == http.StatusUnprocessableEntity && l.Pages > 0:
		return Page{}, c.fail(ErrListEnd, attempt, got.Status, got.message)
	case got.Status == http.StatusNoContent: // a repository without commits
		got.Body = []byte("[]")
	case got.Status != http.StatusOK:
		var err error = c.refused(attempt, got)
		if l.source.guarded() {
			err = c.explain(ctx, l.repo, l.source, attempt, err)
		}
		return Page{}, err
	}
	people, err := parsePeople(got.Body, l.source)
	if err != nil {
		return Page{}, c.malformed(attempt, got.Status, err.Error())
	}
	if len(people) == 0 && (l.Pages == 0 || l.Again) && l.source.guarded() {
		if err := c.explain(ctx, l.repo, l.source, attempt, nil); err != nil {
			return Page{}, err
		}
	}
	page := Page{Listing: l, URL: got.URL.String(), People: people}
	if !l.Again {
		page.Pages++
	}
	page.Again = false
	page.LastRead = address
	page.read = maps.Clone(l.read)
	page.read[address], page.read[page.URL] = true, true
	page.End = c.advance(&page.Listing, got)
	return page, nil
}

// advance finds the page after this one: rel="next" exactly as given, on the
// same host, never a page that was read before.
func (c *Client) advance(l *Listing, got *response) error {
	l.Next, l.LastPage = "", l.Pages
	targets := links(strings.Join(got.Header.Values("Link"), ", "))
	given, more := targets["next"]
	if !more {
		return nil
	}
	if last, err := url.Parse(targets["last"]); err == nil {
		if n, err := strconv.Atoi(last.Query().Get("page")); err == nil {
			l.LastPage = max(min(n, MaxPages), l.Pages)
		}
	}
	target, ok := c.service.Resolve(got.URL, given)
	switch {
	case !ok:
		return c.foreign(l.attempt(), 0, given)
	case l.read[target.String()] || l.Pages > MaxPages:
		return c.fail(ErrLoop, l.attempt(), 0, given)
	}
	l.Next = target.String()
	return nil
}

// mostPeople is far more than a page is asked for.
const mostPeople = 10 * PageSize

// parsePeople reads the forms of entry: a user, a star with its time, a
// fork with its owner. A user can be null.
func parsePeople(body []byte, source Source) ([]Person, error) {
	var counted []struct{} // which takes no memory, however many there are
	if err := json.Unmarshal(body, &counted); err != nil {
		return nil, err
	}
	if len(counted) > mostPeople {
		return nil, fmt.Errorf("it lists %s, where at most %d were asked for", text.Count(len(counted), "account"), PageSize)
	}
	var entries []*struct {
		Person
		StarredAt json.RawMessage `json:"starred_at"`
		User      *Person         `json:"user"`
		Owner     *Person         `json:"owner"`
	}
	if err := json.Unmarshal(body, &entries); err != nil {
		return nil, err
	}
	people := make([]Person, len(entries))
	for i, e := range entries {
		if e == nil {
			continue
		}
		who := &e.Person
		if source == Forks {
			who = e.Owner
		} else if e.User != nil || len(e.StarredAt) > 0 {
			who = e.User
		}
		if who != nil {
			people[i] = *who
		}
		people[i].StarredAt = parseTime(e.StarredAt)
	}
	return people, nil
}

// parseTime reads a time; what is not a time counts as unknown, because it is
// no reason to lose a person.
func parseTime(from json.RawMessage) (at time.Time) {
	if json.Unmarshal(from, &at) != nil {
		return time.Time{}
	}
	return at
}
