//go:build ignore

package main

import (
	"fmt"
	"os"
	"strings"

	"marketingskills/app/collection"
)

func main() {
	c, _, err := collection.Load(os.DirFS("."))
	if err != nil {
		panic(err)
	}
	for _, t := range c.Tools.Tools {
		fmt.Println(len(strings.Fields(t.Guide.Doc.Text())), t.ID)
	}
}
