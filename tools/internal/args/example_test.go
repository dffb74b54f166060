package args_test

import (
	"fmt"

	"marketingskills/tools/internal/args"
)

func ExampleCommand_Parse() {
	var output string
	var quiet bool
	command := args.Command{Name: "tool", Options: []args.Option{
		args.Text("--output", &output), args.Flag("--quiet", &quiet),
	}}
	words, _, err := command.Parse([]string{"list", "--output=people.csv", "--quiet"})
	fmt.Println(words, output, quiet, err)
	_, _, err = command.Parse([]string{"--ouput", "people.csv"})
	fmt.Println(err)
	// Output:
	// [list] people.csv true <nil>
	// unknown option --ouput; did you mean --output?
}
