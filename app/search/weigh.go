package search

import "math"

// weights is how much one word in a part of a document says about its subject,
// in the order of fields: name, title, keywords, old names, description,
// headings, body. Descriptions name side issues and neighbours, so they weigh
// less than the words people use.
var weights = [7]float64{12, 7, 6, 4, 3, 2.2, 0.7}

const (
	// saturation is the sum of weights at which a word reaches half of what it
	// can give.
	saturation = 12.0
	// deepShare is how far a document that mentions a word only in its body
	// makes the word common.
	deepShare = 0.15
	// evening is how strongly long bodies and headings count less by word.
	evening = 0.6
)

// classCount is a typical number of uses for each class.
var classCount = [4]float64{0, 1, 2.4, 6}

// weigh computes rarity and postings from the uses of each term.
func (ix *Index) weigh() {
	scale := ix.scales()
	total := 0
	for _, t := range ix.terms {
		total += len(t.uses)
	}
	room := make([]posting, 0, total)
	for id := range ix.terms {
		t := &ix.terms[id]
		used := 0.0
		for _, u := range t.uses {
			if u.fields.has(shortFields | inHeadings) {
				used++
			} else {
				used += deepShare
			}
		}
		t.rarity = inverse(used, float64(len(ix.docs)))
		start := len(room)
		for _, u := range t.uses {
			sum := u.weight(scale[u.doc])
			room = append(room, posting{u.doc, float32(t.rarity * sum / (sum + saturation)), u.fields})
		}
		t.posts, t.uses = room[start:len(room):len(room)], nil
	}
}

// scales gives for each document what a word of its headings and body counts: less in a
// document longer than the mean.
func (ix *Index) scales() []float64 {
	mean := 0.0
	for i := range ix.docs {
		mean += float64(ix.docs[i].length)
	}
	mean = max(1, mean/max(1, float64(len(ix.docs))))
	scale := make([]float64, len(ix.docs))
	for i := range ix.docs {
		scale[i] = 1 / (1 - evening + evening*float64(ix.docs[i].length)/mean)
	}
	return scale
}

// weight sums the fields a term stands in. A word repeated in one field says
// little more than one; scale evens out long documents.
func (u use) weight(scale float64) float64 {
	sum := 0.0
	for i, n := range u.count {
		if n > 0 {
			c := float64(n)
			sum += weights[i] * c * 1.6 / (c + 0.6)
		}
	}
	sum += weights[5] * soft(classCount[u.heading]*scale)
	sum += weights[6] * soft(classCount[u.body]*scale)
	return sum
}

// soft grows with a count ever more slowly: 1 for 1, towards 2.5.
func soft(count float64) float64 { return count * 2.5 / (count + 1.5) }

// inverse is the rarity of a term that a share of the documents uses.
func inverse(used, all float64) float64 {
	return math.Log(1 + (all-used+0.5)/(used+0.5))
}
