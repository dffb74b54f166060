// Command sync-skills writes what follows from the skills and so need not be
// written by hand: the table of skills in README.md, the number of skills in the
// descriptions of the plugin manifests, and the version of the plugin.
//
// What each file should hold is said in sync.go. Nothing is written unless all
// of it can be: write.go.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"marketingskills/app/text"
	"marketingskills/tools/internal/args"
)

const usage = `Usage: sync-skills [--check] [DIRECTORY]

Writes in the project in DIRECTORY (default: the current directory) what follows
from its skills:

  README.md                         the table of skills, between the lines
                                    <!-- skills:begin --> and <!-- skills:end -->
  .claude-plugin/marketplace.json   the number of skills in its descriptions, the
                                    version of the plugin it lists; a list of
                                    skills is removed
  .claude-plugin/plugin.json        the number of skills in its description, and
                                    the version of the marketplace

Everything else in them stays as it is, and files that are in order are not
touched.

  --check   write nothing; print to standard output what would change

Exit status: 0 in order, 1 not in order (with --check), 2 could not run.
`

// errNotInOrder says that the check ran and that files would change.
var errNotInOrder = errors.New("not in order")

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err == nil:
	case errors.Is(err, errNotInOrder):
		os.Exit(1)
	default:
		for line := range strings.SplitSeq(err.Error(), "\n") {
			fmt.Fprintf(os.Stderr, "sync-skills: %s\n", text.Printable(line))
		}
		os.Exit(2)
	}
}

func run(arguments []string, stdout, stderr io.Writer) error {
	var help, check bool
	command := args.Command{Name: "sync-skills", Options: []args.Option{args.Flag("--check", &check), args.Flag("--help", &help)}}
	dirs, _, err := command.Parse(arguments)
	if err != nil {
		return err
	}
	if help {
		_, err := io.WriteString(stdout, usage)
		return err
	}
	dir := "."
	switch len(dirs) {
	case 0:
	case 1:
		dir = dirs[0]
	default:
		return fmt.Errorf("unexpected argument %q; see sync-skills --help", dirs[1])
	}
	files, err := derive(os.DirFS(dir))
	if err != nil {
		return err
	}
	changed := changedOf(files)
	switch {
	case len(changed) == 0:
		fmt.Fprintln(stderr, "Everything is in order.")
		return nil
	case check:
		return report(stdout, stderr, changed)
	}
	if err := replaceAll(dir, changed, os.Rename); err != nil {
		return err
	}
	for _, f := range changed {
		fmt.Fprintf(stderr, "%s: updated\n", f.name)
	}
	return nil
}

// report prints how files would change.
func report(stdout, stderr io.Writer, changed []file) error {
	for _, f := range changed {
		if _, err := stdout.Write(diff.Diff("a/"+f.name, f.old, "b/"+f.name, f.new)); err != nil {
			return fmt.Errorf("writing the differences: %w", err)
		}
	}
	fmt.Fprintf(stderr, "%s not in order; run go run ./tools/sync-skills\n", are(len(changed), "file"))
	return errNotInOrder
}

func are(n int, noun string) string {
	verb := "are"
	if n == 1 {
		verb = "is"
	}
	return text.Count(n, noun) + " " + verb
}
