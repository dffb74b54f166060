package collection

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/registry"
	"marketingskills/app/collection/vendor"
	"marketingskills/app/text"
)

// checkCode reports in a guide's code: keys in URLs, code for a shell that is not
// marked sh, and calls of vendors that the command would refuse.
func checkCode(g registry.Guide, known map[string]*vendor.Table, list *finding.List) {
	if g.Doc == nil {
		return
	}
	for _, f := range g.Doc.Fences {
		calls := commands(f.Body)
		if key := sentInURL(f.Body, calls); key != "" {
			list.Errorf(f.Line, "guide-key", "send the key in a header; addresses end up in logs",
				"an address carries a key: %s", text.Quote(key))
		}
		if f.Info != "sh" {
			if shellMark.MatchString(f.Info) || shellCall.MatchString(f.Body) {
				list.Errorf(f.Line, "guide-command", "mark it sh, or its commands are not checked",
					"code for a shell is marked %s", text.Quote(f.Info))
			}
			continue
		}
		for _, words := range calls {
			if len(words) > 2 && words[0] == "go" && words[1] == "run" && path.Clean(words[2]) == "tools/clis/vendors" {
				words = slices.Concat([]string{"vendors"}, words[3:])
			}
			if len(words) < 2 || words[0] != "vendors" || words[1] == "list" || words[1] == "describe" {
				continue
			}
			if wrong := refused(words[1:], known); wrong != "" {
				list.Errorf(f.Line, "guide-command", "correct it, or the table in "+tables, "vendors would refuse %s: %s",
					text.Quote(strings.Join(words, " ")), wrong)
			}
		}
	}
}

// Code is for a shell by its mark or by its commands.
var (
	shellMark = regexp.MustCompile(`(?i)^(?:sh|bash|zsh|shell|shell-?session|console|terminal)\b`)
	shellCall = regexp.MustCompile(`(?m)^\s*(?:\$ )?(?:vendors|curl|go run) `)
)

var (
	parameter = regexp.MustCompile(`[?&]([^\s?&=@:'"]+)[=@][^&\s'"]*`)
	// userinfo is a user with a password, or one from a variable or a command.
	userinfo = regexp.MustCompile(`[a-z]*://` + userChars + `(?::|\$\([^)]*\)|\$)` + userChars + `@`)
	// dataInURL is an option of curl that has data sent in the URL; in -XGET the
	// G is part of a value.
	dataInURL = regexp.MustCompile(`^(?:-[A-WYZa-z]*G.*|--get|--url-query)$`)
)

const userChars = `(?:\$\([^)]*\)|[^\s/?#@'"])*`

// sentInURL returns the part of a code with its commands that puts a key into a
// URL, "" if there is none.
func sentInURL(code string, calls [][]string) string {
	if found := userinfo.FindString(code); found != "" {
		return found
	}
	texts := []string{code}
	for _, words := range calls {
		if words[0] != "curl" || !slices.ContainsFunc(words, dataInURL.MatchString) {
			continue
		}
		for _, word := range words[1:] {
			texts = append(texts, "?"+strings.TrimPrefix(word, "-d"))
		}
	}
	for _, t := range texts {
		for _, match := range parameter.FindAllStringSubmatch(t, -1) {
			if vendor.SecretInURL(match[1]) {
				return match[0]
			}
		}
	}
	return ""
}

// shellWord is a comment, a word of a shell command, quotes included, or what
// stands between two commands.
var shellWord = regexp.MustCompile(`#[^\n]*|(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\|;&<>()])+|\$\(|[|;&<>()\n]+`)

var (
	assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
	quoted     = regexp.MustCompile(`'[^']*'|"(?:\\.|[^"\\])*"|\\.`)
	escaped    = regexp.MustCompile(`\\(["$\\` + "`" + `])`)
)

// unquoted is a word of a shell without its quotes.
func unquoted(word string) string {
	return quoted.ReplaceAllStringFunc(word, func(s string) string {
		switch s[0] {
		case '\\':
			return s[1:]
		case '"':
			return escaped.ReplaceAllString(s[1:len(s)-1], "$1")
		}
		return s[1 : len(s)-1]
	})
}

// keywords of a shell after which a command stands.
var keywords = []string{"do", "then", "if", "else", "elif", "while", "until", "!", "time"}

// commands splits a script for a shell into its commands and these into words,
// without quotes, as far as the code of a guide asks for it.
func commands(script string) [][]string {
	var all [][]string
	var words []string
	next := func() {
		if len(words) > 0 {
			all = append(all, words)
		}
		words = nil
	}
	for _, word := range shellWord.FindAllString(strings.ReplaceAll(script, "\\\n", " "), -1) {
		if _, inner, ok := strings.Cut(word, "$("); ok && word[0] != '\'' && word[0] != '#' { // in double quotes
			all = append(all, commands(inner)...)
		}
		switch {
		case word[0] == '#':
		case strings.ContainsAny(word[:1], "|;&<>()\n") || word == "$(":
			next()
		case len(words) == 0 && (slices.Contains(keywords, word) || assignment.MatchString(word)):
			// The command follows.
		default:
			words = append(words, unquoted(word))
		}
	}
	next()
	return all
}
