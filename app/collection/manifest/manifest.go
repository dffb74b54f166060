// Package manifest reads, checks and edits VERSIONS.md, the file that says
// which version of each skill is current, what each release changed, and what
// the skills of earlier releases are called today.
//
// [Parse] reads the file and reports everything that is wrong with it. The
// [Manifest] answers the questions of the site and of the upgrade checker:
// [Manifest.Row], [Manifest.Resolve], [Manifest.Since], [Manifest.Touching].
// Maintainers' commands edit it ([Manifest.SetVersion], [Manifest.AddSkill],
// [Manifest.AddRelease]) and write [Manifest.Bytes].
//
// # Format
//
// VERSIONS.md is Markdown. A title and prose may say anything; three kinds of
// section hold data.
//
//	| Skill | Version | Last Updated |
//	| ----- | ------- | ------------ |
//	| ads   | 2.0.1   | 2026-05-26   |
//
// The table of current versions is the one with these columns, wherever it
// stands: one row per skill, in alphabetical order. Skill is the name of the
// directory below skills/, Version is MAJOR.MINOR.PATCH and equals
// metadata.version in SKILL.md, Last Updated is YYYY-MM-DD. More columns are
// allowed, here and below, and ignored.
//
//	## Renamed in 2.0.0
//
//	| Old name | New name | Kind    | Where the content went |
//	| -------- | -------- | ------- | ---------------------- |
//	| paid-ads | ads      | renamed | `skills/ads/`          |
//
// Any number of such sections may exist, one per release that renamed
// something. Kind is renamed, when the skill lives on under another name, or
// merged, when it became part of another. New name is always the name of
// today: renaming a skill again means correcting the older rows as well.
//
//	## Recent Changes
//
//	### 2.2.0 (2026-05-26)
//
//	- **Breaking:** `paid-ads` has a new name.
//	- The skill `prospecting` is new.
//	- Total: 42 skills.
//
// One heading per release, the newest first: version and date, or the date
// alone. "2.0.1 - 2026-05-18" and the like are read too. Bullets follow. One
// that begins with **Breaking:** asks something of those who upgrade. One that
// says "Total: 42 skills." and nothing else is the size of the collection
// after the release. Skill names in backticks attribute the change to those
// skills; an old name counts for the skill it became.
//
// What stands in fenced code or in HTML blocks and comments is not read.
//
// # Promises
//
// Nothing is lost: Bytes returns what Parse was given, byte for byte, line
// ends and byte order mark included, whether or not the content is in order.
// An edit changes or adds only the lines it is about, and is refused when the
// result would not read back as intended. Parse takes time proportional to the
// size of its input (times its logarithm, to sort), whatever the input.
package manifest

// File is the path of the manifest in the collection, as findings name it.
const File = "VERSIONS.md"

// Manifest is the content of VERSIONS.md. Rows, releases and renames stand in
// the order of the file; [Manifest.History] puts releases in theirs.
//
// A manifest decoded from JSON answers every question, but only one that Parse
// returned can be edited and written.
type Manifest struct {
	Rows     []Row     `json:"rows"`
	Releases []Release `json:"releases"`
	Renames  []Rename  `json:"renames"`

	source string // the file as it was read
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
	for _, c := range r.Changes {
		if c.Breaking {
			return true
		}
	}
	return false
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
	// Text is the bullet as inline Markdown on one line, without its marker
	// and without **Breaking:**.
	Text string `json:"text"`
	// Breaking is set when the bullet begins with **Breaking:**.
	Breaking bool `json:"breaking"`
	// Skills are those that the text names in backticks, by their names of
	// today, each once, in the order of the text. Parse fills it in.
	Skills []string `json:"skills"`
	// Line is where the bullet begins in VERSIONS.md, counted from 1.
	Line int `json:"line"`
}

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

// Bytes returns the file: what Parse was given, and the edits since. It is
// empty for a manifest that did not come from Parse.
func (m *Manifest) Bytes() []byte { return []byte(m.source) }
