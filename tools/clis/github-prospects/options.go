package main

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/export"
	"marketingskills/app/text"
)

const (
	cmdUser      = "user"
	cmdRateLimit = "rate-limit"
	listings     = "stargazers, forks, watchers or contributors"
	seeHelp      = "see github-prospects --help"
)

var commands = []string{"stargazers", "forks", "watchers", "contributors", cmdUser, cmdRateLimit}

// alias are words for a command that are too far from it to be a slip.
var alias = map[string]string{"stars": "stargazers", "starred": "stargazers", "subscribers": "watchers",
	"fork": "forks", "profile": "user", "quota": "rate-limit", "limit": "rate-limit"}

// options are what the arguments say.
type options struct {
	args    []string // as given
	command string
	query   prospect.Query // of the listings
	login   string         // of user
	format  string         // csv, json or, not said, empty
	preset  export.Preset

	suppress, resume, output string // files
	concurrency, points      int

	dry, wait, quiet, help, version bool
}

var (
	flagNames = []string{"--enrich", "--with-email", "--with-company", "--with-blog", "--target", "--format", "--preset",
		"--dry-run", "--limit", "--type", "--suppress", "--resume", "--output", "--concurrency", "--points-per-minute",
		"--wait", "--quiet", "--starred-since", "--purpose", "--countries", "--help", "--version"}
	// alsoFor are the options that user and rate-limit take, too.
	alsoFor = map[string][]string{
		cmdUser:      {"--format", "--preset", "--output", "--suppress", "--quiet", "--wait"},
		cmdRateLimit: {"--format", "--output", "--quiet"},
	}
	formats = []string{"csv", "json"}
	types   = []string{"User", "Organization"}
	presets = []string{string(export.HubSpot), string(export.Salesforce)}
)

func parseOptions(args []string, hosts ...string) (options, error) {
	o := options{args: args}
	var words, given []string
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			words, args = append(words, args...), nil
			continue
		case arg == "":
			return o, refuse("an argument is empty; %s", seeHelp)
		case arg[0] != '-' || arg == "-":
			words = append(words, arg)
			continue
		}
		name, value, hasValue := strings.Cut(arg, "=")
		if name == "-h" {
			name = "--help"
		}
		if slices.Contains(given, name) {
			return o, refuse("%s is given twice; %s", name, seeHelp)
		}
		given = append(given, name)
		if on := o.toggle(name); on != nil {
			if hasValue {
				return o, refuse("%s takes no value; %s", name, seeHelp)
			}
			*on = true
			continue
		}
		set := o.setter(name)
		if set == nil {
			return o, unknownFlag(name)
		}
		if !hasValue {
			if len(args) == 0 || strings.HasPrefix(args[0], "--") {
				return o, refuse("%s needs a value; %s", name, seeHelp)
			}
			value, args = args[0], args[1:]
		}
		if strings.TrimSpace(value) == "" {
			return o, refuse("%s is empty; %s", name, seeHelp)
		}
		if err := set(value); err != nil {
			return o, err
		}
	}
	if o.help || o.version {
		return o, nil
	}
	if err := o.words(words, hosts); err != nil {
		return o, err
	}
	return o, o.check(given)
}

func (o *options) toggle(name string) *bool {
	switch name {
	case "--enrich":
		return &o.query.Enrich
	case "--with-email":
		return &o.query.WithEmail
	case "--with-company":
		return &o.query.WithCompany
	case "--with-blog":
		return &o.query.WithBlog
	case "--dry-run":
		return &o.dry
	case "--wait":
		return &o.wait
	case "--quiet":
		return &o.quiet
	case "--help":
		return &o.help
	case "--version":
		return &o.version
	}
	return nil
}

func (o *options) setter(name string) func(string) error {
	number := func(into *int, most int) func(string) error {
		return func(s string) (err error) {
			*into, err = parseNumber(name, s, most)
			return err
		}
	}
	text := func(into *string) func(string) error {
		return func(s string) error { *into = s; return nil }
	}
	switch name {
	case "--target":
		return number(&o.query.Target, 0)
	case "--limit":
		return number(&o.query.Limit, 0)
	case "--concurrency":
		return number(&o.concurrency, prospect.MaxConcurrency)
	case "--points-per-minute":
		return number(&o.points, 0)
	case "--suppress":
		return text(&o.suppress)
	case "--resume":
		return text(&o.resume)
	case "--output":
		return text(&o.output)
	case "--purpose":
		return text(&o.query.Purpose)
	case "--countries":
		return o.setCountries
	case "--format":
		return choice(name, "format", formats, &o.format)
	case "--type":
		return choice(name, "type", types, &o.query.Type)
	case "--preset":
		return o.setPreset
	case "--starred-since":
		return o.setSince
	}
	return nil
}

