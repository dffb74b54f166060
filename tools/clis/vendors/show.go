package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"marketingskills/app/collection/vendor"
	"marketingskills/app/text"
	"marketingskills/tools/internal/console"
)

// entry is what list --json tells of a vendor, and describe --json too.
type entry struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Category   string `json:"category,omitempty"`
	Base       string `json:"base"`
	Docs       string `json:"docs"`
	Checked    string `json:"checked"`
	Guide      string `json:"guide,omitempty"`
	Key        string `json:"key"`
	IsSet      bool   `json:"key_is_set"`
	Operations any    `json:"operations"`
}

func (c *command) entry(id string, t *vendor.Table, operations any) entry {
	return entry{id, t.Name, t.Category, t.Base, t.Docs, t.Checked, c.guide(id), t.Auth.Env, c.isSet(t.Auth.Env), operations}
}

// guide is the path of a vendor's guide; "" for the tables of a person, which have
// none.
func (c *command) guide(id string) string {
	if c.tables != "" {
		return ""
	}
	return "tools/integrations/" + id + ".md"
}

// list prints the vendors of a category that have all words which are searched for.
func (c *command) list(tables map[string]*vendor.Table, o options) error {
	known := categories(tables)
	same := func(category string) bool { return strings.EqualFold(category, o.category) }
	if !slices.ContainsFunc(known, same) {
		same = func(category string) bool {
			return strings.Contains(strings.ToLower(category), strings.ToLower(o.category))
		}
	}
	if o.category != "" && !slices.ContainsFunc(known, same) {
		return console.Usage(unknown("category", o.category, known, "the categories are "+text.List(known)))
	}
	entries := []entry{}
	rows := "VENDOR\tNAME\tCATEGORY\tKEY\tOPERATIONS\n"
	for _, id := range slices.Sorted(maps.Keys(tables)) {
		t := tables[id]
		found, all := search(id, t, strings.Fields(strings.ToLower(o.search)))
		if len(found) == 0 || !same(t.Category) {
			continue
		}
		entries = append(entries, c.entry(id, t, found))
		operations := strings.Join(found, ", ")
		if all {
			operations = fmt.Sprint(len(found))
		}
		rows += strings.Join([]string{id, t.Name, t.Category, c.state(t.Auth.Env), operations}, "\t") + "\n"
	}
	switch {
	case o.json:
		return c.json(entries)
	case len(entries) == 0:
		c.say("No vendors match. Leave out --category or --search to see all %d.", len(tables))
		return nil
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, rows)
	return w.Flush()
}

// search returns the operations of a vendor that have all words, in lower case, in
// their text or in that of the vendor, and one at least in their own; all of them, if
// the vendor's has every word.
func search(id string, t *vendor.Table, words []string) (found []string, all bool) {
	own := strings.ToLower(id + " " + t.Name + " " + t.Category)
	words = slices.DeleteFunc(words, func(word string) bool { return strings.Contains(own, word) })
	for _, o := range t.Operations {
		said := strings.ToLower(o.Name + " " + o.Does)
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(said, word) }) {
			found = append(found, o.Name)
		}
	}
	return found, len(words) == 0
}

// categories are those of the tables.
func categories(tables map[string]*vendor.Table) []string {
	all := map[string]bool{}
	for _, t := range tables {
		all[t.Category] = true
	}
	delete(all, "")
	return slices.Sorted(maps.Keys(all))
}

