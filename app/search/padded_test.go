package search

import (
	"math/rand/v2"
	"strings"
)

// padded gives each document of the fixture a body of real size, about 5,000
// words: a third of its own sentences, the rest from all the others, as real
// skills speak of each other's subjects all the time. Headings are added in
// the same manner, as if from references. The same documents always come out.
func padded(docs []Document) []Document {
	rng := rand.New(rand.NewPCG(7, 42))
	var sentences [][]string
	var heads []string
	for _, d := range docs {
		sentences = append(sentences, strings.SplitAfter(d.Body+" "+d.Description+" "+strings.Join(d.Keywords, ". "), ". "))
		heads = append(heads, d.Headings...)
	}
	out := make([]Document, len(docs))
	for i, d := range docs {
		var b strings.Builder
		words := 0
		for words < 5000 {
			from := i
			if rng.IntN(3) > 0 {
				from = rng.IntN(len(docs))
			}
			s := sentences[from][rng.IntN(len(sentences[from]))]
			b.WriteString(s)
			b.WriteByte(' ')
			words += strings.Count(s, " ") + 1
		}
		d.Body = b.String()
		d.Headings = append([]string(nil), d.Headings...)
		for range 20 {
			d.Headings = append(d.Headings, heads[rng.IntN(len(heads))])
		}
		out[i] = d
	}
	return out
}
