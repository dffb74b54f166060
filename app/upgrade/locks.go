package upgrade

import (
	"bytes"
	"encoding/json"
	"maps"
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
	// Problem says why it was not checked; empty when it was.
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

func (a *analysis) lock(file LockFile) Lock {
	lock := Lock{Path: file.Path, Names: []LockName{}}
	found := map[string]*LockName{}
	var content map[string]any
	var err error
	if len(file.Data) <= MaxLock {
		err = json.Unmarshal(bytes.TrimPrefix(file.Data, []byte("\uFEFF")), &content)
	}
	eachString(content, nil, func(at []string, content string) {
		for part := range strings.FieldsFuncSeq(content, func(r rune) bool { return r == '/' || r == '\\' }) {
			if skill := a.Current(part); skill != "" && skill != part {
				if found[part] == nil {
					found[part] = &LockName{Name: part, Now: skill, At: keyPath(at)}
				}
				found[part].Times++
			}
		}
	})
	names := slices.Sorted(maps.Keys(found))
	for _, name := range names {
		lock.Names = append(lock.Names, *found[name])
	}
	if len(names) > 0 {
		lock.Advice = "Remove " + few(names, 20) + " from " + text.Name(lock.Path) +
			". Otherwise the installer restores the old folders."
	}
	switch {
	case len(file.Data) > MaxLock:
		lock.Problem = "This file is larger than 4 MiB and was not checked."
	case err != nil:
		lock.Problem = "This file is not a JSON object and was not checked."
	}
	return lock
}

// eachString reports every string of a JSON value, keys among them, with the
// keys that lead to it, which it names in alphabetical order.
func eachString(value any, at []string, report func(at []string, content string)) {
	switch v := value.(type) {
	case string:
		report(at, v)
	case []any:
		for _, element := range v {
			eachString(element, at, report)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			inner := append(at, key)
			report(inner, key)
			eachString(v[key], inner, report)
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
