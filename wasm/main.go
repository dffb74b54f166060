// Command wasm is the part of the site that runs in the browser while people
// read and search. It takes over the page the visitor is on, which reads
// complete without it. The pages people work on have programs of their own, and
// the page for unknown addresses starts none.
package main

import (
	"marketingskills/app/pages"
	"marketingskills/app/pages/article"
	"marketingskills/app/pages/catalog"
	"marketingskills/app/pages/changelog"
)

func main() {
	pages.Program{
		pages.KindCatalog:   catalog.Draw,
		pages.KindSkill:     article.Draw,
		pages.KindReference: article.Draw,
		pages.KindTools:     catalog.Draw,
		pages.KindTool:      article.Draw,
		pages.KindChangelog: changelog.Draw,
		pages.KindTryouts:   article.Draw,
		pages.KindMap:       article.Draw,
		pages.KindNews:      article.Draw,
	}.Run()
}
