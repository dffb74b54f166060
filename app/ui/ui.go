// Package ui holds the widgets that pages are built from. They know how to
// look and how to be reached by keyboard and screen reader; they know no
// skills, no releases and no prospects.
//
// Two rules keep a prerendered page and the same page drawn in the browser
// equal. Every attribute whose value comes from data goes through Attr. And
// two texts never stand side by side in one element: the prerendered form
// could not tell where one ends.
package ui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Attr prepares a value for an attribute. White space becomes plain spaces, and
// control characters, which HTML cannot spell, are dropped. In the browser that
// is all: the document takes the value itself. When a page is written to a
// file, go-app puts values between quotes as a Go string, and leaves "true" out
// altogether; so what it would not write as it stands is spelt here as a
// character reference.
func Attr(value string) string {
	value = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r):
			return -1
		default:
			return r
		}
	}, value)
	if app.IsClient {
		return value
	}
	if value == "true" {
		return "&#116;rue"
	}
	var b strings.Builder
	for _, r := range value {
		if strings.ContainsRune("&<>'\"\\", r) || !unicode.IsPrint(r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Link is a plain link with one text.
func Link(href, text string) app.HTMLA {
	return app.A().Attr("href", Attr(href)).Text(text)
}

// Current marks a link as the page or section the reader is at.
func Current(link app.HTMLA, current bool) app.HTMLA {
	if current {
		return link.Aria("current", "page")
	}
	return link
}

// Span is a run of text inside running text, or with class as one part of a
// widget.
func Span(class, text string) app.UI {
	s := app.Span().Text(text)
	if class != "" {
		s = s.Class(class)
	}
	return s
}

// Div is a part of a widget.
func Div(class string, parts ...app.UI) app.UI { return app.Div().Class(class).Body(parts...) }

// P is a paragraph.
func P(class, text string) app.UI { return app.P().Class(class).Text(text) }

// Range is a stretch of a text in bytes, from inclusive, to exclusive.
type Range struct{ From, To int }

// Marked draws a text with stretches of it marked, for instance what a search
// matched. Ranges are in order and do not overlap; one that does not fit the
// text, or would cut a character in two, is left out.
func Marked(text string, marks []Range) []app.UI {
	var parts []app.UI
	at := 0
	for _, m := range marks {
		if m.From < at || m.To <= m.From || m.To > len(text) || !boundary(text, m.From) || !boundary(text, m.To) {
			continue
		}
		if m.From > at {
			parts = append(parts, Span("", text[at:m.From]))
		}
		parts = append(parts, app.Mark().Text(text[m.From:m.To]))
		at = m.To
	}
	if at < len(text) {
		parts = append(parts, Span("", text[at:]))
	}
	return parts
}

func boundary(text string, at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }

// Property is a line of the list that [Properties] draws.
type Property struct{ Name, Value string }

// Properties draws a list of names with their values.
func Properties(list []Property) app.UI {
	rows := make([]app.UI, 0, len(list))
	for _, p := range list {
		rows = append(rows, app.Div().Class("Facts-row").Body(
			app.Dt().Text(p.Name),
			app.Dd().Text(p.Value),
		))
	}
	return app.Dl().Class("Facts").Body(rows...)
}

// Block is a titled part of a page's side column.
func Block(title string, content ...app.UI) app.UI {
	body := append([]app.UI{app.H2().Class("Label").Text(title)}, content...)
	return app.Section().Class("Block").Body(body...)
}

// Links is a list of plain links.
func Links(links ...app.UI) app.UI {
	items := make([]app.UI, 0, len(links))
	for _, l := range links {
		items = append(items, app.Li().Body(l))
	}
	return app.Ul().Class("Links").Body(items...)
}

// Command is a line to type, with a button that copies it. The script that
// every page carries does the copying, so it works before WebAssembly runs.
func Command(line string) app.UI {
	return app.Div().Class("Command").Body(
		app.Code().Class("Command-line").TabIndex(0).Text(line),
		app.Button().Class("Copy").Type("button").
			DataSet("copy", Attr(line)).
			Aria("label", Attr("Copy: "+line)).
			Body(
				app.Span().Class("Copy-idle").Text("Copy"),
				app.Span().Class("Copy-done").Text("Copied"),
			),
	)
}

// Part is a stretch of a Bar: the class that colours it, and how much of the
// whole it takes, from 0 to 1.
type Part struct {
	Class string
	Share float64
}

const svg = "http://www.w3.org/2000/svg"

// Bar draws parts of a whole side by side. It says nothing to those who do not
// see it: the numbers must stand beside it. Widths are attributes of a
// picture, because the policy of the pages refuses styles on elements.
func Bar(parts ...Part) app.UI {
	rects := make([]app.UI, 0, len(parts))
	at := 0.0
	for _, p := range parts {
		share := min(max(p.Share, 0), 1-at)
		rects = append(rects, app.Elem("rect").XMLNS(svg).Class(p.Class).
			Attr("x", percent(at)).Attr("width", percent(share)).Attr("height", "100%"))
		at += share
	}
	return app.Elem("svg").XMLNS(svg).Class("Bar").Aria("hidden", "true").Body(rects...)
}

func percent(share float64) string { return fmt.Sprintf("%.2f%%", 100*share) }

// Key is an entry of the key to a bar: the colour's class, a number and what it
// counts.
func Key(class, number, word string) app.UI {
	return app.Li().Class("Key-entry").Body(
		app.Span().Class("Key-colour", class).Aria("hidden", "true"),
		Span("Key-number", number),
		Span("", word),
	)
}

// Numbers are large figures, each with its name.
func Numbers(list []Property) app.UI {
	entries := make([]app.UI, 0, len(list))
	for _, n := range list {
		entries = append(entries, app.Div().Class("Number").Body(app.Dt().Text(n.Name), app.Dd().Text(n.Value)))
	}
	return app.Dl().Class("Numbers").Body(entries...)
}
