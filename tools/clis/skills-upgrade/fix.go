package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marketingskills/app/text"
	planning "marketingskills/app/upgrade/plan"
	"marketingskills/app/upgrade/scan"
	"marketingskills/tools/clis/skills-upgrade/internal/aside"
)

// fix shows what is safe to change, and changes it when told to.
func (c *command) fix(ctx context.Context, o options, k known) error {
	if !o.dry {
		unlock, err := c.lock()
		if err != nil {
			return err
		}
		defer unlock()
	}
	s, err := c.see(o.dirs, k)
	if err != nil {
		return err
	}
	if err := c.goOn(ctx, o, &s, k); err != nil {
		return err
	}
	p, err := c.plan(&s, true)
	if err != nil {
		return err
	}
	jobs, err := s.jobs(p)
	if err != nil {
		return err
	}
	if !o.json {
		if err := c.print(func(out *printer) { out.fixes(&s, p.Left, jobs) }); err != nil {
			return err
		}
	}
	if o.dry || len(jobs) == 0 {
		return c.nothingDone(o, &s, p)
	}
	if !o.yes {
		yes, err := c.ask(ctx, "Make these changes?")
		if err != nil {
			return err
		}
		if !yes {
			return c.nothingDone(o, &s, p)
		}
		if err := c.sameStill(o, k, p); err != nil {
			return err
		}
	}
	return c.act(ctx, o, k, &s, p, jobs)
}

// lock keeps other runs from changing anything until this one ends.
func (c *command) lock() (unlock func(), err error) {
	if c.aside.State == "" {
		return nil, errors.New("there is no folder to keep journals in; set HOME or XDG_STATE_HOME")
	}
	return c.aside.Lock(c.now)
}

// act takes the steps and looks again.
func (c *command) act(ctx context.Context, o options, k known, s *state, p planning.Plan, jobs []aside.Job) error {
	done := fixed{Done: []aside.Event{}, Undo: c.undoCommand(jobs)}
	var writing error
	tell := func(e aside.Event) {
		done.Done = append(done.Done, e)
		if !o.json && writing == nil {
			writing = c.print(func(out *printer) { out.event(e) })
		}
	}
	if err := c.aside.Apply(ctx, jobs, tell); err != nil {
		if errors.Is(err, context.Canceled) {
			err = errors.New("stopped between two steps")
		}
		return fmt.Errorf("%w; no skill is damaged. To continue, run the same command again. To undo: %s", err, c.undoCommand(began(jobs)))
	}
	after, err := c.see(o.dirs, k)
	if err != nil {
		return err
	}
	if o.json {
		done.After = after.report
		writing = c.writeJSON(s, p, &done)
	} else if writing == nil {
		writing = c.say("\nNow: %s\nNothing was deleted. To undo: %s", after.report.Summary, done.Undo)
	}
	if writing != nil {
		return fmt.Errorf("all changes were made, but the report could not be written: %w; to undo: %s", writing, done.Undo)
	}
	return after.verdict()
}

// began are the jobs whose backup was made.
func began(jobs []aside.Job) []aside.Job {
	return slices.DeleteFunc(slices.Clone(jobs), func(j aside.Job) bool {
		_, err := os.Lstat(filepath.Join(j.Parent, j.Backup, aside.IDFile))
		return err != nil
	})
}

func (c *command) nothingDone(o options, s *state, p planning.Plan) error {
	var err error
	if o.json {
		err = c.writeJSON(s, p, &fixed{DryRun: o.dry, Done: []aside.Event{}, After: s.report})
	} else {
		err = c.say("Nothing was changed.")
	}
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return s.verdict()
}

// sameStill makes sure that what was shown is what will be done.
func (c *command) sameStill(o options, k known, shown planning.Plan) error {
	s, err := c.see(o.dirs, k)
	if err != nil {
		return err
	}
	now, err := c.plan(&s, true)
	if err != nil {
		return err
	}
	if !slices.Equal(now.Steps, shown.Steps) {
		return errors.New("the folders changed before you answered; nothing was done; run the command again")
	}
	return nil
}

// ask waits for an answer; only y and yes are yes.
func (c *command) ask(ctx context.Context, question string) (bool, error) {
	if !c.asks {
		return false, errors.New("cannot ask for confirmation because there is no terminal; " +
			"use --yes to make the changes or --dry-run to see them")
	}
	fmt.Fprintf(c.stderr, "%s [y/N] ", question)
	answer := make(chan string, 1)
	go func() {
		line, _ := c.stdin.ReadString('\n')
		answer <- strings.TrimSpace(line)
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(c.stderr)
		return false, errors.New("stopped; nothing was changed")
	case a := <-answer:
		return strings.EqualFold(a, "y") || strings.EqualFold(a, "yes"), nil
	}
}

