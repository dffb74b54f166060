package upgrade

import (
	"bytes"
	"encoding/json"
	"io"
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
	keys, err := eachString(file.Data[:min(len(file.Data), MaxLock)], func(at []string, content string) {
		for part := range strings.FieldsFuncSeq(content, func(r rune) bool { return r == '/' || r == '\\' }) {
			if k, ok := a.catalog.names[part]; ok && k.old() {
				if found[part] == nil {
					found[part] = &LockName{Name: part, Now: k.skill, At: keyPath(at)}
				}
				found[part].Times++
			}
		}
	})
	for _, name := range found {
		lock.Names = append(lock.Names, *name)
	}
	slices.SortFunc(lock.Names, func(a, b LockName) int { return strings.Compare(a.Name, b.Name) })
	var names []string
	for _, n := range lock.Names {
		names = append(names, n.Name)
	}
	if len(names) > 0 {
		lock.Advice = "Remove the entries " + few(names, 20) + " from " + text.Name(lock.Path) +
			". Otherwise the installer restores the old folders."
	}
	switch {
	case keys == 0:
		lock.Problem = "This file is not a skills lock file."
	case len(file.Data) > MaxLock:
		lock.Problem = "Only the first 4 MiB were read."
	case err != nil:
		lock.Problem = "This file is not valid JSON; only the part before the error was read."
	}
	return lock
}

// eachString reports every string of a JSON text, keys among them, with the
// keys that lead to it, and counts the keys. Where the text is broken it ends.
func eachString(data []byte, report func(at []string, content string)) (keys int, err error) {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\uFEFF"))))
	// at has the key of every object and list that is open, "" for a list and
	// for an object whose next string is a key.
	var at []string
	var inObject []bool
	for {
		token, err := d.Token()
		if err == io.EOF && len(at) == 0 {
			return keys, nil
		}
		if err != nil {
			return keys, err
		}
		top := len(at) - 1
		switch t := token.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				at, inObject = append(at, ""), append(inObject, t == '{')
				continue
			}
			at, inObject = at[:top], inObject[:top]
		case string:
			if top >= 0 && inObject[top] && at[top] == "" {
				at[top] = t
				keys++
				report(at, t)
				continue
			}
			report(at, t)
		}
		if n := len(at); n > 0 {
			at[n-1] = ""
		}
	}
}

// deepest is how many keys are named on the way to a string.
const deepest = 32

// keyPath joins the keys that lead to a string.
func keyPath(at []string) string {
	var keys []string
	for _, key := range at[:min(len(at), deepest)] {
		if key != "" {
			keys = append(keys, text.Name(key))
		}
	}
	return strings.Join(keys, ".")
}
