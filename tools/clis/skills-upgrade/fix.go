package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"marketingskills/app/text"
	"marketingskills/app/upgrade/paths"
	planning "marketingskills/app/upgrade/plan"
	"marketingskills/app/upgrade/scan"
	"marketingskills/tools/clis/skills-upgrade/internal/backup"
)

// fix shows what is safe to change, and changes it when told to.
func (c *command) fix(ctx context.Context) error {
	s, err := c.inspect()
	if err != nil {
		return err
	}
	p, err := s.plan(true)
	if err != nil {
		return err
	}
	if err := c.print(func(out *printer) { out.fixes(s, p) }); err != nil {
		return err
	}
	if c.options.dry || len(p.Steps) == 0 {
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
	}
	return s.act(ctx, p)
}

func (s *state) nothingDone(p planning.Plan) error {
	if err := s.command.say("Nothing was changed."); err != nil {
		return err
	}
	if err := s.writeJSON(p, &fixed{DryRun: s.command.options.dry, Done: []planning.Step{}, After: s.report}); err != nil {
		return err
	}
	return s.verdict()
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

// act takes the steps and inspects the disk again.
func (s *state) act(ctx context.Context, p planning.Plan) error {
	c := s.command
	backups, err := s.begin(p)
	for _, b := range backups {
		defer b.CloseEmpty()
	}
	if err != nil {
		return fmt.Errorf("%w; nothing was changed; run the command again", err)
	}
	done := fixed{Done: []planning.Step{}, Undo: c.shell.Undo(p)}
	var writing error
	err = s.take(ctx, p, backups, func(step planning.Step) {
		done.Done = append(done.Done, step)
		if writing == nil {
			writing = c.say("Done: %s", step)
		}
	})
	if err != nil {
		return fmt.Errorf("%w; each folder is whole, in its skills folder or in the backup folder. "+
			"To continue, run the same command again. To undo: %s", err, done.Undo)
	}
	after, err := c.inspect()
	if err != nil {
		return err
	}
	done.After = after.report
	if writing == nil {
		writing = c.say("\nNow: %s\nNothing was deleted. To undo: %s", after.report.Summary, done.Undo)
	}
	if writing == nil {
		writing = s.writeJSON(p, &done)
	}
	if writing != nil {
		return fmt.Errorf("all changes were made, but not reported: %w; to undo: %s", writing, done.Undo)
	}
	return after.verdict()
}

// begin makes the backup folders of a plan, by their places.
func (s *state) begin(p planning.Plan) (map[string]*backup.Backup, error) {
	backups := map[string]*backup.Backup{}
	for _, planned := range p.Backups {
		real := s.placeOf(planned.Place).real
		b, err := backup.Create(filepath.Dir(real), filepath.Base(real), filepath.Base(planned.Path))
		if err != nil {
			return backups, fmt.Errorf("beginning in %s: %w", text.Name(planned.Place), err)
		}
		b.BeforeRename = s.command.beforeRename
		if collection := s.command.source.collection; collection != nil {
			b.Skills = collection.skill("")
		}
		backups[planned.Place] = b
	}
	return backups, nil
}

// take takes the steps of a plan, one after the other.
func (s *state) take(ctx context.Context, p planning.Plan, backups map[string]*backup.Backup, tell func(planning.Step)) error {
	for _, step := range p.Steps {
		if ctx.Err() != nil {
			return errors.New("stopped between two steps")
		}
		did, err := step.Take(backups[step.Place])
		switch {
		case errors.Is(err, backup.ErrOtherDisk):
			return fmt.Errorf("%s: %w; to move it yourself: %s", step, err, s.command.shell.MoveInto(step.From, paths.Parent(step.To)))
		case err != nil:
			return fmt.Errorf("%s: %w", step, err)
		case did:
			tell(step)
		}
	}
	return nil
}

// undo puts back what is in backup folders.
func (c *command) undo(ctx context.Context) error {
	var inTheWay []string
	for _, dir := range c.options.undo {
		left, err := c.undoOne(ctx, dir)
		if err != nil {
			return fmt.Errorf("undoing %s: %w", text.Name(dir), scan.Reason(err))
		}
		inTheWay = append(inTheWay, left...)
	}
	if len(inTheWay) > 0 {
		return fmt.Errorf("not put back: %s; see above why, and undo again", strings.Join(inTheWay, ", "))
	}
	return nil
}

// undoOne undoes one backup, and names the folders that could not be put back.
func (c *command) undoOne(ctx context.Context, dir string) (left []string, err error) {
	full, _ := c.path(dir)
	parent, err := filepath.EvalSymlinks(filepath.Dir(full))
	if err != nil {
		return nil, err
	}
	label, name := paths.Clean(dir), filepath.Base(full)
	place := filepath.Join(parent, planning.PlaceOf(name))
	if why := c.untouched(base{dir: parent, own: sameFile(parent, c.home), named: true}, place); why != "" {
		return nil, errors.New(why)
	}
	b, err := backup.Open(parent, name)
	if err != nil {
		return nil, err
	}
	defer b.CloseEmpty()
	b.BeforeRename = c.beforeRename
	skills := filepath.Join(filepath.Dir(label), planning.PlaceOf(name))
	n := 0
	err = b.Undo(ctx, func(folder string, old bool, err error) {
		from, to := filepath.Join(skills, folder), filepath.Join(label, planning.NewFolder, folder, folder)
		if old {
			from, to = filepath.Join(label, folder), filepath.Join(skills, folder)
		}
		n++
		switch {
		case err == nil:
			c.say("Done: Move %s to %s", text.Name(from), text.Name(to))
			return
		case errors.Is(err, backup.ErrTaken):
			err = fmt.Errorf("there is another %s; move it away", text.Name(to))
		case errors.Is(err, backup.ErrOtherDisk):
			err = fmt.Errorf("%w; to move it yourself: %s", err, c.shell.MoveInto(from, filepath.Dir(to)))
		}
		left = append(left, text.Name(folder))
		fmt.Fprintf(c.stderr, "%s: %s\n", text.Name(folder), text.Printable(err.Error()))
	})
	switch {
	case errors.Is(err, context.Canceled):
		return nil, fmt.Errorf("stopped between two steps; to continue, run the same command again")
	case err != nil || len(left) > 0:
		return left, err
	case n == 0:
		return nil, c.say("%s: there is nothing to put back.", text.Name(dir))
	}
	return nil, c.say("%s: undone (%s). Delete this folder when you no longer need it.", text.Name(dir), text.Count(n, "step"))
}
