package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"marketingskills/app/text"
	"marketingskills/app/tryout"
	"marketingskills/tools/internal/console"
)

// verdict is what a reader said of a pair: which answers were X and Y, and the
// better one, by folder.
type verdict struct {
	Pair   string `json:"pair"`
	X      string `json:"x"`
	Y      string `json:"y"`
	Better string `json:"better"`
	Reason string `json:"reason,omitempty"`
}

// shown is all that a reader is given of a pair.
type shown struct{ request, x, y string }

// reading is one reader's work.
type reading struct {
	*plan
	reader  string
	answers map[string]string // by folder
	pairs   []pair            // those that can be read, in this reader's order
	mu      sync.Mutex
	said    []verdict
}

func (c *command) judge(ctx context.Context, dir string, o *options) error {
	p, err := openPlan(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, verdictsDir), 0o755); err != nil {
		return err
	}
	names := []string{cmp.Or(o.reader, "reader")}
	if o.judge != "" {
		names = nil
		for i := range o.readers {
			names = append(names, fmt.Sprintf("%s-%d", cmp.Or(o.reader, "judge"), i+1))
		}
	}
	answers, err := c.readable(p)
	if err != nil {
		return err
	}
	var readings []*reading
	for _, name := range names {
		r, err := newReading(p, name, answers)
		if err != nil {
			return err
		}
		release, err := lock(r.file())
		if err != nil {
			return err
		}
		defer release()
		readings = append(readings, r)
	}
	if o.judge == "" {
		return c.page(ctx, readings[0], o)
	}
	return c.judgeBy(ctx, readings, o)
}

// readable returns the answers that readers may see, and lists the folders
// without one and the answers that would tell what they were written with.
func (c *command) readable(p *plan) (map[string]string, error) {
	answers, missing := map[string]string{}, 0
	for _, f := range p.Folders {
		answer, err := p.answer(f.ID)
		if err != nil {
			return nil, fmt.Errorf("reading the answer in %s: %w", console.ShellWord(p.path(f.ID, ".")), err)
		}
		if answer == "" {
			missing++
			c.say("Not answered: %s, in %s", f.Request, console.ShellWord(p.path(f.ID, ".")))
		} else if named := p.naming(f.Request, answer); named != "" {
			c.say("Refused: the answer to %s in %s names %s, which tells readers what it was written with", f.Request,
				console.ShellWord(p.path(f.ID, ".")), text.Quote(named))
		} else {
			answers[f.ID] = answer
		}
	}
	if missing > 0 {
		c.say("%s not answered; try-skill answer has them answered.", text.Count(missing, "folder"))
	}
	return answers, nil
}

func newReading(p *plan, reader string, answers map[string]string) (*reading, error) {
	if !text.IsSkillName(reader) {
		return nil, console.Refuse("--reader %s: use %s", text.Quote(reader), text.SkillName)
	}
	r := &reading{plan: p, reader: reader, answers: answers}
	for _, pair := range p.Pairs {
		if answers[pair.Folders[0]] != "" && answers[pair.Folders[1]] != "" {
			r.pairs = append(r.pairs, pair)
		}
	}
	slices.SortFunc(r.pairs, func(a, b pair) int {
		x, y := p.draw(reader, a.ID, "order"), p.draw(reader, b.ID, "order")
		return bytes.Compare(x[:], y[:])
	})
	if err := readJSON(r.file(), &r.said); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return r, nil
}

func (r *reading) file() string { return filepath.Join(r.dir, verdictsDir, r.reader+".json") }

// left lists the pairs that are still to be read.
func (r *reading) left() []pair {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(r.pairs), func(p pair) bool {
		return slices.ContainsFunc(r.said, func(v verdict) bool { return v.Pair == p.ID })
	})
}

// show draws which answer of a pair is X: by pair and reader, the same each time.
func (r *reading) show(p pair) (x, y string, all shown) {
	x, y = p.Folders[0], p.Folders[1]
	if r.draw(r.reader, p.ID, "x")[0]&1 == 1 {
		x, y = y, x
	}
	return x, y, shown{r.prompt(p.Request), r.answers[x], r.answers[y]}
}

// say keeps what the reader said of a pair: X, Y or tie.
func (r *reading) say(p pair, better, reason string) error {
	x, y, _ := r.show(p)
	v := verdict{p.ID, x, y, map[string]string{"x": x, "y": y, tryout.Tie: tryout.Tie}[strings.ToLower(better)], text.Line(reason, 1000)}
	if v.Better == "" {
		return fmt.Errorf("%s is not X, Y or %s", text.Quote(better), tryout.Tie)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	said := append(slices.Clone(r.said), v)
	if err := writeJSON(r.file(), said); err != nil {
		return err
	}
	r.said = said
	return nil
}

// task is one pair to be read by one reader.
type task struct {
	*reading
	pair
}

func (c *command) judgeBy(ctx context.Context, readings []*reading, o *options) error {
	var todo []task
	characters := 0
	for _, r := range readings {
		for _, p := range r.left() {
			_, _, s := r.show(p)
			todo, characters = append(todo, task{r, p}), characters+len(s.text())
		}
	}
	dir := console.ShellWord(readings[0].dir)
	if len(todo) == 0 {
		c.say("All pairs are read. Next: try-skill report %s", dir)
		return nil
	}
	cost := fmt.Sprintf("They read about %s tokens.", text.Number(characters/4))
	if err := c.confirm(ctx, len(todo), "verdict", cost, o); err != nil {
		return err
	}
	return c.each(ctx, o, len(todo), "read", func(ctx context.Context, i int) error { return todo[i].ask(ctx, o) })
}

// ask has a command read a pair, in a folder that is empty.
func (t task) ask(ctx context.Context, o *options) error {
	dir, err := os.MkdirTemp("", "reading-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	hidden, err := filepath.Abs(t.dir)
	if err != nil {
		return err
	}
	_, _, s := t.show(t.pair)
	reply, err := o.shell(ctx, o.judge, dir, s.text(), hidden)
	if err != nil {
		return err
	}
	better, reason, err := parseReply(reply)
	if err != nil {
		return err
	}
	return t.say(t.pair, better, reason)
}

//go:embed prompt.txt
var judgePrompt string

// text is what a command that reads is given.
func (s shown) text() string {
	return strings.NewReplacer("{request}", s.request, "{x}", s.x, "{y}", s.y).Replace(judgePrompt)
}

var (
	betterLine = regexp.MustCompile(`(?im)^\W*better\W+(X|Y|tie)\b[^\pL\n]*$`)
	reasonLine = regexp.MustCompile(`(?ims)^\W*reason\W+(.*)`)
)

// parseReply reads what a command said.
func parseReply(reply string) (better, reason string, err error) {
	lines := betterLine.FindAllStringSubmatch(reply, -1)
	if len(lines) == 0 {
		return "", "", fmt.Errorf("it wrote %s; there must be a line such as better: X", text.Quote(strings.TrimSpace(reply)))
	}
	for _, line := range lines {
		if !strings.EqualFold(line[1], lines[0][1]) {
			return "", "", errors.New("it named several better answers; there must be one line such as better: X")
		}
	}
	if match := reasonLine.FindStringSubmatch(reply); match != nil {
		reason = strings.TrimSpace(match[1])
	}
	return lines[0][1], reason, nil
}
