package prospects

import "marketingskills/app/pages/prospects/verification"

// Data is what the prospects page is generated with.
type Data struct {
	// API is the URL of the code host's API, the only one that the page's
	// policy lets it ask.
	API string `json:"api"`
	// Verification says where the email verification finds what it needs.
	Verification verification.Config `json:"verification"`
}
