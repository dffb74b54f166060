// Package manifest is what VERSIONS.md says, as data: which version of each
// skill is current, what each release changed, and what the skills of earlier
// releases are called today. (The plugin manifests in .claude-plugin are another
// thing; package plugin checks them.)
//
// A [Manifest] answers the questions of the site and of the upgrade checker:
// [Manifest.Row], [Manifest.Resolve], [Manifest.Since], [Manifest.Touching].
// It comes from VERSIONS.md by way of package versionsfile, which also checks it,
// or, in the browser, from JSON: [Decode] reads what json.Marshal wrote. An old
// VERSIONS.md that a visitor shows the browser is read by [ReadRows], which
// finds the current versions in it and nothing else.
//
// Versions are ordered here and nowhere else: see [Compare].
package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// File is the path of the manifest in the collection, as findings name it.
const File = "VERSIONS.md"

// MaxSize is the largest manifest that is read, in bytes, in either form.
const MaxSize = 4 << 20

// Manifest is the content of VERSIONS.md. Rows, releases and renames stand in
// the order of the file; [Manifest.History] puts releases in theirs. The zero
// value is an empty manifest; one with content comes from [New] and is not
// changed afterwards.
type Manifest struct {
	Rows     []Row     `json:"rows"`
	Releases []Release `json:"releases"`
	Renames  []Rename  `json:"renames"`

	rows    map[string]int    // by skill, the index of its first row
	renames map[string]int    // by old name, the index of its first rename
	today   map[string]string // by old name, the present name
}

// New returns the manifest with this content.
func New(rows []Row, releases []Release, renames []Rename) *Manifest {
	m := &Manifest{
		Rows: rows, Releases: releases, Renames: renames,
		rows: map[string]int{}, renames: map[string]int{}, today: map[string]string{},
	}
	for i, row := range rows {
		if _, ok := m.rows[row.Skill]; !ok {
			m.rows[row.Skill] = i
		}
	}
	for i, rename := range renames {
		if _, ok := m.renames[rename.Old]; !ok {
			m.renames[rename.Old] = i
		}
	}
	for _, rename := range renames {
		m.follow(rename.Old)
	}
	return m
}

// follow returns the skill that a name leads to through renames; "" for a name
// that leads nowhere or in a circle. It remembers what it finds, so each rename
// is followed once.
func (m *Manifest) follow(name string) string {
	if _, ok := m.rows[name]; ok {
		return name
	}
	if skill, known := m.today[name]; known {
		return skill
	}
	i, ok := m.renames[name]
	if !ok {
		return ""
	}
	m.today[name] = "" // a circle that comes back here leads nowhere
	m.today[name] = m.follow(m.Renames[i].New)
	return m.today[name]
}

// ErrNoRows means that what was read as a manifest names no skill.
var ErrNoRows = errors.New("it lists no skills")

// Decode reads a manifest that was written as JSON. It refuses more than MaxSize
// bytes, and takes time and memory in proportion to the size, whatever the input.
func Decode(data []byte) (*Manifest, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("reading the versions: %d bytes are more than the %d that are read", len(data), MaxSize)
	}
	var content Manifest
	if err := json.Unmarshal(data, &content); err != nil {
		return nil, fmt.Errorf("reading the versions: %w", err)
	}
	if len(content.Rows) == 0 {
		return nil, fmt.Errorf("reading the versions: %w", ErrNoRows)
	}
	return New(content.Rows, content.Releases, content.Renames), nil
}

// Row is one skill in the table of current versions. Fields hold what the file
// says, even when a finding says that it is wrong.
type Row struct {
	// Skill is the name of the directory below skills/.
	Skill string `json:"skill"`
	// Version is the current version, MAJOR.MINOR.PATCH.
	Version Version `json:"version"`
	// Updated is the day of that version, YYYY-MM-DD (column Last Updated).
	Updated string `json:"updated"`
	// Line is where the row stands in VERSIONS.md, counted from 1.
	Line int `json:"line"`
}

// Release is one entry of Recent Changes.
type Release struct {
	// Version is MAJOR.MINOR.PATCH, or empty for a release headed by its date.
	Version Version `json:"version"`
	// Date is the day of the release, YYYY-MM-DD.
	Date string `json:"date"`
	// Total is the number of skills after the release, from the bullet that
	// says so; 0 when none does.
	Total int `json:"total"`
	// Changes are the other bullets, nested ones included, in their order.
	Changes []Change `json:"changes"`
	// Line is where the heading stands in VERSIONS.md, counted from 1.
	Line int `json:"line"`
}

// Breaking reports whether the release asks something of those who upgrade.
func (r Release) Breaking() bool {
	return slices.ContainsFunc(r.Changes, func(c Change) bool { return c.Breaking })
}

// Name returns what the release is called: its version, or else its date.
func (r Release) Name() string {
	if r.Version != "" {
		return string(r.Version)
	}
	return r.Date
}

// Change is one bullet of a release.
type Change struct {
	// Text is the bullet as inline Markdown on one line, without its list marker
	// and its [Mark].
	Text string `json:"text"`
	// Breaking is set when the bullet begins with **Breaking:**.
	Breaking bool `json:"breaking"`
	// Mark says what kind of change it is, "" if the bullet does not say so.
	Mark Mark `json:"mark,omitempty"`
	// Skills are those that the text names in backticks, by their names of
	// today, each once, in the order of the text.
	Skills []string `json:"skills"`
	// Line is where the bullet begins in VERSIONS.md, counted from 1.
	Line int `json:"line"`
}

// Label returns the word for the kind of change: "Breaking" or the mark, "" if
// the bullet has neither.
func (c Change) Label() string {
	if c.Breaking {
		return "Breaking"
	}
	return string(c.Mark)
}

// Mark is the mark with which a bullet of a release begins: **New:**,
// **Changed:** or **Fixed:**.
type Mark string

// The marks, besides that of a breaking change.
const (
	MarkNew     Mark = "New"
	MarkChanged Mark = "Changed"
	MarkFixed   Mark = "Fixed"
)

// Kind tells what became of an old name.
type Kind string

const (
	// Renamed means that the skill lives on under the new name.
	Renamed Kind = "renamed"
	// Merged means that the skill became part of the one with the new name.
	Merged Kind = "merged"
)

// Rename is one row of a section "Renamed in X.Y.Z".
type Rename struct {
	// Old is the name of the directory before the release, New its name today.
	Old  string `json:"old"`
	New  string `json:"new"`
	Kind Kind   `json:"kind"`
	// Where says where the content went, as inline Markdown.
	Where string `json:"where"`
	// Release is the version in the heading of the section.
	Release Version `json:"release"`
	// Line is where the row stands in VERSIONS.md, counted from 1.
	Line int `json:"line"`
}
