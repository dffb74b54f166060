package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// canColour switches colours on, which older consoles cannot.
func canColour(f *os.File) bool {
	var mode uint32
	h := windows.Handle(f.Fd())
	return windows.GetConsoleMode(h, &mode) == nil &&
		windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
