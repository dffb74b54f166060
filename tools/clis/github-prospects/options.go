package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/export"
	"marketingskills/app/text"
	"marketingskills/tools/internal/args"
	"marketingskills/tools/internal/console"
)

const (
	cmdUser      = "user"
	cmdRateLimit = "rate-limit"
	seeHelp      = "see github-prospects --help"
)

var commands = append(lists(), cmdUser, cmdRateLimit)

// lists are the commands that list people.
func lists() (names []string) {
	for _, source := range codehost.Sources {
		names = append(names, string(source))
	}
	return names
}

// alias are words for a command that are too far from it to be a slip.
var alias = map[string]string{"stars": "stargazers", "starred": "stargazers", "subscribers": "watchers",
	"fork": "forks", "profile": "user", "quota": "rate-limit", "limit": "rate-limit"}

type options struct {
	args    []string // as given
	command string
	query   prospect.Query // of the listings
	login   string         // of user
	format  string         // csv, json or, by default, empty
	preset  string         // the format of a CRM

	suppress, resume, output string // files
	concurrency, points      int

	dry, wait, quiet, overwrite, help, version bool
}

// alsoFor are the options that user and rate-limit take, too.
var alsoFor = map[string][]string{
	cmdUser:      {"--format", "--preset", "--output", "--suppress", "--quiet", "--wait"},
	cmdRateLimit: {"--format", "--output", "--quiet"},
}

// syntax is what the command accepts, and sets the options.
func (o *options) syntax() args.Command {
	q := &o.query
	return args.Command{Name: "github-prospects", Hint: hint, Options: []args.Option{
		args.Flag("--enrich", &q.Enrich),
		args.Flag("--with-email", &q.WithEmail),
		args.Flag("--with-company", &q.WithCompany),
		args.Flag("--with-blog", &q.WithBlog),
		number("--target", &q.Target, 0),
		choice("--format", "format", []string{"csv", "json"}, "", &o.format),
		choice("--preset", "preset", export.Presets(), noColdEmail, &o.preset),
		args.Flag("--dry-run", &o.dry),
		number("--limit", &q.Limit, 0),
		choice("--type", "type", []string{"User", "Organization"}, "", &q.Type),
		args.Text("--suppress", &o.suppress),
		args.Text("--resume", &o.resume),
		args.Text("--output", &o.output),
		args.Flag("--overwrite", &o.overwrite),
		number("--concurrency", &o.concurrency, prospect.MaxConcurrency),
		number("--points-per-minute", &o.points, 0),
		args.Flag("--wait", &o.wait),
		args.Flag("--quiet", &o.quiet),
		{Name: "--starred-since", Set: o.setSince},
		args.Text("--purpose", &q.Purpose),
		{Name: "--countries", Set: o.setCountries},
		args.Flag("--help", &o.help),
		args.Flag("--version", &o.version),
	}}
}

func hint(option string) string {
	switch option {
	case "--token", "--api-key":
		return "set the token in the environment variable GITHUB_TOKEN, so that other users cannot see it"
	case "--country": // too far for a slip
		return "did you mean --countries?"
	}
	return ""
}

// parseOptions reads the arguments; api is the URL of the API. Every error is
// one of usage.
func parseOptions(arguments []string, api string) (options, error) {
	o := options{args: arguments}
	words, given, err := o.syntax().Parse(arguments)
	if err == nil && !o.help && !o.version {
		if err = o.setCommand(words, api); err == nil {
			err = o.check(given)
		}
	}
	if err != nil {
		return o, console.Usage(err)
	}
	return o, nil
}

// number is an option for a number from 1 up, or to most if that is not 0.
func number(name string, into *int, most int) args.Option {
	return args.Option{Name: name, Set: func(value string) error {
		n, err := strconv.Atoi(value)
		switch {
		case err != nil:
			return fmt.Errorf("%s %s: not a whole number; use for example %s 50", name, value, name)
		case n < 1 && most == 0:
			return fmt.Errorf("%s %d: use a number of 1 or more", name, n)
		case most > 0 && (n < 1 || n > most):
			return fmt.Errorf("%s %d: use a number from 1 to %d", name, n, most)
		}
		*into = n
		return nil
	}}
}

