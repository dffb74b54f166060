// Command wasm is the part of the site that runs in the browser while people
// read and search. It takes over the page the visitor is on, which reads
// complete without it. The pages people work on have programs of their own.
package main

import "marketingskills/app/pages"

func main() { pages.Reading().Run() }
