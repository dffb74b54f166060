package upgrade

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"marketingskills/app/text"
)

// ContextPaths are where skills look for the shared product context, in their
// order, relative to the project. The last two have the legacy file name,
// which is still read.
// Source: docs/rules.md, rule 4.
var ContextPaths = []string{
	".agents/product-marketing.md",
	".claude/product-marketing.md",
	".agents/product-marketing-context.md",
	".claude/product-marketing-context.md",
}

// Context tells about the product context file. It is never a finding: the
// legacy file is still read.
type Context struct {
	// Found are all that were found, in the order in which they are looked
	// for. Skills read the first one only.
	Found []string `json:"found"`
	// Advice says what to do; empty when there is nothing to say.
	Advice string `json:"advice"`
}

func contextOf(found []string) Context {
	c := Context{Found: []string{}}
	for _, path := range ContextPaths {
		if slices.Contains(found, path) {
			c.Found = append(c.Found, path)
		}
	}
	switch {
	case len(c.Found) > 1:
		c.Advice = "Skills use " + c.Found[0] + " and ignore " + text.List(c.Found[1:]) + ". Keep one file."
	case c.legacy():
		c.Advice = c.Found[0] + " still works. Rename it to " + strings.Replace(c.Found[0], "-context.md", ".md", 1) + " when convenient."
	}
	return c
}

func (c Context) legacy() bool {
	return slices.ContainsFunc(c.Found, func(path string) bool { return strings.HasSuffix(path, "-context.md") })
}

// Lock is a lock file of an installer. An old name in it would bring the old
// folder back with the installer's next update.
type Lock struct {
	Path string `json:"path"`
	// Names are the old names of this collection in it, in alphabetical order.
	Names []string `json:"names"`
	// Problem says why it was not checked; empty when it was.
	Problem string `json:"problem"`
	// Advice says what to do; empty when there is nothing to do.
	Advice string `json:"advice"`
}

func (a *analysis) lock(file LockFile) Lock {
	lock := Lock{Path: file.Path, Names: []string{}}
	if len(file.Data) > MaxLock {
		lock.Problem = "This file is larger than 4 MiB and was not checked."
		return lock
	}
	var content map[string]any
	if err := json.Unmarshal(bytes.TrimPrefix(file.Data, []byte("\uFEFF")), &content); err != nil {
		lock.Problem = "This file is not a JSON object and was not checked."
		return lock
	}
	found := map[string]bool{}
	eachString(content, func(s string) {
		for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '/' || r == '\\' }) {
			if skill := a.releases.manifest.Current(part); skill != "" && skill != part {
				found[part] = true
			}
		}
	})
	if lock.Names = append(lock.Names, slices.Sorted(maps.Keys(found))...); len(lock.Names) > 0 {
		lock.Advice = text.Printable("Remove " + text.List(lock.Names) + " from " + text.Name(lock.Path) +
			". Otherwise the installer restores the old folders.")
	}
	return lock
}

// eachString reports every string of a JSON value, keys among them.
func eachString(value any, report func(string)) {
	switch v := value.(type) {
	case string:
		report(v)
	case []any:
		for _, element := range v {
			eachString(element, report)
		}
	case map[string]any:
		for key, element := range v {
			report(key)
			eachString(element, report)
		}
	}
}
