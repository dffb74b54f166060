package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"marketingskills/app/text"
	"marketingskills/app/tryout"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/outfile"
)

// The conditions that the command itself names; those of other folders and
// revisions are named after them.
const (
	conditionSkill   = "skill"
	conditionLook    = "look"
	conditionLines   = "lines"
	conditionNoLines = "no-lines"
	conditionNone    = "none"
)

// condition is what an agent is given beside the request.
type condition struct {
	name   string
	skills source // nil for none
}

// preparation is a trial being made.
type preparation struct {
	*options
	plan
	key     key
	sources map[string]string // the file of each request, to which its marks are relative
	on      condition         // that is on trial
	against []condition
	temp    string // where it is written until it is whole
	// What each request becomes, by conditions.
	folderNames, pairNames []string
}

func (c *command) prepare(ctx context.Context, dir string, o *options) error {
	p := &preparation{options: o, sources: map[string]string{}}
	p.Lot, p.key.Conditions, p.key.Pairs = newID()+newID(), map[string]string{}, map[string][2]string{}
	if err := placeFor(dir); err != nil {
		return err
	}
	if err := errors.Join(p.readRequests(), p.chooseConditions(ctx)); err != nil {
		return console.Usage(err)
	}
	if err := c.leaveOut(p); err != nil {
		return err
	}
	if err := p.write(ctx, dir); err != nil {
		return fmt.Errorf("preparing %s: %w", console.ShellWord(dir), err)
	}
	c.say("Prepared in %s: %s, %s to be answered, %s to be read by each reader.", console.ShellWord(dir),
		text.Count(len(p.Requests), "request"), text.Count(len(p.Folders), "folder"), text.Count(len(p.Pairs), "pair"))
	c.say("For each request: the folders %s; the pairs %s (the control).", strings.Join(p.folderNames, ", "), strings.Join(p.pairNames, ", "))
	c.say("%s", p.cost(len(p.Folders)))
	c.say("Next: try-skill answer %s --agent COMMAND", console.ShellWord(dir))
	return nil
}

// cost estimates the tokens of n answers, as characters divided by four.
func (p *plan) cost(n int) string {
	const written = 1500
	reads := p.Reads / 4 * n / max(len(p.Folders), 1)
	return fmt.Sprintf("They read up to %s tokens and write about %s; an agent that works in steps reads them again with each step.",
		text.Number(reads), text.Number(written*n))
}

// placeFor refuses a folder that is in use, and one in which agents would find
// more than was prepared: they read the instructions and skills of the folders
// above their own.
func placeFor(dir string) error {
	full, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if entries, err := os.ReadDir(full); err == nil && len(entries) > 0 {
		return console.Refuse("%s is not empty; name a new folder", console.ShellWord(dir))
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return console.Refuse("%s: %w; name a new folder", console.ShellWord(dir), outfile.Bare(err))
	}
	for above := full; ; above = filepath.Dir(above) {
		for _, name := range []string{".git", ".agents", "AGENTS.md", "CLAUDE.md", "GEMINI.md"} {
			if _, err := os.Lstat(filepath.Join(above, name)); err == nil {
				return console.Refuse("agents in %s would find %s, too; name a folder elsewhere, such as %s", console.ShellWord(dir),
					console.ShellWord(filepath.Join(above, name)), console.ShellWord(filepath.Join(os.TempDir(), "tryout")))
			}
		}
		if above == filepath.Dir(above) {
			return nil
		}
	}
}

func (p *preparation) readRequests() error {
	if len(p.requests) == 0 {
		return errors.New("--requests is missing; name the files with requests")
	}
	for _, file := range p.requests {
		data, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("--requests %s: %w; name the files with requests", console.ShellWord(file), outfile.Bare(err))
		}
		requests, day, err := tryout.ReadRequests(string(data), strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
		if err != nil {
			return fmt.Errorf("--requests %s: not a file of requests: %w", console.ShellWord(file), err)
		}
		p.Prepared = time.Now().Format(tryout.Day)
		if day.IsZero() {
			day = time.Now()
		}
		if date := day.Format(tryout.Day); p.Date == "" {
			p.Date = date
		} else if p.Date != date {
			return fmt.Errorf("--requests %s: the day is %s, that of others is %s; ask all on the same day", console.ShellWord(file), date, p.Date)
		}
		for _, r := range requests {
			if p.request(r.ID).ID != "" {
				return fmt.Errorf("--requests %s: there is a request %s already; give each file another name", console.ShellWord(file), r.ID)
			}
			p.Requests, p.sources[r.ID] = append(p.Requests, r), file
		}
	}
	return nil
}

