package upgrade

import (
	"slices"
	"strings"

	"marketingskills/app/text"
)

// Lock is a lock file of an installer. An old name in it would bring the old
// folder back with the installer's next update.
type Lock struct {
	Path string `json:"path"`
	// Names are the old names of this collection in it, in alphabetical order.
	Names []LockName `json:"names"`
	// Problem says why it could not be read; empty when it could.
	Problem string `json:"problem"`
	// Advice says what to do; empty when there is nothing to do.
	Advice string `json:"advice"`
}

// LockName is an old name in a lock file.
type LockName struct {
	Name string `json:"name"`
	// Now is what the skill is called today.
	Now string `json:"now"`
	// At says where it stands first: the keys that lead to it, joined by dots.
	At string `json:"at"`
	// Times is how often it stands there, as a key, as a value or as a part of
	// a path.
	Times int `json:"times"`
}

func (a *analysis) locks(files []LockFile) []Lock {
	all := make([]Lock, 0, len(files))
	for _, file := range files {
		all = append(all, a.lock(file))
	}
	return all
}

func (a *analysis) lock(file LockFile) Lock {
	lock := Lock{Path: file.Path, Names: []LockName{}}
	found := map[string]*LockName{}
	s := jsonScanner{data: strings.TrimPrefix(string(file.Data[:min(len(file.Data), MaxLock)]), "\uFEFF")}
	s.report = func(content string) {
		for part := range strings.FieldsFuncSeq(content, func(r rune) bool { return r == '/' || r == '\\' }) {
			if k, ok := a.catalog.names[part]; ok && k.old() {
				if found[part] == nil {
					found[part] = &LockName{Name: part, Now: k.skill, At: s.where()}
				}
				found[part].Times++
			}
		}
	}
	s.scan()
	for _, name := range found {
		lock.Names = append(lock.Names, *name)
	}
	slices.SortFunc(lock.Names, func(a, b LockName) int { return strings.Compare(a.Name, b.Name) })
	switch {
	case len(lock.Names) > 0:
		var names []string
		for _, n := range lock.Names {
			names = append(names, n.Name)
		}
		lock.Advice = "Remove the entries " + few(names, 20) + " from " + text.Name(lock.Path) +
			". Otherwise the installer restores the old folders."
	case !s.keys:
		lock.Problem = "This file is not a skills lock file."
	case len(file.Data) > MaxLock:
		lock.Problem = "Only the first 4 MiB were read."
	}
	return lock
}

// jsonScanner walks through text that should be JSON and reports every string
// in it. It forgives what people and interrupted programs do to such files:
// comments, commas too many, a missing end.
type jsonScanner struct {
	data   string
	at     int
	report func(content string)
	// path has the key of every object and list that is open; "" for a list.
	path []string
	// key is the key whose value comes next.
	key string
	// keys is set once there was a key.
	keys bool
}

// deepest is how many keys are remembered on the way to a string.
const deepest = 32

func (s *jsonScanner) scan() {
	for s.at < len(s.data) {
		switch c := s.data[s.at]; c {
		case '"', '\'':
			s.quoted(c)
			continue
		case '{', '[':
			s.path = append(s.path, s.key)
			s.key = ""
		case '}', ']':
			if n := len(s.path); n > 0 {
				s.path = s.path[:n-1]
			}
			s.key = ""
		case ',':
			s.key = ""
		case '/':
			if s.comment() {
				continue
			}
		}
		s.at++
	}
}

// comment steps over a comment.
func (s *jsonScanner) comment() bool {
	rest := s.data[s.at:]
	end := ""
	switch {
	case strings.HasPrefix(rest, "//"):
		end = "\n"
	case strings.HasPrefix(rest, "/*"):
		end = "*/"
	default:
		return false
	}
	i := strings.Index(rest[2:], end)
	if i < 0 {
		s.at = len(s.data)
	} else {
		s.at += 2 + i + len(end)
	}
	return true
}

// quoted reads a string and finds out by what follows whether it is a key.
func (s *jsonScanner) quoted(quote byte) {
	start := s.at + 1
	end := start
	for end < len(s.data) && s.data[end] != quote && s.data[end] != '\n' {
		if s.data[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(s.data))
	content := unescaper.Replace(s.data[start:end])
	s.at = end + 1
	rest := strings.TrimLeft(s.data[min(s.at, len(s.data)):min(s.at+64, len(s.data))], " \t\r\n")
	if strings.HasPrefix(rest, ":") {
		s.key, s.keys = content, true
	}
	s.report(content)
}

// unescaper undoes the escapes that can stand in a path or a name.
var unescaper = strings.NewReplacer(`\\`, `\`, `\/`, `/`, `\u002d`, "-", `\u002D`, "-", `\u002f`, "/", `\u002F`, "/")

// where joins the keys that lead to the string just read.
func (s *jsonScanner) where() string {
	var keys []string
	for _, key := range append(s.path[:min(len(s.path), deepest):min(len(s.path), deepest)], s.key) {
		if key != "" {
			keys = append(keys, text.Name(key))
		}
	}
	return strings.Join(keys, ".")
}
