package pages

import (
	"bytes"
	"context"
	"io"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

// Component is a page that somebody has open.
type Component interface {
	// UI is the page's own context: that of a handler ends with the element it
	// belongs to.
	UI() app.Context
	// Tell says at the lower edge what happens and what went wrong.
	Tell(status, problem string)
}

// Messages are what a page says at its lower edge. The lines are always there,
// and the same: a screen reader hears only what changes. They stay in view,
// wherever on the page the button was that led to them.
func Messages(status, problem string, more ...app.UI) app.UI {
	return ui.Div("Messages", append([]app.UI{
		app.P().ID("status").Role("status").Text(status),
		app.P().ID("problem").Class("Problem").Role("alert").Text(problem),
	}, more...)...)
}

// Operation is something slow that the visitor asked for, such as a request: one
// at a time.
type Operation struct{ cancel context.CancelFunc }

// Run calls do outside the UI goroutine, and says so, if there is a status to
// say. What do returns is called on the UI goroutine, unless the operation was given
// up meanwhile, as for another one.
func (e *Operation) Run(v Component, status string, do func(context.Context) (then func())) {
	e.GiveUp()
	ctx, cancel := context.WithCancel(context.Background())
	e.cancel = cancel
	if status != "" {
		v.Tell(status, "")
	}
	v.UI().Async(func() {
		then := do(ctx)
		v.UI().Dispatch(func(app.Context) {
			if ctx.Err() == nil {
				if status != "" {
					v.Tell("", "")
				}
				then()
			}
		})
	})
}

// GiveUp ends the operation.
func (e *Operation) GiveUp() {
	if e.cancel != nil {
		e.cancel()
		e.cancel = nil
	}
}

// Download gives the visitor a file; done is called afterwards. contents is
// what to say of it, or "".
func Download(v Component, name, media, contents string, write func(io.Writer) error, done func()) {
	v.Tell("Creating "+name+".", "")
	v.UI().Async(func() {
		browser.Yield()
		var b yieldingBuffer
		err := write(&b)
		v.UI().Dispatch(func(app.Context) {
			if err != nil {
				v.Tell("", name+" could not be created. "+text.Sentence(err.Error()))
				return
			}
			browser.Download(name, media+";charset=utf-8", b.Bytes())
			if contents != "" {
				contents = " (" + contents + ")"
			}
			v.Tell("Downloaded "+name+contents+".", "")
			done()
		})
	})
}

// yieldingBuffer lets the browser draw while much is written into it.
type yieldingBuffer struct {
	bytes.Buffer
	yielder browser.Yielder
}

func (b *yieldingBuffer) Write(p []byte) (int, error) {
	b.yielder.Step()
	return b.Buffer.Write(p)
}
