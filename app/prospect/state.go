package prospect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"marketingskills/app/codehost"
)

// State is a run, finished or not, as a file: what the command's --resume and
// the page read. It is one JSON object:
//
//	format      "prospects-run"
//	version     1; a reader refuses versions it does not know
//	saved_at    time
//	base        address of the API the run asked
//	query       as in [Query], with purpose, lawful_basis and countries
//	position    address of the listing page to read next; empty: none
//	last_read   address of the one read last; going on reads it once more
//	pages       listing pages read
//	last_page   pages there are, as far as the host said
//	list_end    why the listing ended before its end; empty: it did not
//	duplicates  people the listing showed again
//	people      everyone listed so far, in order: login ("" for an account
//	            that is gone), type, starred_at, page (where listed), and if
//	            considered verdict (kept, filtered, suppressed, failed),
//	            cause, detail, again (a failure to be asked again), and for
//	            those kept the record; waiting people whose profile is there
//	            already have a record, too
//
// It holds no token. People filtered, suppressed or failed are kept by login
// and reason only.
//
// A listing may shift between the end of a run and its going on. Who came in
// front (forks are listed newest first) moves the others to later pages: they
// are listed again, and counted as duplicates; the newcomers themselves are
// not looked for. Who left in front moves the others up, onto pages that were
// read: those who moved onto the last of them are found, because it is read
// once more. If more than a page of people left in front, or the order
// changed (contributors are listed by the number of their contributions),
// others may be missed, as may happen within a run while it is under way;
// whoever needs all of them starts afresh.
type State struct {
	Format     string    `json:"format"`
	Version    int       `json:"version"`
	SavedAt    time.Time `json:"saved_at"`
	Base       string    `json:"base"`
	Query      Query     `json:"query"`
	Position   string    `json:"position,omitempty"`
	LastRead   string    `json:"last_read,omitempty"`
	Pages      int       `json:"pages"`
	LastPage   int       `json:"last_page,omitempty"`
	ListEnd    string    `json:"list_end,omitempty"`
	Duplicates int       `json:"duplicates"`
	People     []Entry   `json:"people"`
}

// Entry is one person of a [State].
type Entry struct {
	Login     string    `json:"login"`
	Type      string    `json:"type,omitempty"`
	URL       string    `json:"html_url,omitempty"`
	StarredAt time.Time `json:"starred_at,omitzero"`
	Page      string    `json:"page"`
	Verdict   Verdict   `json:"verdict,omitempty"`
	Cause     string    `json:"cause,omitempty"`
	Detail    string    `json:"detail,omitempty"`
	Again     bool      `json:"again,omitempty"`
	Record    *Record   `json:"record,omitempty"`
}

const (
	stateFormat  = "prospects-run"
	stateVersion = 1
	maxState     = 256 << 20 // bytes; 40,000 people kept take some 60 MB
)

// Finished tells whether nothing is left to ask for: the target or the limit
// is reached, or everybody was considered and nobody is to be asked again.
func (s *State) Finished() bool { return s.answers(s.Query) }

// answers tells whether the saved run is all there is to a query.
func (s *State) answers(q Query) bool {
	kept, considered, open := 0, 0, s.Pages == 0 || s.Position != ""
	for _, e := range s.People {
		switch {
		case e.Verdict == Waiting || e.Again:
			open = true
			continue
		case e.Verdict == Kept:
			kept++
		}
		considered++
	}
	return !open || q.Target > 0 && kept >= q.Target || q.Limit > 0 && considered >= q.Limit
}

// WriteTo writes the file.
func (s *State) WriteTo(w io.Writer) (int64, error) {
	encoded, err := json.Marshal(s)
	if err != nil {
		return 0, err
	}
	n, err := w.Write(append(encoded, '\n'))
	return int64(n), err
}

// ReadState reads a saved run. The file may come from anywhere: everything in
// it is checked, texts are cleaned as those of a profile are.
func ReadState(r io.Reader) (*State, error) {
	limited := &io.LimitedReader{R: r, N: maxState + 1}
	decoder := json.NewDecoder(limited)
	decoder.DisallowUnknownFields()
	var s State
	var head error
	if err := decoder.Decode(&s); err != nil {
		head = fmt.Errorf("saved run: not a file of this tool, cut off or changed (%.120q); give the file a run was saved to", err.Error())
	} else if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		head = errors.New("saved run: something follows the object; give the file a run was saved to")
	}
	switch {
	case limited.N <= 0:
		return nil, fmt.Errorf("saved run: larger than %d MB", maxState>>20)
	case s.Format == stateFormat && s.Version > stateVersion:
		return nil, fmt.Errorf("saved run: version %d; this tool reads version %d: use a newer one", s.Version, stateVersion)
	case head != nil:
		return nil, head
	case s.Format != stateFormat || s.Version != stateVersion:
		return nil, fmt.Errorf("saved run: format %.40q version %d; give the file a run was saved to", s.Format, s.Version)
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("saved run: %w; the file was changed: start afresh", err)
	}
	return &s, nil
}

func (s *State) check() error {
	s.Query = s.Query.cleaned()
	if err := s.Query.Check(true); err != nil {
		return err
	}
	s.ListEnd = Plain(s.ListEnd)
	if len(s.People) > MaxPeople+codehost.PageSize || s.Pages < 0 || s.Pages > codehost.MaxPages+1 || s.LastPage < 0 || s.LastPage > 1<<20 || s.Duplicates < 0 {
		return errors.New("more people or pages than a listing has")
	}
	seen := map[string]bool{}
	for i := range s.People {
		e := &s.People[i]
		key := strings.ToLower(e.Login)
		if key != "" && seen[key] {
			return fmt.Errorf("person %d is there twice", i+1)
		}
		seen[key] = true
		if err := e.check(s.Query); err != nil {
			return fmt.Errorf("person %d: %w", i+1, err)
		}
	}
	return nil
}

func (e *Entry) check(q Query) error {
	e.Login, e.Type, e.Cause, e.Detail = Plain(e.Login), Plain(e.Type), Plain(e.Cause), Plain(e.Detail)
	e.URL, e.Page = webAddress(e.URL), webAddress(e.Page)
	switch e.Verdict {
	case Waiting, Filtered, Suppressed, Failed:
	case Kept:
		if e.Record == nil {
			return errors.New("kept, but without a record")
		}
	default:
		return fmt.Errorf("verdict %.40q", string(e.Verdict))
	}
	if e.Again && e.Verdict != Failed {
		return errors.New("asked again without a failure")
	}
	if (e.Verdict == Filtered || e.Verdict == Suppressed || e.Verdict == Failed) && (e.Cause == "" || len(e.Cause) > 40) {
		return errors.New("no cause")
	}
	r := e.Record
	if r == nil {
		return nil
	}
	if !strings.EqualFold(r.Login, e.Login) && !codehost.ValidLogin(r.Login) {
		return errors.New("the record is somebody else's")
	}
	for _, text := range []*string{&r.Login, &r.Name, &r.Company, &r.Email, &r.Blog, &r.Location, &r.Bio, &r.TwitterUsername, &r.Type} {
		*text = Plain(*text)
	}
	r.HTMLURL, r.SourceURL = webAddress(r.HTMLURL), webAddress(r.SourceURL)
	r.Source, r.SourceRepo = string(q.Source), q.Repo.String()
	return nil
}
