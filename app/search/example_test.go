package search_test

import (
	"fmt"

	"marketingskills/app/search"
)

func Example() {
	data, err := search.Compile([]search.Document{
		{Name: "cro", Title: "Conversion", Description: "Repair landing pages.", OldNames: []search.OldName{{Name: "page-cro", Kind: "merged", Release: "2.0.0"}}},
		{Name: "pricing", Title: "Pricing", Description: "Decide what to charge.", Keywords: []string{"how much to charge"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	index, err := search.Decode(data) // in the browser
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, query := range []string{"pricng", "how much", "page-cro"} {
		for _, hit := range index.Search(query, "").Hits {
			fmt.Printf("%s: %s (%s)\n", query, hit.Name, hit.Note)
		}
	}
	// Output:
	// pricng: pricing ()
	// how much: pricing ()
	// page-cro: cro (page-cro was merged into cro in 2.0.0)
}
