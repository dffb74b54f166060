package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
		return c.putInto(o.into, trials)
	}
	return tryout.Plain(c.stdout, sections)
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
	for i, t := range trials {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := tryout.Markdown(w, t.Sections(t.Compare()), 2); err != nil {
			return err
		}
	}
	return nil
}

// The comments between which a report stands in a file.
const (
	beginReport = "<!-- tryouts:begin"
	endReport   = "<!-- tryouts:end -->"
)

func (c *command) putInto(file string, trials []*tryout.Trial) error {
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
	return nil
}

// openTrials reads what DIR may be.
func openTrials(dir string) ([]*tryout.Trial, error) {
	has := func(name string) bool { _, err := os.Stat(filepath.Join(dir, name)); return err == nil }
	name := filepath.Base(filepath.Clean(dir))
	if full, err := filepath.Abs(dir); err == nil {
		name = filepath.Base(full)
	}
	var trials []*tryout.Trial
	var err error
	switch info, statErr := os.Stat(dir); {
	case statErr != nil:
		err = outfile.Bare(statErr)
	case !info.IsDir():
		var data []byte
		if data, err = os.ReadFile(dir); err == nil {
			var t *tryout.Trial
			t, err = tryout.Read(data)
			trials = append(trials, t)
		}
	case has(planFile):
		var t *tryout.Trial
		t, err = openKey(dir, name)
		trials = append(trials, t)
	case has(tryout.Table):
		var t *tryout.Trial
		t, err = tryout.ReadTable(os.DirFS(dir), name)
		trials = append(trials, t)
	default:
		if trials, err = tryout.ReadAll(os.DirFS(dir), "."); err == nil && len(trials) == 0 {
			err = fmt.Errorf("there is no trial; it has none of %s, %s and *.json", planFile, tryout.Table)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", console.ShellWord(dir), err)
	}
	return trials, nil
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
	t := &tryout.Trial{Name: name, Date: p.Date, Lines: k.Lines, Requests: p.Requests}
	missing := map[string]bool{} // by folder
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
		}
		t.Answers, missing[f.ID] = append(t.Answers, a), a.Missing != ""
	}
	slices.SortStableFunc(t.Answers, func(a, b tryout.Answer) int {
		return cmp.Or(cmp.Compare(a.Request, b.Request), cmp.Compare(a.Condition, b.Condition))
	})
	return t, joinVerdicts(t, p, k, missing)
}

// joinVerdicts adds what readers said of folders, by their conditions, and counts
// what they have not said yet.
func joinVerdicts(t *tryout.Trial, p *plan, k key, missing map[string]bool) error {
	files, err := filepath.Glob(filepath.Join(p.dir, verdictsDir, "*.json"))
	if err != nil {
		return err
	}
	readable := 0
	for _, pair := range p.Pairs {
		if !missing[pair.Folders[0]] && !missing[pair.Folders[1]] {
			readable++
		}
	}
	lines := map[string][]string{}
	for _, file := range files {
		var said []verdict
		if err := readJSON(file, &said); err != nil {
			return err
		}
		t.Unread += max(readable-len(said), 0)
		for _, v := range said {
			folders, known := k.Pairs[v.Pair]
			if !known {
				return fmt.Errorf("reading %s: there is no pair %q; the file is of another trial", console.ShellWord(file), v.Pair)
			}
			i := slices.IndexFunc(p.Pairs, func(other pair) bool { return other.ID == v.Pair })
			joined := tryout.Verdict{Request: p.Pairs[i].Request, Condition: k.Conditions[folders[0]], Against: k.Conditions[folders[1]],
				Reader: strings.TrimSuffix(filepath.Base(file), ".json"), Better: tryout.Tie, Reason: v.Reason}
			if v.Better != tryout.Tie {
				joined.Better = k.Conditions[v.Better]
			}
			t.Verdicts = append(t.Verdicts, joined)
			if skill := p.request(joined.Request).Skill; lines[skill] == nil {
				lines[skill] = linesOf(p.path(folders[0], ".agents/skills"))
			}
		}
	}
	t.FindQuotes(lines)
	return nil
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
