package upgrade

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"marketingskills/app/text"
)

// State says what a folder is.
type State string

const (
	// Merged: an old name of a skill that became part of another.
	Merged State = "merged"
	// Renamed: an old name.
	Renamed State = "renamed"
	// Outdated: older than VERSIONS.md says.
	Outdated State = "outdated"
	// Unclear: a name from this collection, and a person has to look: the
	// folder and its SKILL.md have different names, or there is no version that
	// can be compared.
	Unclear State = "unclear"
	// Current: the latest version, or a newer one.
	Current State = "current"
	// NotOurs: everything else, names that may be misspelt among it.
	NotOurs State = "not-ours"
)

// States are all states, the most urgent first.
var States = []State{Merged, Renamed, Outdated, Unclear, Current, NotOurs}

// NeedsAttention tells the states that are findings: those for which there is
// something to do.
func (s State) NeedsAttention() bool { return s.old() || s == Unclear }

// old tells the states of what an upgrade replaces.
func (s State) old() bool { return s == Merged || s == Renamed || s == Outdated }

// titles are the states as people read them.
var titles = map[State]string{
	Merged: "Merged", Renamed: "Renamed", Outdated: "Outdated", Unclear: "Unclear", Current: "Up to date", NotOurs: "Other",
}

// Title returns the state as a word or two, in at most 10 letters.
func (s State) Title() string { return titles[s] }

// Report is the result of an analysis. As [JSON] its field names
// are stable; fields may be added. Lists are never null.
type Report struct {
	// Schema is 2; it changes when a field changes its meaning.
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
	// Unchecked says what was not checked, and what was checked otherwise than
	// one may think, such as once under two names.
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
	position position
	// Place and Folder are where it stands, as given. They may hold anything;
	// text.Name makes them printable.
	Place  string `json:"place"`
	Folder string `json:"folder"`
	// Kind is directory, file, symlink or unreadable.
	Kind  Kind  `json:"kind"`
	State State `json:"state"`
	// Seen is set when SKILL.md was read, Bare when there is none.
	Seen bool `json:"seen"`
	Bare bool `json:"bare"`
	// Name and Version are what SKILL.md says, or, for the version, a pasted
	// table; empty when unknown.
	Name    string `json:"name"`
	Version string `json:"version"`
	// Newer is set when the version is newer than VERSIONS.md says.
	Newer bool `json:"newer"`
	// Replacement is the skill to have in its place, by its name of today; for
	// a skill that kept its name that name. Empty when the content is not from
	// this collection. Latest is its version.
	Replacement string `json:"replacement"`
	Latest      string `json:"latest"`
	// Suggestion is a name that may be meant, current or old, where the name is
	// not from this collection.
	Suggestion string `json:"suggestion"`
	// Evidence says why the state is what it is, Advice what to do about it.
	Evidence string `json:"evidence"`
	Advice   string `json:"advice"`
	// Notes are further findings, a sentence each.
	Notes []string `json:"notes"`
	// Changes are what the releases brought since the version found: those
	// about this skill, and all breaking ones, the newest first.
	Changes []Change `json:"changes"`
	// Certain is set when the folder is certainly from this collection and from
	// 1.x: a real directory whose SKILL.md was read and has the folder's name, a
	// 1.x name, and a version below 2.0.0. Published is set when it has an older
	// version that this collection can have published under the same name.
	Certain   bool `json:"certain"`
	Published bool `json:"published"`
	// Unfamiliar are files of kinds that no skill of the collection has; they
	// are likely the user's.
	Unfamiliar []string `json:"unfamiliar"`
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

// JSON writes a report, or something with one in it, as indented JSON with a line
// end. Bytes in names that are not UTF-8 become U+FFFD.
func JSON(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	// Nothing in a report, a plan or what a command says of them is of a kind that
	// cannot be encoded.
	if err := e.Encode(value); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// summarize writes the sentences at the top.
func (r *Report) summarize() string {
	sentences := []string{r.firstSentence()}
	suggested := 0
	for _, row := range r.Rows {
		if row.Suggestion != "" {
			suggested++
		}
	}
	if suggested > 0 {
		sentences = append(sentences, text.Count(suggested, "folder name")+" may be misspelt.")
	}
	for _, l := range r.Locks {
		if n := len(l.Names); n > 0 {
			sentences = append(sentences, text.Name(l.Path)+" still lists "+text.Count(n, "old skill name")+".")
		}
	}
	if r.Context.legacy() {
		sentences = append(sentences, "The product context file has its old name. It still works.")
	}
	for _, p := range r.Places {
		if p.Problem != "" {
			sentences = append(sentences, text.Capital(PlaceName(p.Path))+" could not be read.")
		}
	}
	return text.Printable(strings.Join(sentences, " "))
}

func (r *Report) firstSentence() string {
	total, findings := len(r.Rows), 0
	var parts []string
	for _, s := range States {
		if n := r.Counts[s]; n > 0 && s.NeedsAttention() {
			findings += n
			parts = append(parts, strconv.Itoa(n)+" "+string(s))
		}
	}
	newer := 0
	for _, row := range r.Rows {
		if row.Newer {
			newer++
		}
	}
	need := "need"
	if findings == 1 {
		need = "needs"
	}
	switch {
	case total == 0:
		return "No skill folders were found. Check a skills folder, or a project that has one."
	case findings > 0:
		return fmt.Sprintf("%s of %s %s attention: %s.", text.Number(findings), text.Count(total, "folder"), need, text.List(parts))
	case r.Counts[Current] == 0:
		return "No skill from this collection is installed. Checked: " + text.Count(total, "folder") + "."
	case newer > 0:
		return fmt.Sprintf("Up to date: %s from this collection, %d newer than this VERSIONS.md.", text.Count(r.Counts[Current], "skill"), newer)
	}
	return "Up to date: " + text.Count(r.Counts[Current], "skill") + " from this collection."
}
