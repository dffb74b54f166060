package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"marketingskills/app/text"
	"marketingskills/app/tryout"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/outfile"
)

func (c *command) report(_ context.Context, dir string, o *options) error {
	forms := 0
	for _, on := range []bool{o.json, o.markdown, o.data, o.into != ""} {
		if on {
			forms++
		}
	}
	if forms > 1 {
		return console.Refuse("--json, --markdown, --data and --into exclude one another; use one of them")
	}
	trials, err := openTrials(dir)
	if err != nil {
		return err
	}
	var sections []tryout.Section
	for _, t := range trials {
		sections = append(sections, t.Sections(t.Compare())...)
	}
	switch {
	case o.json:
		return c.writeFigures(trials)
	case o.data && len(trials) > 1:
		return console.Refuse("--data writes one trial, and %s has %d; name one of them", console.ShellWord(dir), len(trials))
	case o.data:
		return c.encode(trials[0])
	case o.markdown:
		return writeMarkdown(c.stdout, trials)
	case o.into != "":
		return c.putInto(dir, o.into, trials)
	}
	return tryout.Plain(c.stdout, append(sections, tryout.Legend))
}

func (c *command) encode(value any) error {
	e := json.NewEncoder(c.stdout)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(value)
}

func (c *command) writeFigures(trials []*tryout.Trial) error {
	type figures struct {
		Name        string              `json:"name"`
		Date        string              `json:"date"`
		Requests    int                 `json:"requests"`
		Needed      int                 `json:"needed"` // requests to tell 60% from 50%
		Comparisons []tryout.Comparison `json:"comparisons"`
		Answers     []tryout.Answer     `json:"answers"`
		Quotes      []tryout.Quote      `json:"quotes,omitempty"`
	}
	all := []figures{}
	for _, t := range trials {
		comparisons := t.Compare()
		all = append(all, figures{t.Name, t.Date, len(t.Requests), tryout.Needed(comparisons), comparisons, t.Answers, t.Quotes})
	}
	return c.encode(all)
}

func writeMarkdown(w io.Writer, trials []*tryout.Trial) error {
	err := tryout.Markdown(w, []tryout.Section{tryout.Legend}, 2)
	for i, t := range trials {
		if i > 0 {
			fmt.Fprintln(w)
		}
		err = errors.Join(err, tryout.Markdown(w, t.Sections(t.Compare()), 2))
	}
	return err
}

// The comments between which a report stands in a file.
const (
	beginReport = "<!-- tryouts:begin"
	endReport   = "<!-- tryouts:end -->"
)

func (c *command) putInto(dir, file string, trials []*tryout.Trial) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("--into %s: %w", console.ShellWord(file), outfile.Bare(err))
	}
	above, rest, begins := strings.Cut(string(old), beginReport)
	first, _, _ := strings.Cut(rest, "\n")
	_, below, ends := strings.Cut(rest, endReport)
	if !begins || !ends {
		return fmt.Errorf("--into %s: the lines %s --> and %s are not both there; write them where the report belongs",
			console.ShellWord(file), beginReport, endReport)
	}
	var b bytes.Buffer
	b.WriteString(above + beginReport + first + "\n\n")
	if err := writeMarkdown(&b, trials); err != nil {
		return err
	}
	b.WriteString("\n" + endReport + below)
	if bytes.Equal(b.Bytes(), old) {
		return nil
	}
	info, err := os.Stat(file)
	if err == nil {
		err = os.WriteFile(file, b.Bytes(), info.Mode())
	}
	if err != nil {
		return fmt.Errorf("--into %s: %w", console.ShellWord(file), outfile.Bare(err))
	}
	c.say("Wrote %s of %s to %s.", text.Count(len(trials), "trial"), console.ShellWord(dir), console.ShellWord(file))
	return nil
}

// openTrials reads what DIR may be, newest first.
func openTrials(dir string) (trials []*tryout.Trial, err error) {
	paths := []string{dir}
	if info, err := os.Stat(dir); err != nil {
		return nil, noTrial(dir, outfile.Bare(err))
	} else if info.IsDir() && !isTrial(dir) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, noTrial(dir, outfile.Bare(err))
		}
		paths = nil
		for _, e := range entries {
			if path := filepath.Join(dir, e.Name()); filepath.Ext(path) == ".json" || isTrial(path) {
				paths = append(paths, path)
			}
		}
	}
	for _, path := range paths {
		t, err := openTrial(path)
		if err != nil {
			return nil, err
		}
		trials = append(trials, t)
	}
	if len(trials) == 0 {
		return nil, noTrial(dir, errors.New("there is no trial"))
	}
	slices.SortStableFunc(trials, func(a, b *tryout.Trial) int { return cmp.Compare(b.Date, a.Date) })
	return trials, nil
}

