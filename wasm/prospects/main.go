// Command prospects is the program of the extraction page.
package main

import "marketingskills/app/pages/prospects"

func main() { prospects.Program().Run() }
