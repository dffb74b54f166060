package upgrade

// Data is what the upgrade page is generated with.
type Data struct {
	// Versions is the URL path of the manifest.
	Versions string `json:"versions"`
	// Site is the URL that skills can be downloaded from, Published the names
	// of those it has.
	Site      string   `json:"site"`
	Published []string `json:"published"`
}
