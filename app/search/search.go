// Package search ranks the skills of the catalog for a query typed by hand.
//
// A site generator calls [Compile] on the whole collection and writes what it
// gets to a file. The browser fetches the file, calls [Decode] once and then
// [Index.Search] on every keystroke.
//
// What a reader may rely on:
//
//   - a skill's name, whole, begun, without its hyphens or slightly misspelt,
//     finds that skill first; so does a name it had in an earlier release,
//     and the hit then says what became of that name;
//   - numbers are passed over beside words;
//   - the last word counts as unfinished until a space follows it;
//   - results depend on nothing but index, query and options: equal scores are
//     ordered by name;
//   - no query makes Search fail: it is cut at 256 bytes and 14 words, and what is not text is passed over;
//   - an [Index] never changes and may be searched from several goroutines.
//
// Scores compare hits of one result and mean nothing beyond it.
package search

import "cmp"

// Limits of a query. What lies beyond them is not searched.
const (
	// maxQuery is in bytes, rounded down to a whole rune.
	maxQuery = 256
	// maxWords counts words after the cut, stop words included.
	maxWords = 14
)

// Document is what the index needs to know about one skill.
type Document struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	Category string `json:"category"`
	// Description is all that an agent is told of it. It may end by naming
	// neighbours, whose words are not about this one.
	Description string `json:"description"`
	// Summary is the sentence that lists show instead, "" for the description.
	Summary string `json:"summary,omitempty"`
	// Keywords are the words people use for the matter, one phrase each.
	Keywords []string  `json:"keywords,omitempty"`
	OldNames []OldName `json:"old_names,omitempty"`
	// Headings and Body are read by Compile only; the index keeps their words
	// without their order. Markdown and plain text serve equally.
	Headings []string `json:"headings,omitempty"`
	Body     string   `json:"body,omitempty"`
}

// Shown is what lists show below the title.
func (d Document) Shown() string { return cmp.Or(d.Summary, d.Description) }

// OldName is a name under which a skill was known in an earlier release.
type OldName struct {
	Name string `json:"name"`
	// Fate is what happened to the name: the skill was renamed, and goes on under
	// another one, or merged, and became a part of another skill.
	Fate string `json:"fate"`
	// Release is the version in which it happened, such as 2.0.0.
	Release string `json:"release"`
}

// note says in one sentence what became of the old name.
func (o OldName) note(successor string) string {
	became := " was renamed to "
	if o.Fate == "merged" {
		became = " was merged into "
	}
	note := o.Name + became + successor
	if o.Release != "" {
		note += " in " + o.Release
	}
	return note
}

// Result answers one query.
type Result struct {
	// Query is the text that was searched: valid UTF-8, cut at maxQuery,
	// without space around it.
	Query string
	// Hits are the skills found, best first. They are all skills of the
	// category, by name, if nothing has been asked yet: the query is empty, or
	// has stop words only and begins no other word.
	Hits []Hit
	// Elsewhere counts further hits that only the category keeps out.
	Elsewhere int
	// Suggestions are the nearest things to look at, best first; they are
	// given only when there is no hit.
	Suggestions []Suggestion
}

// Hit is one skill found.
type Hit struct {
	Name string
	// Doc is the position of the skill among the documents compiled.
	Doc   int
	Score float64
	// Note is set when the query is a name the skill used to have: a sentence
	// without a full stop, such as "page-cro was merged into cro in 2.0.0".
	Note string
	// The words that matched in the texts a reader sees, to be highlighted.
	TitleMarks, ShownMarks []Range
}

// Range is a piece of a text in bytes, from Start up to but without End. Both
// lie on rune boundaries. Ranges of one text are in order and apart.
type Range struct{ Start, End int }

// Suggestion is offered instead of hits. Exactly one field is set.
type Suggestion struct {
	// Query is the query with its spelling corrected; it has hits.
	Query string
	// Name is a skill whose name resembles the query.
	Name string
}

// fields is a set of parts of a document.
type fields uint8

// The parts of a document, from the most to the least telling.
const (
	inName fields = 1 << iota
	inTitle
	inKeywords
	inOldNames
	inDescription
	inHeadings
	inBody
)

// has reports whether the set holds any of the given fields.
func (f fields) has(some fields) bool { return f&some != 0 }
