package search

import "math"

// weights say how much a word in each field says about the subject of a document:
// name, title, keywords, old names, description, headings, body. Descriptions also
// mention other things, so they weigh less than keywords.
var weights = [7]float64{12, 7, 6, 4, 3, 2.2, 0.7}

const (
	// saturation is the sum of weights at which a word reaches half of what it
	// can give.
	saturation = 12.0
	// bodyShare is how much a document that has a word only in its body counts when
	// the rarity of the word is computed.
	bodyShare = 0.15
	// lengthPenalty says how much less a word counts in a long body; 0 is not at all.
	lengthPenalty = 0.6
)

// typicalCount is a typical number of uses for each class of counts; see use.
var typicalCount = [4]float64{0, 1, 2.4, 6}

// weigh computes the rarity and the postings of each term from its uses.
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
				used += bodyShare
			}
		}
		t.rarity = inverseFrequency(used, float64(len(ix.docs)))
		start := len(room)
		for _, u := range t.uses {
			sum := u.weight(scale[u.doc])
			room = append(room, posting{u.doc, float32(t.rarity * sum / (sum + saturation)), u.fields})
		}
		t.posts, t.uses = room[start:len(room):len(room)], nil
	}
}

// scales returns for each document what a word in its headings and body counts: less
// than 1 in one that is longer than the mean.
func (ix *Index) scales() []float64 {
	mean := 0.0
	for i := range ix.docs {
		mean += float64(ix.docs[i].length)
	}
	mean = max(1, mean/max(1, float64(len(ix.docs))))
	scale := make([]float64, len(ix.docs))
	for i := range ix.docs {
		scale[i] = 1 / (1 - lengthPenalty + lengthPenalty*float64(ix.docs[i].length)/mean)
	}
	return scale
}

// weight adds up the weights of the fields that use a term. Further uses in a field
// count less and less; scale is that of the document.
func (u use) weight(scale float64) float64 {
	sum := 0.0
	for i, n := range u.count {
		if n > 0 {
			c := float64(n)
			sum += weights[i] * c * 1.6 / (c + 0.6)
		}
	}
	sum += weights[5] * saturate(typicalCount[u.heading]*scale)
	sum += weights[6] * saturate(typicalCount[u.body]*scale)
	return sum
}

// saturate returns a count that grows more slowly: 1 for 1, at most 2.5.
func saturate(count float64) float64 { return count * 2.5 / (count + 1.5) }

// inverseFrequency returns the rarity of a term that so many of all documents use
// (the inverse document frequency of BM25).
func inverseFrequency(used, all float64) float64 {
	return math.Log(1 + (all-used+0.5)/(used+0.5))
}
