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

	"marketingskills/app/collection"
	"marketingskills/app/finding"
)

const usage = `Usage: validate-skills [--json] [DIRECTORY]

Checks the collection in DIRECTORY (default: the present one): frontmatter,
names, versions against VERSIONS.md, links, required sections, evals and
checked examples.

Each finding is one line on standard output:
  file:line: rule: what is wrong; what would be right

  --json   one JSON object instead: {"skills", "errors", "warnings", "findings"}

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
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(stdout, usage)
			return err
		}
		return fmt.Errorf("%w; see validate-skills --help", err)
	}
	dir := "."
	switch flags.NArg() {
	case 0:
	case 1:
		dir = flags.Arg(0)
	default:
		return fmt.Errorf("one directory at a time: %q is one too many; see validate-skills --help", flags.Arg(1))
	}
	if info, err := os.Stat(dir); err != nil {
		return fmt.Errorf("opening the collection: %w", err)
	} else if !info.IsDir() {
		return fmt.Errorf("opening the collection: %s is a file; name the directory that holds skills/", dir)
	}
	c, findings, err := collection.Load(os.DirFS(dir))
	if err != nil {
		return err
	}
	if err := report(stdout, stderr, c, findings, *asJSON); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if len(findings) > 0 {
		return errFindings
	}
	return nil
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
	_, err := fmt.Fprintf(stderr, "%d skills: %d errors, %d warnings\n", len(c.Skills), nErrors, nWarnings)
	return err
}
