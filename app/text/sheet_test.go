package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSafeCell(t *testing.T) {
	for s, want := range map[string]string{
		"@acme": "'@acme", "=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "\t=1": "'=1", "\r=1": "'=1", " \n =1": "'=1", "＝1": "'＝1", "＠SUM": "'＠SUM", "﹢1": "'﹢1",
		"\u200b=1": "'=1", "\ufeff=1": "'=1", "\u202e=1": "'=1", "\x00=1": "'=1", "\u200d=1": "'\u200d=1", "\u3000=1": "'=1",
		"a\r\nb\nc\rd": "a b c d", "a\tb": "a b", "a\x1b[31mb": "a[31mb", "a\u202eb": "ab", "'@acme": "'@acme", "a=1": "a=1", "": "", "https://x.example": "https://x.example",
		"\xff=": "\ufffd=", "Zoë 日本 👩‍💻": "Zoë 日本 👩‍💻", "a@b.example": "a@b.example", `"=1"`: `"=1"`,
		"x;=1": "x;'=1", "x; =1": "x;' =1", `x;"=1"`: `x;'"=1"`, "x;;\t@y; z": "x;;' @y; z", "=1;=2": "'=1;'=2", "x;'=1": "x;'=1", "a;b=1": "a;b=1",
	} {
		if got := SafeCell(s); got != want {
			t.Errorf("SafeCell(%q) = %q, want %q", s, got, want)
		}
	}
	if long := SafeCell("=" + strings.Repeat("é", 70_000)); utf8.RuneCountInString(long) > maxCell+1 || !strings.HasPrefix(long, "'=") {
		t.Errorf("a long cell has %d characters", utf8.RuneCountInString(long))
	}
}

func TestCSVCell(t *testing.T) {
	for s, want := range map[string]string{
		"": "", "a b": "a b", "a,b": `"a,b"`, "a;b": `"a;b"`, `a"b`: `"a""b"`, "a\tb": "a b", "a\r\nb": "a b", "x;=1": `"x;'=1"`, "=1": "'=1",
	} {
		if got := CSVCell(s); got != want {
			t.Errorf("CSVCell(%q) = %s, want %s", s, got, want)
		}
	}
}
