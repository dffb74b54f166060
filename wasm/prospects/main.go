// Command prospects is the program of the extraction page.
package main

import (
	"runtime/debug"

	"marketingskills/app/pages"
	"marketingskills/app/pages/prospects"
)

func main() {
	// The browser's one thread stands still while garbage is collected. Twice
	// as often is half as much to sweep each time, and a table of ten thousand
	// people scrolls without a stop that is seen.
	debug.SetGCPercent(50)
	pages.Program{pages.KindProspects: prospects.Draw}.Run()
}
