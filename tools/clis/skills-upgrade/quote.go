package main

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// word writes a path as one word of this system's shell, free of what acts on
// a terminal. A leading ~/ is the home directory.
func word(path string, windows bool) string {
	if windows {
		return powerShellWord(path)
	}
	home := ""
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, path = "~/", rest
	} else if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	if path != "" && strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-") == "" {
		return home + path
	}
	var b strings.Builder
	for i := 0; i < len(path); {
		r, size := utf8.DecodeRuneInString(path[i:])
		switch {
		case r == '\'':
			b.WriteString(`'\''`)
		case r == '\n' || r == ' ' || unicode.IsPrint(r) && (r != utf8.RuneError || size > 1):
			b.WriteString(path[i : i+size])
		default:
			b.WriteString(`'"$(printf '`)
			for _, c := range []byte(path[i : i+size]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
			b.WriteString(`')"'`)
		}
		i += size
	}
	return home + "'" + b.String() + "'"
}

// powerShellWord quotes for PowerShell. What cannot be seen has no short form
// there; such a folder is to be typed.
func powerShellWord(path string) string {
	if path != "" && strings.Trim(path, `abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/\:~-`) == "" && path[0] != '-' {
		return path
	}
	if rest, ok := strings.CutPrefix(path, "~"); ok {
		return `"$HOME` + strings.NewReplacer("`", "``", `"`, "`\"", "$", "`$").Replace(printable(rest)) + `"`
	}
	return "'" + strings.NewReplacer("'", "''", "‘", "‘‘", "’", "’’", "‚", "‚‚", "‛", "‛‛").Replace(printable(path)) + "'"
}
