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

// checkGuideCode reports in a guide's code: keys in URLs, code for a shell that is not
// marked sh, and calls of vendors that the command would refuse. tables are those
// of vendors by the ID of their tool.
func checkGuideCode(g registry.Guide, tables map[string]*vendor.Table, list *finding.List) {
	if g.Doc == nil {
		return
	}
	for _, f := range g.Doc.Fences {
		calls := shellCommands(f.Body)
		if key := keyInURL(f.Body, calls); key != "" {
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
			if wrong := whyRefused(words[1:], tables); wrong != "" {
				list.Errorf(f.Line, "guide-command", "correct it, or the table in "+vendorTables, "vendors would refuse %s: %s",
					text.Quote(strings.Join(words, " ")), wrong)
			}
		}
	}
}

// A fenced block is for a shell by its info string or by its commands.
var (
	shellMark = regexp.MustCompile(`(?i)^(?:sh|bash|zsh|shell|shell-?session|console|terminal)\b`)
	shellCall = regexp.MustCompile(`(?m)^\s*(?:\$ )?(?:vendors|curl|go run) `)
)

var (
	parameter = regexp.MustCompile(`[?&]([^\s?&=@:'"]+)[=@][^&\s'"]*`)
	// userinfo is a user with a password, or one from a variable or a command.
	userinfo = regexp.MustCompile(`[a-z]*://` + userChars + `(?::|\$\([^)]*\)|\$)` + userChars + `@`)
	// dataInURL is an option of curl that sends data in the URL. The G of -XGET is
	// none: it belongs to the value of -X.
	dataInURL = regexp.MustCompile(`^(?:-[A-WYZa-z]*G.*|--get|--url-query)$`)
)

const userChars = `(?:\$\([^)]*\)|[^\s/?#@'"])*`

// keyInURL returns the part of some code that puts a key into a URL, "" if there
// is none. calls are the code's shell commands.
func keyInURL(code string, calls [][]string) string {
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

// withoutQuotes returns a shell word without its quotes.
func withoutQuotes(word string) string {
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

// shellKeywords are those that a command follows.
var shellKeywords = []string{"do", "then", "if", "else", "elif", "while", "until", "!", "time"}

// shellCommands returns the commands of a shell script as lists of words without
// quotes. It knows as much of the shell as the guides use: pipes, lists, command
// substitution, assignments and keywords, and neither here-documents nor
// functions.
func shellCommands(script string) [][]string {
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
			all = append(all, shellCommands(inner)...)
		}
		switch {
		case word[0] == '#':
		case strings.ContainsAny(word[:1], "|;&<>()\n") || word == "$(":
			next()
		case len(words) == 0 && (slices.Contains(shellKeywords, word) || assignment.MatchString(word)):
			// The command follows.
		default:
			words = append(words, withoutQuotes(word))
		}
	}
	next()
	return all
}
