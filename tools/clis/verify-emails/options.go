package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"marketingskills/app/text"
	"marketingskills/tools/internal/args"
	"marketingskills/tools/internal/console"
)

type options struct {
	args   []string // as given
	emails []string // those that are arguments

	csv, column, resume, output string

	local, noDNS, dry, json, overwrite, quiet, help, version bool
}

// syntax is what the command accepts, and sets the options.
func (o *options) syntax() args.Command {
	return args.Command{Name: "verify-emails", Hint: hint, Options: []args.Option{
		args.Text("--csv", &o.csv),
		args.Text("--column", &o.column),
		args.Flag("--local", &o.local),
		args.Flag("--no-dns", &o.noDNS),
		args.Flag("--dry-run", &o.dry),
		args.Text("--resume", &o.resume),
		args.Text("--output", &o.output),
		args.Flag("--overwrite", &o.overwrite),
		args.Flag("--json", &o.json),
		args.Flag("--quiet", &o.quiet),
		args.Flag("--help", &o.help),
		args.Flag("--version", &o.version),
	}}
}

func hint(option string) string {
	switch strings.TrimLeft(option, "-") {
	case "key", "token", "api-key", "apikey", "k":
		return "set the key in the environment variable VERIFY_API_KEY, so that other users cannot see it"
	case "url", "verify-url", "host", "server":
		return "set the URL in the environment variable VERIFY_URL"
	case "file", "input":
		return "did you mean --csv?"
	case "format":
		return "did you mean --json?"
	}
	return ""
}

// parseOptions reads the arguments. Every error is one of usage.
func parseOptions(arguments []string, key string) (options, error) {
	o := options{args: arguments}
	words, given, err := o.syntax().Parse(arguments)
	o.emails = words
	if err == nil && !o.help && !o.version {
		err = o.check(given, key)
	}
	if err != nil {
		return o, console.Usage(err)
	}
	return o, nil
}

func (o *options) check(given []string, key string) error {
	stdin := slices.Contains(o.emails, "-")
	switch {
	case o.csv != "" && len(o.emails) > 0:
		return fmt.Errorf("unexpected argument %s; --csv reads the emails from %s; leave out one of the two", text.Quote(o.emails[0]),
			text.Name(o.csv))
	case o.column != "" && o.csv == "":
		return errors.New("--column works with --csv; leave it out for a list of emails")
	case stdin && len(o.emails) > 1:
		return errors.New("- stands for the emails on standard input; leave out the other arguments")
	case o.local && o.dry:
		return errors.New("--dry-run and --local cannot be combined; --dry-run sends nothing, --local asks DNS for mail servers only")
	case o.output == "-":
		return errors.New("--output -: leave out --output; data goes to standard output by default")
	case o.dry && o.output != "":
		return errors.New("--output does not work with --dry-run; the plan goes to standard output")
	case o.overwrite && !slices.Contains(given, "--output"):
		return errors.New("--overwrite works with --output; name the file")
	case len(key) >= 8 && slices.ContainsFunc(o.args, func(a string) bool { return strings.Contains(a, key) }):
		return errors.New("an argument contains the key; leave it out, the key is read from the environment")
	}
	for _, email := range o.emails {
		if info, err := os.Stat(email); err == nil && !info.IsDir() && email != "-" && !strings.Contains(email, "@") {
			return fmt.Errorf("%s is a file, not an email; for CSV use --csv %s, for one email per line: verify-emails < %s",
				text.Name(email), console.ShellWord(email), console.ShellWord(email))
		}
	}
	return nil
}

// sameFiles refuses to write over what is read, unless nothing is lost by it:
// the input comes back with every byte if the person says so, and an earlier
// output has all its answers in the new one.
func (o options) sameFiles(in *input) error {
	switch {
	case o.output == "" || o.overwrite:
		return nil
	case same(o.output, o.csv) && !same(o.output, o.resume):
		return console.Refuse("--output and --csv are the same file, %s; use another name for the output, or --overwrite", o.csv)
	case same(o.output, o.resume) && in.unused > 0:
		return console.Refuse("--output and --resume are the same file, %s, and it has answers about %s that are not in this run; "+
			"use another name for the output, or --overwrite", o.resume, text.Count(in.unused, "other email"))
	}
	return nil
}

// same tells whether two paths lead to one file that exists.
func same(a, b string) bool {
	one, err := os.Stat(a)
	other, otherErr := os.Stat(b)
	return err == nil && otherErr == nil && os.SameFile(one, other)
}

// resumeCommand is what to type to go on from an incomplete output. What was
// read from standard input or the arguments is read from there, too: all of it
// is in it.
func (o options) resumeCommand(path string) string {
	arguments := o.args
	if o.csv == "" || o.csv == "-" {
		arguments = []string{"--csv=" + path}
		for _, option := range []struct{ name, value string }{{"--column", o.column}, {"--output", o.output}} {
			if option.value != "" {
				arguments = append(arguments, option.name+"="+option.value)
			}
		}
		for _, flag := range []struct {
			name string
			on   bool
		}{{"--local", o.local}, {"--no-dns", o.noDNS}, {"--overwrite", o.overwrite}, {"--json", o.json}, {"--quiet", o.quiet}} {
			if flag.on {
				arguments = append(arguments, flag.name)
			}
		}
	}
	return console.Resume("verify-emails", arguments, path)
}
