package example

import (
	"fmt"
	"iter"
	"unicode/utf8"

	"marketingskills/app/text"
)

// Encoding is how the characters of a text message travel.
type Encoding string

const (
	// GSM7 counts in septets: the GSM 7 bit default alphabet and its
	// extension table, without national language shift tables, which senders
	// cannot rely on. Source: 3GPP TS 23.038, 6.2.1 and 6.2.1.1.
	GSM7 Encoding = "GSM-7"
	// UCS2 counts in 16-bit units: every message that GSM7 cannot spell.
	// Characters beyond U+FFFF, most emoji among them, take two units, a
	// surrogate pair; TS 23.038, 6.2.3 knows only UCS-2, phones read UTF-16.
	UCS2 Encoding = "UCS-2"
)

// The room of one message is 140 octets. A message in several parts repeats a
// header of 6 octets in each, and numbers its parts in one octet.
// Source: 3GPP TS 23.040, 9.2.3.24.1 (release 18).
const (
	gsm7Single, gsm7Part = 160, 153 // 140·8/7; the header takes 7 septets
	ucs2Single, ucs2Part = 70, 67   // 140/2; (140-6)/2

	// maxParts limits a chain: 39,015 septets or 17,085 16-bit units.
	maxParts = 255
	// maxBytes is more UTF-8 than any chain can carry: a septet costs at most
	// two bytes (a Greek capital), a 16-bit unit three.
	maxBytes = maxParts * gsm7Part * 2
)

// gsm7Basic holds the default alphabet in the order of its codes, 0x00 to
// 0x7F, without 0x1B, the escape. Source: 3GPP TS 23.038, 6.2.1, table.
const gsm7Basic = "@£$¥èéùìòÇ\nØø\rÅå" +
	"Δ_ΦΓΛΩΠΨΣΘΞÆæßÉ" +
	" !\"#¤%&'()*+,-./" +
	"0123456789:;<=>?" +
	"¡ABCDEFGHIJKLMNO" +
	"PQRSTUVWXYZÄÖÑÜ§" +
	"¿abcdefghijklmno" +
	"pqrstuvwxyzäöñüà"

// gsm7Extension holds the characters reached through the escape, each two
// septets. Source: 3GPP TS 23.038, 6.2.1.1, table.
const gsm7Extension = "\f^{}\\[~]|€"

var gsm7Septets = func() map[rune]int {
	septets := make(map[rune]int, 137)
	for _, r := range gsm7Basic {
		septets[r] = 1
	}
	for _, r := range gsm7Extension {
		septets[r] = 2
	}
	return septets
}()

// units returns what one character costs, or 0 when the encoding lacks it.
func (e Encoding) units(r rune) int {
	switch {
	case e == GSM7:
		return gsm7Septets[r]
	case r > 0xFFFF:
		return 2
	}
	return 1
}

// Capacity returns how many units fit into a message of so many segments: 160
// or 70 in one, 153 or 67 in each of several.
func (e Encoding) Capacity(segments int) int {
	single, part := ucs2Single, ucs2Part
	if e == GSM7 {
		single, part = gsm7Single, gsm7Part
	}
	if segments <= 1 {
		return single
	}
	return segments * part
}

// Size is what a text message costs to send.
type Size struct {
	Encoding Encoding
	// Units is the length: septets of GSM7, 16-bit units of UCS2.
	Units int
	// Segments is the number of messages that are billed, at least 1. Where a
	// pair of units would straddle two parts the first is sent one unit short,
	// so it can be more than Units divided by the room of a part.
	Segments int
}

// String draws the size as a caption: "99 of 160 · GSM-7 · 1 segment".
func (s Size) String() string {
	return fmt.Sprintf("%d of %d · %s · %s",
		s.Units, s.Encoding.Capacity(s.Segments), s.Encoding, text.Count(s.Segments, "segment"))
}

// Encode returns the encoding that text needs, its length and its number of
// segments. Each byte that is not valid UTF-8 counts as U+FFFD. Encode sets no
// limit; a phone joins at most 255 parts.
func Encode(text string) Size {
	encoding, units := measure(text)
	size := Size{encoding, units, 1}
	if units > encoding.Capacity(1) {
		size.Segments = 0
		for range parts(text, encoding) {
			size.Segments++
		}
	}
	return size
}

// Split returns the parts in which text is sent, each as long as possible.
// Joined they are text. No escape sequence and no surrogate pair straddles
// two parts, as 3GPP TS 23.040, 9.2.3.24.1 demands; a character built from
// several code points, such as a flag, may.
func Split(text string) []string {
	encoding, units := measure(text)
	if units <= encoding.Capacity(1) {
		return []string{text}
	}
	var all []string
	for part := range parts(text, encoding) {
		all = append(all, part)
	}
	return all
}

// parts yields the pieces of a text that is too long for one message.
func parts(text string, encoding Encoding) iter.Seq[string] {
	room := encoding.Capacity(2) / 2
	return func(yield func(string) bool) {
		start, used := 0, 0
		for i, r := range text {
			cost := encoding.units(r)
			if used+cost > room {
				if !yield(text[start:i]) {
					return
				}
				start, used = i, 0
			}
			used += cost
		}
		yield(text[start:])
	}
}

// measure returns the encoding of text and its length in units.
func measure(text string) (Encoding, int) {
	if _, foreign := beyondGSM7(text); foreign {
		return UCS2, count(text, UCS2)
	}
	return GSM7, count(text, GSM7)
}

func count(text string, encoding Encoding) (units int) {
	for _, r := range text {
		units += encoding.units(r)
	}
	return units
}

// beyondGSM7 returns the first character that GSM7 lacks.
func beyondGSM7(text string) (r rune, found bool) {
	for _, r := range text {
		if gsm7Septets[r] == 0 {
			return r, true
		}
	}
	return utf8.RuneError, false
}
