package example

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAlphabet(t *testing.T) {
	// The default alphabet has 128 codes, one of them the escape.
	if n := utf8.RuneCountInString(gsm7Basic); n != 127 {
		t.Errorf("%d basic characters", n)
	}
	if n := utf8.RuneCountInString(gsm7Extension); n != 10 {
		t.Errorf("%d extension characters", n)
	}
	if len(gsm7Septets) != 137 {
		t.Errorf("%d different characters", len(gsm7Septets))
	}
	// Codes from the tables of 3GPP TS 23.038, 6.2.1, either side of the escape.
	codes := []rune(gsm7Basic)
	for r, code := range map[rune]int{
		'@': 0x00, '\n': 0x0A, '\r': 0x0D, 'Δ': 0x10, 'Ξ': 0x1A, 'Æ': 0x1C, 'É': 0x1F, ' ': 0x20, '¤': 0x24,
		'0': 0x30, '?': 0x3F, '¡': 0x40, 'A': 0x41, '§': 0x5F, '¿': 0x60, 'a': 0x61, 'ä': 0x7B, 'à': 0x7F,
	} {
		i := code
		if code > 0x1B {
			i--
		}
		if codes[i] != r {
			t.Errorf("code %#x is %q, not %q", code, codes[i], r)
		}
	}
}