func parseNumber(name, s string, most int) (int, error) {
	n, err := strconv.Atoi(s)
	switch {
	case err != nil:
		return 0, refuse("%s %s: that is no whole number; write for example %s 50", name, s, name)
	case n < 1 && most == 0:
		return 0, refuse("%s %d: give a number from 1 up", name, n)
	case most > 0 && (n < 1 || n > most):
		return 0, refuse("%s %d: give a number from 1 to %d", name, n, most)
	}
	return n, nil
}

func choice(name, noun string, known []string, into *string) func(string) error {
	return func(s string) error {
		for _, k := range known {
			if strings.EqualFold(s, k) {
				*into = k
				return nil
			}
		}
		return refuse("%s %s: there is no such %s; %s", name, s, noun, didYouMean(s, known, "use "+strings.Join(known, " or ")))
	}
}

func (o *options) setPreset(s string) (err error) {
	if o.preset, err = export.ParsePreset(s); err != nil {
		if word := text.Nearest(s, presets, 2); word != "" {
			return refuse("--preset %s: there is no such preset; did you mean %s?", s, word)
		}
		return refuse("--preset: %s", err)
	}
	return nil
}

// setCountries takes names between commas.
func (o *options) setCountries(s string) error {
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.TrimSpace(name); name != "" {
			o.query.Countries = append(o.query.Countries, name)
		}
	}
	if o.query.Countries == nil {
		return refuse("--countries %s: that names none; write for example --countries 'Germany, France'", s)
	}
	return nil
}

func (o *options) setSince(s string) error {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, s); err == nil {
			o.query.StarredSince = at.UTC()
			return nil
		}
	}
	return refuse("--starred-since %s: that is no date; write it as 2026-01-31", s)
}

func unknownFlag(name string) error {
	if name == "--token" || name == "--api-key" {
		return refuse("there is no option %s; the token is read from the environment, GITHUB_TOKEN, where other users of this machine do not see it", name)
	}
	if name == "--country" {
		return refuse("there is no option --country; did you mean --countries?") // too far for a slip
	}
	return refuse("there is no option %s; %s", name, didYouMean(name, flagNames, seeHelp))
}

// words reads what is no option: the command and what it is about.
func (o *options) words(words []string, hosts []string) error {
	if len(words) == 0 {
		return refuse("which command? use %s, user or rate-limit; %s", strings.ReplaceAll(listings, " or", ","), seeHelp)
	}
	o.command, words = words[0], words[1:]
	if !slices.Contains(commands, o.command) {
		if word := alias[o.command]; word != "" {
			return refuse("there is no command %s; did you mean %s?", o.command, word)
		}
		return refuse("there is no command %s; %s", o.command, didYouMean(o.command, commands, seeHelp))
	}
	most, about := 1, "one repository"
	switch o.command {
	case cmdUser:
		about = "one login"
	case cmdRateLimit:
		most, about = 0, "nothing"
	}
	switch {
	case len(words) > most:
		return refuse("%s takes %s, and %q is too much; %s", o.command, about, words[most], seeHelp)
	case len(words) < most:
		return refuse("%s takes %s, for example: github-prospects %s %s", o.command, about, o.command,
			map[bool]string{true: "octocat", false: "owner/repository"}[o.command == cmdUser])
	case o.command == cmdRateLimit:
		return nil
	case o.command == cmdUser:
		return o.setLogin(words[0])
	}
	repo, err := codehost.ParseRepo(words[0], hosts...)
	if err != nil {
		return wrong{err}
	}
	o.query.Source, o.query.Repo = codehost.Source(o.command), repo
	return nil
}

// setLogin takes a login, with an @ in front, or the address of a profile.
func (o *options) setLogin(s string) error {
	login := strings.TrimPrefix(strings.TrimSpace(s), "@")
	for _, prefix := range []string{"https://", "http://", "www.", "github.com/"} {
		login = strings.TrimPrefix(login, prefix)
	}
	login, _, _ = strings.Cut(login, "?")
	login = strings.TrimSuffix(login, "/")
	if !codehost.ValidLogin(login) {
		return refuse("user takes a login, and %q is none; write for example: github-prospects user octocat", s)
	}
	o.login = login
	return nil
}

// check looks for what does not go together.
func (o *options) check(given []string) error {
	if allowed, limited := alsoFor[o.command]; limited {
		for _, name := range given {
			if !slices.Contains(allowed, name) {
				return refuse("%s goes with %s, not with %s", name, listings, o.command)
			}
		}
	}
	switch {
	case o.preset != "" && o.format == "json":
		return refuse("--preset is for CSV; leave out --format json")
	case !o.query.StarredSince.IsZero() && o.query.Source != codehost.Stargazers:
		return refuse("--starred-since goes with stargazers: nothing else has times")
	case o.output == "-":
		return refuse("--output -: leave --output out; standard output is where data goes by itself")
	}
	return nil
}
