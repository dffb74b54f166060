package text_test

import (
	"fmt"

	"marketingskills/app/text"
)

func ExampleNearest() {
	fmt.Println(text.Nearest("--with-emial", []string{"--with-blog", "--with-email"}, 2))
	// Output: --with-email
}

// A name from outside is shown whole, and cannot act on a terminal.
func ExamplePrintable() {
	fmt.Println(text.Printable("ann\x1b[2J\u202etxt.exe"))
	// Output: ann\x1b[2J\u202etxt.exe
}

func ExamplePosixWord() {
	fmt.Println("rm", text.PosixWord("it's; here"))
	// Output: rm 'it'\''s; here'
}
