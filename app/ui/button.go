package ui

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Button is the button of what a visitor most probably does next.
func Button(label string, do app.EventHandler) app.HTMLButton {
	return app.Button().Class("Button").Type("button").OnClick(do, app.EventScope(label)).Text(label)
}

// PlainButton is any other button.
func PlainButton(label string, do app.EventHandler) app.HTMLButton {
	return Button(label, do).Class("Button--plain")
}

// Remark is a sentence or two under what they are about.
func Remark(words string) app.UI { return app.P().Class("Remark").Text(words) }

// Actions are buttons side by side.
func Actions(buttons ...app.UI) app.UI { return app.Div().Class("Actions").Body(buttons...) }

// Heading is the title of a part of the page.
func Heading(words string) app.UI { return app.H2().Class("Section").Text(words) }

// SecondClick tells the second click of two: it was meant for the button that
// was there before.
func SecondClick(e app.Event) bool { return e.Get("detail").Int() > 1 }
