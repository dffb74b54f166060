package search

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed synonyms.txt
var synonymText string

// maxPhrase is the most words of a phrase in synonyms.txt.
const maxPhrase = 3

// synonyms maps what is typed, as stems with single spaces, to the stems of
// single words that it may mean.
var synonyms = sync.OnceValue(func() map[string][]string {
	return parseSynonyms(synonymText)
})

func parseSynonyms(text string) map[string][]string {
	table := map[string][]string{}
	add := func(typed, meant string) {
		if typed != meant && typed != "" && !strings.Contains(meant, " ") {
			table[typed] = append(table[typed], meant)
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if meant, ways, ok := strings.Cut(line, "<"); ok {
			for way := range strings.SplitSeq(ways, ",") {
				add(stems(way), stems(meant))
			}
			continue
		}
		same := strings.Split(line, "~")
		for _, a := range same {
			for _, b := range same {
				add(stems(a), stems(b))
			}
		}
	}
	return table
}

// stems spells a phrase as its stems, stop words included.
func stems(phrase string) string {
	var out []string
	for _, t := range scan(nil, phrase, -1) {
		out = append(out, stem(t.text))
	}
	return strings.Join(out, " ")
}