// json writes a value for programs.
func (c *command) json(value any) error {
	e := json.NewEncoder(c.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(value)
}

func (c *command) isSet(env string) bool { return c.getenv(env) != "" || c.getenv(env+"_FILE") != "" }

// state tells whether a variable, or the one for its file, is set.
func (c *command) state(env string) string {
	return env + map[bool]string{true: " (set)", false: " (not set)"}[c.isSet(env)]
}

// effects say what operations do beyond reading.
var effects = map[vendor.Effect]string{
	vendor.Changes: "creates or changes data", vendor.Discounts: "lets customers pay less", vendor.Spends: "spends credits or money",
	vendor.Sends: "sends messages", vendor.Deletes: "deletes data",
}

// describe prints what is to be known about a vendor, and about one operation or
// all of them.
func (c *command) describe(id string, t *vendor.Table, only *vendor.Operation, o options) error {
	operations := t.Operations
	if only != nil {
		operations = []vendor.Operation{*only}
	}
	if o.json {
		return c.json(c.entry(id, t, forPrograms(operations)))
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	key := "the header " + t.Auth.Header
	if t.Auth.Basic {
		key = "HTTP Basic"
	}
	fmt.Fprintf(w, "%s\n  base   %s\n  docs   %s (checked on %s)\n", t.Name, t.Base, t.Docs, t.Checked)
	if guide := c.guide(id); guide != "" {
		fmt.Fprintf(w, "  guide  %s\n", guide)
	}
	fmt.Fprintf(w, "  key    %s, sent in %s\n", c.state(t.Auth.Env), key)
	for _, env := range t.Variables() {
		fmt.Fprintf(w, "  also   %s\n", c.state(env))
	}
	for _, o := range operations {
		fmt.Fprintf(w, "\n%s: %s\n  %s %s\n", o.Name, o.Does, o.Method, o.Path)
		if effect := effects[o.Effect]; effect != "" {
			fmt.Fprintf(w, "  %s%s\n", text.Capital(effect), asks(t, o.Effect))
		}
		for _, group := range o.OneOf {
			fmt.Fprintf(w, "  Needs %s\n", vendor.Choice(group))
		}
		for _, p := range o.Params {
			fmt.Fprintf(w, "    %s\t%s\n", p.Name, remarks(p))
			if p.Means != "" {
				fmt.Fprintf(w, "    \t%s\n", p.Means)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(o.Fixed)) {
			fmt.Fprintf(w, "    %s\talways %s\n", name, text.Line(plain(o.Fixed[name]), 300))
		}
		if o.Paging != nil {
			fmt.Fprintln(w, "  Has pages: --all for every row, --limit N for N rows")
		}
		fmt.Fprintf(w, "  Example: vendors %s %s%s\n", id, o.Name, example(&o))
	}
	return w.Flush()
}

// asks says whether an operation with an effect asks first.
func asks(t *vendor.Table, effect vendor.Effect) string {
	switch {
	case !effect.Asks():
		return ""
	case effect.Money() && t.Auth.Test != nil:
		return "; asks first, except with a key that begins with " + text.Either(t.Auth.Test)
	}
	return "; asks first"
}

// remarks say what a parameter takes, whether it must be given, and what the vendor
// takes otherwise.
func remarks(p vendor.Param) string {
	said := p.Takes()
	if p.Required {
		said += ", required"
	}
	if p.Default != "" {
		said += "; " + p.Default + " if not given"
	}
	return said
}

// plain writes a fixed value as a person would type it.
func plain(value any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // it was JSON
	return cell(bytes.TrimSpace(b.Bytes()))
}

// forPrograms are operations as JSON.
func forPrograms(operations []vendor.Operation) (all []any) {
	type param struct {
		Name     string `json:"name"`
		In       string `json:"in"`
		Kind     string `json:"kind"`
		Required bool   `json:"required"`
		vendor.Detail
	}
	for _, o := range operations {
		params := []param{}
		for _, p := range o.Params {
			params = append(params, param{p.Name, p.In(), cmp.Or(p.Kind, "text"), p.Required, p.Detail})
		}
		all = append(all, struct {
			Name   string         `json:"name"`
			Does   string         `json:"does"`
			Method string         `json:"method"`
			Path   string         `json:"path"`
			Effect vendor.Effect  `json:"effect,omitempty"`
			Asks   bool           `json:"asks_first"`
			Pages  bool           `json:"has_pages"`
			OneOf  [][]string     `json:"one_of,omitempty"`
			Fixed  map[string]any `json:"fixed,omitempty"`
			Params []param        `json:"parameters"`
		}{o.Name, o.Does, o.Method, o.Path, o.Effect, o.Effect.Asks(), o.Paging != nil, o.OneOf, o.Fixed, params})
	}
	return all
}

// example writes the required parameters of an operation and one of each choice or,
// if it has none, the first two that may say what it is about.
func example(o *vendor.Operation) (words string) {
	var chosen []string
	for _, group := range o.OneOf {
		chosen = append(chosen, strings.Split(group[0], "+")...)
	}
	about := slices.DeleteFunc(slices.Clone(o.Params), func(p vendor.Param) bool {
		return !p.Required && !slices.Contains(chosen, p.Name)
	})
	if len(about) == 0 {
		about = slices.DeleteFunc(slices.Clone(o.Params), func(p vendor.Param) bool {
			return p.Kind != "" && p.Kind != "list" || o.Paging != nil && p.Name == o.Paging.Param()
		})
		about = about[:min(len(about), 2)]
	}
	for _, p := range about {
		value := p.Placeholder()
		if p.Values != nil {
			value = p.Values[0]
		}
		words += " " + argument(p.Name, value)
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
