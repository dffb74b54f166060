package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/filelock"
	"marketingskills/tools/internal/outfile"
)

// readOption reads the file that an option names; without a name it is nil.
func readOption[T any](option, path string, read func(io.Reader) (*T, error)) (*T, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		why := outfile.Bare(err)
		if errors.Is(err, fs.ErrNotExist) {
			why = errors.New("file not found; check the path")
			if option == "--resume" {
				why = fmt.Errorf("%w, or leave out --resume to start a new run", why)
			}
		}
		return nil, console.Refuse("%s %s: %w", option, path, why)
	}
	defer f.Close()
	content, err := read(f)
	if err != nil {
		return nil, console.Refuse("%s %s: %w", option, path, err)
	}
	return content, nil
}

func readSuppression(path string) (*prospect.Suppression, error) {
	return readOption("--suppress", path, prospect.ParseSuppression)
}

// stem is what the names of saved runs begin with: the output's name, or one
// of the search.
func (o options) stem() string {
	if o.output != "" {
		if info, err := os.Stat(o.output); err != nil || info.Mode().IsRegular() {
			return o.output
		}
	}
	return fmt.Sprintf("github-prospects-%s-%s-%s", o.command, o.query.Repo.Owner, o.query.Repo.Name)
}

// claim takes the name that the run is saved under if it ends early: the one
// it came from, or one that is free. Until release is called, no other run gets
// it.
func (c *command) claim() (*autosave, error) {
	k := &autosave{path: c.resume, resumed: c.resume != "", at: c.now()}
	var err error
	if k.resumed {
		if k.release, err = filelock.Beside(k.path); err != nil {
			return nil, console.Refuse("--resume %s: another run is using this file; wait until it ends", k.path)
		}
		return k, nil
	}
	stem := c.stem()
	k.path = stem + ".run.json"
	for n := 2; n < 1000; n++ {
		if k.release, err = filelock.Beside(k.path); err == nil {
			if _, err := os.Lstat(k.path); err != nil {
				return k, nil
			}
			k.release()
			k.taken = stem + ".run.json"
		}
		k.path = fmt.Sprintf("%s-%d.run.json", stem, n)
	}
	return nil, console.Refuse("there are 1,000 saved runs named %s.run.json; delete those that you no longer need", stem)
}

// autosave saves a run while it goes, once a minute and before every wait, so
// that not even the end of the power loses it.
type autosave struct {
	job     *prospect.Job
	path    string
	resumed bool   // the run came from there
	taken   string // an earlier run that has the first name for this one
	release func()
	at      time.Time
	written bool
}

const saveEvery = time.Minute

func (k *autosave) save() error {
	err := outfile.Write(k.path, k.job.State().Write)
	if err != nil {
		return fmt.Errorf("could not save the run as %s: %w", k.path, err)
	}
	k.written = true
	return nil
}

// event saves when it is time to; that it fails is told at the end.
func (k *autosave) event(e prospect.Event, now time.Time) {
	waits := e.Notice != nil && e.Notice.Kind == codehost.NoticeWaiting
	if waits || now.Sub(k.at) >= saveEvery {
		_ = k.save() // the last one counts, and tells
		k.at = now
	}
}

// drop removes what was saved, unless the run came from there.
func (k *autosave) drop() {
	if k.written && !k.resumed {
		_ = os.Remove(k.path) // it would only be asked about next time
	}
}

func (o options) resumeCommand(path string) string {
	return console.Resume("github-prospects", o.args, path)
}

// searchOf is a saved query as it would be typed.
func searchOf(q prospect.Query) string {
	words := []string{string(q.Source), q.Repo.String()}
	for _, f := range []struct {
		on   bool
		name string
	}{
		{q.Enrich && !q.WithEmail && !q.WithCompany && !q.WithBlog, "--enrich"},
		{q.WithEmail, "--with-email"}, {q.WithCompany, "--with-company"}, {q.WithBlog, "--with-blog"},
		{q.Type != "", "--type=" + q.Type},
		{!q.StarredSince.IsZero(), "--starred-since=" + q.StarredSince.UTC().Format("2006-01-02T15:04:05Z")},
	} {
		if f.on {
			words = append(words, f.name)
		}
	}
	return strings.Join(words, " ")
}
