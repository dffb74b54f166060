// Package browser is the one door to JavaScript. Everything a page needs of
// the browser is a plain Go function here, and no JavaScript value leaves the
// package. Off the browser every function does nothing and returns the zero
// value, so pages can be drawn into files: go-app's values are empty there, none
// of them truthy, and only what waits for the browser has to ask where it runs.
package browser

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Loading is how far something fetched has come.
type Loading int

// The states of Loading: nothing asked for yet is its zero value; then on its
// way, not to be had, or there.
const (
	Started Loading = iota + 1
	Failed
	Loaded
)

func document() app.Value { return app.Window().Get("document") }

func byID(id string) app.Value { return document().Call("getElementById", id) }

// focus is where the visitor was before take-over replaced the page: the way
// to the element, child by child, which leads to its twin afterwards, since
// both drawings are equal.
var focus struct {
	way        []int
	start, end int
	ranged     bool
}

// RememberFocus notes which element has the focus, and what is selected in it.
func RememberFocus() {
	active, body := document().Get("activeElement"), document().Get("body")
	if !active.Truthy() || active.Equal(body) || !body.Call("contains", active).Bool() {
		return
	}
	if start := active.Get("selectionStart"); start.Type() == app.TypeNumber {
		focus.start, focus.end, focus.ranged = start.Int(), active.Get("selectionEnd").Int(), true
	}
	for at := active; !at.Equal(body); at = at.Get("parentElement") {
		place := 0
		for before := at.Get("previousElementSibling"); before.Truthy(); before = before.Get("previousElementSibling") {
			place++
		}
		focus.way = append(focus.way, place)
	}
}

// RestoreFocus gives the remembered element its focus and selection back,
// without scrolling.
func RestoreFocus() {
	if focus.way == nil {
		return
	}
	at := document().Get("body")
	for i := len(focus.way) - 1; i >= 0 && at.Truthy(); i-- {
		at = at.Get("children").Index(focus.way[i])
	}
	focus.way = nil
	if !at.Truthy() {
		return
	}
	focusOnly(at)
	if focus.ranged {
		attempt(func() { at.Call("setSelectionRange", focus.start, focus.end) })
	}
}

// Asked tells whether the visitor asked for what the element with that ID
// does before the application ran; the page script marks it.
func Asked(id string) bool {
	element := byID(id)
	return element.Truthy() && element.Call("hasAttribute", "data-asked").Bool()
}

// FocusOn brings the element with that ID into view and gives it the focus, and
// tells whether there is one.
func FocusOn(id string) bool {
	if element := byID(id); element.Truthy() {
		element.Call("scrollIntoView")
	}
	return Focus(id)
}

// focusOnly gives an element the focus and scrolls nothing.
func focusOnly(element app.Value) { element.Call("focus", map[string]any{"preventScroll": true}) }

// leaving is whether the visitor is asked before the page goes away.
var leaving struct{ ask, listens bool }

// AskBeforeLeaving has the browser ask, or no longer ask, before the visitor
// leaves or reloads the page. The browser words the question.
func AskBeforeLeaving(ask bool) {
	leaving.ask = ask
	if leaving.listens {
		return
	}
	leaving.listens = true
	app.Window().Call("addEventListener", "beforeunload", app.FuncOf(func(_ app.Value, args []app.Value) any {
		if leaving.ask {
			args[0].Call("preventDefault")
		}
		return nil
	}))
}

// Focused is the ID of the element that has the focus; "" when it has none.
func Focused() string {
	if active := document().Get("activeElement"); active.Truthy() {
		return active.Get("id").String()
	}
	return ""
}

// Focus gives the element with that ID the focus without scrolling, and tells
// whether there is one.
func Focus(id string) bool {
	element := byID(id)
	if element.Truthy() {
		focusOnly(element)
	}
	return element.Truthy()
}

// Say has a screen reader say something that others see anyway.
func Say(text string) {
	if said := byID("said"); said.Truthy() {
		said.Set("textContent", text)
	}
}

// Windows tells whether the visitor's system is Windows.
func Windows() bool {
	return strings.Contains(app.Window().Get("navigator").Get("userAgent").String(), "Windows")
}

// Origin is the scheme and host of the page, as in https://skills.example.
func Origin() string { return app.Window().Get("location").Get("origin").String() }

