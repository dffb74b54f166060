// Command prospects is the program of the extraction page, and of the page that
// verifies emails.
package main

import (
	"runtime/debug"

	"marketingskills/app/pages"
	"marketingskills/app/pages/prospects"
	"marketingskills/app/pages/prospects/verification"
)

func main() {
	// The browser's one thread stands still while garbage is collected. Twice
	// as often is half as much to sweep each time, and a table of ten thousand
	// people scrolls without a stop that is seen.
	debug.SetGCPercent(50)
	pages.Program{pages.KindProspects: prospects.Draw, pages.KindVerify: verification.Draw}.Run()
}
