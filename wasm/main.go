// Command wasm is the part of the site that runs in the browser. It takes over
// the page the visitor is on, which reads complete without it.
package main

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/pages"
)

func main() {
	// The pages route themselves: see browser.FollowLinks.
	app.RouteWithRegexp(".*", func() app.Composer { return &pages.Root{} })
	browser.AwaitCalm()
	app.RunWhenOnBrowser()
}
