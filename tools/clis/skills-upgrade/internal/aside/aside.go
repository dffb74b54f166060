// Package aside moves skill folders to a backup folder, puts new ones in their
// place, and takes both back. It is the acting part of skills-upgrade.
//
// [Settings.Apply] does a list of jobs, one for each skills folder;
// [Settings.Undo] takes a job back, given its backup; [Settings.Finish] ends
// one that was interrupted. [Settings.Lock] keeps other runs out meanwhile.
//
// # What stands where
//
// A job's backup is a folder next to the skills folder:
//
//	skills/                 what agents load
//	skills-backup-DATE/
//	    skills-upgrade.id   the name of the journal
//	    old/NAME/           what was moved away
//	    new/NAME/           what is made ready, and what an undo took out again
//
// The journal, every step written before it is taken, is in a folder of the
// user's own ([Settings.State]). So nothing that came with a repository, or
// from another machine, is ever taken for a record of what was done here.
//
// # Promises
//
// Nothing of the user's is deleted or overwritten. New content is copied and
// made durable in the backup before anything is moved, and comes in with one
// rename, so that a skill is never half old and half new. A folder of the same
// name is moved away right before; a stop between the two leaves the skill
// out, whole in the backup, and Finish or Undo puts it in.
//
// Only folders that hold a SKILL.md are moved. Every path is opened below the
// folder that holds both skills and backup, no link is followed, and nothing
// moves in or out of a hidden folder that is not an agent's. Where skills and
// backup are on different file systems, a move is a copy, made durable and
// compared, and only then taken away.
package aside

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"marketingskills/app/upgrade/scan"
)

// Job is what is to happen in one skills folder.
type Job struct {
	// Parent is the real path of a folder that holds Place and Backup, which
	// are relative to it. Backup must not exist yet.
	Parent, Place, Backup string
	// Label and BackupLabel are what the person calls them.
	Label, BackupLabel string
	Skills             []Skill
}

// Skill is what is to happen about one skill.
type Skill struct {
	// Name is the folder to install; nothing is installed when From is empty.
	Name string
	// From is the real path of the folder to copy.
	From string
	// Folders are moved to the backup. One that is called Name is replaced.
	Folders []string
	// Keep are files of those folders to put into the new one, where it has
	// none of that name.
	Keep []Keep
}

// Keep is a file of the user's.
type Keep struct {
	Folder string
	// File is its path in the folder, with slashes.
	File string
}

// Event is something that happened.
type Event struct {
	// Did is ready, installed, replaced, moved, kept, left, removed or
	// restored. Left is a file of the user's that is in the backup only.
	Did   string `json:"did"`
	Place string `json:"place"`
	Name  string `json:"name"`
	// To is where it is now, when that is not the place.
	To string `json:"to"`
}

// Settings say where journals are kept. The rest is for tests.
type Settings struct {
	// State is a folder of this user's, made when it is missing, for the
	// journals and the lock.
	State string
	// After is called after every single change of the disk.
	After func(op string)
	// Rename is asked before every rename.
	Rename func(from, to string) error
	// NoSync leaves out making things durable.
	NoSync bool
}

// errChanged says that something is no longer as it was when the job was made.
var errChanged = errors.New("changed since it was looked at")

// Apply does the jobs. First everything new is made ready, then each skill
// comes in and its old folders go. It stops at the first error, and between
// two steps when ctx ends; doing the same again, or undoing, is then safe.
func (s Settings) Apply(ctx context.Context, jobs []Job, tell func(Event)) error {
	var open []*run
	defer func() {
		for _, r := range open {
			r.root.Close()
		}
	}()
	for i := range jobs {
		r, err := s.start(&jobs[i], tell)
		if err != nil {
			return fmt.Errorf("beginning in %s: %w", jobs[i].Label, err)
		}
		open = append(open, r)
	}
	for _, pass := range []func(*run, *Skill) error{(*run).stage, (*run).bring} {
		for _, r := range open {
			for i := range r.job.Skills {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := pass(r, &r.job.Skills[i]); err != nil {
					return fmt.Errorf("in %s: %w", r.job.Label, err)
				}
			}
		}
	}
	for _, r := range open {
		// Empty when everything in it was installed.
		r.root.Remove(r.in("new"))
		if err := r.add(record{Mark: markDone}); err != nil {
			return fmt.Errorf("ending in %s: %w", r.job.Label, err)
		}
		for _, e := range r.left {
			r.tell(e)
		}
	}
	return nil
}

