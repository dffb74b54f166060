package upgrade

import (
	"bytes"
	"encoding/json"
	"strings"

	"marketingskills/app/text"
)

// State says what a folder is. A row has the first one that fits, in this
// order; whatever else fits stands in the row's notes.
type State string

const (
	// Misnamed: the folder and the name in its SKILL.md disagree, and one of
	// them is from this collection.
	Misnamed State = "misnamed"
	// Duplicate: the folder has an old name, and the skill stands in the same
	// place under its new one, so agents read both. The folder with the new
	// name keeps a state of its own, and a note.
	Duplicate State = "duplicate"
	// Merged: an old name of a skill that became part of another.
	Merged State = "merged"
	// Renamed: an old name.
	Renamed State = "renamed"
	// Unversioned: a current name, and no version that could be read or
	// compared.
	Unversioned State = "unversioned"
	// Outdated: older than the manifest's.
	Outdated State = "outdated"
	// Ahead: newer than the manifest's.
	Ahead State = "ahead"
	// DidYouMean: close to a name from this collection. Never acted on.
	DidYouMean State = "did-you-mean"
	// Current: the manifest's version.
	Current State = "current"
	// NotOurs: everything else.
	NotOurs State = "not-ours"
)

// States are all states, the most urgent first.
var States = []State{Misnamed, Duplicate, Merged, Renamed, Unversioned, Outdated, Ahead, DidYouMean, Current, NotOurs}

// NeedsAttention tells the states that are findings: those for which there is
// something to do.
func (s State) NeedsAttention() bool {
	switch s {
	case Misnamed, Duplicate, Merged, Renamed, Unversioned, Outdated:
		return true
	}
	return false
}

// titles are the states as people read them.
var titles = map[State]string{
	Misnamed: "Misnamed", Duplicate: "Duplicate", Merged: "Merged", Renamed: "Renamed", Unversioned: "No version",
	Outdated: "Outdated", Ahead: "Newer", Current: "Up to date", DidYouMean: "Similar name", NotOurs: "Other",
}

// Title returns the state as a word or two, in at most 12 letters.
func (s State) Title() string { return titles[s] }

// inSentence returns the state as it follows a number.
func (s State) inSentence() string {
	if s == Unversioned {
		return "without a version"
	}
	return string(s)
}

// Codes of notes, beside the states. They are stable.
const (
	noteSymlink    = "symlink"     // the folder is a link
	noteFile       = "file"        // a file where a folder should be
	NoteUnreadable = "unreadable"  // it could not be opened, or its SKILL.md could not
	NoteUnseen     = "unseen"      // SKILL.md was not read
	noteNoName     = "no-name"     // SKILL.md has no name
	noteBeside     = "beside"      // another folder of the place is the same skill
	notePlaces     = "places"      // the same skill in other places
	noteNoSkill    = "no-skill-md" // the files seen include no SKILL.md
	noteUnfamiliar = "unfamiliar"  // files of kinds the collection does not have
	noteTopVersion = "top-version" // a version in the wrong place of the frontmatter
	noteTaken      = "taken"       // a name from this collection, someone else's content
)

// Report is the result of an analysis. As JSON ([Report.JSON]) its field names
// are stable; fields may be added. Lists are never null.
type Report struct {
	// Schema is 1; it changes when a field changes its meaning.
	Schema int `json:"schema"`
	// Release and Date are those of the newest release the manifest knows;
	// empty for a manifest without releases.
	Release string `json:"release"`
	Date    string `json:"date"`
	// Summary is one or two sentences in English.
	Summary string `json:"summary"`
	// Counts has the number of rows of every state, zeros included.
	Counts map[State]int `json:"counts"`
	// Attention is the number of findings: rows that need attention, and old
	// names in lock files. An installation is clean when it is 0.
	Attention int `json:"attention"`
	// Rows has one row per folder, the most urgent first.
	Rows []Row `json:"rows"`
	// Places are the places looked into, in the order given.
	Places []PlaceSummary `json:"places"`
	// Context tells about the product context file.
	Context Context `json:"context"`
	// Locks are the lock files.
	Locks []Lock `json:"locks"`
	// Unchecked says what could not be looked at.
	Unchecked []string `json:"unchecked"`
}

// PlaceSummary is one place.
type PlaceSummary struct {
	// Path is the place's path as given; empty when unknown.
	Path string `json:"path"`
	// Folders is the number of its rows.
	Folders int `json:"folders"`
	// Attention is the number of its rows that need attention.
	Attention int `json:"attention"`
	// Problem says why it could not be read; empty when it could.
	Problem string `json:"problem"`
}

// Row is what is known about one folder.
type Row struct {
	at at
	// Place and Folder are where it stands, as given. They may hold anything;
	// text.Name makes them printable.
	Place  string `json:"place"`
	Folder string `json:"folder"`
	// Kind is directory, file, symlink or unreadable.
	Kind Kind `json:"kind"`
	// State is the first that fits; Urgency its place among all, 1 being the
	// most urgent.
	State   State `json:"state"`
	Urgency int   `json:"urgency"`
	// Seen is set when SKILL.md was read.
	Seen bool `json:"seen"`
	// Name and Version are what SKILL.md says, or, for the version, a pasted
	// table; empty when unknown.
	Name    string `json:"name"`
	Version string `json:"version"`
	// Replacement is the skill to have in its place, by its name of today; for
	// a skill that kept its name that name. Empty when the content is not from
	// this collection.
	Replacement string `json:"replacement"`
	// Latest is the version of the replacement, Updated its day.
	Latest  string `json:"latest"`
	Updated string `json:"updated"`
	// Where says where the content of an old name went, and Release which
	// release moved it.
	Where   string `json:"where"`
	Release string `json:"release"`
	// Suggestion is a name that may be meant, current or old; SuggestionNow
	// what it is called today. Only for did-you-mean.
	Suggestion    string `json:"suggestion"`
	SuggestionNow string `json:"suggestion_now"`
	// Evidence says why the state is what it is, Advice what to do about it.
	Evidence string `json:"evidence"`
	Advice   string `json:"advice"`
	// Notes are further findings.
	Notes []Note `json:"notes"`
	// Changes are what the releases brought since the version found: those
	// about this skill, and all breaking ones, the newest first.
	Changes []Change `json:"changes"`
	// Certain is set when the folder is certainly from this collection (see
	// the package).
	Certain bool `json:"certain"`
	// Unfamiliar are files of kinds that no skill of the collection has; they
	// are likely the user's.
	Unfamiliar []string `json:"unfamiliar"`
}

// Note is a further finding about a folder.
type Note struct {
	// Code is a state, or one of the codes above.
	Code string `json:"code"`
	// Text is a sentence.
	Text string `json:"text"`
}

// Change is one bullet of a release.
type Change struct {
	// Release is its version, or its date when it has none.
	Release string `json:"release"`
	Date    string `json:"date"`
	// Breaking is set when it asks something of those who upgrade.
	Breaking bool `json:"breaking"`
	// Text is inline Markdown on one line.
	Text string `json:"text"`
}

// Line returns the change for reading, on one line.
func (c Change) Line() string {
	breaking := ""
	if c.Breaking {
		breaking = "Breaking: "
	}
	return text.Printable(c.Release) + ": " + breaking + strings.ReplaceAll(c.Text, "`", "")
}

// JSON returns the report as indented JSON with a line end. Bytes in names
// that are not UTF-8 become U+FFFD.
func (r Report) JSON() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	// A report has nothing that cannot be encoded.
	if err := e.Encode(r); err != nil {
		panic(err)
	}
	return b.Bytes()
}
