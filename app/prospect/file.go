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

// WriteTo writes the file while it encodes it, in pieces of 32 KB: a writer
// that lets a browser draw is called every few milliseconds.
func (s *State) WriteTo(w io.Writer) (int64, error) {
	to := &counter{w: w}
	buffer := bufio.NewWriterSize(to, chunk)
	err := s.write(buffer)
	if err == nil {
		err = buffer.Flush()
	}
	return to.n, err
}

func (s *State) write(w *bufio.Writer) error {
	head := *s
	head.People = []Entry{}
	encoded, err := json.Marshal(head)
	if err != nil {
		return err
	}
	w.Write(bytes.TrimSuffix(encoded, []byte("]}"))) // an error stays until the end
	var person bytes.Buffer
	encoder := json.NewEncoder(&person)
	for i := range s.People {
		if i > 0 {
			w.WriteByte(',')
		}
		person.Reset()
		if err := encoder.Encode(&s.People[i]); err != nil {
			return err
		}
		person.Truncate(person.Len() - 1) // the encoder's line break
		if _, err := w.Write(person.Bytes()); err != nil {
			return err
		}
	}
	_, err = w.WriteString("]}\n")
	return err
}

// counter counts what was written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// ReadState reads a saved run. The file may come from anywhere: everything in
// it is checked, texts are cleaned as those of a profile are. That is done
// while it is read, in pieces of 32 KB, so that a reader that waits between
// two lets a browser draw.
func ReadState(r io.Reader) (*State, error) {
	limited := &io.LimitedReader{R: r, N: maxState + 1}
	f := &stateFile{Decoder: json.NewDecoder(bufio.NewReaderSize(limited, chunk)), seen: map[string]bool{}, strings: interner{}}
	f.DisallowUnknownFields()
	err := f.read()
	s := &f.state
	switch {
	case limited.N <= 0:
		return nil, fmt.Errorf("this is not a saved run: it is larger than %d MB; choose the .run.json file of a saved run", maxState>>20)
	case s.Format == stateFormat && s.Version > stateVersion:
		return nil, fmt.Errorf("this run was saved by a newer version (%d, this tool reads %d); update this tool", s.Version, stateVersion)
	case errors.Is(err, errFollowed):
		return nil, fmt.Errorf("this is not a saved run (%w); choose the .run.json file of a saved run", err)
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

// stateFile reads a state value by value.
type stateFile struct {
	*json.Decoder
	state   State
	people  int             // in the file; those of the state until something is wrong
	seen    map[string]bool // their logins, in small letters
	strings interner
	// The first value that is well-formed and not of the format, and the first
	// person that is not valid: reading goes on, to find the version behind.
	unexpected, invalid error
}

var errFollowed = errors.New("there is more after the end")

// read reads the object.
func (f *stateFile) read() error {
	if err := f.object(); err != nil || f.unexpected != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return cmp.Or(f.unexpected, err)
	}
	if _, err := f.Token(); !errors.Is(err, io.EOF) {
		return errFollowed
	}
	return nil
}

// object fails where the file is not well-formed.
func (f *stateFile) object() error {
	if opening, err := f.Token(); err != nil || opening != json.Delim('{') {
		return cmp.Or(err, errors.New("not a JSON object"))
	}
	s := &f.state
	fields := map[string]func() error{
		"format": f.value(&s.Format), "version": f.value(&s.Version), "saved_at": f.value(&s.SavedAt), "base": f.value(&s.Base),
		"query": f.value(&s.Query), "position": f.value(&s.Next), "last_read": f.value(&s.LastRead), "pages": f.value(&s.Pages),
		"last_page": f.value(&s.LastPage), "list_end": f.value(&s.ListEnd), "duplicates": f.value(&s.Duplicates), "people": f.list,
	}
	for f.More() {
		token, err := f.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		read, known := fields[key]
		switch {
		case !known:
			f.noteUnexpected(fmt.Errorf("json: unknown field %q", key))
			read = f.skip
		case read == nil:
			f.noteUnexpected(fmt.Errorf("%s is repeated", key))
			read = f.skip
		default:
			fields[key] = nil
		}
		if err := read(); err != nil {
			return err
		}
	}
	_, err := f.Token()
	return err
}

func (f *stateFile) noteUnexpected(err error) { f.unexpected = cmp.Or(f.unexpected, err) }

// value reads a value. That it fails is an end only if the file is not
// well-formed, which what is read next will find, too.
func (f *stateFile) value(into any) func() error {
	return func() error {
		if err := f.Decode(into); err != nil {
			f.noteUnexpected(err)
		}
		return nil
	}
}

func (f *stateFile) skip() error {
	var ignored json.RawMessage
	return f.Decode(&ignored)
}

// list reads the people.
func (f *stateFile) list() error {
	token, err := f.Token()
	if err != nil || token == nil {
		return err
	}
	opening, nested := token.(json.Delim)
	if opening != '[' {
		f.noteUnexpected(errors.New("people is not a list"))
	}
	for nested && f.More() {
		if opening == '{' {
			if _, err := f.Token(); err != nil { // a key
				return err
			}
		}
		if err := f.person(); err != nil {
			return err
		}
	}
	if nested {
		_, err = f.Token()
	}
	return err
}

// person reads one of the people.
func (f *stateFile) person() error {
	s := &f.state
	f.people++
	if f.unexpected != nil || f.invalid != nil || f.people > mostPeople {
		return f.skip()
	}
	s.People = append(s.People, Entry{})
	e := &s.People[len(s.People)-1]
	if err := f.Decode(e); err != nil {
		f.noteUnexpected(err)
		return nil
	}
	err := e.check()
	login := strings.ToLower(e.Login)
	switch {
	case login != "" && f.seen[login]:
		f.invalid = fmt.Errorf("person %d is repeated", f.people)
	case err != nil:
		f.invalid = fmt.Errorf("person %d: %w", f.people, err)
	}
	f.seen[login] = true
	f.strings.entry(e)
	return nil
}

// check is what can be told at the end only.
func (f *stateFile) check() error {
	s := &f.state
	s.Query = s.Query.cleaned()
	if err := s.Query.Check(true); err != nil {
		return err
	}
	s.ListEnd = text.Plain(s.ListEnd)
	if f.people > mostPeople || s.Pages < 0 || s.Pages > codehost.MaxPages+1 || s.LastPage < 0 || s.LastPage > 1<<20 || s.Duplicates < 0 {
		return errors.New("more people or pages than a listing has")
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
	e.Login, e.Type, e.Cause, e.Detail = text.Plain(e.Login), text.Plain(e.Type), text.Plain(e.Cause), text.Plain(e.Detail)
	e.URL, e.Page = webAddress(e.URL), webAddress(e.Page)
	switch e.Verdict {
	case Waiting, Filtered, Suppressed, Failed:
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
	if (e.Verdict == Filtered || e.Verdict == Suppressed || e.Verdict == Failed) && (e.Cause == "" || len(e.Cause) > 40) {
		return errors.New("no cause")
	}
	r := e.Record
	if r == nil {
		return nil
	}
	if !strings.EqualFold(r.Login, e.Login) && !codehost.ValidLogin(r.Login) {
		return errors.New("the record belongs to somebody else")
	}
	for _, t := range []*string{&r.Login, &r.Name, &r.Company, &r.Email, &r.Blog, &r.Location, &r.Bio, &r.TwitterUsername, &r.Type} {
		*t = text.Plain(*t)
	}
	r.HTMLURL, r.SourceURL = webAddress(r.HTMLURL), webAddress(r.SourceURL)
	return nil
}
