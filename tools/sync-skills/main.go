// Command sync-skills writes what follows from the skills and so need not be
// written by hand: the section that all skills share, the facts of each skill, the
// table of skills in README.md, the tools of each skill in the registry, the number
// of skills in the descriptions of the plugin manifests, and the version of the
// plugin. With --release it also turns what VERSIONS.md collects into a release.
//
// What each file should hold is said in sync.go, what a release changes in
// release.go. Nothing is written unless all of it can be: write.go.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/text"
	"marketingskills/tools/internal/args"
	"marketingskills/tools/internal/version"
)

const usage = `Usage: sync-skills [--check | --release VERSION] [DIRECTORY]
       sync-skills --help | --version

Writes in the project in DIRECTORY (default: the current directory) what follows
from its skills:

  skills/*/SKILL.md                 the section How to answer, from skills/LOOK.md
  skills/*/references/facts.md      the facts of the skill, from skills/facts
  README.md                         the table of skills, between the lines
                                    <!-- skills:begin --> and <!-- skills:end -->
  tools/REGISTRY.md                 the tools of each skill, between the same lines
  .claude-plugin/marketplace.json   the number of skills in its descriptions, the
                                    version of the plugin it lists; a list of
                                    skills is removed
  .claude-plugin/plugin.json        the number of skills in its description, and
                                    the version of the marketplace

Everything else in them stays as it is, and files that are in order are not
touched.

  --check             write nothing; print to standard output what would change
  --release VERSION   make a release of what VERSIONS.md lists under Unreleased:
                      write the versions of the skills named there, the day, the
                      total and the version of the marketplace too; nothing is
                      committed

Exit status: 0 in order, 1 not in order (--check) or the skills have findings
(--release), 2 could not run.
`

// errNotInOrder says that the command ran, and that files would change or that
// a release must wait.
var errNotInOrder = errors.New("not in order")

// whereToRun is the way out of every failure to read a project.
const whereToRun = "name the directory that holds skills/ and README.md, or run the command there"

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr, time.Now())
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

func run(arguments []string, stdout, stderr io.Writer, now time.Time) error {
	var help, asksVersion, check bool
	var release string
	command := args.Command{Name: "sync-skills", Options: []args.Option{
		args.Flag("--check", &check), args.Text("--release", &release), args.Flag("--help", &help),
		args.Flag("--version", &asksVersion),
	}}
	dirs, given, err := command.Parse(arguments)
	if err != nil {
		return err
	}
	if help {
		_, err := io.WriteString(stdout, usage)
		return err
	}
	if asksVersion {
		return version.Print(stdout, "sync-skills")
	}
	dir := "."
	switch {
	case len(dirs) > 1:
		return fmt.Errorf("unexpected argument %q; see sync-skills --help", dirs[1])
	case len(given) > 1:
		return errors.New("--check and --release do not go together; see sync-skills --help")
	case len(dirs) == 1:
		dir = dirs[0]
	}
	p := &project{FS: os.DirFS(dir)}
	if release != "" {
		return makeRelease(dir, p, manifest.Version(release), now, stdout, stderr)
	}
	if err := derive(p); err != nil {
		return err
	}
	switch changed := p.changed(); {
	case len(changed) == 0:
		fmt.Fprintln(stderr, "Everything is in order.")
		return nil
	case check:
		return report(stdout, stderr, changed)
	default:
		return write(dir, changed, stderr)
	}
}

// write writes files and says so.
func write(dir string, changed []*file, stderr io.Writer) error {
	if err := replaceAll(dir, changed, os.Rename); err != nil {
		return err
	}
	for _, f := range changed {
		fmt.Fprintf(stderr, "%s: updated\n", f.name)
	}
	return nil
}

func makeRelease(dir string, p *project, version manifest.Version, now time.Time, stdout, stderr io.Writer) error {
	found, err := release(p, version, now.Format(time.DateOnly))
	if err != nil {
		return err
	}
	for _, f := range found {
		if _, err := fmt.Fprintln(stdout, f); err != nil {
			return fmt.Errorf("writing the findings: %w", err)
		}
	}
	if len(found) > 0 {
		fmt.Fprintf(stderr, "Nothing was changed: before and after release %s the skills must have no findings, and there were %d.\n",
			version, len(found))
		return errNotInOrder
	}
	if err := write(dir, p.changed(), stderr); err != nil {
		return err
	}
	fmt.Fprintf(stderr, next, version)
	return nil
}

// next is what to do after a release was written.
const next = `
Release %[1]s is ready, and nothing is committed. Next:
  git diff                      look at what changed
  git status                    git add what is new and belongs to the release
  make check && make test       run the checks
  git commit -am "Release %[1]s"
  git tag v%[1]s
`

// report prints how files would change.
func report(stdout, stderr io.Writer, changed []*file) error {
	for _, f := range changed {
		if _, err := stdout.Write(diff.Diff("a/"+f.name, f.old, "b/"+f.name, f.new)); err != nil {
			return fmt.Errorf("writing the differences: %w", err)
		}
	}
	fmt.Fprintf(stderr, "Not in order: %s. Run go run ./tools/sync-skills.\n", text.Count(len(changed), "file"))
	return errNotInOrder
}