// run is a job being done.
type run struct {
	*journal
	job  *Job
	tell func(Event)
	left []Event
}

// start makes the backup of a job; the caller closes the run.
func (s Settings) start(job *Job, tell func(Event)) (*run, error) {
	d, err := s.openDisk(job.Parent, job.Backup)
	if err != nil {
		return nil, err
	}
	r := &run{job: job, tell: tell}
	if err = d.enter(job.Place); err == nil {
		r.journal, err = d.newBackup(job)
	}
	if err != nil {
		d.root.Close()
		return nil, err
	}
	return r, nil
}

// stage makes a whole copy of a skill in the backup, with the user's files.
func (r *run) stage(s *Skill) error {
	if s.From == "" {
		for _, k := range s.Keep {
			r.leave(k)
		}
		return nil
	}
	source, err := os.OpenRoot(s.From)
	if err != nil {
		return fmt.Errorf("opening the new %s: %w", s.Name, scan.Reason(err))
	}
	defer source.Close()
	to := r.in("new", s.Name)
	if err := r.copyTree(source, ".", to, false); err != nil {
		return fmt.Errorf("copying the new %s: %w", s.Name, err)
	}
	for _, k := range s.Keep {
		kept, err := r.keep(k, to)
		switch {
		case err != nil:
			return fmt.Errorf("copying %s of %s: %w", k.File, k.Folder, err)
		case kept:
			r.tell(Event{"kept", r.job.Label, s.Name + "/" + k.File, ""})
		default:
			r.leave(k)
		}
	}
	r.tell(Event{"ready", r.job.Label, s.Name, ""})
	return nil
}

// keep copies a file of the user's into a staged skill; false when it is no
// file, or something is there already.
func (r *run) keep(k Keep, staged string) (bool, error) {
	name := filepath.FromSlash(k.File)
	if !filepath.IsLocal(name) || name == "." {
		return false, nil
	}
	from, to := filepath.Join(r.at(k.Folder), name), filepath.Join(staged, name)
	info, err := r.root.Lstat(from)
	if err != nil || !info.Mode().IsRegular() || r.exists(to) {
		return false, nil
	}
	if err := r.mkdirs(filepath.Dir(to)); errors.Is(err, errTaken) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	if err := r.copyTree(r.root, from, to, true); err != nil {
		return false, err
	}
	return true, r.syncDir(filepath.Dir(to))
}

// leave notes a file of the user's that will be in the backup only.
func (r *run) leave(k Keep) {
	r.left = append(r.left, Event{"left", r.job.Label, k.Folder + "/" + k.File, r.job.BackupLabel + "/old/" + k.Folder + "/" + k.File})
}

// bring puts a skill in its place and moves its old folders away, those of
// other names last: the skill is never missing longer than between two
// renames.
func (r *run) bring(s *Skill) error {
	for _, folder := range s.Folders {
		if err := r.checkSkill(r.at(folder)); err != nil {
			return fmt.Errorf("%w: %w", errChanged, err)
		}
	}
	replaces := s.From != "" && slices.Contains(s.Folders, s.Name)
	if s.From != "" {
		digest, err := r.digest(r.in("new", s.Name))
		if err != nil {
			return fmt.Errorf("installing %s: %w", s.Name, err)
		}
		step, did := record{In: s.Name, Digest: digest}, "installed"
		if replaces {
			step.Out, did = s.Name, "replaced"
		}
		if err := r.take(step); err != nil {
			return fmt.Errorf("installing %s: %w", s.Name, err)
		}
		r.tell(Event{did, r.job.Label, s.Name, ""})
	}
	for _, folder := range s.Folders {
		if folder != s.Name || !replaces {
			if err := r.take(record{Out: folder}); err != nil {
				return fmt.Errorf("moving %s to the backup folder: %w", folder, err)
			}
		}
		r.tell(Event{"moved", r.job.Label, folder, r.job.BackupLabel + "/old/" + folder})
	}
	return nil
}

// take writes a step and takes it.
func (r *run) take(step record) error {
	if err := r.add(step); err != nil {
		return err
	}
	for _, m := range r.moves(step) {
		if err := r.move(m.from, m.to); err != nil {
			return err
		}
	}
	return nil
}
