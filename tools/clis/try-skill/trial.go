package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"marketingskills/app/tryout"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/outfile"
)

// The files of a trial; main.go says who opens which.
const (
	planFile    = "trial.json"
	keyFile     = "key.json"
	foldersDir  = "folders"
	verdictsDir = "verdicts"
	requestFile = "request.md"
	answerFile  = "answer.md"
)

// most is the longest answer, in bytes; what is longer is not one.
const most = 1 << 20

// plan is a trial without its conditions.
type plan struct {
	Date     string           `json:"date"` // that agents are told
	Prepared string           `json:"prepared"`
	Lot      string           `json:"lot"` // decides which answer is X, and the order of pairs
	Requests []tryout.Request `json:"requests"`
	Folders  []folder         `json:"folders"`
	Pairs    []pair           `json:"pairs"`
	// Skills and Files are what an answer must not name.
	Skills []string `json:"skills"`
	Files  []string `json:"files"`
	Reads  int      `json:"reads"` // bytes of all that agents are given
	dir    string
}

type folder struct {
	ID      string `json:"id"`
	Request string `json:"request"`
}

// pair is two folders of one request, in the order of their IDs.
type pair struct {
	ID      string    `json:"id"`
	Request string    `json:"request"`
	Folders [2]string `json:"folders"`
}

// key is what a trial hides.
type key struct {
	Conditions map[string]string    `json:"conditions"` // by folder
	Pairs      map[string][2]string `json:"pairs"`      // the folder on trial and the one against it
	Lines      []string             `json:"lines,omitempty"`
}

// newID makes a name that tells nothing. Tests draw theirs with a seed.
var newID = func() string {
	var id [6]byte
	_, _ = rand.Read(id[:]) // it never fails
	return hex.EncodeToString(id[:])
}

// draw is the lot of some words, the same each time.
func (p *plan) draw(words ...string) [32]byte {
	return sha256.Sum256([]byte(p.Lot + "\x00" + strings.Join(words, "\x00")))
}

// digest tells texts apart, and nobody what they are.
func (p *plan) digest(texts ...string) string {
	sum := p.draw(texts...)
	return hex.EncodeToString(sum[:8])
}

func (p *plan) request(id string) tryout.Request {
	for _, r := range p.Requests {
		if r.ID == id {
			return r
		}
	}
	return tryout.Request{}
}

func (p *plan) day() time.Time {
	day, _ := time.Parse(tryout.Day, p.Date)
	return day
}

// prompt is what an agent is asked, and what a reader sees of it.
func (p *plan) prompt(request string) string {
	return "Today is " + p.day().Format("Monday, 2 January 2006") + ".\n\n" + p.request(request).Text + "\n"
}

// path is that of a file of a folder.
func (p *plan) path(folder, file string) string {
	return filepath.Join(p.dir, foldersDir, folder, file)
}

// answer returns the answer in a folder; "" if there is none. An agent may have
// put a link there, which is not followed out of its folder.
func (p *plan) answer(folder string) (string, error) {
	root, err := os.OpenRoot(p.path(folder, "."))
	if err != nil {
		return "", err
	}
	defer root.Close()
	info, err := root.Stat(answerFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > most) {
		return "", fmt.Errorf("%s is not a file of at most %d bytes", answerFile, most)
	}
	if err != nil {
		return "", err
	}
	file, err := root.Open(answerFile)
	if err != nil {
		return "", err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, most))
	return tidy(string(data)), err
}

// tidy takes out of an answer what says how it came to be, and not what it says.
func tidy(answer string) string {
	answer = strings.ReplaceAll(strings.TrimPrefix(answer, "\ufeff"), "\r\n", "\n")
	return strings.TrimSpace(strings.ToValidUTF8(answer, "\ufffd"))
}

func openPlan(dir string) (*plan, error) {
	p := &plan{dir: dir}
	if err := readJSON(filepath.Join(dir, planFile), p); errors.Is(err, fs.ErrNotExist) {
		return nil, console.Refuse("%s is not a trial: it has no %s; prepare one with try-skill prepare", console.ShellWord(dir), planFile)
	} else if err != nil {
		return nil, err
	}
	for _, f := range p.Folders {
		if !filepath.IsLocal(f.ID) || p.request(f.Request).ID == "" {
			return nil, fmt.Errorf("%s is damaged: the folder %q; prepare the trial again", planFile, f.ID)
		}
	}
	return p, nil
}

func readJSON(path string, into any) error {
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", console.ShellWord(path), outfile.Bare(err))
	}
	return nil
}

func writeJSON(path string, value any) error {
	err := outfile.Write(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(value)
	})
	if err != nil {
		return fmt.Errorf("writing %s: %w", console.ShellWord(path), err)
	}
	return nil
}
