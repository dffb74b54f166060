// Command validate-skills checks a collection of marketing skills: every
// skill, VERSIONS.md, and how they fit together.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"marketingskills/app/collection"
	"marketingskills/app/collection/finding"
	"marketingskills/app/text"
)

const usage = `Usage: validate-skills [--json] [DIRECTORY]
       validate-skills --rules

Checks the collection in DIRECTORY (default: the current directory): frontmatter,
names, versions against VERSIONS.md, links, required sections, evals and
checked examples.

Each finding is one line on standard output:
  file:line: rule: what is wrong; what would be right

  --json    one JSON object instead: {"skills", "errors", "warnings", "findings"}
  --rules   list every rule with what satisfies it

Exit status: 0 no finding, 1 findings, 2 could not run.
`

// errFindings says that the check ran and found something.
var errFindings = errors.New("findings")

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errFindings):
		os.Exit(1)
	default:
		fmt.Fprintf(os.Stderr, "validate-skills: %v\n", err)
		os.Exit(2)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("validate-skills", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	asJSON := flags.Bool("json", false, "")
	asksRules := flags.Bool("rules", false, "")
	var dirs []string
	for len(args) > 0 {
		if err := flags.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				fmt.Fprint(stdout, usage)
				return err
			}
			return fmt.Errorf("%s; see validate-skills --help", plainer.Replace(err.Error()))
		}
		// Flags may also follow the directory; the flag package stops there.
		args = flags.Args()
		if len(args) > 0 {
			dirs = append(dirs, args[0])
			args = args[1:]
		}
	}
	if *asksRules {
		return printRules(stdout)
	}
	dir := "."
	switch len(dirs) {
	case 0:
	case 1:
		dir = dirs[0]
	default:
		return fmt.Errorf("unexpected argument %q; see validate-skills --help", dirs[1])
	}
	c, findings, err := load(dir)
	if err != nil {
		return fmt.Errorf("reading the collection in %q: %w; %s", dir, err, whereToRun)
	}
	if err := report(stdout, stderr, c, findings, *asJSON); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if len(findings) > 0 {
		return errFindings
	}
	return nil
}

// plainer says what package flag says as the other commands say it.
var plainer = strings.NewReplacer("flag provided but not defined: -", "unknown option --", "for -", "for --")

func printRules(stdout io.Writer) error {
	for _, r := range finding.Rules {
		if _, err := fmt.Fprintf(stdout, "%s: %s\n", r.Name, r.Sentence); err != nil {
			return fmt.Errorf("writing the rules: %w", err)
		}
	}
	return nil
}

// whereToRun is the way out of every failure to read a collection.
const whereToRun = "name the directory that holds skills/ and VERSIONS.md, or run the command there"

func load(dir string) (*collection.Collection, []finding.Finding, error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, nil, finding.Cause(err)
	case !info.IsDir():
		return nil, nil, errors.New("it is a file")
	}
	return collection.Load(os.DirFS(dir))
}

func report(stdout, stderr io.Writer, c *collection.Collection, findings []finding.Finding, asJSON bool) error {
	nErrors, nWarnings := finding.Count(findings)
	if asJSON {
		e := json.NewEncoder(stdout)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(struct {
			Skills   int               `json:"skills"`
			Errors   int               `json:"errors"`
			Warnings int               `json:"warnings"`
			Findings []finding.Finding `json:"findings"`
		}{len(c.Skills), nErrors, nWarnings, append([]finding.Finding{}, findings...)})
	}
	for _, f := range findings {
		if _, err := fmt.Fprintln(stdout, f); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(stderr, "%s: %s, %s\n", text.Count(len(c.Skills), "skill"),
		text.Count(nErrors, "error"), text.Count(nWarnings, "warning"))
	return err
}