func TestEncode(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       Size
	}{
		{"empty", "", Size{gsm7, 0, 1}},
		{"all basic characters", gsm7Basic, Size{gsm7, 127, 1}},
		{"all extension characters", gsm7Extension, Size{gsm7, 20, 1}},
		{"capital cedilla", "Ç", Size{gsm7, 1, 1}},
		{"small cedilla", "ç", Size{ucs2, 1, 1}},
		{"backtick", "`", Size{ucs2, 1, 1}},
		{"tab", "\t", Size{ucs2, 1, 1}},
		{"escape", "\x1b", Size{ucs2, 1, 1}},
		{"em dash", "a—b", Size{ucs2, 3, 1}},
		{"curly quotes", "“a”", Size{ucs2, 3, 1}},
		{"apostrophe", "it’s", Size{ucs2, 4, 1}},
		{"ellipsis", "…", Size{ucs2, 1, 1}},
		{"braces in UCS-2 count 1", "{}—", Size{ucs2, 3, 1}},
		{"emoji", "😀", Size{ucs2, 2, 1}},
		{"emoji of four code points", "👩‍💻🏽", Size{ucs2, 7, 1}},
		{"line breaks", "a\nb\n", Size{gsm7, 4, 1}},
		{"invalid", "a\xff", Size{ucs2, 2, 1}},

		{"one full", strings.Repeat("a", 160), Size{gsm7, 160, 1}},
		{"one more", strings.Repeat("a", 161), Size{gsm7, 161, 2}},
		{"two full", strings.Repeat("a", 306), Size{gsm7, 306, 2}},
		{"three", strings.Repeat("a", 307), Size{gsm7, 307, 3}},
		{"pair at the end of one", strings.Repeat("a", 158) + "€", Size{gsm7, 160, 1}},
		{"pair over the end of one", strings.Repeat("a", 159) + "€", Size{gsm7, 161, 2}},
		{"pair over a seam", strings.Repeat("a", 152) + "€" + strings.Repeat("a", 151), Size{gsm7, 305, 2}},
		{"pair over a seam costs a part", strings.Repeat("a", 152) + "€" + strings.Repeat("a", 152), Size{gsm7, 306, 3}},
		{"pairs only", strings.Repeat("€", 153), Size{gsm7, 306, 3}},

		{"one full, UCS-2", strings.Repeat("я", 70), Size{ucs2, 70, 1}},
		{"one more, UCS-2", strings.Repeat("я", 71), Size{ucs2, 71, 2}},
		{"two full, UCS-2", strings.Repeat("я", 134), Size{ucs2, 134, 2}},
		{"three, UCS-2", strings.Repeat("я", 135), Size{ucs2, 135, 3}},
		{"35 emoji", strings.Repeat("😀", 35), Size{ucs2, 70, 1}},
		{"emoji over a seam costs a part", strings.Repeat("я", 66) + "😀" + strings.Repeat("я", 66), Size{ucs2, 134, 3}},
	} {
		if got := SizeOf(test.text); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestSizeString(t *testing.T) {
	for size, want := range map[Size]string{
		{gsm7, 99, 1}:  "99 of 160 · GSM-7 · 1 segment",
		{gsm7, 161, 2}: "161 of 306 · GSM-7 · 2 segments",
		{ucs2, 42, 1}:  "42 of 70 · UCS-2 · 1 segment",
		{ucs2, 135, 3}: "135 of 201 · UCS-2 · 3 segments",
	} {
		if got := size.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// partsOf cuts a text into the parts in which it is sent.
func partsOf(text string) []string {
	size := SizeOf(text)
	if size.Units <= size.Encoding.capacity(1) {
		return []string{text}
	}
	room := size.Encoding.capacity(2) / 2
	var parts []string
	start, used := 0, 0
	for i, r := range text {
		cost := size.Encoding.units(r)
		if used+cost > room {
			parts = append(parts, text[start:i])
			start, used = i, 0
		}
		used += cost
	}
	return append(parts, text[start:])
}

// FuzzSplit: SizeOf counts as many parts as cutting gives: parts that are the
// message together, each of which fits and has no room for the first character
// of the next.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"", "a", "€", "😀", "—", "\xff", "ab€", "яя😀"} {
		f.Add(seed, uint8(1), "")
		f.Add(seed, uint8(200), "x")
	}
	f.Fuzz(func(t *testing.T, piece string, times uint8, tail string) {
		text := strings.Repeat(piece, int(times)) + tail
		size, parts := SizeOf(text), partsOf(text)
		if strings.Join(parts, "") != text {
			t.Fatal("the parts are not the message")
		}
		if len(parts) != size.Segments {
			t.Fatalf("%d parts, %d segments", len(parts), size.Segments)
		}
		room := map[encoding]int{gsm7: 160, ucs2: 70}[size.Encoding]
		if len(parts) > 1 {
			room = map[encoding]int{gsm7: 153, ucs2: 67}[size.Encoding]
		}
		for i, part := range parts {
			units := countUnits(part, size.Encoding)
			if units > room || utf8.ValidString(text) && !utf8.ValidString(part) {
				t.Fatalf("part %d is broken: %d of %d units", i, units, room)
			}
			if i+1 < len(parts) {
				next, _ := utf8.DecodeRuneInString(parts[i+1])
				if units+size.Encoding.units(next) <= room {
					t.Fatalf("part %d has room left", i)
				}
			}
		}
		if size.Units > size.Encoding.capacity(size.Segments) {
			t.Fatalf("%v", size)
		}
	})
}

// FuzzEncode: a length is the sum of what its characters cost, counted here
// from the tables of the standard; one foreign character decides for UCS-2.
func FuzzEncode(f *testing.F) {
	f.Add("plain", "€ {}")
	f.Add("smart’", "😀")
	f.Fuzz(func(t *testing.T, a, b string) {
		septets, units, foreign := 0, 0, false
		for _, r := range a + b {
			switch {
			case strings.ContainsRune(gsm7Extension, r):
				septets += 2
			case strings.ContainsRune(gsm7Basic, r):
				septets++
			default:
				foreign = true
			}
			if units++; r > 0xFFFF {
				units++
			}
		}
		got := SizeOf(a + b)
		want := Size{gsm7, septets, got.Segments}
		if foreign {
			want = Size{ucs2, units, got.Segments}
		}
		if got != want {
			t.Fatalf("%v, want %v", got, want)
		}
		if sa, sb := SizeOf(a), SizeOf(b); utf8.ValidString(a) && sa.Encoding == sb.Encoding && got.Units != sa.Units+sb.Units {
			t.Fatalf("%d units, not %d and %d", got.Units, sa.Units, sb.Units)
		}
	})
}
