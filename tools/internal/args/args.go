// Package args reads the options of the command-line tools, in the way of GNU
// programs, which package flag does not have: options anywhere among the
// arguments, --name value or --name=value (-name, as package flag has it, is
// understood too), a misspelt name answered with the right one. It uses the
// standard library and app/text only.
//
// A command lists its options, each with the variable it sets; the example of
// [Command.Parse] shows one.
//
// An error is one line for the person who typed the command, without the
// command's name in front; it says what is wrong and what to do.
package args

import (
	"fmt"
	"slices"
	"strings"

	"marketingskills/app/text"
)

// Command is what a command accepts.
type Command struct {
	Name    string // as it is typed; errors refer to its --help
	Options []Option
	// Hint, if not nil, returns what to do about an unknown option that
	// resembles none of Options; "" stands for the reference to --help.
	Hint func(option string) string
}

// Option is one option: with a value (Set) or without (On).
type Option struct {
	Name       string // with its two hyphens; -h is always read as --help
	On         *bool
	Set        func(value string) error // its error is returned as it is
	Blank      bool                     // takes a blank value too
	Repeatable bool                     // may be given more than once
}

// Flag is an option without a value, which sets on to true.
func Flag(name string, on *bool) Option { return Option{Name: name, On: on} }

// Text is an option whose value is any text that is not blank.
func Text(name string, into *string) Option {
	return Option{Name: name, Set: func(value string) error { *into = value; return nil }}
}

// Names returns the names of all options.
func (c Command) Names() []string {
	names := make([]string, 0, len(c.Options))
	for _, o := range c.Options {
		names = append(names, o.Name)
	}
	return names
}

// Parse sets the options that the arguments name, and returns the arguments
// that are not options, in order, and the names of the options given. What
// follows "--" is not an option. A value that begins with "--" needs the form
// --name=value, so that a forgotten value does not swallow the next option.
func (c Command) Parse(arguments []string) (words, given []string, err error) {
	for len(arguments) > 0 {
		argument := arguments[0]
		arguments = arguments[1:]
		switch {
		case argument == "--":
			return append(words, arguments...), given, nil
		case argument == "":
			return nil, nil, c.fail("an argument is empty")
		case argument[0] != '-' || argument == "-":
			words = append(words, argument)
			continue
		}
		name, value, hasValue := strings.Cut(argument, "=")
		option, err := c.find(name)
		if err != nil {
			return nil, nil, err
		}
		if slices.Contains(given, option.Name) && !option.Repeatable {
			return nil, nil, c.fail("%s is given more than once", option.Name)
		}
		given = append(given, option.Name)
		if option.Set != nil && !hasValue && len(arguments) > 0 && !strings.HasPrefix(arguments[0], "--") {
			value, arguments, hasValue = arguments[0], arguments[1:], true
		}
		if err := c.set(option, value, hasValue); err != nil {
			return nil, nil, err
		}
	}
	return words, given, nil
}

func (c Command) set(o Option, value string, hasValue bool) error {
	switch {
	case o.On != nil && hasValue:
		return c.fail("%s takes no value", o.Name)
	case o.On != nil:
		*o.On = true
		return nil
	case !hasValue:
		return c.fail("%s needs a value", o.Name)
	case strings.TrimSpace(value) == "" && !o.Blank:
		return c.fail("%s is empty", o.Name)
	}
	return o.Set(value)
}

// find returns the option of a name as it was typed, or an error with the name
// that was probably meant.
func (c Command) find(name string) (Option, error) {
	for _, o := range c.Options {
		if o.Name == name || o.Name == "-"+name || o.Name == "--help" && name == "-h" {
			return o, nil
		}
	}
	shown := text.Printable(text.Clip(name, 100))
	if near := text.Nearest(name, c.Names(), 2); near != "" {
		return Option{}, fmt.Errorf("unknown option %s; did you mean %s?", shown, near)
	}
	if c.Hint != nil {
		if hint := c.Hint(name); hint != "" {
			return Option{}, fmt.Errorf("unknown option %s; %s", shown, hint)
		}
	}
	return Option{}, c.fail("unknown option %s", shown)
}

// fail is an error that refers to the command's help.
func (c Command) fail(format string, a ...any) error {
	return fmt.Errorf("%s; see %s --help", fmt.Sprintf(format, a...), c.Name)
}
