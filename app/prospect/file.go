package prospect

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"marketingskills/app/prospect/codehost"
	"marketingskills/app/text"
)

const (
	stateFormat  = "prospects-run"
	stateVersion = 1
	maxState     = 256 << 20                     // bytes; 40,000 matches take some 60 MB
	mostPeople   = MaxPeople + codehost.PageSize // a page may have been read again

	// chunk is what is read or written at once: a few milliseconds of work in
	// a browser, and a fair piece of a file.
	chunk = 32 << 10
)

// Write writes the file while it encodes it, in pieces of 32 KB: a writer
// that lets a browser draw is called every few milliseconds.
func (s *State) Write(to io.Writer) error {
	w := bufio.NewWriterSize(to, chunk)
	head := *s
	head.People = []Entry{}
	encoded, err := json.Marshal(head)
	if err != nil {
		return err
	}
	w.Write(bytes.TrimSuffix(encoded, []byte("]}"))) // an error stays until the end
	for i := range s.People {
		if i > 0 {
			w.WriteByte(',')
		}
		encoded, err := json.Marshal(&s.People[i])
		if err != nil {
			return err
		}
		w.Write(encoded)
	}
	w.WriteString("]}\n")
	return w.Flush()
}

// ReadState reads a saved run. The file may come from anywhere: everything in
// it is checked, texts are cleaned as those of a profile are. That is done
// while it is read, in pieces of 32 KB, so that a reader that waits between
// two lets a browser draw.
func ReadState(r io.Reader) (*State, error) {
	limited := &io.LimitedReader{R: r, N: maxState + 1}
	f := &stateReader{Decoder: json.NewDecoder(bufio.NewReaderSize(limited, chunk)), seen: map[string]bool{}, texts: sharedTexts{}}
	f.DisallowUnknownFields()
	err := f.object()
	s := &f.state
	switch {
	case limited.N <= 0:
		return nil, fmt.Errorf("this is not a saved run: it is larger than %d MB; choose the .run.json file of a saved run", maxState>>20)
	case s.Format == stateFormat && s.Version > stateVersion:
		return nil, fmt.Errorf("this run was saved by a newer version (%d, this tool reads %d); update this tool", s.Version, stateVersion)
	case err != nil:
		return nil, fmt.Errorf("this is not a saved run, or the file is damaged (%.120q); choose the .run.json file of a saved run", err.Error())
	case s.Format != stateFormat || s.Version != stateVersion:
		return nil, fmt.Errorf("this is not a saved run (format %.40q, version %d); choose the .run.json file of a saved run",
			s.Format, s.Version)
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("this saved run is damaged (%w); start a new run", err)
	}
	return s, nil
}

type stateReader struct {
	*json.Decoder
	state   State
	seen    map[string]bool // the logins, in lower case
	texts   sharedTexts
	invalid error // what is wrong with the first person that is not valid
}

// object reads the file up to the first value that a saved run does not have.
func (f *stateReader) object() error {
	if opening, err := f.Token(); err != nil || opening != json.Delim('{') {
		return cmp.Or(err, errors.New("not a JSON object"))
	}
	s := &f.state
	fields := map[string]any{"format": &s.Format, "version": &s.Version, "saved_at": &s.SavedAt, "base": &s.Base, "query": &s.Query,
		"position": &s.Next, "last_read": &s.LastRead, "pages": &s.Pages, "last_page": &s.LastPage, "list_end": &s.ListEnd,
		"duplicates": &s.Duplicates, "people": &s.People}
	for f.More() {
		token, err := f.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		into, known := fields[key]
		switch {
		case !known:
			return fmt.Errorf("json: unknown field %q", key)
		case into == nil:
			return fmt.Errorf("%s is repeated", key)
		case key == "people":
			err = f.people()
		default:
			err = f.Decode(into)
		}
		if err != nil {
			return err
		}
		fields[key] = nil
	}
	if _, err := f.Token(); err != nil {
		return err
	}
	if _, err := f.Token(); !errors.Is(err, io.EOF) {
		return cmp.Or(err, errors.New("there is more after the end"))
	}
	return nil
}

func (f *stateReader) people() error {
	opening, err := f.Token()
	if err != nil || opening == nil {
		return err
	}
	if opening != json.Delim('[') {
		return errors.New("people is not a list")
	}
	for f.More() {
		if err := f.person(); err != nil {
			return err
		}
	}
	_, err = f.Token()
	return err
}

func (f *stateReader) person() error {
	s := &f.state
	s.People = append(s.People, Entry{})
	number := len(s.People)
	e := &s.People[number-1]
	if err := f.Decode(e); err != nil {
		return err
	}
	err := e.check()
	login := strings.ToLower(e.Login)
	switch {
	case number > mostPeople:
		return errors.New("more people than a listing has")
	case f.invalid != nil:
	case login != "" && f.seen[login]:
		f.invalid = fmt.Errorf("person %d is repeated", number)
	case err != nil:
		f.invalid = fmt.Errorf("person %d: %w", number, err)
	}
	f.seen[login] = true
	e.compact(f.texts)
	return nil
}

// check checks what depends on several values.
func (f *stateReader) check() error {
	s := &f.state
	s.Query = s.Query.Cleaned()
	if err := s.Query.Check(true); err != nil {
		return err
	}
	s.ListEnd = text.Plain(s.ListEnd)
	if s.Pages < 0 || s.Pages > codehost.MaxPages+1 || s.LastPage < 0 || s.LastPage > 1<<20 || s.Duplicates < 0 {
		return errors.New("more pages than a listing has")
	}
	if f.invalid != nil {
		return f.invalid
	}
	source, repo := string(s.Query.Source), s.Query.Repo.String()
	for i := range s.People {
		if r := s.People[i].Record; r != nil {
			r.Source, r.SourceRepo = source, repo
		}
	}
	return nil
}

// check cleans a person and tells what cannot be.
func (e *Entry) check() error {
	e.Person, e.Page, e.Cause, e.Detail = cleanPerson(e.Person), webAddress(e.Page), text.Plain(e.Cause), text.Plain(e.Detail)
	switch e.Verdict {
	case Waiting:
	case Filtered, Suppressed, Failed:
		if e.Cause == "" || len(e.Cause) > 40 {
			return errors.New("no cause")
		}
	case Matched:
		if e.Record == nil {
			return errors.New("a match without a record")
		}
	default:
		return fmt.Errorf("verdict %.40q", string(e.Verdict))
	}
	if e.Again && e.Verdict != Failed {
		return errors.New("a retry without a failure")
	}
	r := e.Record
	if r == nil {
		return nil
	}
	if !strings.EqualFold(r.Login, e.Login) && !codehost.ValidLogin(r.Login) {
		return errors.New("the record belongs to somebody else")
	}
	r.User, r.SourceURL = cleanUser(r.User), webAddress(r.SourceURL)
	r.StarredAt, r.FetchedAt = utc(r.StarredAt), utc(r.FetchedAt)
	r.Verification = cleanVerification(r.Verification)
	return nil
}
