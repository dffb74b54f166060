package ui

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
)

// Form is a form of the page. Names of fields are their IDs, but for choices.
type Form struct {
	ID string
	// Fields is what stood in the form when it was last read, by the names of its
	// fields: of boxes and choices those that are ticked.
	Fields map[string]string
	// Wrong is what is wrong with single fields; Order lists the fields that
	// can be wrong, in the form's order.
	Wrong map[string]string
	Order []string
}

// Read keeps what stands in the form, if it is shown.
func (f *Form) Read() {
	if fields := browser.Fields(f.ID); fields != nil {
		f.Fields = fields
	}
}

// Fill makes the form, if it is shown, say what is kept of it.
func (f *Form) Fill() { browser.SetFields(f.ID, f.Fields) }

// Draw draws the form, which is never sent anywhere. Its method says so to the
// browser, for the moment before any script runs: what stands in it, a token
// for one, must not end up in an address.
func (f *Form) Draw(submit func(), parts ...app.UI) app.HTMLForm {
	return app.Form().ID(f.ID).Class("Form").Method("dialog").Attr("autocomplete", "off").
		OnSubmit(func(_ app.Context, e app.Event) { e.PreventDefault(); submit() }, app.EventScope(f.ID)).
		Body(parts...)
}

// complaint is what is wrong with a field or a group of choices.
func (f *Form) complaint(name string) []app.UI {
	if f.Wrong[name] == "" {
		return nil
	}
	return []app.UI{app.P().Class("Field-wrong").ID(name + "-wrong").Text(f.Wrong[name])}
}

// Group is a set of choices under a title, tied to what is wrong with them.
func (f *Form) Group(name string, choices ...app.UI) app.UI {
	set := app.FieldSet().Class("Choices")
	if f.Wrong[name] != "" {
		set = set.Aria("describedby", name+"-wrong")
	}
	return set.Body(append(choices, f.complaint(name)...)...)
}

// described ties a control to its notes. Once for each kind of control would be
// less to read with a type parameter, and three times as much to download.
func described(of app.UI, name, value string) app.UI {
	switch c := of.(type) {
	case app.HTMLInput:
		return c.Aria(name, value)
	case app.HTMLSelect:
		return c.Aria(name, value)
	case app.HTMLTextarea:
		return c.Aria(name, value)
	}
	return of
}

// Field is a labelled control, with what to know about it and what is wrong
// with it.
func Field(f *Form, name, label, note string, of app.UI) app.UI {
	var below []app.UI
	var ids []string
	if note != "" {
		below, ids = append(below, app.P().Class("Field-note").ID(name+"-note").Text(note)), append(ids, name+"-note")
	}
	if f.Wrong[name] != "" {
		below, ids = append(below, f.complaint(name)...), append(ids, name+"-wrong")
		of = described(of, "invalid", "true")
	}
	if len(ids) > 0 {
		of = described(of, "describedby", strings.Join(ids, " "))
	}
	parts := []app.UI{app.Label().Class("Field-label").For(name).Text(label), of}
	return Div("Field", append(parts, below...)...)
}

// Input is a field of a form; of type text unless the caller says otherwise.
func Input(name, value string) app.HTMLInput {
	in := app.Input().ID(name).Name(name).Class("Field-input")
	if value != "" {
		in = in.Value(Attr(value))
	}
	return in
}

// TextInput is a field for a word or a line.
func TextInput(name, value string) app.HTMLInput {
	return PlainText(Input(name, value).Type("text"))
}

// PlainText has the browser neither complete nor correct what is typed.
func PlainText(in app.HTMLInput) app.HTMLInput {
	return in.Attr("autocomplete", "off").Attr("autocapitalize", "off").Spellcheck(false)
}

// ListArea is a field for many lines.
func ListArea(id string, rows int) app.HTMLTextarea {
	return app.Textarea().ID(id).Class("Paste").Rows(rows).Spellcheck(false)
}

// Selection is a list of values with their texts.
func Selection(name, chosen string, values [][2]string) app.HTMLSelect {
	return app.Select().ID(name).Name(name).Class("Field-input").Body(Options(chosen, values)...)
}

// NoChoice is the value of an option for none in particular; go-app cannot write
// an empty one.
const NoChoice = "all"

// Choices are values that are their own texts, below the option for none.
func Choices(none string, values []string) [][2]string {
	all := [][2]string{{NoChoice, none}}
	for _, v := range values {
		all = append(all, [2]string{v, v})
	}
	return all
}

// Options are those of a list. The first shows by itself and is never marked: the
// page reads so before the program runs. Of the others, only the one chosen is
// given the attribute, which go-app would write as selected="false", and that
// selects.
func Options(chosen string, values [][2]string) []app.UI {
	options := make([]app.UI, 0, len(values))
	for i, v := range values {
		option := app.Option().Value(Attr(v[0])).Text(v[1])
		if i > 0 && v[0] == chosen {
			option = option.Selected(true)
		}
		options = append(options, option)
	}
	return options
}

// Box is a choice by itself; changed, if not nil, is told when it is ticked or
// no longer ticked.
func Box(name, label, note string, on bool, changed app.EventHandler) app.UI {
	return choiceOf(app.Input().Type("checkbox").Name(name).Value("yes").OnChange(changed), name, label, note, on)
}

// Choice is one of several; changed is told when it is taken.
func Choice(name, value, label, note string, on bool, changed app.EventHandler) app.UI {
	return choiceOf(app.Input().Type("radio").Name(name).Value(value).OnChange(changed), name+"-"+value, label, note, on)
}

func choiceOf(in app.HTMLInput, id, label, note string, on bool) app.UI {
	if on {
		in = in.Checked(true)
	}
	words := []app.UI{app.Label().For(id).Text(label)}
	if note != "" {
		in = in.Aria("describedby", id+"-note")
		words = append(words, app.P().ID(id+"-note").Class("Field-note").Text(note))
	}
	return Div("Choice", in.ID(id), Div("Choice-words", words...))
}

// Legend is the title of a group of choices.
func Legend(words string) app.HTMLLegend { return app.Legend().Text(words) }

// FormPart is a part of a form, set apart by a line.
func FormPart(parts ...app.UI) app.UI { return Div("Form-part", parts...) }

// MoreFields are parts that few need, behind their title.
func MoreFields(title string, parts ...app.UI) app.UI {
	return app.Details().Class("More-fields").Body(append([]app.UI{app.Summary().Text(title)}, parts...)...)
}
