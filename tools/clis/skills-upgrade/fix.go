package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/paths"
	planning "marketingskills/app/upgrade/plan"
	"marketingskills/app/upgrade/scan"
	"marketingskills/tools/clis/skills-upgrade/internal/backup"
)

// event is something that happened to a folder, or to a file of the user's.
type event struct {
	// Did is ready, kept, moved, installed, left (in the backup folder only),
	// removed or restored.
	Did   string `json:"did"`
	Place string `json:"place"`
	Name  string `json:"name"`
	// To is where it is now.
	To string `json:"to"`
}

// fix shows what is safe to change, and changes it when told to.
func (c *command) fix(ctx context.Context) error {
	s, err := c.look()
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
		if err := c.unchanged(p); err != nil {
			return err
		}
	}
	return s.act(ctx, p)
}

func (s *state) nothingDone(p planning.Plan) error {
	if err := s.command.say("Nothing was changed."); err != nil {
		return err
	}
	if err := s.writeJSON(p, &fixed{DryRun: s.command.options.dry, Done: []event{}, After: s.report}); err != nil {
		return err
	}
	return s.verdict()
}

// unchanged makes sure that what was shown is what will be done.
func (c *command) unchanged(shown planning.Plan) error {
	s, err := c.look()
	if err != nil {
		return err
	}
	now, err := s.plan(true)
	if err == nil && !slices.Equal(now.Steps, shown.Steps) {
		err = errors.New("the folders changed before you answered; nothing was done; run the command again")
	}
	return err
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

// act takes the steps and looks again.
func (s *state) act(ctx context.Context, p planning.Plan) error {
	c := s.command
	done := fixed{Done: []event{}, Undo: c.undoCommand(backupPaths(p)...)}
	var writing error
	tell := func(e event) {
		done.Done = append(done.Done, e)
		if writing == nil {
			writing = c.print(func(out *printer) { out.event(e) })
		}
	}
	if err := s.take(ctx, p, tell); err != nil {
		return fmt.Errorf("%w; each folder is whole, in its skills folder or in the backup folder. "+
			"To continue, run the same command again. To undo: %s", err, done.Undo)
	}
	after, err := c.look()
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

func backupPaths(p planning.Plan) []string {
	var all []string
	for _, b := range p.Backups {
		all = append(all, b.Path)
	}
	return all
}

// take takes the steps of a plan, one after the other.
func (s *state) take(ctx context.Context, p planning.Plan, tell func(event)) error {
	backups := map[string]*backup.Backup{}
	for _, planned := range p.Backups {
		parent, name := s.backupFolder(planned)
		b, err := backup.Create(parent, filepath.Base(s.placeOf(planned.Place).real), name)
		if err != nil {
			return fmt.Errorf("beginning in %s: %w", text.Name(planned.Place), err)
		}
		defer b.CloseEmpty()
		b.BeforeRename = s.command.beforeRename
		backups[planned.Place] = b
	}
	kept := map[string]bool{}
	for _, step := range p.Steps {
		if ctx.Err() != nil {
			return errors.New("stopped between two steps")
		}
		b := backups[step.Place]
		e := event{Place: step.Place, Name: step.Skill, To: step.To}
		var err error
		switch step.Action {
		case planning.Fetch:
			e.Did, err = "ready", b.Stage(step.Skill, s.command.source.collection.skill(step.Skill))
		case planning.Keep:
			e.Did, e.Name = "kept", step.Skill+"/"+step.File
			if kept[step.From], err = b.Keep(step.Folder, step.File, step.Skill); err == nil && !kept[step.From] {
				continue
			}
		case planning.Move:
			e.Did, e.Name, err = "moved", step.Folder, b.Move(step.Folder)
		case planning.Install:
			e.Did, err = "installed", b.Install(step.Skill)
		}
		if err != nil {
			return s.command.failed(step, err)
		}
		tell(e)
		s.tellLeft(step, kept, tell)
	}
	return nil
}

// tellLeft tells of the user's files in a folder that was moved which are in the
// backup folder only.
func (s *state) tellLeft(step planning.Step, kept map[string]bool, tell func(event)) {
	if step.Action != planning.Move {
		return
	}
	row := slices.IndexFunc(s.report.Rows, func(r upgrade.Row) bool { return r.Place == step.Place && r.Folder == step.Folder })
	for _, file := range s.report.Rows[row].Unfamiliar {
		parts := strings.Split(file, "/")
		if !kept[paths.Join(step.From, parts...)] {
			tell(event{"left", step.Place, step.Folder + "/" + file, paths.Join(step.To, parts...)})
		}
	}
}

// failed says which step failed, and what to type where it only takes a copy.
func (c *command) failed(step planning.Step, err error) error {
	what := string(step.Action) + " " + showIn(step.Place, step.Folder+step.Skill)
	if step.Folder != "" {
		what = string(step.Action) + " " + showIn(step.Place, step.Folder)
	}
	if errors.Is(err, backup.ErrOtherDisk) {
		err = fmt.Errorf("%w; to move it yourself: %s", err, c.moveCommand(step.From, paths.Parent(step.To)))
	}
	return fmt.Errorf("%s: %w", what, err)
}

// moveCommand moves a folder into another, copying it if need be.
func (c *command) moveCommand(from, into string) string {
	if c.windows {
		return "Move-Item -LiteralPath " + c.word(from) + " -Destination " + c.word(into)
	}
	return "mv -n " + c.word(from) + " " + c.word(into) + "/"
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

// undoCommand takes back what was moved to backup folders, the last one first.
func (c *command) undoCommand(backups ...string) string {
	s := "skills-upgrade --undo"
	for _, path := range slices.Backward(backups) {
		s += " " + c.word(path)
	}
	return s
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
	if why := c.untouched(base{dir: parent, own: sameFile(parent, c.home), named: true}, filepath.Join(parent, backup.PlaceOf(name))); why != "" {
		return nil, errors.New(why)
	}
	b, err := backup.Open(parent, name)
	if err != nil {
		return nil, err
	}
	defer b.CloseEmpty()
	b.BeforeRename = c.beforeRename
	skills := filepath.Join(filepath.Dir(label), backup.PlaceOf(name))
	n := 0
	err = b.Undo(ctx, func(folder string, old bool, err error) {
		e := event{"removed", skills, folder, filepath.Join(label, planning.NewFolder, folder, folder)}
		from, into := filepath.Join(skills, folder), filepath.Dir(e.To)
		if old {
			e.Did, e.To = "restored", filepath.Join(skills, folder)
			from, into = filepath.Join(label, folder), skills
		}
		if n++; err == nil {
			c.print(func(out *printer) { out.event(e) })
			return
		}
		left = append(left, text.Name(folder))
		switch {
		case errors.Is(err, backup.ErrTaken):
			err = fmt.Errorf("%s is in the place of the old folder; move it away", showIn(skills, folder))
		case errors.Is(err, backup.ErrOtherDisk):
			err = fmt.Errorf("%w; to move it yourself: %s", err, c.moveCommand(from, into))
		}
		fmt.Fprintf(c.stderr, "%s: %s\n", text.Name(folder), text.Printable(err.Error()))
	})
	switch {
	case errors.Is(err, context.Canceled):
		return nil, fmt.Errorf("stopped between two steps; to continue: %s", c.undoCommand(dir))
	case err != nil || len(left) > 0:
		return left, err
	case n == 0:
		return nil, c.say("%s: there is nothing to put back.", text.Name(dir))
	}
	return nil, c.say("%s: undone (%s). Delete this folder when you no longer need it.", text.Name(dir), text.Count(n, "step"))
}
