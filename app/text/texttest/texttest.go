// Package texttest has texts for tests of several packages.
package texttest

// Hostile are names that a shell, a terminal or a careless program could get
// wrong. All but the last can be the name of a folder.
var Hostile = []string{
	"plain-name", "with space", "  two  spaces  ", "-rf", "--", "-", "it's", `"quoted"`, `'"'"'`, "$HOME", "${x}",
	"$(touch x)", "`touch x`", "a;b", "a&&b", "a|b", "a>b", "a*b?", "[x]", "{a,b}", "~", "~root", "#hash",
	"!history", "!!", "100%", "%s%n%x", `back\slash`, `\`, `trail\`, "new\nline", "\n", "ends\n", "a\n\nb\n\n",
	"tab\tbed", "\x1b[31mred", "\x07", "\x01\x02\x7f", "cr\rlf", "сго", "日本語", "e\u0301", "\u202egnp.exe",
	"zero\u200bwidth", "\xff\xfe", "half\xc3", "‘smart’", "‚low‛", "“double”", "en–dash", "nbsp\u00a0", "\U0001f600",
	"\U000e0041tag", "=x", "a=b", "^caret", "@(x)", "(x)", "<x>", "",
}
