package pages

import "slices"

// Kind tells which package draws a page.
type Kind string

// The kinds of pages. Each has a row in the registry.
const (
	KindCatalog   Kind = "catalog"
	KindSkill     Kind = "skill"
	KindReference Kind = "reference"
	KindTools     Kind = "tools"
	KindTool      Kind = "tool"
	KindChangelog Kind = "changelog"
	KindUpgrade   Kind = "upgrade"
	KindProspects Kind = "prospects"
	KindVerify    Kind = "verify"
	KindNews      Kind = "news"
	KindTryouts   Kind = "tryouts"
	KindMap       Kind = "map"
	KindMissing   Kind = "missing"
)

// The paths of pages that there is one of, below the site's base.
const (
	PathCatalog   = ""
	PathTools     = "tools/"
	PathChangelog = "changelog/"
	PathUpgrade   = "upgrade/"
	PathProspects = "prospects/"
	PathVerify    = "prospects/verify/"
	PathNews      = "news/"
	PathTryouts   = "tryouts/"
	PathMap       = "map/"
	pathMissing   = "404.html"
)

// When the page script fetches and starts a page's program.
const (
	// startNow is as soon as the page has loaded: the page is of no use
	// without its program.
	startNow = "now"
	// startIntent is at the first sign that the visitor wants to use it, or to
	// search: the page reads complete.
	startIntent = "intent"
	// startNever leaves the page as it was generated.
	startNever = "never"
)

// Reading is the name of the program that draws everything there is to read.
// A page that people work on has a program of its own: nobody who only reads
// downloads it, and what the visitor does there is lost with the page, so that
// going there and leaving is always the browser's business, which can ask.
const Reading = "app"

// Entry is what is known of a kind of page before it is drawn.
type Entry struct {
	Kind Kind
	// Path is where the page is; kinds with many pages have Many instead.
	Path string
	Many bool
	// Navigation is its name in the header of every page, "" for none.
	Navigation string
	// In is the kind of the page in the navigation that it belongs to, if that
	// is another one.
	In Kind
	// Program is the WebAssembly program that draws it.
	Program string
	// Styles are the style sheets of web/css it needs beside the common ones.
	Styles []string
	// Start is when the page script fetches and starts the program.
	Start string
	// Scripted is true for a page whose own script follows its address. A program
	// that goes there would draw before the address is that of the page, so links
	// to it are the browser's.
	Scripted bool
}

// registry lists every kind of page, in the order of the navigation.
var registry = []Entry{
	{
		Kind: KindCatalog, Path: PathCatalog, Navigation: "Catalog",
		Program: Reading, Styles: []string{"catalog"}, Start: startIntent,
	},
	{Kind: KindSkill, Many: true, In: KindCatalog, Program: Reading, Styles: []string{"article"}, Start: startIntent},
	{Kind: KindReference, Many: true, In: KindCatalog, Program: Reading, Styles: []string{"article"}, Start: startIntent},
	{
		Kind: KindTools, Path: PathTools, Navigation: "Tools",
		Program: Reading, Styles: []string{"catalog"}, Start: startIntent,
	},
	{Kind: KindTool, Many: true, In: KindTools, Program: Reading, Styles: []string{"article"}, Start: startIntent},
	{
		Kind: KindNews, Path: PathNews, Navigation: "News",
		Program: Reading, Styles: []string{"article", "news"}, Start: startIntent, Scripted: true,
	},
	{
		Kind: KindChangelog, Path: PathChangelog, Navigation: "Changelog",
		Program: Reading, Styles: []string{"changelog"}, Start: startIntent,
	},
	{
		Kind: KindUpgrade, Path: PathUpgrade, Navigation: "Upgrade",
		Program: "upgrade", Styles: []string{"controls", "upgrade"}, Start: startNow,
	},
	{
		Kind: KindProspects, Path: PathProspects, Navigation: "Prospects",
		Program: "prospects", Styles: []string{"controls", "prospects", "verification"}, Start: startNow,
	},
	{
		Kind: KindVerify, Path: PathVerify, Navigation: "Verify",
		Program: "prospects", Styles: []string{"controls", "prospects", "verification"}, Start: startNow,
	},
	{Kind: KindTryouts, Path: PathTryouts, In: KindCatalog, Program: Reading, Styles: []string{"article"}, Start: startIntent},
	{Kind: KindMap, Path: PathMap, In: KindCatalog, Program: Reading, Styles: []string{"article", "map"}, Start: startIntent},
	{Kind: KindMissing, Path: pathMissing, Program: Reading, Styles: []string{"article"}, Start: startNever},
}

// Registry lists every kind of page, in the order of the navigation.
func Registry() []Entry { return slices.Clone(registry) }

// EntryOf returns a kind's row of the registry; ok is false for an unknown
// kind.
func EntryOf(kind Kind) (entry Entry, ok bool) {
	i := slices.IndexFunc(registry, func(e Entry) bool { return e.Kind == kind })
	if i < 0 {
		return Entry{}, false
	}
	return registry[i], true
}

// entryAt is the entry of the page at a path below the base. Of kinds with many
// pages it has the program alone, since all of them are for reading.
func entryAt(path string) Entry {
	i := slices.IndexFunc(registry, func(e Entry) bool { return !e.Many && e.Path == path })
	if i < 0 {
		return Entry{Program: Reading}
	}
	return registry[i]
}
