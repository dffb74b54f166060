package prospect

import "strings"

// sharedTexts are texts that many people have, each kept once. It is not for use
// by several goroutines at once.
type sharedTexts map[string]string

// compact makes a person of few objects: what many people share is kept once,
// and what one person alone says is one text, of which every field has a part.
// A browser's one thread marks every object of a run when it collects garbage:
// with ten thousand people each object fewer a person is some milliseconds
// less of a page that does not answer.
func (e *Entry) compact(texts sharedTexts) {
	texts.share(&e.Type, &e.Page, &e.Cause)
	r := e.Record
	if r == nil {
		return
	}
	texts.share(&r.Type, &r.Source, &r.SourceRepo, &r.SourceURL)
	login, address := r.Login == e.Login, r.HTMLURL == e.URL
	own := [...]*string{&r.Login, &r.Name, &r.Company, &r.Email, &r.Blog, &r.Location, &r.Bio, &r.TwitterUsername, &r.HTMLURL}
	var all strings.Builder
	for _, t := range own {
		all.WriteString(*t)
	}
	rest := all.String()
	for _, t := range own {
		n := len(*t)
		*t, rest = rest[:n], rest[n:]
	}
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

func (s sharedTexts) share(texts ...*string) {
	for _, t := range texts {
		if same, ok := s[*t]; ok {
			*t = same
		} else {
			s[*t] = *t
		}
	}
}