// interrupted is a backup whose job or whose undo did not end.
type interrupted struct {
	parent, name, label string
	undo                bool
}

// interruptions looks for backups beside the skills folders that were looked
// into. Those that were not made here, or are of other folders, are noted.
func (c *command) interruptions(s *state) []interrupted {
	var all []interrupted
	seen := map[string]bool{}
	for _, sp := range s.spots {
		parent := filepath.Dir(sp.real)
		entries, _ := os.ReadDir(parent)
		for _, e := range entries {
			label := filepath.Join(parent, e.Name())
			if seen[label] || !strings.Contains(e.Name(), "-backup-") {
				continue
			}
			seen[label] = true
			if base := filepath.Base(sp.label); base != "." && base != ".." {
				label = sp.label[:len(sp.label)-len(base)] + e.Name()
			}
			place, inUndo, err := c.aside.Interrupted(parent, e.Name())
			looked := slices.ContainsFunc(s.spots, func(sp spot) bool { return sp.real == place })
			switch {
			case errors.Is(err, aside.ErrForeign):
				s.report.Unchecked = append(s.report.Unchecked, text.Name(label)+": "+err.Error()+".")
			case err == nil && looked:
				all = append(all, interrupted{parent, e.Name(), label, inUndo})
			}
		}
	}
	return all
}

// goOn puts right what an interrupted run left between two steps, and looks
// again.
func (c *command) goOn(ctx context.Context, o options, s *state, k known) error {
	found := c.interruptions(s)
	for _, i := range found {
		undo := "skills-upgrade --undo " + c.word(i.label)
		if i.undo {
			return fmt.Errorf("an earlier undo was interrupted; finish it first: %s", undo)
		}
		if !o.json {
			if err := c.say("An earlier run was interrupted. To undo what it did: %s", undo); err != nil {
				return err
			}
		}
	}
	if len(found) == 0 || o.dry {
		return nil
	}
	if !o.yes {
		yes, err := c.ask(ctx, "Finish the interrupted run?")
		if err != nil {
			return err
		}
		if !yes {
			return errors.New("nothing was changed")
		}
	}
	for _, i := range found {
		if err := c.aside.Finish(i.parent, i.name); err != nil {
			return fmt.Errorf("finishing the run in %s: %w", text.Name(i.label), err)
		}
	}
	again, err := c.see(o.dirs, k)
	*s = again
	return err
}

// word writes a path as a word of this system's shell. PowerShell has no way to
// write a name that is not UTF-8; such a folder is to be typed.
func (c *command) word(path string) string {
	if !c.windows {
		return text.PosixPath(path)
	}
	if quoted, ok := text.PowerShellPath(path); ok {
		return quoted
	}
	return text.Name(path)
}

// undoCommand takes the jobs back.
func (c *command) undoCommand(jobs []aside.Job) string {
	if len(jobs) == 0 {
		return "nothing to undo"
	}
	s := "skills-upgrade --undo"
	for _, j := range slices.Backward(jobs) {
		s += " " + c.word(j.BackupLabel)
	}
	return s
}

// undo takes back what the backups' journals tell.
func (c *command) undo(ctx context.Context, backups []string) error {
	unlock, err := c.lock()
	if err != nil {
		return err
	}
	defer unlock()
	for _, dir := range backups {
		full, _ := c.path(dir)
		parent, err := filepath.EvalSymlinks(filepath.Dir(full))
		n := 0
		if err == nil {
			err = c.aside.Undo(ctx, parent, filepath.Base(full), func(e aside.Event) {
				n++
				c.print(func(out *printer) { out.event(e) })
			})
		}
		switch {
		case errors.Is(err, aside.ErrUndone):
			err = c.say("%s: %v.", text.Name(dir), err)
		case errors.Is(err, context.Canceled):
			return fmt.Errorf("stopped between two steps; to continue: skills-upgrade --undo %s", c.word(dir))
		case err == nil:
			err = c.say("%s: undone (%s). Delete this folder when you no longer need it.", text.Name(dir), text.Count(n, "step"))
		}
		if err != nil {
			return fmt.Errorf("undoing %s: %w", text.Name(dir), scan.Reason(err))
		}
	}
	return nil
}
