package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/vendor"
	"marketingskills/app/text"
	"marketingskills/tools/internal/console"
)

//go:embed tables/*.json
var own embed.FS

// load reads the tables of this command, or of a folder. One that is not in order
// is an error, with what is wrong with it.
func load(folder string) (map[string]*vendor.Table, error) {
	from, err := fs.Sub(own, "tables")
	name := "this command's tables"
	if folder != "" {
		from, name = os.DirFS(folder), "--tables "+text.Name(folder)
	}
	files, globErr := fs.Glob(from, "*.json")
	if err = errors.Join(err, globErr); err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s: no folder with files VENDOR.json; check the path", name)
	}
	tables, lists := map[string]*vendor.Table{}, finding.Report{}
	for _, file := range files {
		data, err := fs.ReadFile(from, file)
		if err != nil {
			return nil, fmt.Errorf("%s: reading %s: %w", name, text.Name(file), finding.Cause(err))
		}
		tables[strings.TrimSuffix(file, path.Ext(file))], _ = vendor.Parse(data, lists.On(file))
	}
	if found := lists.All(); len(found) > 0 {
		return nil, fmt.Errorf("%s: %s; the first: %s", name, text.Count(len(found), "problem"), found[0])
	}
	return tables, nil
}

// list prints a line per vendor.
func (c *command) list(tables map[string]*vendor.Table) error {
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "VENDOR\tNAME\tOPERATIONS\tKEY")
	for _, id := range slices.Sorted(maps.Keys(tables)) {
		t := tables[id]
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", id, t.Name, len(t.Operations), c.state(t.Auth.Env))
	}
	return w.Flush()
}

// state tells whether a variable, or the one for its file, is set.
func (c *command) state(env string) string {
	if c.getenv(env) == "" && c.getenv(env+"_FILE") == "" {
		return env + " (not set)"
	}
	return env + " (set)"
}

// effects say what operations do beyond reading.
var effects = map[vendor.Effect]string{
	vendor.Changes: "creates or changes data", vendor.Spends: "spends credits or money",
	vendor.Sends: "sends messages", vendor.Deletes: "deletes data",
}

// describe prints what is to be known about a vendor, and about one operation or
// all of them.
func (c *command) describe(id string, t *vendor.Table, only *vendor.Operation) error {
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	key := "the header " + t.Auth.Header
	if t.Auth.Basic {
		key = "HTTP Basic"
	}
	fmt.Fprintf(w, "%s\n  base  %s\n  docs  %s (checked on %s)\n  key   %s, sent in %s\n",
		t.Name, t.Base, t.Docs, t.Checked, c.state(t.Auth.Env), key)
	for _, env := range t.Variables() {
		fmt.Fprintf(w, "  also  %s\n", c.state(env))
	}
	for _, o := range t.Operations {
		if only != nil && only.Name != o.Name {
			continue
		}
		fmt.Fprintf(w, "\n%s: %s\n", o.Name, o.Does)
		if effect := effects[o.Effect]; effect != "" {
			fmt.Fprintf(w, "  %s%s\n", text.Capital(effect), map[bool]string{true: "; asks first"}[o.Effect.NeedsConfirmation()])
		}
		for _, p := range o.Params {
			required := ""
			if p.Required {
				required = ", required"
			}
			fmt.Fprintf(w, "    %s\t%s%s\n", p.Name, vendor.Kinds[p.Kind], required)
		}
		if o.Paging != nil {
			fmt.Fprintln(w, "  Has pages: --all for every row, --limit N for N rows")
		}
		fmt.Fprintf(w, "  Example: vendors %s %s%s\n", id, o.Name, example(&o))
	}
	return w.Flush()
}

// example writes the required parameters of an operation or, if it has none, the
// first two that may say what it is about.
func example(o *vendor.Operation) (words string) {
	about := slices.DeleteFunc(slices.Clone(o.Params), func(p vendor.Param) bool { return !p.Required })
	if len(about) == 0 {
		about = slices.DeleteFunc(slices.Clone(o.Params), func(p vendor.Param) bool {
			return p.Kind != "" && p.Kind != "list" || o.Paging != nil && p.Name == o.Paging.Param()
		})
		about = about[:min(len(about), 2)]
	}
	for _, p := range about {
		words += " " + argument(p.Name, strings.ToUpper(p.Name[strings.LastIndex(p.Name, ".")+1:]))
	}
	return words
}

// argument writes a parameter so that it can be pasted, and is not taken for a file.
func argument(name, value string) string {
	is := "="
	if strings.HasPrefix(value, "@") || strings.HasPrefix(value, "=") {
		is = "=="
	}
	if word := console.ShellWord(name); word == name {
		return name + is + console.ShellWord(value)
	}
	return console.ShellWord(name + is + value)
}