func noTrial(path string, err error) error {
	return console.Refuse("reading %s: %w; name a folder that try-skill prepare made, a file that report --data wrote, or a folder of those",
		console.ShellWord(path), err)
}

func has(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}

func isTrial(dir string) bool { return has(dir, planFile) || has(dir, tryout.Table) }

// openTrial reads a folder that is a trial, or a file that --data wrote.
func openTrial(path string) (t *tryout.Trial, err error) {
	full, err := filepath.Abs(path)
	switch name := filepath.Base(full); {
	case err != nil:
	case has(path, planFile):
		t, err = openKey(path, name)
	case has(path, tryout.Table):
		t, err = tryout.ReadTable(os.DirFS(path), name)
	default:
		data, err := os.ReadFile(path)
		if err == nil {
			t, err = tryout.Read(data)
		}
		if err != nil {
			return nil, noTrial(path, outfile.Bare(err))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", console.ShellWord(path), err)
	}
	return t, nil
}

// openKey joins a trial with its conditions.
func openKey(dir, name string) (*tryout.Trial, error) {
	p, err := openPlan(dir)
	if err != nil {
		return nil, err
	}
	var k key
	if err := readJSON(filepath.Join(dir, keyFile), &k); err != nil {
		return nil, err
	}
	t := &tryout.Trial{Name: name, Date: cmp.Or(p.Prepared, p.Date), Asked: p.Date, Lines: k.Lines, Requests: p.Requests}
	answers := map[string]string{} // by folder
	for _, f := range p.Folders {
		answer, err := p.answer(f.ID)
		if err != nil {
			return nil, fmt.Errorf("the answer in %s: %w", f.ID, err)
		}
		a := tryout.NewAnswer(f.Request, k.Conditions[f.ID], answer, p.day())
		if answer == "" {
			a.Missing = "not answered"
		} else if named := p.naming(f.Request, answer); named != "" {
			a.Missing = "refused: it names " + named
		} else {
			answers[f.ID] = answer
		}
		t.Answers = append(t.Answers, a)
	}
	slices.SortStableFunc(t.Answers, func(a, b tryout.Answer) int {
		return cmp.Or(cmp.Compare(a.Request, b.Request), cmp.Compare(a.Condition, b.Condition))
	})
	return t, joinVerdicts(t, p, k, answers)
}

// joinVerdicts adds what readers said of folders, by their conditions, and counts
// what they have not said yet, and what they said of answers that were others.
func joinVerdicts(t *tryout.Trial, p *plan, k key, answers map[string]string) error {
	files, err := filepath.Glob(filepath.Join(p.dir, verdictsDir, "*.json"))
	if err != nil {
		return err
	}
	readable := 0
	for _, pair := range p.Pairs {
		if answers[pair.Folders[0]] != "" && answers[pair.Folders[1]] != "" {
			readable++
		}
	}
	lines := map[string][]string{}
	for _, file := range files {
		var said []verdict
		if err := readJSON(file, &said); err != nil {
			return err
		}
		read := 0
		for _, v := range said {
			folders, known := k.Pairs[v.Pair]
			if !known {
				return fmt.Errorf("reading %s: there is no pair %q; the file is of another trial", console.ShellWord(file), v.Pair)
			}
			i := slices.IndexFunc(p.Pairs, func(other pair) bool { return other.ID == v.Pair })
			if !v.about(p, p.Pairs[i], answers) {
				t.Changed++
				continue
			}
			read++
			joined := tryout.Verdict{Request: p.Pairs[i].Request, Condition: k.Conditions[folders[0]], Against: k.Conditions[folders[1]],
				X: k.Conditions[v.X], Better: tryout.Tie, Reason: v.Reason}
			joined.Reader, joined.Turn = readerOf(file, v)
			if v.Better != tryout.Tie {
				joined.Better = k.Conditions[v.Better]
			}
			t.Verdicts = append(t.Verdicts, joined)
			if skill := p.request(joined.Request).Skill; lines[skill] == nil {
				lines[skill] = linesOf(p.path(folders[0], ".agents/skills"))
			}
		}
		t.Unread += max(readable-read, 0)
	}
	t.FindQuotes(lines)
	return nil
}

// readerOf tells from a file of verdicts who gave one, as [reader] names it.
func readerOf(file string, v verdict) (name string, turn int) {
	name = strings.TrimSuffix(filepath.Base(file), ".json")
	if i := strings.LastIndexByte(name, '-'); i > 0 && v.Command != "" {
		if n, err := strconv.Atoi(name[i+1:]); err == nil {
			return name[:i], n
		}
	}
	return name, 0
}

// linesOf lists the lines of the skills in a folder; none if there is none.
func linesOf(dir string) (lines []string) {
	files, err := readFiles(os.DirFS(dir), "")
	if err != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, ".md") {
			lines = append(lines, strings.Split(string(files[name]), "\n")...)
		}
	}
	return lines
}
