// Command checker is the program of the upgrade checker.
package main

import "marketingskills/app/pages/checker"

func main() { checker.Program().Run() }
