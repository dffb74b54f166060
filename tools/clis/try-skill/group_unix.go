//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// ownGroup has a command start a process group, so that what it starts can be
// ended with it, and Ctrl-C reaches this command only.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
