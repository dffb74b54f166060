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
// better one, by folder. Answers and Command are digests, which release 2.3.0 did
// not write.
type verdict struct {
	Pair    string `json:"pair"`
	X       string `json:"x"`
	Y       string `json:"y"`
	Better  string `json:"better"`
	Reason  string `json:"reason,omitempty"`
	Answers string `json:"answers,omitempty"` // that were read
	Command string `json:"command,omitempty"` // that read; "" for a person
}

// about tells whether a verdict is one on a pair with its present answers.
func (v verdict) about(p *plan, pair pair, answers map[string]string) bool {
	return v.Pair == pair.ID && (v.Answers == "" || v.Answers == p.digest(answers[pair.Folders[0]], answers[pair.Folders[1]]))
}

// shown is all that a reader is given of a pair.
type shown struct{ request, x, y string }

// reader is a person, or a command each time that it reads all pairs.
type reader struct {
	name    string
	turn    int    // of a command, from 1; 0 for a person
	command string // its digest; "" for a person
}

func (r reader) String() string {
	if r.turn == 0 {
		return r.name
	}
	return fmt.Sprintf("%s-%d", r.name, r.turn)
}

// reading is one reader's work.
type reading struct {
	*plan
	reader
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
	readers := []reader{{name: cmp.Or(o.reader, "reader")}}
	if o.judge != "" {
		readers = nil
		for i := range o.readers {
			readers = append(readers, reader{cmp.Or(o.reader, "judge"), i + 1, p.digest(o.judge)})
		}
	}
	answers, lack, err := c.readable(p)
	if err != nil {
		return err
	}
	var readings []*reading
	for _, who := range readers {
		r, err := newReading(p, who, answers)
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
		err = c.page(ctx, readings[0], o)
	} else {
		err = c.judgeBy(ctx, readings, o)
	}
	if err != nil {
		return err
	}
	if n := len(readings[0].pairs); n < len(p.Pairs) {
		c.say("%d of %s could be read: %s %s --agent COMMAND", n, text.Count(len(p.Pairs), "pair"), lack, console.ShellWord(dir))
		return console.ErrIncomplete
	}
	c.say("All %s are read. Next: try-skill report %s", text.Count(len(p.Pairs), "pair"), console.ShellWord(dir))
	return nil
}

// readable returns the answers that readers may see. It lists the folders without
// one and the answers that would tell what they were written with; lack sums up
// both and what to do.
func (c *command) readable(p *plan) (answers map[string]string, lack string, err error) {
	answers = map[string]string{}
	missing, refused := 0, 0
	for _, f := range p.Folders {
		answer, err := p.answer(f.ID)
		if err != nil {
			return nil, "", fmt.Errorf("reading the answer in %s: %w", console.ShellWord(p.path(f.ID, ".")), err)
		}
		if answer == "" {
			missing++
			c.say("Not answered: %s, in %s", f.Request, console.ShellWord(p.path(f.ID, ".")))
		} else if named := p.naming(f.Request, answer); named != "" {
			refused++
			c.say("Refused: the answer to %s in %s names %s, which tells readers what it was written with", f.Request,
				console.ShellWord(p.path(f.ID, ".")), text.Quote(named))
		} else {
			answers[f.ID] = answer
		}
	}
	lack = fmt.Sprintf("%s without an answer, %s refused. Next: ", text.Count(missing, "folder"), text.Count(refused, "answer"))
	if refused > 0 {
		lack += "delete " + answerFile + " where it was refused, then "
	}
	return answers, lack + "try-skill answer", nil
}

func newReading(p *plan, who reader, answers map[string]string) (*reading, error) {
	if !text.IsSkillName(who.name) {
		return nil, console.Refuse("--reader %s: use %s, such as ann", text.Quote(who.name), text.SkillName)
	}
	r := &reading{plan: p, reader: who, answers: answers}
	for _, pair := range p.Pairs {
		if answers[pair.Folders[0]] != "" && answers[pair.Folders[1]] != "" {
			r.pairs = append(r.pairs, pair)
		}
	}
	slices.SortFunc(r.pairs, func(a, b pair) int {
		x, y := p.draw(who.String(), a.ID, "order"), p.draw(who.String(), b.ID, "order")
		return bytes.Compare(x[:], y[:])
	})
	if err := readJSON(r.file(), &r.said); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if slices.ContainsFunc(r.said, func(v verdict) bool { return v.Command != who.command && v.Answers != "" }) {
		return nil, console.Refuse("%s has the verdicts of another reader; name this one with --reader NAME", console.ShellWord(r.file()))
	}
	return r, nil
}

func (r *reading) file() string { return filepath.Join(r.dir, verdictsDir, r.String()+".json") }

// left lists the pairs that are still to be read.
func (r *reading) left() []pair {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(r.pairs), func(p pair) bool {
		return slices.ContainsFunc(r.said, func(v verdict) bool { return v.about(r.plan, p, r.answers) })
	})
}

// show draws which answer of a pair is X: by pair and reader, the same each time.
// A command sees the answers exchanged every second turn, so that a liking for X
// or Y cancels out.
func (r *reading) show(p pair) (x, y string, all shown) {
	x, y = p.Folders[0], p.Folders[1]
	if (int(r.draw(r.name, p.ID, "x")[0])+r.turn)%2 == 1 {
		x, y = y, x
	}
	return x, y, shown{r.prompt(p.Request), r.answers[x], r.answers[y]}
}

// say keeps what the reader said of a pair: X, Y or tie.
func (r *reading) say(p pair, better, reason string) error {
	x, y, _ := r.show(p)
	v := verdict{Pair: p.ID, X: x, Y: y, Reason: text.Line(reason, 1000), Command: r.command,
		Better:  map[string]string{"x": x, "y": y, tryout.Tie: tryout.Tie}[strings.ToLower(better)],
		Answers: r.digest(r.answers[p.Folders[0]], r.answers[p.Folders[1]])}
	if v.Better == "" {
		return fmt.Errorf("%s is not X, Y or %s", text.Quote(better), tryout.Tie)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	said := slices.DeleteFunc(slices.Clone(r.said), func(old verdict) bool { return old.Pair == v.Pair }) // about other answers
	said = append(said, v)
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
	if len(todo) == 0 {
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
