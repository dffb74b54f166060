// Package aside moves folders of skills aside, puts new ones in their place,
// and takes both back. It is the acting part of skills-upgrade.
//
// Callers need three functions: [Apply] does a list of jobs, one for each
// folder of skills; [Undo] takes a job back, given its backup; [Finish] puts
// right what an interrupted Apply may have left between two steps.
//
// # What stands where
//
// A job's backup is a folder beside the folder of skills:
//
//	skills/                 what agents read
//	skills-backup-DATE/
//	    journal.jsonl       every step, written before it is taken
//	    old/NAME/           what was moved aside
//	    new/NAME/           what is made ready, before anything is moved
//	    undone/NAME/        what an undo took out again
//
// # Promises
//
// Nothing of the user's is deleted. Whatever moment the program or the machine
// stops at, every folder of skills holds each skill wholly old or wholly new:
// new content is copied and made durable in the backup, and comes in with one
// rename, or, where a folder of the same name is replaced, with one exchange of
// the two. Where the system has no such exchange (Windows, some network file
// systems) two renames stand in for it; a stop between them leaves the skill
// out, whole in the backup, and Finish or Undo puts it in.
//
// Every path is opened below the folder that holds both skills and backup, so
// that no link leads out of it. Where skills and backup are on different file
// systems, a move is a copy, made durable and compared, and only then taken
// away.
package aside

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Job is what is to happen in one folder of skills.
type Job struct {
	// Parent is the real path of a folder that holds Place and Backup, which
	// are relative to it. Backup must not exist yet.
	Parent, Place, Backup string
	// Label and BackupLabel are what the person calls them.
	Label, BackupLabel string
	// Release is what it is brought up to, for the journal.
	Release string
	Skills  []Skill
}

