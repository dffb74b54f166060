// Command validate-skills checks a collection of marketing skills: every
// skill, VERSIONS.md, and how they fit together.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"marketingskills/app/collection"
	"marketingskills/app/collection/facts"
	"marketingskills/app/collection/finding"
	"marketingskills/app/text"
	"marketingskills/tools/internal/args"
	"marketingskills/tools/internal/version"
)

const usage = `Usage: validate-skills [--stale MONTHS] [--json] [DIRECTORY]
       validate-skills --rules | --help | --version

Checks the collection in DIRECTORY (default: the current directory): frontmatter,
names, versions against VERSIONS.md, links, required sections, evals and
checked examples.

Each finding is one line on standard output:
  file:line: rule: what is wrong; what would be right

  --stale MONTHS   find instead what was looked up longer ago than so many months
                   and has to be read again: facts, guides and each of their
                   sources, tables of vendors
  --json           one JSON object instead: {"skills", "errors", "warnings", "findings"}
  --rules          list every rule with what satisfies it

Exit status: 0 no finding, 1 findings, 2 could not run.
`

// errFindings says that the check ran and found something.
var errFindings = errors.New("findings")

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr, time.Now())
	switch {
	case err == nil:
	case errors.Is(err, errFindings):
		os.Exit(1)
	default:
		fmt.Fprintf(os.Stderr, "validate-skills: %v\n", err)
		os.Exit(2)
	}
}

func run(arguments []string, stdout, stderr io.Writer, now time.Time) error {
	var help, asJSON, asksRules, asksVersion bool
	var stale string
	command := args.Command{Name: "validate-skills", Options: []args.Option{
		args.Text("--stale", &stale), args.Flag("--json", &asJSON), args.Flag("--rules", &asksRules), args.Flag("--help", &help),
		args.Flag("--version", &asksVersion),
	}}
	dirs, _, err := command.Parse(arguments)
	if err != nil {
		return err
	}
	if help {
		_, err := io.WriteString(stdout, usage)
		return err
	}
	if asksVersion {
		return version.Print(stdout, "validate-skills")
	}
	if asksRules {
		return printRules(stdout)
	}
	months, err := monthsOf(stale)
	if err != nil {
		return err
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
	if stale != "" {
		findings = c.Stale(facts.MonthsBefore(now.Format("2006-01"), months))
	}
	if err := report(stdout, stderr, c, findings, asJSON); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if len(findings) > 0 {
		return errFindings
	}
	return nil
}

// monthsOf reads a number of months: 3, or 3m. It is 0 for "".
func monthsOf(stale string) (int, error) {
	if stale == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(strings.TrimSuffix(stale, "m"))
	if err != nil || n < 1 || n > 120 {
		return 0, fmt.Errorf("--stale is %q; write a number of months from 1 to 120, such as 3", stale)
	}
	return n, nil
}

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
