package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"marketingskills/app/collection/vendor"
	"marketingskills/app/text"
	"marketingskills/tools/internal/console"
)

// scripts make shells ask this command what may follow.
var scripts = map[string]string{
	"bash": `_vendors() {
	local IFS=$'\n'
	COMPREPLY=($(vendors completion bash "${COMP_LINE:0:COMP_POINT}" 2>/dev/null))
	[[ ${COMPREPLY-} != *= ]] || compopt -o nospace
}
complete -o default -F _vendors vendors
`,
	"zsh": `#compdef vendors
_vendors() {
	local -a all
	all=("${(@f)$(vendors completion zsh "${(j: :)words[1,CURRENT]}" 2>/dev/null)}")
	compadd -S '' -- ${(M)all:#*=}
	compadd -- ${${all:#*=}:#}
}
compdef _vendors vendors
`,
	"fish": `complete -c vendors -f -a '(vendors completion fish (commandline -cp))'
`,
}

// completion prints the script for a shell or, given the line so far, what its last
// word may become, one a line.
func (c *command) completion(tables map[string]*vendor.Table, words []string) error {
	shells := slices.Sorted(maps.Keys(scripts))
	switch {
	case len(words) == 0 || len(words) > 2:
		return console.Refuse("write vendors completion and a shell, %s", text.Either(shells))
	case scripts[words[0]] == "":
		return console.Usage(unknown("shell", words[0], shells, "there is completion for "+text.List(shells)))
	case len(words) == 1:
		_, err := io.WriteString(c.stdout, scripts[words[0]])
		return err
	}
	typed := strings.Fields(words[1])
	if strings.HasSuffix(words[1], " ") {
		typed = append(typed, "")
	}
	if len(typed) < 2 {
		return nil
	}
	last := typed[len(typed)-1]
	for _, f := range follow(tables, typed[1:len(typed)-1], last) {
		if !strings.HasPrefix(strings.ToLower(f.word), strings.ToLower(last)) {
			continue
		}
		switch name, _, hasValue := strings.Cut(last, "="); {
		case words[0] == "fish":
			f.word += "\t" + f.note
		case words[0] == "bash" && hasValue: // bash takes = for the end of a word
			f.word = strings.TrimPrefix(f.word, name+"=")
		case words[0] == "bash" && strings.Contains(f.word, " "):
			f.word = text.PosixWord(f.word)
		}
		fmt.Fprintln(c.stdout, f.word)
	}
	return nil
}

// follower is a word that may stand next, and what it is.
type follower struct{ word, note string }

func followers(words []string) (all []follower) {
	for _, word := range words {
		all = append(all, follower{word: word})
	}
	return all
}

// follow returns what may stand behind words, in the place of the last one so far.
func follow(tables map[string]*vendor.Table, typed []string, last string) (all []follower) {
	var o options
	words, _, err := o.syntax().Parse(typed)
	if o.tables != "" {
		tables, _ = load(o.tables) // nothing follows in a folder that cannot be read
	}
	switch {
	case err != nil && typed[len(typed)-1] == "--category":
		return followers(categories(tables))
	case err != nil:
		return nil // the value of another option
	case strings.HasPrefix(last, "-"):
		return followers(o.syntax().Names())
	case slices.Equal(words, []string{"completion"}):
		return followers(slices.Sorted(maps.Keys(scripts)))
	case len(words) == 0:
		all = followers([]string{"list", "describe", "completion", "version", "help"})
	}
	describes := len(words) > 0 && (words[0] == "describe" || words[0] == "help")
	if describes {
		words = words[1:]
	}
	if len(words) == 0 {
		for _, id := range slices.Sorted(maps.Keys(tables)) {
			all = append(all, follower{id, tables[id].Name})
		}
		return all
	}
	t, op, err := find(tables, words)
	switch {
	case err != nil:
	case op == nil:
		for _, o := range t.Operations {
			all = append(all, follower{o.Name, o.Does})
		}
	case !describes:
		return arguments(op, words[2:], last)
	}
	return all
}

// arguments returns the parameters that are not given yet or, behind =, the values of
// one.
func arguments(o *vendor.Operation, given []string, last string) (all []follower) {
	for _, p := range o.Params {
		is, values := p.Name+"=", p.Values
		if p.Kind == "boolean" {
			values = []string{"true", "false"}
		}
		switch {
		case strings.HasPrefix(last, is):
			for _, value := range values {
				all = append(all, follower{word: is + value})
			}
		case !slices.ContainsFunc(given, func(word string) bool { return strings.HasPrefix(word, is) }):
			all = append(all, follower{is, cmp.Or(p.Means, p.Takes())})
		}
	}
	return all
}
