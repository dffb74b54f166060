package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// many multiplies the padded fixture until there are n documents. Copies get
// names of their own, and every body draws 1,500 words from an invented
// vocabulary that grows as a real one, with the square root of the collection:
// about 10,000 words for 42 documents and 30,000 for 420.
func many(t testing.TB, n int) []Document {
	base := padded(catalog(t))
	rng := rand.New(rand.NewPCG(1, 2))
	words := 10000 * math.Sqrt(float64(n)/42)
	var out []Document
	for round := 0; len(out) < n; round++ {
		for _, d := range base {
			if round > 0 {
				d.Name += "-" + invented(round)
				d.OldNames = nil
			}
			var b strings.Builder
			for range 1500 {
				b.WriteString(" " + invented(int(words*math.Pow(rng.Float64(), 2))))
			}
			d.Body += b.String()
			if out = append(out, d); len(out) == n {
				break
			}
		}
	}
	return out
}

// invented makes a word of syllables from a number, the same for the same.
func invented(n int) string {
	const consonants, vowels = "bcdfglmnprstv", "aeiou"
	w := ""
	for n = n*7919 + 104729; n > 0; n /= 65 {
		w += string(consonants[n%13]) + string(vowels[n/13%5])
	}
	return w
}

var benchQueries = map[string]string{
	"letter":  "s",
	"prefix":  "onboar",
	"word":    "pricing",
	"typo":    "prospcting",
	"intent":  "people abandon checkout on the form",
	"nothing": "zzyzx qwrtplk",
	"hostile": "abcde fghij klmno pqrst uvwxy zabcd efghi jklmn opqrs tuvwx yzabc defgh ijklm nopqr",
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{42, 420} {
		ix := index(b, many(b, n))
		for name, q := range benchQueries {
			b.Run(fmt.Sprintf("%d/%s", n, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					ix.Search(q, "")
				}
			})
		}
	}
}

// BenchmarkKeystrokes types a query letter by letter; one operation is one
// keystroke.
func BenchmarkKeystrokes(b *testing.B) {
	const typed = "stop peple leaving at the checkout form"
	for _, n := range []int{42, 420} {
		ix := index(b, many(b, n))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			i := 0
			for b.Loop() {
				i = i%len(typed) + 1
				ix.Search(typed[:i], "")
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, n := range []int{42, 420} {
		data, err := Compile(many(b, n))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Decode(data); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(data)), "bytes/index")
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	docs := many(b, 42)
	for b.Loop() {
		if _, err := Compile(docs); err != nil {
			b.Fatal(err)
		}
	}
}
