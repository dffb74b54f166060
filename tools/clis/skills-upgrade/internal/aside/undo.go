package aside

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
)

// ErrUndone says that a backup was undone before.
var ErrUndone = errors.New("already undone")

// errConflict is the reason when something stands in the way of an undo.
var errConflict = errors.New("nothing was undone")

// taking back is one thing to do, decided by what stands where.
type taking struct {
	did, name string
	do        func() error
}

// Undo takes back the job of a backup, which is a folder in parent: old
// folders return, new ones go to undone/ in the backup. It looks at everything
// first, and does nothing when something new stands in the way. It may be
// interrupted and begun again.
func Undo(ctx context.Context, parent, backup string, tell func(Event), hooks Hooks) error {
	d, s, err := openStory(parent, backup, hooks)
	if err != nil {
		return err
	}
	defer d.root.Close()
	if s.undone {
		return ErrUndone
	}
	var all []taking
	conflicts := ""
	for _, r := range slices.Backward(s.steps) {
		t, why := d.takeBack(r)
		switch {
		case why != "":
			conflicts += "; " + r.Name + " " + why
		case t != nil:
			all = append(all, *t)
		}
	}
	if conflicts != "" {
		return fmt.Errorf("%w in %s%s", errConflict, s.Label, conflicts)
	}
	j, err := d.openJournal(s.whole)
	if err != nil {
		return err
	}
	defer j.file.Close()
	if err := j.add(record{Step: stepUndo}); err != nil {
		return err
	}
	for _, t := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := t.do(); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		tell(Event{Did: t.did, Place: s.Label, Name: t.name})
	}
	for _, r := range s.steps {
		if err := d.tidy(r.Name); err != nil {
			return err
		}
	}
	return j.add(record{Step: stepUndone})
}

func openStory(parent, backup string, hooks Hooks) (*disk, story, error) {
	if !single(backup) {
		return nil, story{}, fmt.Errorf("%q is not the name of a folder", backup)
	}
	root, err := os.OpenRoot(parent)
	if err != nil {
		return nil, story{}, reason(err)
	}
	d := &disk{root: root, backup: backup, hooks: hooks}
	var s story
	if err = d.checkFolder(backup); err == nil {
		if s, err = readStory(root, backup); err == nil {
			d.place = s.Place
			err = d.checkFolder(s.Place)
		}
	}
	if err != nil {
		root.Close()
		return nil, story{}, err
	}
	return d, s, nil
}

// takeBack decides what taking a step back asks for now: nothing, something to
// do, or why it cannot be.
func (d *disk) takeBack(r record) (*taking, string) {
	switch r.Step {
	case stepMove:
		return d.takeBackMove(r)
	case stepInstall:
		return d.takeBackInstall(r)
	case stepReplace:
		return d.takeBackReplace(r)
	}
	return nil, ""
}

const (
	inTheWay = "is in the place of the old folder; move it away and run undo again"
	changed  = "was changed since it was installed; move it away and run undo again"
)

func (d *disk) takeBackMove(r record) (*taking, string) {
	here, old := d.at(r.Name), d.in("old", r.Name)
	if !d.exists(old) {
		return nil, ""
	}
	if d.exists(here) {
		if same, err := d.sameTree(here, old); err == nil && same {
			return nil, ""
		}
		return nil, inTheWay
	}
	return &taking{"restored", r.Name, func() error { return d.move(old, here) }}, ""
}

func (d *disk) takeBackInstall(r record) (*taking, string) {
	here := d.at(r.Name)
	switch {
	case !d.exists(here):
	case d.is(here, r.Digest):
		return &taking{"removed", r.Name, func() error { return d.toUndone(here, r.Name) }}, ""
	case d.is(d.in("new", r.Name), r.Digest): // it never came in
	case d.is(d.in("undone", r.Name), r.Digest): // it was taken out before
	default:
		return nil, changed
	}
	return nil, ""
}

func (d *disk) takeBackReplace(r record) (*taking, string) {
	here, old := d.at(r.Name), d.in("old", r.Name)
	if !d.exists(old) {
		return nil, "" // never moved, or returned before
	}
	isNew := d.is(here, r.Digest)
	if d.exists(here) && !isNew {
		if same, err := d.sameTree(here, old); err == nil && same {
			return nil, ""
		}
		return nil, changed
	}
	return &taking{"restored", r.Name, func() error {
		if isNew {
			if err := d.toUndone(here, r.Name); err != nil {
				return err
			}
		}
		return d.move(old, here)
	}}, ""
}

// toUndone moves something new out of the place, to the backup.
func (d *disk) toUndone(from, name string) error {
	if err := d.mkdirs(d.in("undone")); err != nil {
		return err
	}
	to := d.in("undone", name)
	for i := 2; d.exists(to); i++ {
		to = d.in("undone", name+"-"+strconv.Itoa(i))
	}
	return d.move(from, to)
}
