package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"

	"marketingskills/app/collection/vendor"
	"marketingskills/app/text"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/version"
)

// command is one run of the command: everything it may touch but files.
type command struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	client         *http.Client
	asks           bool // standard input is a terminal
	mask           mask
}

// longestLine is far beyond any message, in bytes.
const longestLine = 4 << 10

// say writes a line to standard error, without secrets.
func (c *command) say(format string, a ...any) {
	fmt.Fprintln(c.stderr, text.Line(c.mask.text(fmt.Sprintf(format, a...)), longestLine))
}

func (c *command) run(ctx context.Context, arguments []string) error {
	var o options
	words, _, err := o.syntax().Parse(arguments)
	tables, loadErr := load(o.tables)
	for _, t := range tables {
		c.mask.add(c.key(t.Auth.Env), t.Auth.Env)
	}
	switch {
	case slices.ContainsFunc(arguments, c.mask.in):
		return console.Refuse("an argument contains a key; leave it out, keys are read from the environment")
	case err != nil:
		return console.Usage(err)
	case slices.Equal(words, []string{"help"}), o.help && (len(words) == 0 || words[0] == "list"):
		_, err := io.WriteString(c.stdout, usage)
		return err
	case o.version:
		return version.Print(c.stdout, "vendors")
	case loadErr != nil:
		return console.Usage(loadErr)
	}
	c.mask.show = o.show
	describe := o.help
	if len(words) > 0 && (words[0] == "describe" || words[0] == "help") {
		describe, words = true, words[1:]
	}
	if len(words) == 0 {
		return console.Refuse("no vendor given; see vendors list, or vendors --help")
	}
	if words[0] == "list" {
		if len(words) > 1 {
			return console.Refuse("unexpected argument %s; vendors list shows all of them", text.Quote(words[1]))
		}
		return c.list(tables)
	}
	t, op, err := find(tables, words)
	switch {
	case err != nil:
		return console.Usage(err)
	case describe && len(words) > 2:
		return console.Refuse("unexpected argument %s; leave it out", text.Quote(words[2]))
	case describe || op == nil:
		return c.describe(words[0], t, op)
	}
	s := &session{command: c, id: words[0], table: t, op: op, options: o, seen: map[string]bool{}}
	return s.call(ctx, words[2:])
}

// key returns the key that is in a variable, or in the file that the variable with
// _FILE names; "" if there is none. A pipe can be read once, and is left to the
// call that needs its key.
func (c *command) key(env string) string {
	if path := c.getenv(env + "_FILE"); path != "" {
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			return strings.TrimSpace(c.getenv(env))
		}
	}
	key, _ := console.Secret(c.getenv, env) // an error is told by the call that needs the key
	return key
}

// find returns the table and the operation that the first words name; no
// operation if there is one word only.
func find(tables map[string]*vendor.Table, words []string) (*vendor.Table, *vendor.Operation, error) {
	unknown := func(what, word string, known []string, see string) error {
		if near := text.Nearest(word, known, 2); near != "" {
			return fmt.Errorf("unknown %s %s; did you mean %s?", what, text.Name(word), near)
		}
		return fmt.Errorf("unknown %s %s; %s", what, text.Name(word), see)
	}
	t := tables[words[0]]
	if t == nil {
		return nil, nil, unknown("vendor", words[0], slices.Sorted(maps.Keys(tables)), "see vendors list")
	}
	if len(words) == 1 {
		return t, nil, nil
	}
	var names []string
	for _, o := range t.Operations {
		names = append(names, o.Name)
	}
	op := t.Operation(words[1])
	if op == nil {
		return nil, nil, unknown("operation", words[1], names, words[0]+" has "+text.List(names))
	}
	return t, op, nil
}

