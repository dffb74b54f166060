package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marketingskills/app/upgrade"
	"marketingskills/tools/clis/skills-upgrade/internal/aside"
)

// fix shows what is certain to do, and does it when told to.
func (c *command) fix(ctx context.Context, o options, k known, from *collection) error {
	s, err := c.see(o.dirs, k)
	if err != nil {
		return err
	}
	if err := c.goOn(ctx, o, &s, k); err != nil {
		return err
	}
	p, err := c.plan(&s, from, true)
	if err != nil {
		return err
	}
	jobs, err := p.jobs(&s, from)
	if err != nil {
		return err
	}
	if !o.json {
		if err := c.print(func(out *printer) { out.fixes(&s, p, jobs) }); err != nil {
			return err
		}
	}
	if o.dry || len(jobs) == 0 {
		return c.nothingDone(o, &s, p)
	}
	if !o.yes {
		yes, err := c.ask(ctx, "Do this?")
		if err != nil {
			return err
		}
		if !yes {
			return c.nothingDone(o, &s, p)
		}
		if err := c.sameStill(o, k, from, p); err != nil {
			return err
		}
	}
	return c.act(ctx, o, k, &s, p, jobs)
}

// act takes the steps and looks again.
func (c *command) act(ctx context.Context, o options, k known, s *state, p plan, jobs []aside.Job) error {
	done := fixed{Done: []aside.Event{}, Undo: c.undoCommand(jobs)}
	var writing error
	tell := func(e aside.Event) {
		done.Done = append(done.Done, e)
		if !o.json && writing == nil {
			writing = c.print(func(out *printer) { out.event(e) })
		}
	}
	if err := aside.Apply(ctx, jobs, tell, c.hooks); err != nil {
		if errors.Is(err, context.Canceled) {
			err = errors.New("stopped between two steps")
		}
		return fmt.Errorf("%w; every skill is whole, old or new. To go on, give the same command again; to undo: %s", err, c.undoCommand(began(jobs)))
	}
	after, err := c.see(o.dirs, k)
	if err != nil {
		return err
	}
	if o.json {
		done.After = after.report.JSON()
		writing = c.writeJSON(s, p, &done)
	} else if writing == nil {
		writing = c.print(func(out *printer) {
			out.line("\nNow: %s", after.report.Summary)
			out.line("Nothing was deleted. To undo: %s", done.Undo)
		})
	}
	if writing != nil {
		return fmt.Errorf("all was done, but not said: %w; to undo: %s", writing, done.Undo)
	}
	return after.verdict()
}

// began are the jobs whose backup was made.
func began(jobs []aside.Job) []aside.Job {
	var all []aside.Job
	for _, j := range jobs {
		if _, err := os.Lstat(filepath.Join(j.Parent, j.Backup, aside.JournalName)); err == nil {
			all = append(all, j)
		}
	}
	return all
}

func (c *command) nothingDone(o options, s *state, p plan) error {
	var err error
	if o.json {
		err = c.writeJSON(s, p, &fixed{DryRun: o.dry, Done: []aside.Event{}, After: s.report.JSON()})
	} else {
		err = c.print(func(out *printer) { out.line("Nothing was changed.") })
	}
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return s.verdict()
}

// sameStill makes sure that what was shown is what will be done.
func (c *command) sameStill(o options, k known, from *collection, shown plan) error {
	s, err := c.see(o.dirs, k)
	if err != nil {
		return err
	}
	now, err := c.plan(&s, from, true)
	if err != nil {
		return err
	}
	if !slices.Equal(now.Steps, shown.Steps) {
		return errors.New("something changed while you were asked; nothing was done, give the command again")
	}
	return nil
}

// ask waits for an answer; only y is yes.
func (c *command) ask(ctx context.Context, question string) (bool, error) {
	if !c.asks {
		return false, errors.New("nobody can be asked here, as this is no terminal; say --yes to act or --dry-run to look only")
	}
	fmt.Fprintf(c.stderr, "%s Type y for yes: ", question)
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
		return a == "y" || a == "Y", nil
	}
}

