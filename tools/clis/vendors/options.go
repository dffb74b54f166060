package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"marketingskills/app/collection/vendor"
	"marketingskills/app/text"
	"marketingskills/tools/internal/args"
	"marketingskills/tools/internal/outfile"
)

type options struct {
	tables           string   // folder
	category, search string   // of list
	fields           []string // of CSV
	limit            int

	all, dry, yes, show, json, help, version bool
}

// misplaced returns an error for an option that the command of a word does not take;
// any word but these is a vendor.
func misplaced(word string, given []string) error {
	places := map[string]string{"--category": "list", "--search": "list", "--json": "list describe"}
	for _, name := range given {
		switch place := places[name]; {
		case slices.Contains([]string{"--tables", "--help", "--version"}, name):
		case place == "" && (word == "list" || word == "describe"):
			return fmt.Errorf("%s is for operations; leave it out", name)
		case place != "" && !slices.Contains(strings.Fields(place), word):
			return fmt.Errorf("%s is for vendors %s; leave it out", name, strings.ReplaceAll(place, " ", " and "))
		}
	}
	return nil
}

// asRows tells whether rows are written instead of the response.
func (o options) asRows() bool { return o.all || o.limit > 0 || o.fields != nil }

// syntax is what the command accepts, and sets the options.
func (o *options) syntax() args.Command {
	return args.Command{Name: "vendors", Hint: hint, Options: []args.Option{
		args.Text("--category", &o.category),
		args.Text("--search", &o.search),
		args.Flag("--json", &o.json),
		args.Flag("--all", &o.all),
		{Name: "--limit", Set: func(value string) (err error) {
			if o.limit, err = strconv.Atoi(value); err != nil || o.limit < 1 {
				return fmt.Errorf("--limit %s is not a number of rows, such as 100", text.Quote(value))
			}
			return nil
		}},
		{Name: "--csv", Set: func(value string) error {
			for field := range strings.SplitSeq(value, ",") {
				if field = strings.TrimSpace(field); field == "" {
					return errors.New("--csv has an empty field; write it like name,company.name")
				}
				o.fields = append(o.fields, field)
			}
			return nil
		}},
		args.Flag("--dry-run", &o.dry),
		args.Flag("--yes", &o.yes),
		args.Flag("--show-secrets", &o.show),
		args.Text("--tables", &o.tables),
		args.Flag("--help", &o.help),
		args.Flag("--version", &o.version),
	}}
}

func hint(option string) string {
	switch name := strings.TrimLeft(option, "-"); {
	case vendor.SecretName(name), name == "key", name == "k":
		return "set the key in the environment variable that vendors describe VENDOR names, so that other users cannot see it"
	case name == "format", name == "output", name == "o":
		return "JSON is the default, --csv FIELDS writes CSV; to write to a file: > FILE"
	case name == "":
		return ""
	default:
		return "parameters are written without hyphens: " + text.Printable(text.Clip(name, 100)) + "=VALUE"
	}
}

// parameters reads the values of an operation's parameters and checks them.
func (c *command) parameters(o *vendor.Operation, words []string) (map[string]string, error) {
	values := map[string]string{}
	for _, word := range words {
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			return nil, fmt.Errorf("unexpected argument %s; parameters are written name=value", text.Quote(word))
		}
		if _, twice := values[name]; twice {
			return nil, fmt.Errorf("%s is given more than once", text.Name(name))
		}
		path, fromFile := strings.CutPrefix(value, "@")
		value = strings.TrimPrefix(value, "=")
		if fromFile && slices.ContainsFunc(o.Params, func(p vendor.Param) bool { return p.Name == name }) {
			var err error
			if value, err = c.file(path); err != nil {
				return nil, fmt.Errorf("%s: reading %s: %w; if the value itself begins with @, write %[1]s==@…", name,
					text.Name(path), outfile.Bare(err))
			}
		}
		values[name] = value
	}
	return values, o.Check(values)
}

// file reads a value from a file, without the line end behind it.
func (c *command) file(path string) (string, error) {
	var data []byte
	var err error
	switch {
	case path != "-":
		data, err = os.ReadFile(path)
	case c.asks:
		err = errors.New("standard input is a terminal")
	default:
		data, err = io.ReadAll(c.stdin)
	}
	if err == nil && !utf8.Valid(data) {
		err = errors.New("not text in UTF-8")
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r"), err
}
