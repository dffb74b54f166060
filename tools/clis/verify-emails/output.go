package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"marketingskills/app/text"
	"marketingskills/app/verify"
	"marketingskills/tools/internal/filelock"
	"marketingskills/tools/internal/outfile"
)

// result is what the output says of an entry: nothing while the verifier is
// still to be asked. What it does not understand is not left open.
func (in *input) result(e verify.Entry) verify.Result {
	if e.Open() && !in.local && !errors.Is(e.Err, verify.ErrRequest) {
		return verify.Result{}
	}
	return e.Result
}

// open is for how many emails the output has no result.
func (in *input) open() (n int) {
	for _, e := range in.job.Entries() {
		if in.result(e).State == "" {
			n++
		}
	}
	return n
}

// failure is what went wrong when a run came to its end and emails are still
// open.
func (in *input) failure(open int) (err error) {
	for _, e := range in.job.Entries() {
		if e.Open() && e.Err != nil {
			err = e.Err
		}
	}
	if open == 1 || err == nil {
		return err
	}
	return fmt.Errorf("%s failed, the last: %w", text.Count(open, "email"), err)
}

// write writes the input with the results.
func (in *input) write(w io.Writer) error {
	return in.file.Write(w, func(row int) verify.Result {
		e, ok := in.job.Entry(in.rows[row])
		if !ok {
			return verify.Result{}
		}
		return in.result(e)
	})
}

// output writes what was asked for.
func (in *input) output(w io.Writer, asJSON bool, stop error) error {
	if !asJSON {
		return in.write(w)
	}
	report := struct {
		Format     string               `json:"format"`
		Complete   bool                 `json:"complete"`
		Error      string               `json:"error,omitempty"`
		Emails     int                  `json:"emails"` // different ones
		Duplicates int                  `json:"duplicates"`
		Remaining  int                  `json:"remaining"` // without a result
		States     map[verify.State]int `json:"states"`
		Results    []verify.Result      `json:"results"`
	}{Format: "verify-emails", Emails: in.job.Len(), Duplicates: in.given - in.job.Len(), Remaining: in.open(),
		States: in.states(), Results: []verify.Result{}}
	report.Complete = report.Remaining == 0
	if stop != nil {
		report.Error = stop.Error()
	}
	for _, e := range in.job.Entries() {
		if r := in.result(e); r.State != "" {
			report.Results = append(report.Results, r)
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(report)
}

// states counts emails by their result.
func (in *input) states() map[verify.State]int {
	states := map[verify.State]int{}
	for _, e := range in.job.Entries() {
		if r := in.result(e); r.State != "" {
			states[r.State]++
		}
	}
	return states
}

// autosave saves the results while a run goes, once a minute and when it is
// interrupted, so that not even the end of the power loses what was paid for.
type autosave struct {
	in   *input
	stem string // of the file's name

	mu      sync.Mutex
	path    string // once it is saved
	release func() // lets others resume from there
	at      time.Time
	ended   bool
}

const saveEvery = time.Minute

func newAutosave(in *input, o options) *autosave {
	k := &autosave{in: in, stem: "verify-emails", at: time.Now(), release: func() {}}
	for _, path := range []string{o.csv, o.output} {
		if info, err := os.Stat(path); path != "" && path != "-" && (err != nil || info.Mode().IsRegular()) {
			k.stem = strings.TrimSuffix(path, filepath.Ext(path))
			if path == o.csv { // beside it may be no place to write to
				k.stem = filepath.Base(k.stem)
			}
		}
	}
	return k
}

// due saves when it is time to; that it fails is told at the end.
func (k *autosave) due() {
	k.mu.Lock()
	due := time.Since(k.at) >= saveEvery
	k.mu.Unlock()
	if due {
		_ = k.save()
	}
}

// save writes the results, in a file that nobody else has.
func (k *autosave) save() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.at = time.Now(); k.ended {
		return nil
	}
	path, err := k.claim()
	if err == nil {
		k.path = path
		err = outfile.Write(path, k.in.write)
	}
	if err != nil {
		return fmt.Errorf("could not save the results as %s: %w", path, outfile.Bare(err))
	}
	return nil
}

// claim takes the first name that is free, unless there is one already. Until
// the run ends, nobody can resume from there.
func (k *autosave) claim() (string, error) {
	if k.path != "" {
		return k.path, nil
	}
	path := k.stem + ".incomplete.csv"
	for n := 2; ; n++ {
		release, err := filelock.Beside(path)
		if err == nil {
			var f *os.File
			if f, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
				k.release = release
				return path, f.Close()
			}
			release()
		}
		if !errors.Is(err, fs.ErrExist) && !errors.Is(err, filelock.ErrHeld) || n == 1000 {
			return path, err
		}
		path = fmt.Sprintf("%s.incomplete-%d.csv", k.stem, n)
	}
}

// drop removes what was saved, for all of it is in the output, and saves no
// more.
func (k *autosave) drop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ended = true; k.path != "" {
		_ = os.Remove(k.path) // it would only be asked about next time
	}
}

// end lets others resume from what was saved, and saves no more.
func (k *autosave) end() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ended = true
	k.release()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return path != "" && err == nil
}