// session is one operation with all that belongs to it.
type session struct {
	*command
	options
	id            string
	table         *vendor.Table
	op            *vendor.Operation
	header, value string // that carry the key

	values  map[string]string
	request *vendor.Call // the next one
	rows    []json.RawMessage
	seen    map[string]bool // what tells pages apart, of those so far
}

// call does what the arguments ask for.
func (s *session) call(ctx context.Context, words []string) (err error) {
	see, auth := "vendors describe "+s.id+" "+s.op.Name, s.table.Auth
	if s.values, err = s.parameters(s.op, words); err == nil && s.all && s.op.Paging == nil {
		err = errors.New("there are no pages; leave out --all")
	}
	if err == nil {
		s.request, err = s.table.Call(s.op, s.values, s.getenv)
	}
	if err != nil {
		return console.Refuse("%w; see %s", err, see)
	}
	key, err := console.Secret(s.getenv, auth.Env)
	s.mask.add(key, auth.Env)
	s.header, s.value = auth.HeaderValue(key, s.getenv)
	if auth.Basic {
		s.mask.add(strings.TrimPrefix(s.value, "Basic "), auth.Env)
	}
	unset := s.request.Unset
	if key == "" {
		unset = append(unset, auth.Env)
	}
	switch {
	case s.dry:
		return s.print(key)
	case err != nil:
		return err
	case len(unset) > 0:
		return console.Refuse("missing in the environment: %s; copy from your account at %s; %s_FILE can name a file with the key; see %s",
			text.List(unset), s.table.Name, auth.Env, s.table.Docs)
	case strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r > '~' }):
		return console.Refuse("%s contains a character that no key has; copy the key again", auth.Env)
	}
	if err := s.confirm(ctx); err != nil {
		return err
	}
	err = s.write(ctx)
	if _, named := errors.AsType[*failure](err); err != nil && !named && !errors.Is(err, console.ErrIncomplete) {
		err = fmt.Errorf("%s %s: %w", s.id, s.op.Name, err)
	}
	return err
}

// print shows the request instead of sending it.
func (s *session) print(key string) error {
	value := s.value
	if key == "" || !s.show {
		value = s.table.Auth.Prefix + "[" + s.table.Auth.Env + "]"
		if s.table.Auth.Basic {
			value = "Basic " + value
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", s.request.Method, s.mask.text(s.request.URL))
	for _, name := range slices.Sorted(maps.Keys(s.request.Header)) {
		fmt.Fprintf(&b, "%s: %s\n", name, s.request.Header.Get(name))
	}
	fmt.Fprintf(&b, "%s: %s\n", s.header, value)
	if s.op.Body != nil {
		fmt.Fprintf(&b, "\n%s\n", indented(s.mask.json(s.request.Body)))
	} else if s.request.Body != nil {
		fmt.Fprintf(&b, "\n%s\n", s.mask.text(string(s.request.Body)))
	}
	_, err := fmt.Fprint(s.stdout, b.String())
	s.say("Nothing was sent.")
	return err
}

// confirm asks before what cannot be taken back.
func (s *session) confirm(ctx context.Context) error {
	does := effects[s.op.Effect]
	switch {
	case s.yes || !s.op.Effect.NeedsConfirmation():
		return nil
	case !s.asks:
		return console.Refuse("%s %s %s, and there is no terminal to ask at; use --yes to do it, or --dry-run to see the request",
			s.id, s.op.Name, does)
	}
	s.say("This %s at %s: %s.", does, s.table.Name, s.op.Does)
	if s.all || s.limit > 0 {
		s.say("Each page is a request of its own, and does so again.")
	}
	s.say("%s %s %s", s.request.Method, s.request.URL, text.Clip(s.mask.text(string(s.request.Body)), 500))
	fmt.Fprint(s.stderr, "Continue? [y/N] ")
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(s.stdin).ReadString('\n')
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(s.stderr)
	case a := <-answer:
		if a == "y" || a == "yes" {
			return nil
		}
	}
	return errors.New("stopped; nothing was sent")
}
