package prospects

import (
	"math"
	"testing"
	"time"

	"marketingskills/app/prospect"
)

// Wherever the table is scrolled to, what is in view is drawn, and little
// besides. What is above the first row, the table's head, scrolls too.
func TestWindow(t *testing.T) {
	for _, rows := range []int{0, 1, 12, 300, 10_000} {
		for _, row := range []float64{guessedPx, 36.5, 61.25} {
			for _, height := range []float64{0, 15 * guessedPx, 2_000} {
				for _, head := range []float64{0, 2 * row} {
					most := int(math.Ceil(height/row)) + 2*margin + 2*stepRows
					for top := -50.0; top <= float64(rows)*row+head; top += row / 3 {
						first, last := window(rows, top, height, row)
						from := min(max(int((top-head)/row), 0), rows)
						to := min(max(int(math.Ceil((top+height)/row)), 0), rows)
						if first < 0 || first > from || last < to || last > rows || last-first > most {
							t.Fatalf("%d rows of %v, %v of them at %v: drawn are %d to %d, in view %d to %d", rows, row, height, top, first, last, from, to)
						}
					}
				}
			}
		}
	}
}

// A little scrolling draws nothing new.
func TestWindowMovesInSteps(t *testing.T) {
	moves, before := 0, -1
	for top := range 100 * guessedPx {
		first, _ := window(10_000, float64(top), 500, guessedPx)
		if first != before {
			moves, before = moves+1, first
		}
	}
	if moves > 100/stepRows+1 {
		t.Errorf("%d times in 100 rows", moves)
	}
}

func TestSourceText(t *testing.T) {
	read := time.Date(2026, 5, 31, 14, 3, 9, 0, time.Local)
	for _, c := range []struct {
		record prospect.Record
		want   string
	}{
		{prospect.Record{SourceURL: "https://api.example/repos/a/b/forks?per_page=100&page=12&sort=newest", FetchedAt: read}, "page 12, fetched 14:03:09"},
		{prospect.Record{SourceURL: "https://api.example/repos/a/b/forks?per_page=100", FetchedAt: read}, "page 1, fetched 14:03:09"},
		{prospect.Record{SourceURL: "https://api.example/page=7/?x", FetchedAt: read}, "page 1, fetched 14:03:09"},
		{prospect.Record{FetchedAt: read, StarredAt: time.Date(2025, 1, 2, 12, 0, 0, 0, time.Local)}, "2 Jan 2025, page 1, fetched 14:03:09"},
	} {
		if got := sourceText(&c.record); got != c.want {
			t.Errorf("%s: got %q, want %q", c.record.SourceURL, got, c.want)
		}
	}
}

func TestOneLine(t *testing.T) {
	for s, want := range map[string]string{"": "–", " \n\u00a0": "–", " a\n\n b\tc ": "a b c"} {
		if got := oneLine(s); got != want {
			t.Errorf("%q: got %q", s, got)
		}
	}
}

func TestCountText(t *testing.T) {
	f := someFound()
	for words, want := range map[string]string{"": "5 people", "acme": "4 of 5 people", "zzz": "0 of 5 people"} {
		if f.search(words); countText(f) != want {
			t.Errorf("%q: got %q, want %q", words, countText(f), want)
		}
	}
}
