package pages

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/search"
)

// indexes keeps search indexes by their addresses, so that coming back to a
// page finds what was there. Only the UI goroutine touches it.
var indexes = map[string]*search.Index{}

// Index is the search index that was fetched from an address, nil before.
func Index(address string) *search.Index { return indexes[address] }

// FetchIndex gets a search index, and keeps it. Then is called when it is there
// or cannot be had.
func FetchIndex(ctx app.Context, address string, then func(err error)) {
	browser.Fetch(ctx, address, func(_ app.Context, body []byte, err error) {
		var index *search.Index
		if err == nil {
			index, err = search.Decode(body)
		}
		if err == nil {
			indexes[address] = index
		}
		then(err)
	})
}

// offerRanking lets the search that opens over every page rank what it lists.
// An index is fetched when it is first asked for.
func offerRanking(ctx app.Context) {
	asked := map[string]bool{}
	browser.OfferRanking(func(address, words string) (places []int, ok bool) {
		index := Index(address)
		if index == nil {
			if !asked[address] {
				asked[address] = true
				FetchIndex(ctx, address, func(err error) {
					asked[address] = err == nil
					if err == nil {
						browser.AnnounceRanking()
					}
				})
			}
			return nil, false
		}
		for _, hit := range index.Search(words, "").Hits {
			places = append(places, hit.Doc)
		}
		return places, true
	})
}
