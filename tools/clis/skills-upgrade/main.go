// Command skills-upgrade checks installed skills: which are from this
// collection, which are outdated, renamed or merged, and how to update them.
// With --fix it updates those that are safe to change; what it did can be
// undone.
//
// The analysis is package upgrade and the steps are package plan, the same as on
// the site's upgrade page. What changes the disk is package backup.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"marketingskills/app/text"
	"marketingskills/app/upgrade/plan"
	"marketingskills/tools/internal/console"
)

func main() { os.Exit(start(time.Now())) }

// start runs the command as of a moment and returns its exit status.
func start(now time.Time) int {
	home, _ := os.UserHomeDir() // without one there is nothing to look at there
	dir, err := os.Getwd()
	shell := plan.POSIX
	if runtime.GOOS == "windows" {
		shell = plan.PowerShell
	}
	c := &command{
		stdin: bufio.NewReader(os.Stdin), stdout: os.Stdout, stderr: os.Stderr,
		dir: dir, home: home, now: now, shell: shell,
		asks:  console.IsTerminal(os.Stdin),
		paint: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && canColour(os.Stdout),
	}
	if err == nil {
		err = c.run(context.Background(), os.Args[1:])
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errFindings):
		return 1
	default:
		fmt.Fprintf(os.Stderr, "skills-upgrade: %s\n", text.Printable(err.Error()))
		return 2
	}
}
