package browser

import (
	"encoding/json"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Keep remembers a value by a name for as long as this tab is open, at the page
// at hand only. What is too large for the browser is not kept.
func Keep(name string, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		return
	}
	attempt(func() { app.Window().Get("sessionStorage").Call("setItem", keptName(name), string(data)) })
}

// Kept fills value with what was kept by that name, if the visitor came to the
// page by Back, Forward or a reload, which are to change nothing.
func Kept(name string, value any) (ok bool) {
	if app.IsServer {
		return false
	}
	attempt(func() {
		came := app.Window().Get("performance").Call("getEntriesByType", "navigation").Index(0).Get("type").String()
		kept := app.Window().Get("sessionStorage").Call("getItem", keptName(name))
		ok = came != "navigate" && kept.Truthy() && json.Unmarshal([]byte(kept.String()), value) == nil
	})
	return ok
}

func keptName(name string) string { return "kept " + At().Path + " " + name }