// chooseConditions finds out what is compared with what.
func (p *preparation) chooseConditions(ctx context.Context) error {
	skills, err := folderOf(p.skills)
	if err != nil {
		return fmt.Errorf("--skills %s: %w; name the folder of skills", console.ShellWord(p.skills), outfile.Bare(err))
	}
	p.on = condition{conditionSkill, skills}
	switch lines := len(p.without) + len(p.with); {
	case lines > 0 && len(p.options.against) > 0:
		return errors.New("--without and --with compare a skill with itself; leave out --against")
	case lines > 0:
		return p.chooseLines(skills)
	case len(p.options.against) == 0:
		p.options.against = []string{conditionNone}
	}
	for i, what := range p.options.against {
		if slices.Contains(p.options.against[:i], what) {
			return fmt.Errorf("--against %s is given twice; leave one out", console.ShellWord(what))
		}
		if what == conditionNone {
			continue // two samples are always there
		}
		other, err := p.conditionOf(ctx, what)
		if err != nil {
			return fmt.Errorf("--against %s: %w", console.ShellWord(what), err)
		}
		if plainName(other.name) || slices.ContainsFunc(p.against, func(c condition) bool { return c.name == other.name }) {
			return fmt.Errorf("--against %s: there is another condition of that name; rename the folder", console.ShellWord(what))
		}
		p.against = append(p.against, other)
	}
	return nil
}

func (p *preparation) conditionOf(ctx context.Context, what string) (c condition, err error) {
	c.name = what
	switch info, statErr := os.Stat(what); {
	case what == conditionLook:
		c.skills, err = lookOf(p.skills)
	case statErr == nil && info.IsDir():
		c.name = filepath.Base(filepath.Clean(what))
		c.skills, err = folderOf(what)
	default:
		c.skills, err = revisionOf(ctx, p.skills, what)
	}
	return c, err
}

func plainName(name string) bool {
	return name == conditionSkill || name == conditionNone || strings.HasPrefix(name, conditionNone+"-")
}

// conditions are those with a skill.
func (p *preparation) conditions() []condition { return append([]condition{p.on}, p.against...) }

// leaveOut drops the requests on which the lines on trial cannot apply, and says
// so; what is missing of a skill is told before anything is written.
func (c *command) leaveOut(p *preparation) error {
	all := len(p.Requests)
	for _, r := range p.Requests {
		for _, words := range r.Lines {
			if !slices.ContainsFunc(p.conditions(), func(c condition) bool {
				content, err := c.skills(r.Skill)
				return err != nil || len(linesWith(content, words)) > 0
			}) {
				return console.Refuse("%s: line: %s: neither the skill %s nor a file of --with has a line with these words; "+
					"correct the mark or take it out", r.ID, text.Clip(words, 80), r.Skill)
			}
		}
	}
	if p.key.Lines != nil {
		p.Requests = slices.DeleteFunc(p.Requests, func(r tryout.Request) bool { return !p.applies(r) })
		if len(p.Requests) == 0 {
			return console.Refuse("the lines can apply to no request; mark those to which they can, as in P1 (thin; line: words of the line):")
		}
		c.say("The lines can apply to %d of %s; the others are left out.", len(p.Requests), text.Count(all, "request"))
	}
	for _, r := range p.Requests {
		for _, on := range p.conditions() {
			if _, err := on.skills(r.Skill); err != nil {
				return console.Refuse("%s: the skill %s of the condition %s: %w", r.ID, text.Quote(r.Skill), on.name, outfile.Bare(err))
			}
		}
	}
	return nil
}

// write writes the trial beside its place and gives it its name when it is
// whole.
func (p *preparation) write(ctx context.Context, dir string) (err error) {
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(dir)), 0o755); err != nil {
		return err
	}
	if p.temp, err = os.MkdirTemp(filepath.Dir(filepath.Clean(dir)), ".try-skill-*"); err != nil {
		return err
	}
	defer os.RemoveAll(p.temp)
	p.dir = p.temp
	for _, r := range p.Requests {
		if ctx.Err() != nil {
			return errors.New("stopped; nothing was prepared")
		}
		if err := p.writeRequest(r); err != nil {
			return err
		}
	}
	p.Skills, p.Files = p.names()
	slices.SortFunc(p.Folders, func(a, b folder) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(p.Pairs, func(a, b pair) int { return strings.Compare(a.ID, b.ID) })
	if err := errors.Join(writeJSON(filepath.Join(p.temp, keyFile), p.key), writeJSON(filepath.Join(p.temp, planFile), p.plan)); err != nil {
		return err
	}
	_ = os.Remove(dir) // an empty folder
	return os.Rename(p.temp, dir)
}

// writeRequest makes the folders of a request and their pairs: what is on trial
// against each of the others, and the second answer without a skill against the
// first.
func (p *preparation) writeRequest(r tryout.Request) error {
	on, err := p.writeFolder(r, p.on.name, p.on.skills)
	if err != nil {
		return err
	}
	for _, other := range p.against {
		id, err := p.writeFolder(r, other.name, other.skills)
		if err != nil {
			return err
		}
		p.addPair(r, on, id)
	}
	var plain []string
	for i := range p.samples {
		id, err := p.writeFolder(r, fmt.Sprintf("%s-%d", conditionNone, i+1), nil)
		if err != nil {
			return err
		}
		plain = append(plain, id)
		if slices.Contains(p.options.against, conditionNone) {
			p.addPair(r, on, id)
		}
	}
	p.addPair(r, plain[1], plain[0])
	return nil
}

