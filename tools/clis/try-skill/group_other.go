//go:build !unix

package main

import (
	"os/exec"
	"strconv"
)

func ownGroup(*exec.Cmd) {}

// killGroup ends a command and what it started.
func killGroup(cmd *exec.Cmd) error {
	if cmd.ProcessState != nil {
		return nil // its number may be another's by now
	}
	return exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
}
