package aside

// Finish puts right what a stop in the middle of Apply left between two
// renames, and closes the journal. What was not begun stays undone: looking
// again finds it. The backup can be undone as before.
func Finish(parent, backup string, hooks Hooks) error {
	d, s, err := openStory(parent, backup, hooks)
	if err != nil {
		return err
	}
	defer d.root.Close()
	if s.done || s.undoing || s.undone {
		return nil
	}
	for _, r := range s.steps {
		if r.Step == stepReplace {
			if err := d.finishReplace(r); err != nil {
				return err
			}
		}
		if err := d.tidy(r.Name); err != nil {
			return err
		}
	}
	j, err := d.openJournal(s.whole)
	if err != nil {
		return err
	}
	defer j.file.Close()
	return j.add(record{Step: stepDone})
}

// finishReplace makes sure that a skill is there, new or else old, and that
// its old content is in old/ when the new one came in.
func (d *disk) finishReplace(r record) error {
	here, away := d.at(r.Name), d.in("old", r.Name)
	staged, between := d.in("new", r.Name), d.at(incoming+r.Name)
	if !d.exists(here) {
		for _, from := range []string{between, staged} {
			if d.is(from, r.Digest) {
				return d.move(from, here)
			}
		}
		if d.exists(away) {
			return d.move(away, here)
		}
		return nil
	}
	if !d.exists(away) {
		for _, from := range []string{between, staged} {
			if d.exists(from) && !d.is(from, r.Digest) {
				return d.move(from, away)
			}
		}
	}
	if !d.exists(between) {
		return nil
	}
	// What is in between now is a copy: of the new folder, or of the old one
	// that is in the backup.
	copied := d.is(between, r.Digest)
	if !copied {
		same, err := d.sameTree(between, away)
		copied = err == nil && same
	}
	if copied {
		return d.removeTree(between)
	}
	return nil
}
