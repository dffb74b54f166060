package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"marketingskills/app/text"
	"marketingskills/tools/internal/args"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/version"
)

const usage = `Usage: try-skill prepare DIR --requests FILE... [options]
       try-skill answer  DIR --agent COMMAND [options]
       try-skill judge   DIR [--judge COMMAND] [options]
       try-skill report  DIR [--json | --markdown | --data | --into FILE]

Finds out whether a skill makes answers better: the same requests are answered
with it and without, and readers who do not know which is which compare them.
Two answers without a skill are compared in the same way, as a control.

prepare: write a folder for each answer into DIR, which must be new
  --requests FILE...    Markdown files with requests, named after their skill;
                        each request begins with P1: and so on, and may have
                        marks: a kind (thin, rich or hard), another skill, a
                        product context, files, words of a line of the skill
                        that can apply: P3 (hard; skill: NAME; context: FILE;
                        files: A, B; line: WORDS):
  --skills DIR          the folder of skills (default: skills)
  --against WHAT        what the skill is compared with: none (default), look
                        (the second look alone), another folder of skills or
                        of one skill, or a Git revision of the folder of
                        skills; may be given more than once
  --samples N           answers without a skill for each request (default: 2,
                        the fewest, since the control compares two of them)
  --without WORDS       compare the skill with itself without the line that
                        has these words; may be given more than once
  --with FILE           compare the skill that has the lines of FILE, too, with
                        the skill as it is

answer: run an agent in each folder that has no answer
  --agent COMMAND       run by the shell, in the folder: request on standard
                        input, answer on standard output, or in answer.md

judge: have pairs of answers read; without --judge, you read them on a local page
  --judge COMMAND       run by the shell, in an empty folder: what to look for,
                        the request and both answers on standard input; on
                        standard output it writes a line "better: X", or Y, or
                        tie, and a line "reason: " with what decided it
  --readers N           how often the command reads each pair, every second
                        time with X and Y exchanged (default: 2)
  --reader NAME         your name, or the one of the command (default: reader
                        or judge); each reader has verdicts of their own, and
                        another command needs another name
  --addr HOST:PORT      where the page is served (default: 127.0.0.1, any port)

answer and judge
  --parallel N          commands that run at the same time (default: 2)
  --timeout DURATION    the longest time for one (default: 20m)
  --yes                 do not ask before more than 50 are started

report: DIR is a trial, a folder with verdicts.tsv, a file that --data wrote, or
a folder of those, of which the newest comes first
  --json                write the figures as JSON
  --markdown            write Markdown
  --data                write the trial without its answers, to keep it
  --into FILE           write Markdown into FILE, between its lines
                        <!-- tryouts:begin --> and <!-- tryouts:end -->

  --help, --version

Nothing is sent anywhere but by the commands that you give. The report goes to
standard output, everything else to standard error.
Exit status: 0 complete, 1 failed, 2 wrong usage, 3 incomplete but kept.
`

type options struct {
	requests, against, without, with         []string
	skills, agent, judge, reader, addr, into string
	samples, readers, parallel               int
	timeout                                  time.Duration

	yes, json, markdown, data, help, version bool
}

// actions are what the command can do, with the options that belong to each.
var actions = []struct {
	name    string
	run     func(c *command, ctx context.Context, dir string, o *options) error
	options []string
}{
	{"prepare", (*command).prepare, []string{"--requests", "--skills", "--against", "--samples", "--without", "--with"}},
	{"answer", (*command).answer, []string{"--agent", "--parallel", "--timeout", "--yes"}},
	{"judge", (*command).judge, []string{"--judge", "--readers", "--reader", "--addr", "--parallel", "--timeout", "--yes"}},
	{"report", (*command).report, []string{"--json", "--markdown", "--data", "--into"}},
}

