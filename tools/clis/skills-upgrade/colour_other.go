//go:build !windows

package main

import (
	"os"

	"marketingskills/tools/internal/console"
)

func canColour(f *os.File) bool { return console.IsTerminal(f) }
