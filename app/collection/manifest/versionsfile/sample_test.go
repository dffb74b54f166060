package versionsfile

import (
	"strings"
	"testing"

	"marketingskills/app/collection/manifest"
)

// sample has one of everything that the format knows. Tests change it in one
// place.
const sample = `# Versions

How to use this file.

## Skills

| Skill       | Version | Last Updated |
| ----------- | ------- | ------------ |
| ads         | 2.0.1   | 2026-05-26   |
| cro         | 2.0.0   | 2026-05-05   |
| prospecting | 1.0.0   | 2026-05-26   |

## Renamed in 2.0.0

Remove the old folders.

| Old name | New name | Kind    | Where the content went |
| -------- | -------- | ------- | ---------------------- |
| form-cro | cro      | merged  | ` + "`references/form.md`" + `    |
| page-cro | cro      | merged  | ` + "`SKILL.md`" + `              |
| paid-ads | ads      | renamed | ` + "`skills/ads/`" + `           |

## Recent Changes

### 2.2.0 (2026-05-26)

- The new skill ` + "`prospecting`" + ` finds people.
- ` + "`ads`" + ` has a
  better output.
- Total: 3 skills.

### 2026-05-18

- A typing error is gone from ` + "`page-cro`" + `.

### 2.0.0 (2026-05-05)

- **Breaking:** ` + "`paid-ads` is called `ads`" + `.
- Total: 2 skills.
`

// goodSample parses the sample, which must be in order.
func goodSample(t testing.TB) *manifest.Manifest {
	t.Helper()
	return mustParse(t, sample)
}

// mustParse parses a text that must be in order.
func mustParse(t testing.TB, text string) *manifest.Manifest {
	t.Helper()
	m, found := Parse([]byte(text))
	for _, f := range found {
		t.Errorf("unexpected: %v", f)
	}
	return m
}

// changed returns the sample with one text replaced by another, everywhere.
func changed(t testing.TB, old, new string) string {
	t.Helper()
	if !strings.Contains(sample, old) {
		t.Fatalf("the sample does not contain %q", old)
	}
	return strings.ReplaceAll(sample, old, new)
}

// releaseNames returns what the releases are called.
func releaseNames(releases []manifest.Release) []string {
	var all []string
	for _, r := range releases {
		all = append(all, r.Name())
	}
	return all
}
