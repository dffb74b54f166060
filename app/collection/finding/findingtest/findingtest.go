// Package findingtest is for tests of checks: a sample in order, one change to
// it, and the findings that the change must give.
package findingtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"marketingskills/app/collection/finding"
)

// Change breaks one thing in a sample.
type Change func(*testing.T, fstest.MapFS)

// Then makes two changes one.
func (c Change) Then(next Change) Change {
	return func(t *testing.T, files fstest.MapFS) {
		c(t, files)
		next(t, files)
	}
}

// Put writes a file.
func Put(name, text string) Change {
	return func(_ *testing.T, files fstest.MapFS) { files[name] = &fstest.MapFile{Data: []byte(text)} }
}

// Remove removes files.
func Remove(names ...string) Change {
	return func(_ *testing.T, files fstest.MapFS) {
		for _, name := range names {
			delete(files, name)
		}
	}
}

// Replace replaces a text that stands once in a file.
func Replace(name, old, new string) Change {
	return func(t *testing.T, files fstest.MapFS) {
		text := string(files[name].Data)
		if strings.Count(text, old) != 1 {
			t.Fatalf("%q does not stand once in %s", old, name)
		}
		files[name] = &fstest.MapFile{Data: []byte(strings.Replace(text, old, new, 1))}
	}
}

// Expect wants these findings, each as [Place] writes it, no more and no fewer.
func Expect(t *testing.T, found []finding.Finding, want ...string) {
	t.Helper()
	var got []string
	for _, f := range found {
		got = append(got, Place(f))
		if f.Wrong == "" || f.Right == "" || f.Severity == "" {
			t.Errorf("not complete: %#v", f)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("want %q", want)
		for _, f := range found {
			t.Log(f)
		}
	}
}

// Place writes where a finding is and which rule it is of: "file:line rule".
func Place(f finding.Finding) string {
	if f.Line == 0 {
		return fmt.Sprintf("%s %s", f.File, f.Rule)
	}
	return fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Rule)
}
