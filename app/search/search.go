// Package search ranks documents for a query typed by hand: skills above all,
// and also references, guides of tools and news, each kind in an index of its
// own.
//
// A site generator calls [Compile] on all documents of a kind and writes what it
// gets to a file. The browser fetches the file, calls [Decode] once and then
// [Index.Search] on every keystroke.
//
// What a caller may rely on:
//
//   - a document's name, whole, begun, without its hyphens or slightly misspelt,
//     finds that document first; so does a name it had in an earlier release,
//     and the hit then says what became of that name;
//   - numbers are passed over beside words;
//   - the last word counts as unfinished until a space follows it;
//   - results depend on nothing but index, query and category: equal scores are
//     ordered by name;
//   - no query makes Search fail: it is cut at 256 bytes and 14 words, and bytes
//     that are not UTF-8 are left out;
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

// Document is what the index needs to know about one thing to find, such as a
// skill.
type Document struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	Category string `json:"category"`
	// Description says what it is about. That of a skill may end by naming others
	// ("For bulk copy use ad-creative."); words of such a clause do not find it.
	Description string `json:"description"`
	// Summary is the sentence that lists show instead, "" for the description.
	Summary string `json:"summary,omitempty"`
	// Keywords are words and phrases by which people look for it.
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
	// Kind says what happened to the name: "renamed" if the skill has another name
	// now, "merged" if it became part of another skill.
	Kind string `json:"kind"`
	// Release is the version in which it happened, such as 2.0.0.
	Release string `json:"release"`
}

// note says in a sentence what became of the old name.
func (o OldName) note(successor string) string {
	became := " was renamed to "
	if o.Kind == "merged" {
		became = " was merged into "
	}
	note := o.Name + became + successor
	if o.Release != "" {
		note += " in " + o.Release
	}
	return note
}

// Result is what a query found.
type Result struct {
	// Query is the text that was searched: valid UTF-8, cut at maxQuery,
	// without space around it.
	Query string
	// Hits are the documents found, the best first. For an empty query, or one of
	// stop words that finds nothing, they are all documents of the category, by
	// name.
	Hits []Hit
	// InOtherCategories is the number of hits that are not in the category.
	InOtherCategories int
	// Suggestions are given only when there is no hit, the best first.
	Suggestions []Suggestion
}

// Hit is a document that was found.
type Hit struct {
	Name string
	// Doc is the position of the document among those compiled.
	Doc   int
	Score float64
	// Note is set when the query is a name that the skill used to have: a sentence
	// without a full stop, such as "page-cro was merged into cro in 2.0.0".
	Note string
	// TitleMarks and ShownMarks are the words to highlight in the title and in
	// [Document.Shown].
	TitleMarks, ShownMarks []Range
}

// Range is a part of a text, in bytes, from Start up to but without End. Both are
// at the beginning of a rune. Ranges of one text are sorted and do not overlap.
type Range struct{ Start, End int }

// Suggestion is a query or a document that may have been meant. Exactly one field
// is set.
type Suggestion struct {
	// Query is the query with its spelling corrected; it has hits.
	Query string
	// Name is that of a document whose name or title resembles the query.
	Name string
}

// fields is a set of parts of a document.
type fields uint8

// The fields of a document, the one that says most about its subject first.
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