// Today is the visitor's date, YYYY-MM-DD.
func Today() string { return time.Now().Format(time.DateOnly) }

// Busy shows or hides the thin line that says that something is on its way.
func Busy(on bool) {
	if line := byID("loading"); line.Truthy() {
		if on {
			line.Call("setAttribute", "data-waiting", "")
		} else {
			line.Call("removeAttribute", "data-waiting")
		}
	}
}

// AwaitCalm returns once no pointer is held down and no text is being
// composed: replacing the document under either would lose the click or the
// text.
func AwaitCalm() {
	if calm := app.Window().Get("pageCalm"); calm.Truthy() {
		await(calm.Invoke())
	}
}

// Announce marks the document as taken over, for style sheets and tests.
func Announce() {
	document().Get("documentElement").Call("setAttribute", "data-application", "running")
}

// await blocks the calling goroutine until a promise settles.
func await(promise app.Value) (app.Value, error) {
	type settled struct {
		value app.Value
		err   error
	}
	done := make(chan settled, 1)
	first := func(args []app.Value) app.Value {
		if len(args) == 0 {
			return app.Undefined()
		}
		return args[0]
	}
	fulfilled := app.FuncOf(func(_ app.Value, args []app.Value) any {
		done <- settled{value: first(args)}
		return nil
	})
	defer fulfilled.Release()
	rejected := app.FuncOf(func(_ app.Value, args []app.Value) any {
		reason := "no reason given"
		if r := first(args); r.Truthy() {
			reason = r.Call("toString").String()
		}
		done <- settled{err: errors.New(reason)}
		return nil
	})
	defer rejected.Release()
	promise.Call("then", fulfilled, rejected)
	s := <-done
	return s.value, s.err
}

// Yield lets the browser draw and answer the visitor before a goroutine goes on
// with a long computation.
func Yield() {
	if app.IsServer {
		return
	}
	promise := app.FuncOf(func(_ app.Value, args []app.Value) any {
		app.Window().Call("setTimeout", args[0], 0)
		return nil
	})
	defer promise.Release()
	// A promise that only a timer settles does not fail.
	_, _ = await(app.Window().Get("Promise").New(promise))
}

// Fetch gets a file of the site and hands it to then on the UI goroutine.
func Fetch(ctx app.Context, address string, then func(ctx app.Context, body []byte, err error)) {
	if app.IsServer {
		return
	}
	ctx.Async(func() {
		body, err := get(address)
		ctx.Dispatch(func(ctx app.Context) { then(ctx, body, err) })
	})
}

func get(address string) ([]byte, error) {
	response, err := await(app.Window().Call("fetch", address))
	if err != nil {
		return nil, fmt.Errorf("fetching %s: %w", address, err)
	}
	if !response.Get("ok").Bool() {
		return nil, fmt.Errorf("fetching %s: the server answered %d", address, response.Get("status").Int())
	}
	buffer, err := await(response.Call("arrayBuffer"))
	if err != nil {
		return nil, fmt.Errorf("fetching %s: the answer broke off: %w", address, err)
	}
	bytes := app.Window().Get("Uint8Array").New(buffer)
	body := make([]byte, bytes.Length())
	app.CopyBytesToGo(body, bytes)
	return body, nil
}

// Confirm asks the visitor a question and waits for the answer.
func Confirm(question string) bool {
	return app.Window().Call("confirm", question).Bool()
}

// OfferRanking lets the search that opens over every page ask for the places of
// what words find in an index, best first. ok is false as long as the index at
// that address is not there; see [AnnounceRanking].
func OfferRanking(rank func(address, words string) (places []int, ok bool)) {
	app.Window().Set("rankSearch", app.FuncOf(func(_ app.Value, arguments []app.Value) any {
		places, ok := rank(arguments[0].String(), arguments[1].String())
		if !ok {
			return nil
		}
		list := make([]any, len(places))
		for i, place := range places {
			list[i] = place
		}
		return list
	}))
	AnnounceRanking()
}

// AnnounceRanking tells that search that it can rank, or that one more index is
// there.
func AnnounceRanking() {
	document().Call("dispatchEvent", app.Window().Get("Event").New("ranking"))
}
