package listing

import (
	"strings"

	"marketingskills/app/upgrade/paths"
)

// listers are the commands whose output may follow; others may stand between.
var listers = map[string]bool{
	"ls": true, "ll": true, "la": true, "gls": true, "eza": true, "exa": true, "find": true, "tree": true,
	"dir": true, "gci": true, "get-childitem": true, "cd": false, "pwd": false, "cat": false, "type": false, "sudo": false,
}

// isPrompt tells whether a line is a prompt, with or without a command behind
// it, or the command alone. What it says of the place is kept.
func (l *listing) isPrompt(line string) bool {
	line = strings.TrimSpace(line)
	for _, end := range []string{"❯", "➜", "$", "%", ">", "#"} {
		before, after, ok := cutLast(line, end)
		if !ok {
			continue
		}
		command := strings.TrimSpace(after)
		word, _, _ := strings.Cut(command, " ")
		_, known := listers[strings.ToLower(word)]
		switch {
		case known && (before == "" || after != "" && (after[0] == ' ' || end == ">")):
			l.placeFromPrompt(before)
			l.placeFromCommand(command)
			return true
		case command == "" && (before == "" || isPromptStart(before)):
			return true
		}
	}
	word, rest, several := strings.Cut(line, " ")
	isCommand := !several || strings.ContainsAny(rest[:1], "-./~") || strings.Contains(rest, "skills")
	if listers[word] && len(l.lines) == 0 && isCommand {
		l.placeFromCommand(line)
		return true
	}
	return false
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// isPromptStart tells what stands before the sign of a prompt from a name.
func isPromptStart(s string) bool {
	return strings.Contains(s, "@") || strings.HasPrefix(s, "PS ") || paths.HasDrive(s) && strings.Contains(s, `\`)
}

// placeFromPrompt takes the current directory out of a prompt that shows it:
// "me@host:~/.claude/skills", "PS C:\Users\me", "C:\Users\me".
func (l *listing) placeFromPrompt(prompt string) {
	prompt = strings.TrimSpace(prompt)
	if rest, ok := strings.CutPrefix(prompt, "PS "); ok {
		l.place = rest
	} else if paths.HasDrive(prompt) {
		l.place = prompt
	} else if _, rest, ok := strings.Cut(prompt, ":"); ok && strings.Contains(prompt, "@") && strings.Contains(rest, "/") {
		l.place = strings.TrimSpace(rest)
	}
}

// placeFromCommand takes the folder listed out of a command.
func (l *listing) placeFromCommand(command string) {
	words := strings.Fields(command)
	if listing := listers[strings.ToLower(words[0])]; !listing && strings.ToLower(words[0]) != "cd" {
		return
	}
	for _, w := range words[1:] {
		w = strings.Trim(w, `"'`)
		if w == "" || w[0] == '-' || w[0] == '/' && len(w) <= 2 || w == "." || strings.ContainsAny(w, "*|;&<>$`") {
			continue
		}
		if strings.ContainsAny(w, `/\`) || strings.HasSuffix(w, "skills") {
			l.place = w
		}
		return
	}
}
