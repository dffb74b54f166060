package site

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"path"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"marketingskills/app/pages"
)

// Measures of a social card, the picture that stands with a link to a page in
// messages and feeds. The networks ask for 1.91 to 1 and 1,200 by 630 pixels.
const (
	cardWidth  = 1200
	cardHeight = 630
	cardEdge   = 80
)

// The colours of a card are those of the pages in light.
var (
	cardPaper = color.RGBA{0xfc, 0xfb, 0xf8, 0xff}
	cardInk   = color.RGBA{0x1d, 0x1b, 0x18, 0xff}
	cardSoft  = color.RGBA{0x5f, 0x5a, 0x52, 0xff}
	cardBrick = color.RGBA{0x9c, 0x34, 0x16, 0xff}
)

// socialCard returns the path of a page's card, and writes it. A reference has
// that of its skill, which says what it is part of.
func (g *generator) socialCard(p *pages.Page) (string, error) {
	if p.Kind == pages.KindReference {
		return cardPath(path.Dir(path.Clean(p.Path))), nil
	}
	at := cardPath(p.Path)
	card, err := drawCard(p.Title, p.Description)
	if err != nil {
		return "", fmt.Errorf("drawing the social card: %w", err)
	}
	g.files[at] = card
	return at, nil
}

func cardPath(page string) string {
	name := strings.ReplaceAll(strings.Trim(page, "/"), "/", "-")
	if name == "" {
		name = "home"
	}
	return "cards/" + name + ".png"
}

// cards remembers what was drawn, since a program that generates several sites
// draws the same ones. A font can draw for one at a time.
var cards = struct {
	sync.Mutex
	drawn map[[2]string][]byte
}{drawn: map[[2]string][]byte{}}

func drawCard(title, words string) ([]byte, error) {
	cards.Lock()
	defer cards.Unlock()
	key := [2]string{title, words}
	if card, ok := cards.drawn[key]; ok {
		return card, nil
	}
	faces, err := cardFaces()
	if err != nil {
		return nil, err
	}
	c := card{image.NewPaletted(image.Rect(0, 0, cardWidth, cardHeight), cardPalette())}
	draw.Draw(c, image.Rect(cardEdge, cardEdge, cardEdge+96, cardEdge+8), image.NewUniform(cardBrick), image.Point{}, draw.Src)
	y := c.paragraph(faces.title, cardInk, cardEdge+110, 92, 2, title)
	c.paragraph(faces.words, cardSoft, y+70, 54, 4, words)
	c.line(faces.name, cardInk, cardEdge, cardHeight-cardEdge+8, "Marketing Skills")
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, c); err != nil {
		return nil, err
	}
	cards.drawn[key] = b.Bytes()
	return b.Bytes(), nil
}

// cardPalette is paper, which an image begins with, each ink, and what lies
// between at the edge of letters.
func cardPalette() color.Palette {
	const steps = 12
	palette := color.Palette{cardPaper}
	for _, ink := range []color.RGBA{cardInk, cardSoft, cardBrick} {
		for i := 1; i <= steps; i++ {
			mix := func(from, to uint8) uint8 { return uint8((int(from)*(steps-i) + int(to)*i) / steps) }
			palette = append(palette, color.RGBA{mix(cardPaper.R, ink.R), mix(cardPaper.G, ink.G), mix(cardPaper.B, ink.B), 0xff})
		}
	}
	return palette
}

type faces struct{ title, words, name font.Face }

// cardFaces are the Go fonts, which come as a package and are free to use.
var cardFaces = sync.OnceValues(func() (f faces, err error) {
	for _, face := range []struct {
		into   *font.Face
		data   []byte
		pixels float64
	}{
		{&f.title, gobold.TTF, 80}, {&f.words, goregular.TTF, 38}, {&f.name, gobold.TTF, 30},
	} {
		parsed, err := opentype.Parse(face.data)
		if err != nil {
			return f, err
		}
		if *face.into, err = opentype.NewFace(parsed, &opentype.FaceOptions{Size: face.pixels, DPI: 72}); err != nil {
			return f, err
		}
	}
	return f, nil
})

type card struct{ *image.Paletted }

func (c card) line(face font.Face, ink color.Color, x, y int, text string) {
	d := font.Drawer{Dst: c, Src: image.NewUniform(ink), Face: face, Dot: fixed.P(x, y)}
	d.DrawString(text)
}

// paragraph draws words from the baseline y on, in at most so many lines of a
// height, and returns the baseline of the last one.
func (c card) paragraph(face font.Face, ink color.Color, y, height, most int, words string) int {
	lines := wrap(words, most, func(line string) bool {
		return font.MeasureString(face, line).Ceil() <= cardWidth-2*cardEdge
	})
	for i, line := range lines {
		c.line(face, ink, cardEdge, y+i*height, line)
	}
	return y + (len(lines)-1)*height
}

// wrap breaks words into at most so many lines, which fit but for a word that
// is too long by itself; what is left over is cut off with an ellipsis.
func wrap(words string, most int, fits func(line string) bool) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(words) {
		longer := strings.TrimSpace(line + " " + word)
		if line == "" || fits(longer) {
			line = longer
			continue
		}
		if len(lines)+1 == most {
			for strings.Contains(line, " ") && !fits(line+" …") {
				line = line[:strings.LastIndex(line, " ")]
			}
			return append(lines, strings.TrimRight(line, ",;:.")+" …")
		}
		lines, line = append(lines, line), word
	}
	return append(lines, line)
}
