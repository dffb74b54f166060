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
func (c *call) fix(ctx context.Context) error {
	if !c.options.dry {
		unlock, err := c.aside.Lock(c.now)
		if err != nil {
			return err
		}
		defer unlock()
	}
	s, err := c.see()
	if err != nil {
		return err
	}
	if finished, err := s.finish(ctx); err != nil {
		return err
	} else if finished {
		if s, err = c.see(); err != nil {
			return err
		}
	}
	p, err := s.plan(true)
	if err != nil {
		return err
	}
	jobs, err := s.jobs(p)
	if err != nil {
		return err
	}
	if err := c.print(func(out *printer) { out.fixes(s, p.Left, jobs) }); err != nil {
		return err
	}
	if c.options.dry || len(jobs) == 0 {
		return s.nothingDone(p)
	}
	if !c.options.yes {
		yes, err := c.ask(ctx, "Make these changes?")
		if err != nil {
			return err
		}
		if !yes {
			return s.nothingDone(p)
		}
		if err := c.sameStill(p); err != nil {
			return err
		}
	}
	return s.act(ctx, p, jobs)
}

func (s *state) nothingDone(p planning.Plan) error {
	if err := s.say("Nothing was changed."); err != nil {
		return err
	}
	if err := s.writeJSON(p, &fixed{DryRun: s.options.dry, Done: []aside.Event{}, After: s.report}); err != nil {
		return err
	}
	return s.verdict()
}

// sameStill makes sure that what was shown is what will be done.
func (c *call) sameStill(shown planning.Plan) error {
	s, err := c.see()
	if err != nil {
		return err
	}
	now, err := s.plan(true)
	if err == nil && !slices.Equal(now.Steps, shown.Steps) {
		err = errors.New("the folders changed before you answered; nothing was done; run the command again")
	}
	return err
}

// act takes the steps and looks again.
func (s *state) act(ctx context.Context, p planning.Plan, jobs []aside.Job) error {
	done := fixed{Done: []aside.Event{}, Undo: s.undoCommand(jobs)}
	var writing error
	tell := func(e aside.Event) {
		done.Done = append(done.Done, e)
		if writing == nil {
			writing = s.print(func(out *printer) { out.event(e) })
		}
	}
	if err := s.aside.Apply(ctx, jobs, tell); err != nil {
		if errors.Is(err, context.Canceled) {
			err = errors.New("stopped between two steps")
		}
		return fmt.Errorf("%w; no skill is damaged. To continue, run the same command again. To undo: %s", err, s.undoCommand(began(jobs)))
	}
	after, err := s.see()
	if err != nil {
		return err
	}
	done.After = after.report
	if writing == nil {
		writing = s.say("\nNow: %s\nNothing was deleted. To undo: %s", after.report.Summary, done.Undo)
	}
	if writing == nil {
		writing = s.writeJSON(p, &done)
	}
	if writing != nil {
		return fmt.Errorf("all changes were made, but not reported: %w; to undo: %s", writing, done.Undo)
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
func (s *state) interruptions() []interrupted {
	var all []interrupted
	seen := map[string]bool{}
	for _, at := range s.spots {
		parent := filepath.Dir(at.real)
		entries, _ := os.ReadDir(parent)
		for _, e := range entries {
			label := filepath.Join(parent, e.Name())
			if seen[label] || !strings.Contains(e.Name(), "-backup-") {
				continue
			}
			seen[label] = true
			if base := filepath.Base(at.label); base != "." && base != ".." {
				label = strings.TrimSuffix(at.label, base) + e.Name()
			}
			place, inUndo, err := s.aside.Interrupted(parent, e.Name())
			looked := slices.ContainsFunc(s.spots, func(at spot) bool { return at.real == place })
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

// finish puts right what interrupted runs left between two steps, and reports
// whether there was something to put right.
func (s *state) finish(ctx context.Context) (finished bool, err error) {
	found := s.interruptions()
	for _, i := range found {
		undo := "skills-upgrade --undo " + s.word(i.label)
		if i.undo {
			return false, fmt.Errorf("an earlier undo was interrupted; finish it first: %s", undo)
		}
		if err := s.say("An earlier run was interrupted. To undo what it did: %s", undo); err != nil {
			return false, err
		}
	}
	if len(found) == 0 || s.options.dry {
		return false, nil
	}
	if !s.options.yes {
		yes, err := s.ask(ctx, "Finish the interrupted run?")
		if err != nil {
			return false, err
		}
		if !yes {
			return false, errors.New("nothing was changed")
		}
	}
	for _, i := range found {
		if err := s.aside.Finish(i.parent, i.name); err != nil {
			return false, fmt.Errorf("finishing the run in %s: %w", text.Name(i.label), err)
		}
	}
	return true, nil
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
func (c *call) undo(ctx context.Context) error {
	unlock, err := c.aside.Lock(c.now)
	if err != nil {
		return err
	}
	defer unlock()
	for _, dir := range c.options.undo {
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
