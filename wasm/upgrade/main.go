// Command upgrade is the program of the upgrade page.
package main

import (
	"marketingskills/app/pages"
	"marketingskills/app/pages/upgrade"
)

func main() { pages.Program{pages.KindUpgrade: upgrade.Draw}.Run() }
