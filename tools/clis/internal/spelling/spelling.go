// Package spelling measures how far a mistyped option is from one there is, with
// nothing but the standard library, as the extraction command promises.
package spelling

// Edits counts the letters added, left out, changed or swapped with their
// neighbour between two words, in bytes. A first word of more than 40 bytes is
// no slip of the fingers: its length is the answer, at no cost.
func Edits(a, b string) int {
	if len(a) > 40 {
		return len(a)
	}
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	var beforeThat []int
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		beforeThat, before, row = before, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = before[j-1]
			if a[i-1] != b[j-1] {
				row[j]++
			}
			row[j] = min(row[j], before[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], beforeThat[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
