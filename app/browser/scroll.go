package browser

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// OnScroll calls do, outside the UI goroutine, each time the element with that
// ID has been scrolled or changed its size, until stop is called: with how far
// it is scrolled and how high its visible part is, in CSS pixels. It calls do
// once at the beginning.
func OnScroll(id string, do func(top, height float64)) (stop func()) {
	element := byID(id)
	if !element.Truthy() {
		return func() {}
	}
	tell := app.FuncOf(func(app.Value, []app.Value) any {
		do(element.Get("scrollTop").Float(), element.Get("clientHeight").Float())
		return nil
	})
	element.Call("addEventListener", "scroll", tell, map[string]any{"passive": true})
	// An observer reports once when it begins to observe.
	observer := app.Window().Get("ResizeObserver").New(tell)
	observer.Call("observe", element)
	return func() {
		element.Call("removeEventListener", "scroll", tell)
		observer.Call("disconnect")
		tell.Release()
	}
}

// ScrollTo scrolls the element with that ID to so many CSS pixels from its
// beginning.
func ScrollTo(id string, top float64) {
	if element := byID(id); element.Truthy() {
		element.Set("scrollTop", top)
	}
}

// Reveal scrolls what holds the element with that ID sideways, as little as
// needed to show it.
func Reveal(id string) {
	if element := byID(id); element.Truthy() {
		element.Call("scrollIntoView", map[string]any{"block": "nearest", "inline": "center"})
	}
}

// Height is how high the first element that a CSS selector finds is drawn, in
// CSS pixels; 0 when there is none.
func Height(selector string) float64 {
	element := document().Call("querySelector", selector)
	if !element.Truthy() {
		return 0
	}
	return element.Call("getBoundingClientRect").Get("height").Float()
}

// SetHeight gives the element with that ID a height in CSS pixels. It does
// what a style attribute would, which the page's policy refuses.
func SetHeight(id string, height float64) {
	if element := byID(id); element.Truthy() {
		element.Get("style").Set("height", app.Window().Get("String").Invoke(height).String()+"px")
	}
}
