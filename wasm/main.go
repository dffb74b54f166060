// Command wasm is the part of the site that runs in the browser while people
// read and search. It takes over the page the visitor is on, which reads
// complete without it. The pages people work on have programs of their own.
package main

import (
	"marketingskills/app/pages"
	"marketingskills/app/pages/article"
	"marketingskills/app/pages/catalog"
	"marketingskills/app/pages/changelog"
	"marketingskills/app/pages/missing"
)

func main() {
	pages.Program{
		pages.KindCatalog:   catalog.Draw,
		pages.KindSkill:     article.Draw,
		pages.KindReference: article.Draw,
		pages.KindChangelog: changelog.Draw,
		pages.KindMissing:   missing.Draw,
	}.Run()
}
