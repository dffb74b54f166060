package example

import (
	"fmt"
	"unicode/utf8"

	"marketingskills/app/text"
)

// encoding is how the characters of a text message travel.
type encoding string

const (
	// gsm7 counts in septets: the GSM 7 bit default alphabet and its
	// extension table, without national language shift tables, which senders
	// cannot rely on. Source: 3GPP TS 23.038, 6.2.1 and 6.2.1.1.
	gsm7 encoding = "GSM-7"
	// ucs2 counts in 16-bit units: every message that gsm7 cannot spell.
	// Characters beyond U+FFFF, most emoji among them, take two units, a
	// surrogate pair; TS 23.038, 6.2.3 knows only UCS-2, phones read UTF-16.
	ucs2 encoding = "UCS-2"
)

// The room of one message is 140 octets. A message in several parts repeats a
// header of 6 octets in each, and numbers its parts in one octet.
// Source: 3GPP TS 23.040, 9.2.3.24.1 (release 18).
const (
	gsm7Capacity, gsm7PartCapacity = 160, 153 // 140·8/7; the header takes 7 septets
	ucs2Capacity, ucs2PartCapacity = 70, 67   // 140/2; (140-6)/2

	// maxParts limits a chain: 39,015 septets or 17,085 16-bit units.
	maxParts = 255
	// maxBytes is more UTF-8 than any chain can carry: a septet costs at most
	// two bytes (a Greek capital), a 16-bit unit three.
	maxBytes = maxParts * gsm7PartCapacity * 2
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
func (e encoding) units(r rune) int {
	switch {
	case e == gsm7:
		return gsm7Septets[r]
	case r > 0xFFFF:
		return 2
	}
	return 1
}

// capacity returns how many units fit into a message of so many segments: 160
// or 70 in one, 153 or 67 in each of several.
func (e encoding) capacity(segments int) int {
	single, part := ucs2Capacity, ucs2PartCapacity
	if e == gsm7 {
		single, part = gsm7Capacity, gsm7PartCapacity
	}
	if segments <= 1 {
		return single
	}
	return segments * part
}

// Size is what a text message costs to send.
type Size struct {
	Encoding encoding
	// Units is the length: septets of gsm7, 16-bit units of ucs2.
	Units int
	// Segments is the number of messages that are billed, at least 1. Where a
	// pair of units would straddle two parts the first is sent one unit short,
	// so it can be more than Units divided by the room of a part.
	Segments int
}

// String draws the size as a caption: "99 of 160 · GSM-7 · 1 segment".
func (s Size) String() string {
	return fmt.Sprintf("%d of %d · %s · %s",
		s.Units, s.Encoding.capacity(s.Segments), s.Encoding, text.Count(s.Segments, "segment"))
}

// SizeOf returns the encoding that text needs, its length and its number of
// segments: each is as long as possible, and no escape sequence and no surrogate
// pair straddles two of them, as 3GPP TS 23.040, 9.2.3.24.1 demands; a character
// built from several code points, such as a flag, may. Each byte that is not valid
// UTF-8 counts as U+FFFD. It sets no limit; a phone joins at most 255 parts.
func SizeOf(text string) Size {
	size := Size{Encoding: gsm7, Segments: 1}
	if _, foreign := notInGSM7(text); foreign {
		size.Encoding = ucs2
	}
	room, used := size.Encoding.capacity(2)/2, 0
	for _, r := range text {
		cost := size.Encoding.units(r)
		if used+cost > room {
			size.Segments++
			used = 0
		}
		used += cost
		size.Units += cost
	}
	if size.Units <= size.Encoding.capacity(1) {
		size.Segments = 1
	}
	return size
}

func countUnits(text string, code encoding) (units int) {
	for _, r := range text {
		units += code.units(r)
	}
	return units
}

// notInGSM7 returns the first character that gsm7 lacks.
func notInGSM7(text string) (r rune, found bool) {
	for _, r := range text {
		if gsm7Septets[r] == 0 {
			return r, true
		}
	}
	return utf8.RuneError, false
}
