//go:build !linux && !darwin && !windows

package main

import "os"

// isTerminal tells whether someone sits at the other end; here nobody knows.
func isTerminal(*os.File) bool { return false }

func canColour(*os.File) bool { return false }
