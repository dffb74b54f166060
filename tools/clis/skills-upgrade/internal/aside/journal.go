package aside

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"marketingskills/app/upgrade/scan"
)

// IDFile is the file in a backup that names its journal.
const IDFile = "skills-upgrade.id"

// maxJournal is far more than ten thousand steps.
const maxJournal = 16 << 20

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

// move is one folder's way from one place to another. Those of new skills have
// a digest.
type move struct{ name, from, to, digest string }

func (d *disk) moves(r record) []move {
	var all []move
	if r.Out != "" {
		all = append(all, move{r.Out, d.at(r.Out), d.in("old", r.Out), ""})
	}
	if r.In != "" {
		all = append(all, move{r.In, d.in("new", r.In), d.at(r.In), r.Digest})
	}
	return all
}

type journal struct {
	disk *disk
	file *os.File
}

func (s Settings) journalPath(id string) string { return filepath.Join(s.State, id+".jsonl") }

// newJournal begins the journal of a new backup and names it there.
func (d *disk) newJournal(job *Job) (*journal, error) {
	id := rand.Text()
	if err := os.MkdirAll(d.State, 0o700); err != nil {
		return nil, fmt.Errorf("creating the folder for journals: %w", err)
	}
	f, err := os.OpenFile(d.journalPath(id), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("creating the journal: %w", err)
	}
	j := &journal{d, f}
	state, err := os.Open(d.State)
	if err = d.syncOpened(state, err); err == nil {
		err = j.add(header{journalFormat, []byte(job.Parent), []byte(job.Place), []byte(job.Backup), job.Label})
	}
	if err == nil {
		err = d.writeID(id)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return j, d.syncDir(d.backup)
}

func (d *disk) writeID(id string) error {
	f, err := d.root.OpenFile(d.in(IDFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return scan.Reason(err)
	}
	d.after("create")
	_, err = f.WriteString(id + "\n")
	return errors.Join(err, d.sync(f), f.Close())
}

const journalFormat = 2

// openJournal opens a journal to add to it. What a stop left of a last line is
// taken off: its step was not taken.
func (d *disk) openJournal(s story) (*journal, error) {
	f, err := os.OpenFile(s.path, os.O_RDWR, 0)
	if err == nil {
		if err = f.Truncate(s.whole); err == nil {
			_, err = f.Seek(s.whole, io.SeekStart)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("opening the journal: %w", err)
	}
	return &journal{d, f}, nil
}

// add writes a header or a record.
func (j *journal) add(v any) error {
	line, err := json.Marshal(v)
	if err == nil {
		_, err = j.file.Write(append(line, '\n'))
	}
	if err == nil {
		err = j.disk.sync(j.file)
	}
	if err != nil {
		return fmt.Errorf("writing the journal: %w", err)
	}
	j.disk.after("journal")
	return nil
}

// story is what a journal says.
type story struct {
	header
	path  string
	steps []record
	// whole is the length of the lines that are complete.
	whole int64
	// mark is the last one.
	mark string
}

var (
	// errNoBackup says that a folder has no sign of skills-upgrade.
	errNoBackup = errors.New("not a backup folder of skills-upgrade")
	// ErrForeign says that a backup was not made here: its journal is not
	// among this user's, or tells of another folder.
	ErrForeign = errors.New("this backup was not made here by you, so it is not used; to restore folders, move them out of old/ yourself")
	errJournal = errors.New("the journal cannot be read")
)

// openBackup opens a backup that this user made here.
func (s Settings) openBackup(parent, backup string) (*disk, story, error) {
	if !single(backup) {
		return nil, story{}, fmt.Errorf("%q is not the name of a folder", backup)
	}
	root, err := os.OpenRoot(parent)
	if err != nil {
		return nil, story{}, scan.Reason(err)
	}
	defer root.Close()
	look := &disk{Settings: s, root: root}
	if err := look.checkFolder(backup); err != nil {
		return nil, story{}, err
	}
	done, err := look.readStory(backup)
	if err != nil {
		return nil, story{}, err
	}
	recorded, err := os.Stat(string(done.Parent))
	if err != nil {
		return nil, story{}, ErrForeign
	}
	if given, err := root.Stat("."); err != nil || !os.SameFile(recorded, given) || string(done.Backup) != backup {
		return nil, story{}, ErrForeign
	}
	d, err := s.openDisk(parent, string(done.Place), backup)
	return d, done, err
}

// readStory reads the journal that a backup names.
func (d *disk) readStory(backup string) (story, error) {
	name := filepath.Join(backup, IDFile)
	info, err := d.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return story{}, fmt.Errorf("%w: there is no %s in it; give the folder that --fix named", errNoBackup, IDFile)
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() > 100 {
		return story{}, ErrForeign
	}
	data, err := d.root.ReadFile(name)
	id := strings.TrimSpace(string(data))
	if err != nil || len(id) != len(rand.Text()) || strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") != "" {
		return story{}, ErrForeign
	}
	path := d.journalPath(id)
	info, err = os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || !ownedByUser(info) {
		return story{}, ErrForeign
	}
	if info.Size() > maxJournal {
		return story{}, fmt.Errorf("%w: it is too large", errJournal)
	}
	if data, err = os.ReadFile(path); err != nil {
		return story{}, err
	}
	s, err := parseStory(data)
	s.path = path
	return s, err
}

func parseStory(data []byte) (story, error) {
	var s story
	line, rest, ok := bytes.Cut(data, []byte("\n"))
	if !ok || json.Unmarshal(line, &s.header) != nil || s.Journal != journalFormat {
		return s, fmt.Errorf("%w: its first line is not one of this version of skills-upgrade", errJournal)
	}
	s.whole = int64(len(line) + 1)
	for number := 2; ; number++ {
		line, rest, ok = bytes.Cut(rest, []byte("\n"))
		if !ok {
			return s, nil
		}
		var r record
		if json.Unmarshal(line, &r) != nil || !s.add(r) {
			return s, fmt.Errorf("%w: line %d", errJournal, number)
		}
		s.whole += int64(len(line) + 1)
	}
}

// add takes in a record; false for one that this package does not write.
func (s *story) add(r record) bool {
	switch r.Mark {
	case markDone, markUndo, markUndone:
		s.mark = r.Mark
		return true
	case "":
		s.steps = append(s.steps, r)
		return r.Out+r.In != "" && (r.Out == "" || single(r.Out)) && (r.In == "" || single(r.In) && r.Digest != "")
	}
	return false
}

// Interrupted returns the path of the skills folder that a backup is about,
// when its job did not end, or an undo of it; otherwise "".
func (s Settings) Interrupted(parent, backup string) (place string, inUndo bool, err error) {
	d, done, err := s.openBackup(parent, backup)
	if err != nil {
		return "", false, err
	}
	d.root.Close()
	if done.mark == "" || done.mark == markUndo {
		place = filepath.Join(parent, d.place)
	}
	return place, done.mark == markUndo, nil
}
