package aside

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"marketingskills/app/upgrade/scan"
)

// IDFile is the file in a backup that names its journal.
const IDFile = "skills-upgrade.id"

const (
	journalFormat = 2
	// maxJournal is far more than ten thousand steps.
	maxJournal = 16 << 20
)

// header is the first line of a journal. Paths are bytes, as names need not be
// UTF-8.
type header struct {
	// Journal is the version of the format.
	Journal int    `json:"journal"`
	Parent  []byte `json:"parent"`
	Place   []byte `json:"place"`
	Backup  []byte `json:"backup"`
	Label   string `json:"label"`
}

// record is every other line: a step, or a mark.
type record struct {
	// Out is the folder that moves from the skills folder to old/.
	Out string `json:"out,omitempty"`
	// In is the skill that then moves from new/ into the skills folder,
	// Digest its fingerprint.
	In     string `json:"in,omitempty"`
	Digest string `json:"digest,omitempty"`
	Mark   string `json:"mark,omitempty"`
}

// Marks of a journal.
const (
	markDone   = "done"   // all was done, or put right after an interruption
	markUndo   = "undo"   // an undo begins
	markUndone = "undone" // it ended
)

// journal is what was done to a skills folder, and what is going to be.
type journal struct {
	*disk
	header
	steps []record
	// mark is the last one.
	mark string
	path string
	// size is that of the lines that are complete.
	size int64
}

// move is one folder's way from one place to another. Those of new skills have
// a digest.
type move struct{ name, from, to, digest string }

// moves are those of steps, in order.
func (d *disk) moves(steps ...record) []move {
	var all []move
	for _, s := range steps {
		if s.Out != "" {
			all = append(all, move{s.Out, d.at(s.Out), d.in("old", s.Out), ""})
		}
		if s.In != "" {
			all = append(all, move{s.In, d.in("new", s.In), d.at(s.In), s.Digest})
		}
	}
	return all
}

func (s Settings) journalPath(id string) string { return filepath.Join(s.State, id+".jsonl") }

// newBackup makes the backup of a job, and its journal.
func (d *disk) newBackup(job *Job) (*journal, error) {
	if d.exists(d.backup) {
		return nil, fmt.Errorf("creating the folder %s: %w", d.backup, errTaken)
	}
	for _, dir := range []string{"old", "new"} {
		if err := d.mkdirs(d.in(dir)); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(d.State, 0o700); err != nil {
		return nil, fmt.Errorf("creating the folder for journals: %w", err)
	}
	id := rand.Text()
	j := &journal{disk: d, path: d.journalPath(id)}
	if err := j.add(header{journalFormat, []byte(job.Parent), []byte(job.Place), []byte(job.Backup), job.Label}); err != nil {
		return nil, err
	}
	state, err := os.Open(d.State)
	if err := d.syncOpened(state, err); err != nil {
		return nil, err
	}
	f, err := d.root.OpenFile(d.in(IDFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, scan.Reason(err)
	}
	d.after("create")
	_, err = f.WriteString(id + "\n")
	return j, errors.Join(err, d.sync(f), f.Close(), d.syncDir(d.backup))
}

// add writes a header or a record behind the lines that are complete. What a
// stop left of another is overwritten: its step was not taken.
func (j *journal) add(line any) error {
	text, err := json.Marshal(line)
	text = append(text, '\n')
	flags := os.O_WRONLY
	if j.size == 0 {
		flags |= os.O_CREATE | os.O_EXCL
	}
	var f *os.File
	if err == nil {
		f, err = os.OpenFile(j.path, flags, 0o600)
	}
	if err == nil {
		_, err = f.WriteAt(text, j.size)
		err = errors.Join(err, j.sync(f), f.Close())
	}
	if err != nil {
		return fmt.Errorf("writing the journal: %w", err)
	}
	j.size += int64(len(text))
	j.after("journal")
	return nil
}

var (
	// errNoBackup says that a folder has no sign of skills-upgrade.
	errNoBackup = errors.New("not a backup folder of skills-upgrade")
	// ErrForeign says that a backup was not made here: its journal is not
	// among this user's, or tells of another folder.
	ErrForeign = errors.New("this backup was not made here by you, so it is not used; to restore folders, move them out of old/ yourself")
	errJournal = errors.New("the journal cannot be read")
)

// openBackup opens a backup that this user made here, which is to be closed.
func (s Settings) openBackup(parent, backup string) (*journal, error) {
	d, err := s.openDisk(parent, backup)
	if err != nil {
		return nil, err
	}
	j := &journal{disk: d}
	if err = d.checkFolder(backup); err == nil {
		err = j.find()
	}
	if err == nil {
		recorded, err1 := os.Stat(string(j.Parent))
		given, err2 := d.root.Stat(".")
		if err1 != nil || err2 != nil || !os.SameFile(recorded, given) || string(j.Backup) != backup {
			err = ErrForeign
		}
	}
	if err == nil {
		err = d.enter(string(j.Place))
	}
	if err != nil {
		d.root.Close()
		return nil, err
	}
	return j, nil
}

// find reads the journal that the backup names.
func (j *journal) find() error {
	name := j.in(IDFile)
	info, err := j.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: there is no %s in it; give the folder that --fix named", errNoBackup, IDFile)
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() > 100 {
		return ErrForeign
	}
	data, err := j.root.ReadFile(name)
	id := strings.TrimSpace(string(data))
	if err != nil || len(id) != len(rand.Text()) || strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") != "" {
		return ErrForeign
	}
	j.path = j.journalPath(id)
	info, err = os.Lstat(j.path)
	if err != nil || !info.Mode().IsRegular() || !ownedByUser(info) {
		return ErrForeign
	}
	if info.Size() > maxJournal {
		return fmt.Errorf("%w: it is too large", errJournal)
	}
	if data, err = os.ReadFile(j.path); err != nil {
		return err
	}
	return j.read(data)
}

// read takes in the lines of a journal that are complete.
func (j *journal) read(data []byte) error {
	first, rest, ok := bytes.Cut(data, []byte("\n"))
	if !ok || json.Unmarshal(first, &j.header) != nil || j.Journal != journalFormat {
		return fmt.Errorf("%w: its first line is not one of this version of skills-upgrade", errJournal)
	}
	j.size = int64(len(first) + 1)
	for line := range bytes.Lines(rest) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		var r record
		if json.Unmarshal(line, &r) != nil || !r.known() {
			return fmt.Errorf("%w: line %d", errJournal, bytes.Count(data[:j.size], []byte("\n"))+1)
		}
		if r.Mark != "" {
			j.mark = r.Mark
		} else {
			j.steps = append(j.steps, r)
		}
		j.size += int64(len(line))
	}
	return nil
}

// known reports whether a record is one that this package writes.
func (r record) known() bool {
	switch r.Mark {
	case markDone, markUndo, markUndone:
		return true
	case "":
		return r.Out+r.In != "" && (r.Out == "" || single(r.Out)) && (r.In == "" || single(r.In) && r.Digest != "")
	}
	return false
}

// Interrupted returns the path of the skills folder that a backup is about,
// when its job did not end, or an undo of it; otherwise "".
func (s Settings) Interrupted(parent, backup string) (place string, inUndo bool, err error) {
	j, err := s.openBackup(parent, backup)
	if err != nil {
		return "", false, err
	}
	j.root.Close()
	if j.mark == "" || j.mark == markUndo {
		place = filepath.Join(parent, j.place)
	}
	return place, j.mark == markUndo, nil
}
