// Command check-openapi holds a table of the command vendors against the vendor's
// OpenAPI description, version 3 or 2, in JSON or YAML. It is a command of its own
// because vendors, which is given keys, links no library for YAML. Descriptions are
// downloaded by whoever runs it, and not kept in this project.
//
// An operation is found by its method and path. Its parameters are compared by name,
// place, kind, whether they are required, and by their values, limits and default.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/vendor"
	"marketingskills/app/text"
	"marketingskills/tools/internal/args"
	"marketingskills/tools/internal/version"
)

const usage = `Usage: check-openapi [--tables DIR] VENDOR FILE...
       check-openapi --help | --version

Compares the table of VENDOR with its OpenAPI description: FILE, in JSON or YAML,
or several if the vendor has one for each part of its API.

Each difference is one line on standard output:
  operation: what differs

  --tables DIR   where VENDOR.json is (default: tools/clis/vendors/tables)

A difference is no proof: descriptions have gaps, too. Look it up before you
change the table.

Exit status: 0 no difference, 1 differences, 2 could not run.
`

// errDifferences says that the comparison ran and found something.
var errDifferences = errors.New("differences")

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err == nil:
	case errors.Is(err, errDifferences):
		os.Exit(1)
	default:
		fmt.Fprintf(os.Stderr, "check-openapi: %v\n", err)
		os.Exit(2)
	}
}

func run(arguments []string, stdout, stderr io.Writer) error {
	var help, asksVersion bool
	tables := "tools/clis/vendors/tables"
	command := args.Command{Name: "check-openapi", Options: []args.Option{
		args.Text("--tables", &tables), args.Flag("--help", &help), args.Flag("--version", &asksVersion),
	}}
	words, _, err := command.Parse(arguments)
	switch {
	case err != nil:
		return err
	case help:
		_, err := io.WriteString(stdout, usage)
		return err
	case asksVersion:
		return version.Print(stdout, "check-openapi")
	case len(words) < 2:
		return errors.New("name a vendor and the file of its description; see check-openapi --help")
	}
	table, err := read(filepath.Join(tables, words[0]+".json"))
	if err != nil {
		return fmt.Errorf("%w; check the vendor, or name the folder of its table with --tables", err)
	}
	var descriptions []*description
	for _, name := range words[1:] {
		d, err := describe(name)
		if err != nil {
			return err
		}
		descriptions = append(descriptions, d)
	}
	lines, found := compare(table, descriptions)
	for _, line := range lines {
		if _, err := fmt.Fprintln(stdout, text.Line(line, 1000)); err != nil {
			return err
		}
	}
	fmt.Fprintf(stderr, "%s: %d of %s found, %s\n", words[0], found, text.Count(len(table.Operations), "operation"),
		text.Count(len(lines), "difference"))
	if len(lines) > 0 {
		return errDifferences
	}
	return nil
}

// read reads the table of a vendor.
func read(name string) (*vendor.Table, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading the table %s: %w", text.Name(name), finding.Cause(err))
	}
	list := &finding.List{File: name}
	table, ok := vendor.Parse(data, list)
	if !ok {
		return nil, fmt.Errorf("reading the table: %s", list.All[0])
	}
	return table, nil
}
