// Command upgrade is the program of the upgrade page.
package main

import "marketingskills/app/pages/upgrade"

func main() { upgrade.Program().Run() }
