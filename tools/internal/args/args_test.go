package args

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// tool is a command with one option of every kind.
type tool struct {
	help, quiet bool
	output, dir string
	undo        []string
}

var errTaken = errors.New("taken")

func (o *tool) command() Command {
	return Command{Name: "tool", Options: []Option{
		Flag("--help", &o.help), Flag("--quiet", &o.quiet), Text("--output", &o.output),
		{Name: "--dir", Blank: true, Set: func(s string) error { o.dir = s; return nil }},
		{Name: "--undo", Repeatable: true, Set: func(s string) error {
			if s == "taken" {
				return errTaken
			}
			o.undo = append(o.undo, s)
			return nil
		}},
	}, Hint: func(option string) string {
		if option == "--token" {
			return "use the environment"
		}
		return ""
	}}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		given               string // arguments between spaces; ' stands for an empty one
		words, names, undos string
		output              string
		help, quiet         bool
	}{
		{given: ""},
		{given: "-h", names: "--help", help: true},
		{given: "a --quiet b --output=x c", words: "a b c", names: "--quiet --output", output: "x", quiet: true},
		{given: "--output x", names: "--output", output: "x"},
		{given: "--output -3", names: "--output", output: "-3"},
		{given: "--output -", names: "--output", output: "-"},
		{given: "--output=--quiet", names: "--output", output: "--quiet"},
		{given: "--output=a=b", names: "--output", output: "a=b"},
		{given: "-output x -quiet", names: "--output --quiet", output: "x", quiet: true},
		{given: "-output=x", names: "--output", output: "x"},
		{given: "--dir '", names: "--dir"},
		{given: "-", words: "-"},
		{given: "a -- --quiet ' -h", words: "a --quiet ' -h"},
		{given: "--undo 1 --undo=2", names: "--undo --undo", undos: "1 2"},
	} {
		var o tool
		words, names, err := o.command().Parse(fields(c.given))
		if err != nil || !slices.Equal(words, fields(c.words)) || !slices.Equal(names, fields(c.names)) ||
			o.output != c.output || o.help != c.help || o.quiet != c.quiet || !slices.Equal(o.undo, fields(c.undos)) {
			t.Errorf("%q: words %q, options %q, %+v, %v", c.given, words, names, o, err)
		}
	}
}

func TestErrors(t *testing.T) {
	for given, want := range map[string]string{
		"a '":                   "an argument is empty; see tool --help",
		"--quiet --quiet":       "--quiet is given more than once; see tool --help",
		"-h --help":             "--help is given more than once; see tool --help",
		"--quiet=yes":           "--quiet takes no value; see tool --help",
		"--quiet=":              "--quiet takes no value; see tool --help",
		"--output":              "--output needs a value; see tool --help",
		"--output --quiet":      "--output needs a value; see tool --help",
		"--output=":             "--output is empty; see tool --help",
		"--output '":            "--output is empty; see tool --help",
		"--ouptut x":            "unknown option --ouptut; did you mean --output?",
		"--quiet -quiet":        "--quiet is given more than once; see tool --help",
		"-quit":                 "unknown option -quit; did you mean --quiet?",
		"--token=x":             "unknown option --token; use the environment",
		"-z":                    "unknown option -z; see tool --help",
		"--zz\x1b[31m\u202ezzz": `unknown option --zz\x1b[31m\u202ezzz; see tool --help`,
		"--undo taken":          errTaken.Error(),
	} {
		_, _, err := new(tool).command().Parse(fields(given))
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", given, err, want)
		}
	}
	if _, _, err := new(tool).command().Parse([]string{"--undo", "taken"}); !errors.Is(err, errTaken) {
		t.Errorf("the error of an option is %v", err)
	}
}

func fields(s string) []string {
	all := strings.Fields(s)
	for i := range all {
		if all[i] == "'" {
			all[i] = ""
		}
	}
	return all
}
