package tryout

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"marketingskills/app/text"
)

// Kinds are those of the first three requests of a file that have no mark.
var Kinds = []string{"thin", "rich", "hard"}

var (
	opening = regexp.MustCompile(`^P([0-9]+)(?: \(([^)]*)\))?:[ \t]*(.*)$`)
	today   = regexp.MustCompile(`^Today is ([0-9]{1,2} [A-Z][a-z]+ [0-9]{4})\.?\s*$`)
)

// ReadRequests reads a file of requests:
//
//	Today is 23 November 2026.
//
//	P1: write me a text for black friday
//
//	P2 (rich; context: ledgerloop.md; files: list.csv, prices.csv): …
//
// A request goes on until the next one. Its marks are its kind, one of [Kinds],
// and, each with a colon, skill, context, files, and line: words of a line of the
// skill that can apply to it, more than once if need be. The skill is the file's
// name without a mark; the day is the zero time if none is given.
func ReadRequests(source, skill string) (requests []Request, day time.Time, err error) {
	fail := func(line int, format string, args ...any) ([]Request, time.Time, error) {
		return nil, day, fmt.Errorf("line %d: %w", line+1, fmt.Errorf(format, args...))
	}
	source = strings.ReplaceAll(strings.TrimPrefix(source, "\ufeff"), "\r\n", "\n")
	for i, line := range strings.Split(source, "\n") {
		if match := opening.FindStringSubmatch(line); match != nil {
			r := Request{Skill: skill, Text: match[3]}
			if n := len(requests); n < len(Kinds) {
				r.Kind = Kinds[n]
			}
			if err := r.mark(match[2]); err != nil {
				return fail(i, "%w", err)
			}
			r.ID = r.Skill + "/p" + match[1]
			if slices.ContainsFunc(requests, func(other Request) bool { return other.ID == r.ID }) {
				return fail(i, "P%s stands there twice; number the requests", match[1])
			}
			requests = append(requests, r)
			continue
		}
		if len(requests) > 0 {
			requests[len(requests)-1].Text += "\n" + line
			continue
		}
		if match := today.FindStringSubmatch(line); match != nil {
			if day, err = time.Parse("2 January 2006", match[1]); err != nil {
				return fail(i, "%q is not a day; write it as 23 November 2026", match[1])
			}
		} else if strings.TrimSpace(line) != "" {
			return fail(i, "%s stands above the first request; begin each with P1: and so on", text.Quote(line))
		}
	}
	for i := range requests {
		if requests[i].Text = strings.TrimSpace(requests[i].Text); requests[i].Text == "" {
			return fail(0, "the request %s is empty", requests[i].ID)
		}
	}
	if len(requests) == 0 {
		return fail(0, "there is no request; begin each with P1: and so on")
	}
	return requests, day, nil
}

func (r *Request) mark(marks string) error {
	for mark := range strings.SplitSeq(marks, ";") {
		name, value, hasValue := strings.Cut(strings.TrimSpace(mark), ":")
		value = strings.TrimSpace(value)
		switch {
		case name == "" && !hasValue:
		case slices.Contains(Kinds, name) && !hasValue:
			r.Kind = name
		case !hasValue || !slices.Contains([]string{"skill", "context", "files", "line"}, name):
			return fmt.Errorf("%s is not a mark; use %s, or skill, context, files or line with a colon", text.Quote(name), strings.Join(Kinds, ", "))
		case value == "":
			return fmt.Errorf("the mark %s is empty", name)
		case name == "skill":
			r.Skill = value
		case name == "context":
			r.Context = value
		case name == "files":
			for file := range strings.SplitSeq(value, ",") {
				r.Files = append(r.Files, strings.TrimSpace(file))
			}
		case name == "line":
			r.Lines = append(r.Lines, value)
		}
	}
	return nil
}
