package prospect

import "strings"

// interner keeps one copy of a text that many people share. A browser's one
// thread marks every object of a run when it collects garbage: with ten
// thousand people each object fewer a person is some milliseconds less of a
// page that does not answer.
type interner map[string]string

// mostInterned bounds it: beyond it, hardly any text is shared.
const mostInterned = 1 << 14

func (s interner) text(t *string) {
	if known, ok := s[*t]; ok {
		*t = known
	} else if len(s) < mostInterned {
		s[*t] = *t
	}
}

// entry goes through a person with all the record says.
func (s interner) entry(e *Entry) {
	s.text(&e.Type)
	s.text(&e.Page)
	s.text(&e.Cause)
	r := e.Record
	if r == nil {
		return
	}
	for _, t := range []*string{&r.Company, &r.Location, &r.Type, &r.Source, &r.SourceRepo, &r.SourceURL} {
		s.text(t)
	}
	login, address := r.Login == e.Login, r.HTMLURL == e.URL
	r.pack()
	if login {
		e.Login = r.Login
	}
	if address {
		e.URL = r.HTMLURL
	}
	if r.PublicRepos != nil && r.Followers != nil {
		both := &[2]int{*r.PublicRepos, *r.Followers}
		r.PublicRepos, r.Followers = &both[0], &both[1]
	}
}

// pack puts what one person alone says into one text, and gives every field
// its part of it.
func (r *Record) pack() {
	own := [...]*string{&r.Login, &r.Name, &r.Email, &r.Blog, &r.Bio, &r.TwitterUsername, &r.HTMLURL}
	var all strings.Builder
	for _, t := range own {
		all.WriteString(*t)
	}
	rest := all.String()
	for _, t := range own {
		n := len(*t)
		*t, rest = rest[:n], rest[n:]
	}
}