func (p *preparation) addPair(r tryout.Request, on, against string) {
	id, folders := newID(), [2]string{on, against}
	if r.ID == p.Requests[0].ID {
		p.pairNames = append(p.pairNames, p.key.Conditions[on]+" against "+p.key.Conditions[against])
	}
	p.key.Pairs[id] = folders
	slices.Sort(folders[:])
	p.Pairs = append(p.Pairs, pair{id, r.ID, folders})
}

// writeFolder writes what an agent sees, and nothing else.
func (p *preparation) writeFolder(r tryout.Request, name string, skills source) (id string, err error) {
	id = newID()
	p.Folders = append(p.Folders, folder{id, r.ID})
	p.key.Conditions[id] = name
	if r.ID == p.Requests[0].ID {
		p.folderNames = append(p.folderNames, name)
	}
	request := p.prompt(r.ID) + "\nWrite the answer, and nothing else, to " + answerFile + " in this folder.\n"
	files := map[string][]byte{requestFile: []byte(request)}
	attach := func(mark, file, as string) {
		path := filepath.Join(filepath.Dir(p.sources[r.ID]), file)
		data, readErr := os.ReadFile(path)
		if _, taken := files[as]; taken || as == answerFile {
			err = console.Refuse("%s: %s: the name %s is taken; rename the file", r.ID, mark, as)
		} else if readErr != nil {
			err = console.Refuse("%s: %s: %s: %w; paths are relative to the file of requests", r.ID, mark,
				console.ShellWord(path), outfile.Bare(readErr))
		}
		files[as] = data
	}
	if r.Context != "" {
		attach("context", r.Context, ".agents/product-marketing.md")
	}
	for _, file := range r.Files {
		attach("files", file, filepath.Base(file))
	}
	if skills != nil && err == nil {
		var content map[string][]byte
		content, err = skills(r.Skill)
		for file, data := range content {
			files[".agents/skills/"+file] = data
		}
	}
	for file, data := range files {
		p.Reads += len(data)
		path := p.path(id, filepath.FromSlash(file))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o644))
	}
	if skills != nil && err == nil {
		err = p.linkForClaude(id)
	}
	return id, err
}

// linkForClaude makes the skills visible where Claude Code looks for them, by a
// link as installers do, or by a copy where links cannot be.
func (p *preparation) linkForClaude(id string) error {
	to := p.path(id, filepath.Join(".claude", "skills"))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if os.Symlink(filepath.Join("..", ".agents", "skills"), to) == nil {
		return nil
	}
	return os.CopyFS(to, os.DirFS(p.path(id, filepath.Join(".agents", "skills"))))
}

// names lists the skills and the files of skills that no answer may name; a
// request may have a file of the same name.
func (p *preparation) names() (skills, files []string) {
	entries, _ := os.ReadDir(p.skills) // it was read before
	for _, e := range entries {
		if e.IsDir() && text.IsSkillName(e.Name()) {
			skills = append(skills, e.Name())
		}
	}
	for _, r := range p.Requests {
		for _, on := range p.conditions() {
			content, _ := on.skills(r.Skill)
			for file := range content {
				if name := filepath.Base(file); strings.HasSuffix(name, ".md") && !slices.Contains(files, name) {
					files = append(files, name)
				}
			}
			if !slices.Contains(skills, r.Skill) {
				skills = append(skills, r.Skill)
			}
		}
	}
	files = slices.DeleteFunc(files, func(name string) bool {
		return slices.ContainsFunc(p.Requests, func(r tryout.Request) bool { return slices.Contains(r.Files, name) })
	})
	slices.Sort(files)
	return skills, files
}

// naming returns what in an answer names a skill or its files, which would tell
// a reader whose it is; "" for nothing. What the request says itself does not
// count.
func (p *plan) naming(request, answer string) string {
	quoted := func(words []string) string {
		parts := []string{`\x00`} // matches nothing if there are no words
		for _, w := range words {
			parts = append(parts, regexp.QuoteMeta(w))
		}
		return "(?:" + strings.Join(parts, "|") + ")"
	}
	skill := quoted(p.Skills)
	const mark = "[\"'`*]+" // around a name
	pattern := regexp.MustCompile(`(?i)\bSKILL\.md\b|\.(?:agents|claude)/skills|\bskills/` + skill + `\b|\bthe ` + skill + ` skill\b|` +
		mark + skill + mark + ` skill\b|\bskill ` + mark + skill + mark + `|\b` + quoted(p.Files) + `\b`)
	for _, match := range pattern.FindAllString(answer, -1) {
		if !strings.Contains(strings.ToLower(p.request(request).Text), strings.ToLower(match)) {
			return match
		}
	}
	return ""
}