const noColdEmail = "; there is none for cold-email tools, because GitHub's acceptable-use policy forbids that use"

// choice is an option for one of a few words, in any case of letters. The
// remark follows where a value is not one of them.
func choice(name, noun string, known []string, remark string, into *string) args.Option {
	return args.Option{Name: name, Set: func(value string) error {
		for _, k := range known {
			if strings.EqualFold(value, k) {
				*into = k
				return nil
			}
		}
		return fmt.Errorf("%s %s: unknown %s; %s", name, value, noun, didYouMean(value, known, "use "+strings.Join(known, " or ")+remark))
	}}
}

// didYouMean is a suggestion to end a message with, or the other text.
func didYouMean(given string, known []string, otherwise string) string {
	if word := text.Nearest(given, known, 2); word != "" {
		return "did you mean " + word + "?"
	}
	return otherwise
}

func (o *options) setCountries(value string) error {
	o.query.Countries = prospect.Query{Countries: strings.Split(value, ",")}.Cleaned().Countries
	if o.query.Countries == nil {
		return fmt.Errorf("--countries %s: no country given; use for example --countries 'Germany, France'", value)
	}
	return nil
}

func (o *options) setSince(value string) error {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, value); err == nil {
			o.query.StarredSince = at.UTC()
			return nil
		}
	}
	return fmt.Errorf("--starred-since %s: not a date; use for example 2026-01-31", value)
}

// setCommand reads the arguments that are not options: the command, and the
// repository or username it is about.
func (o *options) setCommand(words []string, api string) error {
	if len(words) == 0 {
		return fmt.Errorf("no command given; use %s; %s", text.Either(commands), seeHelp)
	}
	o.command, words = words[0], words[1:]
	if !slices.Contains(commands, o.command) {
		if word := alias[o.command]; word != "" {
			return fmt.Errorf("unknown command %s; did you mean %s?", o.command, word)
		}
		return fmt.Errorf("unknown command %s; %s", o.command, didYouMean(o.command, commands, seeHelp))
	}
	takes, example := "one repository", "owner/repository"
	switch o.command {
	case cmdUser:
		takes, example = "one username", "octocat"
	case cmdRateLimit:
		if len(words) > 0 {
			return fmt.Errorf("unexpected argument %q; %s takes no argument; %s", words[0], o.command, seeHelp)
		}
		return nil
	}
	switch {
	case len(words) > 1:
		return fmt.Errorf("unexpected argument %q; %s takes %s; %s", words[1], o.command, takes, seeHelp)
	case len(words) == 0:
		return fmt.Errorf("%s takes %s, for example: github-prospects %s %s", o.command, takes, o.command, example)
	case o.command == cmdUser:
		return o.setLogin(words[0])
	}
	repo, err := codehost.ParseRepo(words[0], api)
	o.query.Source, o.query.Repo = codehost.Source(o.command), repo
	return err
}

// setLogin takes a username, with an @ in front, or the URL of a profile.
func (o *options) setLogin(given string) error {
	login := strings.TrimPrefix(strings.TrimSpace(given), "@")
	for _, prefix := range []string{"https://", "http://", "www.", "github.com/"} {
		login = strings.TrimPrefix(login, prefix)
	}
	login, _, _ = strings.Cut(login, "?")
	login = strings.TrimSuffix(login, "/")
	if !codehost.ValidLogin(login) {
		return fmt.Errorf("%q is not a username; use for example: github-prospects user octocat", given)
	}
	o.login = login
	return nil
}

func (o *options) check(given []string) error {
	if allowed, limited := alsoFor[o.command]; limited {
		for _, name := range given {
			if !slices.Contains(allowed, name) {
				return fmt.Errorf("%s works with %s, not with %s", name, text.Either(lists()), o.command)
			}
		}
	}
	switch {
	case o.preset != "" && o.format == "json":
		return errors.New("--preset is for CSV; leave out --format json")
	case !o.query.StarredSince.IsZero() && o.query.Source != codehost.Stargazers:
		return errors.New("--starred-since works only with stargazers; other lists have no dates")
	case o.output == "-":
		return errors.New("--output -: leave out --output; data goes to standard output by default")
	}
	return nil
}
