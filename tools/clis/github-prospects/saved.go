package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/tools/internal/console"
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
func (c *command) claim() (*keeper, error) {
	k := &keeper{path: c.resume, resumed: c.resume != "", at: c.now()}
	var err error
	if k.resumed {
		if k.release, err = lock(k.path); err != nil {
			return nil, console.Refuse("--resume %s: %w", k.path, err)
		}
		return k, nil
	}
	stem := c.stem()
	k.path = stem + ".run.json"
	for n := 2; n < 1000; n++ {
		if k.release, err = lock(k.path); err == nil {
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

// lock keeps other runs from using a saved run, by a file beside it that names
// this process and machine. Where that file cannot be written, the run cannot
// be saved either, and nothing is locked.
func lock(path string) (release func(), err error) {
	name := path + ".lock"
	for range 3 {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			if inUse(name) {
				return nil, fmt.Errorf("another run is using this file; wait until it ends, or delete %s if there is none", name)
			}
			_ = os.Remove(name) // its run was killed
			continue
		}
		if err != nil {
			return func() {}, nil
		}
		fmt.Fprintln(f, os.Getpid(), machine())
		f.Close()
		return func() { _ = os.Remove(name) }, nil
	}
	return nil, fmt.Errorf("another run is starting with this file; try again")
}

func machine() string {
	name, _ := os.Hostname()
	return cmp.Or(name, "localhost")
}

// inUse tells whether the process that wrote a lock may still run. Of another
// machine's processes nothing is known.
func inUse(name string) bool {
	content, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	var pid int
	var where string
	if _, err := fmt.Sscan(string(content), &pid, &where); err != nil || where != machine() {
		return true // or it is about to be written
	}
	process, err := os.FindProcess(pid)
	return err == nil && pid != os.Getpid() && !errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// keeper saves a run while it goes, once a minute and before every wait, so
// that not even the end of the power loses it.
type keeper struct {
	job     *prospect.Job
	path    string
	resumed bool   // the run came from there
	taken   string // an earlier run that has the first name for this one
	release func()
	at      time.Time
	written bool
}

const saveEvery = time.Minute

func (k *keeper) save() error {
	err := outfile.Write(k.path, k.job.State().Write)
	if err != nil {
		return fmt.Errorf("could not save the run as %s: %w", k.path, err)
	}
	k.written = true
	return nil
}

// event saves when it is time to; that it fails is told at the end.
func (k *keeper) event(e prospect.Event, now time.Time) {
	waits := e.Notice != nil && e.Notice.Kind == codehost.NoticeWaiting
	if waits || now.Sub(k.at) >= saveEvery {
		_ = k.save() // the last one counts, and tells
		k.at = now
	}
}

// drop removes what was saved, unless the run came from there.
func (k *keeper) drop() {
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
