package collection_test

import (
	"fmt"

	"marketingskills"
	"marketingskills/app/collection"
)

// The commands carry the collection; os.DirFS reads one on disk.
func Example() {
	c, findings, err := collection.Load(marketingskills.Content)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range findings {
		fmt.Println(f) // file:line: rule: what is wrong; what would be right
	}
	skill, rename, _ := c.Manifest.Resolve("page-cro")
	fmt.Printf("%s was %s into %s, which has %d evals or more\n", rename.Old, rename.Kind, skill, min(6, len(c.Skill(skill).Evals)))
	// Output: page-cro was merged into cro, which has 6 evals or more
}
