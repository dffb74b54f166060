package console

import (
	"fmt"
	"io"
	"strings"
	"time"
)

const (
	barEvery   = 100 * time.Millisecond
	plainEvery = 10 * time.Second
	lineWidth  = 78
	barWidth   = 12
)

// Bar shows how far a run is on one line of a terminal. It needs no more of it
// than a carriage return.
type Bar struct {
	Out      io.Writer
	Terminal bool // Out is one
	Now      func() time.Time
	shown    time.Time
	drawn    int // columns on the screen
}

// Due tells whether it is time to show progress again: soon on a terminal, in
// a while elsewhere, where lines stay.
func (b *Bar) Due() bool {
	now, every := b.Now(), plainEvery
	if b.Terminal {
		every = barEvery
	}
	if now.Sub(b.shown) < every {
		return false
	}
	b.shown = now
	return true
}

// Draw draws the bar, full at 1, and a text of ASCII, of which the end is cut
// off where the line ends.
func (b *Bar) Draw(share float64, text string) {
	full := int(min(share, 1) * barWidth)
	line := "[" + strings.Repeat("#", full) + strings.Repeat(".", barWidth-full) + "] " + text
	line = line[:min(len(line), lineWidth)]
	fmt.Fprint(b.Out, "\r"+line+strings.Repeat(" ", max(b.drawn-len(line), 0)))
	b.drawn = len(line)
}

// Clear removes the bar, so that a line can be written.
func (b *Bar) Clear() {
	if b.drawn > 0 {
		fmt.Fprint(b.Out, "\r"+strings.Repeat(" ", b.drawn)+"\r")
		b.drawn = 0
	}
}