func (o *options) syntax() args.Command {
	several := func(name string, into *[]string) args.Option {
		return args.Option{Name: name, Repeatable: true, Set: func(value string) error { *into = append(*into, value); return nil }}
	}
	number := func(name string, into *int, least, most int) args.Option {
		return args.Option{Name: name, Set: func(value string) (err error) {
			if *into, err = strconv.Atoi(value); err != nil || *into < least || *into > most {
				return fmt.Errorf("%s %s is not a number from %d to %d; see try-skill --help", name, text.Quote(value), least, most)
			}
			return nil
		}}
	}
	*o = options{skills: "skills", samples: 2, readers: 2, parallel: 2, timeout: 20 * time.Minute, addr: "127.0.0.1:0"}
	return args.Command{Name: "try-skill", Hint: o.quotes, Options: []args.Option{
		several("--requests", &o.requests), several("--against", &o.against), several("--without", &o.without), several("--with", &o.with),
		args.Text("--skills", &o.skills), args.Text("--agent", &o.agent), args.Text("--judge", &o.judge), args.Text("--reader", &o.reader),
		args.Text("--into", &o.into),
		number("--samples", &o.samples, 2, 10), number("--readers", &o.readers, 1, 20), number("--parallel", &o.parallel, 1, 64),
		{Name: "--addr", Set: func(value string) error {
			if _, _, err := net.SplitHostPort(value); err != nil {
				return fmt.Errorf("--addr %s has no port; write 127.0.0.1:8080, or leave it out for any free port", text.Quote(value))
			}
			o.addr = value
			return nil
		}},
		{Name: "--timeout", Set: func(value string) (err error) {
			if o.timeout, err = time.ParseDuration(value); err != nil || o.timeout <= 0 {
				return fmt.Errorf("--timeout %s is not a time; write a number and a unit, such as 90s or 20m", text.Quote(value))
			}
			return nil
		}},
		args.Flag("--yes", &o.yes), args.Flag("--json", &o.json), args.Flag("--markdown", &o.markdown), args.Flag("--data", &o.data),
		args.Flag("--help", &o.help), args.Flag("--version", &o.version),
	}}
}

// quotes is what to do about an argument that nobody expected: behind a command
// it is mostly a part of that command.
func (o *options) quotes(string) string {
	if o.agent+o.judge == "" {
		return ""
	}
	return "write a command in quotes, as in --agent 'claude -p'"
}

// command is one run of the command: everything it may touch but files.
type command struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	asks           bool // standard input is a terminal
	mu             sync.Mutex
}

const longestLine = 4 << 10

// say writes a line to standard error.
func (c *command) say(format string, a ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprintln(c.stderr, text.Line(fmt.Sprintf(format, a...), longestLine))
}

func (c *command) run(ctx context.Context, arguments []string) error {
	var o options
	words, given, err := o.syntax().Parse(arguments)
	switch {
	case err != nil:
		return console.Usage(err)
	case o.help || slices.Equal(words, []string{"help"}):
		_, err := io.WriteString(c.stdout, usage)
		return err
	case o.version:
		return version.Print(c.stdout, "try-skill")
	case len(words) == 0:
		return console.Refuse("no command given; use prepare, answer, judge or report, or see try-skill --help")
	}
	var names []string
	for _, a := range actions {
		if names = append(names, a.name); a.name != words[0] {
			continue
		}
		for _, option := range given {
			if !slices.Contains(a.options, option) {
				return console.Refuse("%s does not work with %s; see try-skill --help", option, a.name)
			}
		}
		if len(words) < 2 {
			return console.Refuse("no folder given; write try-skill %s DIR, and see try-skill --help", a.name)
		}
		if a.name == "prepare" {
			o.requests = append(o.requests, words[2:]...)
		} else if len(words) > 2 {
			return console.Refuse("unexpected argument %s; %s", text.Quote(words[2]), cmp.Or(o.quotes(""), "see try-skill --help"))
		}
		return a.run(c, ctx, words[1], &o)
	}
	if near := text.Nearest(words[0], names, 2); near != "" {
		return console.Refuse("unknown command %s; did you mean %s?", text.Quote(words[0]), near)
	}
	return console.Refuse("unknown command %s; use %s", text.Quote(words[0]), text.Either(names))
}

// unasked is how many commands are started without a question.
const unasked = 50

// confirm asks before many commands are started, and says what they may cost.
func (c *command) confirm(ctx context.Context, n int, what, cost string, o *options) error {
	c.say("%s to go. %s", text.Count(n, what), cost)
	switch {
	case n <= unasked || o.yes:
		return nil
	case !c.asks:
		return console.Refuse("that is more than %d, and there is no terminal to ask at; use --yes to start them", unasked)
	}
	fmt.Fprint(c.stderr, "Continue? [y/N] ")
	reply := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(c.stdin).ReadString('\n')
		reply <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(c.stderr)
	case r := <-reply:
		if r == "y" || r == "yes" {
			return nil
		}
	}
	return errors.New("stopped; nothing was started")
}
