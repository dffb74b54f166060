package aside

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
)

// ErrUndone says that a backup was undone before.
var ErrUndone = errors.New("already undone")

// errConflict is the reason when something stands in the way of an undo.
var errConflict = errors.New("nothing was undone")

// Finish takes the step at which Apply was stopped to its end and closes the
// journal of a backup, which is a folder in parent. What was not begun stays
// undone: looking again finds it. The backup can be undone as before.
func (s Settings) Finish(parent, backup string) error {
	j, err := s.openBackup(parent, backup)
	if err != nil {
		return err
	}
	defer j.root.Close()
	if j.mark != "" {
		return nil
	}
	for _, m := range j.moves(j.steps...) {
		if err := j.settle(m.from, m.to); err != nil {
			return err
		}
		if j.exists(m.from) && !j.exists(m.to) {
			if err := j.move(m.from, m.to); err != nil {
				return err
			}
		}
	}
	return j.add(record{Mark: markDone})
}

// Undo takes back the job of a backup, which is a folder in parent: new skills
// return to new/ in the backup, old ones to where they were. It looks at
// everything first, and does nothing when something new stands in the way. It
// may be interrupted and begun again.
func (s Settings) Undo(ctx context.Context, parent, backup string, tell func(Event)) error {
	j, err := s.openBackup(parent, backup)
	if err != nil {
		return err
	}
	defer j.root.Close()
	if j.mark == markUndone {
		return ErrUndone
	}
	back, err := j.takeBack()
	if err != nil {
		return err
	}
	if err := j.add(record{Mark: markUndo}); err != nil {
		return err
	}
	for _, m := range back {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := j.mkdirs(filepath.Dir(m.from))
		if err == nil {
			err = j.move(m.to, m.from)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		e := Event{Did: "restored", Place: j.Label, Name: m.name}
		if m.digest != "" {
			e.Did = "removed"
		}
		tell(e)
	}
	return j.add(record{Mark: markUndone})
}

// takeBack puts right what a stop left between two places, and returns the
// moves to take back, the last one first. What was taken back before, or never
// moved, is not among them.
func (j *journal) takeBack() ([]move, error) {
	var back []move
	conflicts := ""
	// What will be gone from the skills folder when its turn comes.
	leaves := map[string]bool{}
	for _, m := range slices.Backward(j.moves(j.steps...)) {
		if err := errors.Join(j.settle(m.from, m.to), j.settle(m.to, m.from)); err != nil {
			return nil, err
		}
		switch {
		case !j.exists(m.to):
		case m.digest == "" && j.exists(m.from) && !leaves[m.from]:
			conflicts += "; " + m.name + " is in the place of the old folder; move it away and run undo again"
		case m.digest != "" && !j.is(m.to, m.digest):
			if !j.exists(m.from) {
				conflicts += "; " + m.name + " was changed since it was installed; move it away and run undo again"
				leaves[m.to] = true // one complaint is enough
			}
		default:
			back = append(back, m)
			leaves[m.to] = true
		}
	}
	if conflicts != "" {
		return nil, fmt.Errorf("%w in %s%s", errConflict, j.Label, conflicts)
	}
	return back, nil
}
