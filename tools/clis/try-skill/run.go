package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"marketingskills/app/text"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/filelock"
	"marketingskills/tools/internal/outfile"
)

// shell runs a command line of the user's in a folder, with a text on standard
// input, and returns its standard output. It is bounded in time and output, and
// takes what it started with it when it ends.
func (o *options) shell(ctx context.Context, line, dir, stdin string, hidden string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	cmd := shellCommand(ctx, line)
	stdout, stderr := &bounded{most: most, full: cancel}, &bounded{most: 64 << 10}
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(stdin), stdout, stderr
	// Neither the folder it was called from nor that of the trial is told.
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); name != "PWD" && name != "OLDPWD" && !strings.Contains(value, hidden) {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	cmd.Env = append(cmd.Env, "PWD="+dir)
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.WaitDelay = 2 * time.Second
	err := cmd.Run()
	if cmd.Process != nil {
		_ = killGroup(cmd) // what it left running; mostly nothing
	}
	switch {
	case stdout.over:
		return "", fmt.Errorf("it wrote more than %d bytes", most)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", fmt.Errorf("it took longer than %s; give it more with --timeout", console.Short(o.timeout))
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		if last := strings.TrimSpace(stderr.String()); last != "" {
			err = fmt.Errorf("%w: %s", err, text.Line(last[strings.LastIndexByte(last, '\n')+1:], 300))
		}
		return "", err
	}
	return stdout.String(), nil
}

// bounded keeps what is written up to a limit, and tells when it is reached.
type bounded struct {
	strings.Builder
	most int
	over bool
	full func()
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) <= b.most {
		return b.Builder.Write(p)
	}
	b.over = true
	if b.full != nil {
		b.full()
	}
	return len(p), nil
}

// lock keeps a second run from doing the same work.
func lock(path string) (release func(), err error) {
	release, err = filelock.Beside(path)
	if errors.Is(err, filelock.ErrHeld) {
		return nil, fmt.Errorf("another run is at work in %s; wait until it has ended", console.ShellWord(filepath.Dir(path)))
	}
	return release, err
}

// tooMany is after how many failures, and no success, nothing more is started:
// then it is the command that is wrong.
const tooMany = 5

// each does n tasks, some at the same time, and says how far it is. Its error is
// [console.ErrIncomplete] if some failed or were not begun.
func (c *command) each(ctx context.Context, o *options, n int, done string, do func(context.Context, int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	var mu sync.Mutex
	good, bad := 0, 0
	slots := make(chan struct{}, o.parallel)
	for i := range n {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		all.Go(func() {
			defer func() { <-slots }()
			start := time.Now()
			err := do(ctx, i)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case ctx.Err() != nil:
			case err == nil:
				good++
				c.say("%d of %d: %s in %s", good+bad, n, done, console.Short(time.Since(start)))
			default:
				bad++
				c.say("%d of %d: failed: %s", good+bad, n, err)
				if good == 0 && bad == tooMany {
					cancel(fmt.Errorf("the first %d all failed; check the command", tooMany))
				}
			}
		})
	}
	all.Wait()
	switch cause := context.Cause(ctx); {
	case cause != nil && !errors.Is(cause, context.Canceled):
		return cause
	case cause != nil:
		c.say("Interrupted; the %d that were done are kept. To resume, run the same command.", good)
	case bad > 0:
		c.say("%s failed, and can be tried again with the same command.", text.Number(bad))
	default:
		return nil
	}
	return console.ErrIncomplete
}

// shellCommand is a command line as the system's shell runs it.
func shellCommand(ctx context.Context, line string) *exec.Cmd {
	name, flag := "sh", "-c"
	if os.PathSeparator == '\\' {
		name, flag = "cmd", "/c"
	}
	cmd := exec.CommandContext(ctx, name, flag, line)
	ownGroup(cmd)
	return cmd
}

// save writes a text as a whole or not at all.
func save(path, content string) error {
	err := outfile.Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, content)
		return err
	})
	if err != nil {
		return fmt.Errorf("writing %s: %w", console.ShellWord(path), err)
	}
	return nil
}