// Skill is what is to happen about one skill.
type Skill struct {
	// Name is the folder to install; nothing is installed when From is empty.
	Name string
	// From is the real path of the folder to copy.
	From string
	// Folders are moved aside. One that is called Name is replaced.
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

// replaces tells whether the skill replaces a folder of the same name.
func (s *Skill) replaces() bool {
	for _, f := range s.Folders {
		if f == s.Name {
			return s.From != ""
		}
	}
	return false
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

// Hooks are for tests. The zero value does nothing.
type Hooks struct {
	// After is called after every single change of the disk.
	After func(op string)
	// Rename is asked before every rename and exchange.
	Rename func(from, to string) error
	// NoSwap plays a system without an exchange of two folders.
	NoSwap bool
	// NoSync leaves out making things durable.
	NoSync bool
}

// ErrChanged says that something is no longer as it was when the job was made.
var ErrChanged = errors.New("changed since it was looked at")

// Apply does the jobs. First everything new is made ready, then each skill
// comes in and its old folders go. It stops at the first error, and between
// two steps when ctx ends; doing the same again, or undoing, is then safe.
func Apply(ctx context.Context, jobs []Job, tell func(Event), hooks Hooks) error {
	var open []*run
	defer func() {
		for _, r := range open {
			r.close()
		}
	}()
	for i := range jobs {
		r, err := start(&jobs[i], tell, hooks)
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
		if err := r.finish(); err != nil {
			return fmt.Errorf("ending in %s: %w", r.job.Label, err)
		}
	}
	return nil
}

// run is a job being done.
type run struct {
	*disk
	job     *Job
	journal *journal
	tell    func(Event)
	// digests are those of the staged skills.
	digests map[string]string
	left    []Event
}

func start(job *Job, tell func(Event), hooks Hooks) (*run, error) {
	d, err := openDisk(job.Parent, job.Place, job.Backup, hooks)
	if err != nil {
		return nil, err
	}
	r := &run{disk: d, job: job, tell: tell, digests: map[string]string{}}
	err = d.mkdir(d.backup)
	if err == nil {
		r.journal, err = d.newJournal(header{Place: job.Place, Label: job.Label, Release: job.Release})
	}
	if err == nil {
		err = d.mkdir(d.in("old"))
	}
	if err == nil {
		err = d.mkdir(d.in("new"))
	}
	if err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *run) close() {
	if r.journal != nil {
		r.journal.file.Close()
	}
	r.root.Close()
}

// stage makes a whole copy of a skill in the backup, with the user's files.
func (r *run) stage(s *Skill) error {
	if s.From == "" {
		r.leave(s, s.Keep)
		return nil
	}
	if err := r.journal.add(record{Step: stepStage, Name: s.Name}); err != nil {
		return err
	}
	source, err := os.OpenRoot(s.From)
	if err != nil {
		return fmt.Errorf("opening the new %s: %w", s.Name, reason(err))
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
			r.leave(s, []Keep{k})
		}
	}
	digest, err := r.digest(to, 0)
	if err != nil {
		return err
	}
	r.digests[s.Name] = digest
	r.tell(Event{"ready", r.job.Label, s.Name, ""})
	return nil
}

// leave notes files of the user's that will be in the backup only.
func (r *run) leave(s *Skill, files []Keep) {
	for _, k := range files {
		r.left = append(r.left, Event{"left", r.job.Label, k.Folder + "/" + k.File, r.job.BackupLabel + "/old/" + k.Folder + "/" + k.File})
	}
}

// bring puts a skill in its place, and then moves its old folders aside: the
// skill is never missing in between.
func (r *run) bring(s *Skill) error {
	for _, folder := range s.Folders {
		info, err := r.root.Lstat(r.at(folder))
		if err != nil || !info.IsDir() {
			return fmt.Errorf("%s: %w", folder, ErrChanged)
		}
	}
	if s.From != "" {
		into := r.install
		did := "installed"
		if s.replaces() {
			into, did = r.replace, "replaced"
		}
		if err := into(s.Name); err != nil {
			return err
		}
		r.tell(Event{did, r.job.Label, s.Name, ""})
	}
	for _, folder := range s.Folders {
		if folder != s.Name || s.From == "" {
			if err := r.journal.add(record{Step: stepMove, Name: folder}); err != nil {
				return err
			}
			if err := r.move(r.at(folder), r.in("old", folder)); err != nil {
				return fmt.Errorf("moving %s aside: %w", folder, err)
			}
		}
		r.tell(Event{"moved", r.job.Label, folder, r.job.BackupLabel + "/old/" + folder})
	}
	return nil
}

func (r *run) install(name string) error {
	if err := r.journal.add(record{Step: stepInstall, Name: name, Digest: r.digests[name]}); err != nil {
		return err
	}
	if err := r.move(r.in("new", name), r.at(name)); err != nil {
		return fmt.Errorf("installing %s: %w", name, err)
	}
	return nil
}

// replace exchanges the old folder of a name for the new one.
func (r *run) replace(name string) error {
	if err := r.journal.add(record{Step: stepReplace, Name: name, Digest: r.digests[name]}); err != nil {
		return err
	}
	if err := r.exchange(r.in("new", name), name, r.in("old", name)); err != nil {
		return fmt.Errorf("replacing %s: %w", name, err)
	}
	return nil
}

// exchange puts the folder from into the place as name, and what stood there
// under away.
func (d *disk) exchange(from, name, away string) error {
	here := d.at(name)
	err := d.swap(from, here)
	if isCrossDevice(err) {
		// Bring it over first, under a name that is no skill's.
		if err := d.move(from, d.at(incoming+name)); err != nil {
			return err
		}
		from = d.at(incoming + name)
		err = d.swap(from, here)
	}
	if errors.Is(err, errNoSwap) {
		if err := d.move(here, away); err != nil {
			return err
		}
		if err := d.move(from, here); err != nil {
			return errors.Join(err, d.move(away, here))
		}
		return nil
	}
	if err != nil {
		return err
	}
	return d.move(from, away)
}

func (r *run) finish() error {
	// Empty when everything in it was installed.
	r.root.Remove(r.in("new"))
	if err := r.journal.add(record{Step: stepDone}); err != nil {
		return err
	}
	for _, e := range r.left {
		r.tell(e)
	}
	return nil
}

// in is a path in the backup, at one in the place.
func (d *disk) in(parts ...string) string {
	return filepath.Join(append([]string{d.backup}, parts...)...)
}
func (d *disk) at(name string) string { return filepath.Join(d.place, name) }

// Names of what is in between. They begin with a dot, which no skill does.
const (
	mark     = ".skills-upgrade-"
	incoming = mark + "incoming-" // in the place, about to be exchanged
	partial  = mark + "partial-"  // a copy that is being made
	gone     = mark + "gone-"     // what was copied elsewhere, being taken away
)

// single tells whether a name is one part of a path, as all names are that
// come out of a journal.
func single(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\\\x00") && filepath.IsLocal(name)
}

// reason is an error without the path that the message has already.
func reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