// interrupted is a backup whose job or whose undo did not end.
type interrupted struct {
	parent, name, label string
	undo                bool
}

// interruptions looks for journals beside the folders of skills.
func (s *state) interruptions() []interrupted {
	var all []interrupted
	seen := map[string]bool{}
	for _, sp := range s.spots {
		parent := filepath.Dir(sp.real)
		if seen[parent] {
			continue
		}
		seen[parent] = true
		entries, _ := os.ReadDir(parent)
		for _, e := range entries {
			if !e.IsDir() || !strings.Contains(e.Name(), "-backup-") {
				continue
			}
			status, err := aside.StatusOf(parent, e.Name())
			if err != nil || status != aside.Interrupted && status != aside.UndoInterrupted {
				continue
			}
			label := filepath.Join(parent, e.Name())
			if base := filepath.Base(sp.label); base != "." && base != ".." {
				label = sp.label[:len(sp.label)-len(base)] + e.Name()
			}
			all = append(all, interrupted{parent, e.Name(), label, status == aside.UndoInterrupted})
		}
	}
	return all
}

// goOn puts right what an interrupted run left between two steps, and looks
// again.
func (c *command) goOn(ctx context.Context, o options, s *state, k known) error {
	found := s.interruptions()
	for _, i := range found {
		undo := "skills-upgrade --undo " + word(i.label, c.windows)
		if i.undo {
			return fmt.Errorf("an undo was interrupted; end it first: %s", undo)
		}
		if !o.json {
			err := c.print(func(out *printer) {
				out.line("An earlier run was interrupted. To undo what it did: %s", undo)
			})
			if err != nil {
				return err
			}
		}
	}
	if len(found) == 0 || o.dry {
		return nil
	}
	if !o.yes {
		yes, err := c.ask(ctx, "Go on from there?")
		if err != nil || !yes {
			return errors.Join(err, errIf(!yes && err == nil, "nothing was changed"))
		}
	}
	for _, i := range found {
		if err := aside.Finish(i.parent, i.name, c.hooks); err != nil {
			return fmt.Errorf("going on from %s: %w", upgrade.Show(i.label), err)
		}
	}
	again, err := c.see(o.dirs, k)
	*s = again
	return err
}

func errIf(wrong bool, text string) error {
	if wrong {
		return errors.New(text)
	}
	return nil
}

// undoCommand takes the jobs back.
func (c *command) undoCommand(jobs []aside.Job) string {
	if len(jobs) == 0 {
		return "nothing is to be undone"
	}
	s := "skills-upgrade --undo"
	for _, j := range slices.Backward(jobs) {
		s += " " + word(j.BackupLabel, c.windows)
	}
	return s
}

// undo takes back what the backups' journals tell.
func (c *command) undo(ctx context.Context, backups []string) error {
	for _, dir := range backups {
		full := dir
		if !filepath.IsAbs(full) {
			full = filepath.Join(c.dir, dir)
		}
		parent, err := filepath.EvalSymlinks(filepath.Dir(full))
		n := 0
		if err == nil {
			err = aside.Undo(ctx, parent, filepath.Base(full), func(e aside.Event) {
				n++
				c.print(func(out *printer) { out.event(e) })
			}, c.hooks)
		}
		switch {
		case errors.Is(err, aside.ErrUndone):
			err = c.print(func(out *printer) { out.line("%s: %v.", upgrade.Show(dir), err) })
		case errors.Is(err, context.Canceled):
			return fmt.Errorf("stopped between two steps; to go on: skills-upgrade --undo %s", word(dir, c.windows))
		case err == nil:
			err = c.print(func(out *printer) {
				out.line("%s: undone, %s. It may be removed when nothing in it is wanted.", upgrade.Show(dir), count(n, "step"))
			})
		}
		if err != nil {
			return fmt.Errorf("undoing %s: %w", upgrade.Show(dir), reason(err))
		}
	}
	return nil
}
