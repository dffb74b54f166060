package aside

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// JournalName is the file in a backup that tells what was done: a header and
// one step a line, each made durable before the step is taken.
const JournalName = "journal.jsonl"

// maxJournal is far more than ten thousand steps.
const maxJournal = 16 << 20

type header struct {
	// Journal is the version of the format.
	Journal int `json:"journal"`
	// Place is relative to the folder that the backup stands in, so that both
	// may be moved together. Bytes is set instead when it is not UTF-8.
	Place   string `json:"place,omitempty"`
	Bytes   []byte `json:"place_bytes,omitempty"`
	Label   string `json:"label"`
	Release string `json:"release"`
}

// Steps of a journal.
const (
	stepStage   = "stage"   // make a new skill ready
	stepInstall = "install" // move it to where nothing is
	stepReplace = "replace" // move an old folder of its name away, and it there
	stepMove    = "move"    // move an old folder away
	stepDone    = "done"    // all was done, or put right after an interruption
	stepUndo    = "undo"    // an undo begins
	stepUndone  = "undone"  // it ended
)

type record struct {
	Step string `json:"step"`
	Name string `json:"name,omitempty"`
	// Digest is the fingerprint of the new skill.
	Digest string `json:"digest,omitempty"`
}

type journal struct {
	disk *disk
	file *os.File
}

func (d *disk) newJournal(h header) (*journal, error) {
	h.Journal = 1
	if !utf8.ValidString(h.Place) {
		h.Place, h.Bytes = "", []byte(h.Place)
	}
	f, err := d.root.OpenFile(d.in(JournalName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, fmt.Errorf("creating the journal: %w", reason(err))
	}
	d.after("create")
	j := &journal{d, f}
	if err := j.add(h); err != nil {
		f.Close()
		return nil, err
	}
	return j, d.syncDir(d.backup)
}

// openJournal opens the journal of a backup to add to it. What a stop left of
// a last line is taken off: its step was not taken.
func (d *disk) openJournal(whole int64) (*journal, error) {
	f, err := d.root.OpenFile(d.in(JournalName), os.O_RDWR, 0)
	if err == nil {
		if err = f.Truncate(whole); err == nil {
			_, err = f.Seek(whole, io.SeekStart)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("opening the journal: %w", reason(err))
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
		return fmt.Errorf("writing the journal: %w", reason(err))
	}
	j.disk.after("journal")
	return nil
}

// story is what a journal says.
type story struct {
	header
	steps []record
	// whole is the length of the lines that are complete.
	whole                 int64
	done, undoing, undone bool
}

// errJournal is the reason when a folder's journal cannot be used.
var errJournal = errors.New("not a backup folder of skills-upgrade")

func readStory(root *os.Root, backup string) (story, error) {
	var s story
	f, err := root.Open(filepath.Join(backup, JournalName))
	if errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("%w: there is no %s in it", errJournal, JournalName)
	}
	if err != nil {
		return s, reason(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return s, fmt.Errorf("%w: %s is not a file", errJournal, JournalName)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxJournal+1))
	if err != nil {
		return s, reason(err)
	}
	if len(data) > maxJournal {
		return s, fmt.Errorf("%w: %s is too large", errJournal, JournalName)
	}
	return parseStory(data)
}

func parseStory(data []byte) (story, error) {
	var s story
	line, rest, ok := bytes.Cut(data, []byte("\n"))
	if !ok || json.Unmarshal(line, &s.header) != nil || s.Journal == 0 {
		return s, fmt.Errorf("%w: it has no first line", errJournal)
	}
	if s.Journal != 1 {
		return s, fmt.Errorf("%w: its format is %d, and this command knows 1", errJournal, s.Journal)
	}
	if s.Place == "" {
		s.Place = string(s.Bytes)
	}
	if !filepath.IsLocal(s.Place) || filepath.Clean(s.Place) == "." || strings.Contains(s.Place, "\x00") {
		return s, fmt.Errorf("%w: the skills folder it names is not next to it", errJournal)
	}
	s.whole = int64(len(line) + 1)
	for number := 2; ; number++ {
		line, rest, ok = bytes.Cut(rest, []byte("\n"))
		if !ok {
			return s, nil
		}
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return s, fmt.Errorf("%w: line %d cannot be read", errJournal, number)
		}
		if err := s.add(r); err != nil {
			return s, fmt.Errorf("%w: line %d: %w", errJournal, number, err)
		}
		s.whole += int64(len(line) + 1)
	}
}

func (s *story) add(r record) error {
	switch r.Step {
	case stepDone:
		s.done = true
	case stepUndo:
		s.undoing = true
	case stepUndone:
		s.undone = true
	case stepInstall, stepReplace, stepMove, stepStage:
		if !single(r.Name) {
			return fmt.Errorf("%q is not the name of a folder", r.Name)
		}
		s.steps = append(s.steps, r)
	default:
		return fmt.Errorf("the step %q is not known", r.Step)
	}
	return nil
}

// Status is how far the job of a backup came.
type Status string

const (
	Interrupted     Status = "interrupted"      // between its first and last step
	complete        Status = "complete"         // done, or put right since
	UndoInterrupted Status = "undo interrupted" // an undo did not end
	undone          Status = "undone"           // taken back
)

// StatusOf reads the journal of a backup.
func StatusOf(parent, backup string) (Status, error) {
	root, err := os.OpenRoot(parent)
	if err != nil {
		return "", reason(err)
	}
	defer root.Close()
	s, err := readStory(root, backup)
	switch {
	case err != nil:
		return "", err
	case s.undone:
		return undone, nil
	case s.undoing:
		return UndoInterrupted, nil
	case s.done:
		return complete, nil
	}
	return Interrupted, nil
}
