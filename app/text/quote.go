package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// PosixWord writes any text, NUL excepted, as one word of a POSIX shell.
//
// Line ends stay as they are, inside quotes. Bytes that a terminal would act on
// when the command is pasted or shown, and characters that cannot be seen, are
// written as octal numbers for printf: so the command that is shown is the one
// that is run.
func PosixWord(s string) string {
	if s != "" && s[0] != '-' && strings.Trim(s, letters+digits+"._/-") == "" {
		return s
	}
	var b strings.Builder
	const (
		outside = iota
		inQuotes
		inPrintf
	)
	at := outside
	to := func(next int) {
		if at == next {
			return
		}
		switch at {
		case inQuotes:
			b.WriteByte('\'')
		case inPrintf:
			b.WriteString(`')"`)
		}
		switch next {
		case inQuotes:
			b.WriteByte('\'')
		case inPrintf:
			b.WriteString(`"$(printf '`)
		}
		at = next
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\'':
			to(outside)
			b.WriteString(`\'`)
		case r == '\n' || r == ' ' || unicode.IsPrint(r) && (r != utf8.RuneError || size > 1):
			to(inQuotes)
			b.WriteString(s[i : i+size])
		case r == 0:
			// no file name has it, and no shell can write it
		default:
			to(inPrintf)
			for _, c := range []byte(s[i : i+size]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		}
		i += size
	}
	to(outside)
	if b.Len() == 0 {
		return "''"
	}
	return b.String()
}

// PosixPath writes a path as one word of a POSIX shell, with ~ at its
// beginning as the home directory.
func PosixPath(path string) string {
	if path == "~" {
		return `"$HOME"`
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return `"$HOME"/` + PosixWord(rest)
	}
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	return PosixWord(path)
}

// PowerShellWord writes a text as one PowerShell expression: a string in single
// quotes, in which only the five quotation marks that PowerShell knows are
// special. Characters that cannot be seen are written as numbers. Bytes that are
// not UTF-8 cannot be written: ok is false.
// Source: about_Quoting_Rules, and the tokenizer's list of quotation marks
// (U+0027, U+2018 to U+201B).
func PowerShellWord(s string) (quoted string, ok bool) {
	if !utf8.ValidString(s) {
		return "", false
	}
	var parts []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			parts = append(parts, "'"+b.String()+"'")
			b.Reset()
		}
	}
	for _, r := range s {
		switch {
		case r == '\'' || r >= '\u2018' && r <= '\u201b':
			b.WriteRune(r)
			b.WriteRune(r)
		case r == ' ' || unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			flush()
			if r > 0xffff {
				parts = append(parts, fmt.Sprintf("[char]::ConvertFromUtf32(0x%x)", r))
			} else {
				parts = append(parts, fmt.Sprintf("[char]0x%04x", r))
			}
		}
	}
	flush()
	switch {
	case len(parts) == 0:
		return "''", true
	case len(parts) == 1 && parts[0][0] == '\'':
		return parts[0], true
	}
	return "(-join(" + strings.Join(parts, ",") + "))", true
}

// PowerShellPath writes a path as one PowerShell expression, with ~ at its
// beginning as the home directory.
func PowerShellPath(path string) (string, bool) {
	rest, home := strings.CutPrefix(path, "~")
	if !home || rest != "" && rest[0] != '/' && rest[0] != '\\' {
		return PowerShellWord(path)
	}
	quoted, ok := PowerShellWord(rest)
	return "($HOME + " + quoted + ")", ok
}
