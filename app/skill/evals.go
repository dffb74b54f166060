package skill

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"marketingskills/app/finding"
)

const (
	evalsFile = "evals/evals.json"
	minEvals  = 6
	// minAssertions is how many observable facts make an answer checkable.
	minAssertions = 6
)

// Eval is one evaluation case: what a user asks, what a good answer does, and
// facts about the answer that a reader can tick off.
type Eval struct {
	ID       int
	Prompt   string
	Expected string
	// Assertions are read from "assertions", and from "expectations" in files
	// written for older suites.
	Assertions []string
	Files      []string
}

func (l *loader) evals() {
	list := l.list(evalsFile)
	defer func() { l.take(list) }()
	if !slices.Contains(l.skill.Files, evalsFile) {
		list.Errorf(0, "evals-missing", fmt.Sprintf("add at least %d evals", minEvals), "the skill has no evals")
		return
	}
	text, ok := l.text(evalsFile, list)
	if !ok {
		return
	}
	var file struct {
		SkillName string            `json:"skill_name"`
		Evals     []json.RawMessage `json:"evals"`
	}
	if err := decodeStrict([]byte(text), &file); err != nil {
		list.Errorf(jsonLine(text, err), "evals-json", `write {"skill_name": …, "evals": […]}`, "the file cannot be read: %s", jsonProblem(err))
		return
	}
	if file.SkillName != l.skill.Dir {
		list.Errorf(lineOf(text, "skill_name"), "evals-skill-name", fmt.Sprintf("write %q", l.skill.Dir), "skill_name is %q", file.SkillName)
	}
	if n := len(file.Evals); n < minEvals {
		list.Errorf(lineOf(text, `"evals"`), "evals-count", fmt.Sprintf("write at least %d", minEvals), "there are %d evals", n)
	}
	from := 0
	for i, raw := range file.Evals {
		at := strings.Index(text[from:], string(raw))
		line := 1
		if at >= 0 {
			line = 1 + strings.Count(text[:from+at], "\n")
			from += at + len(raw)
		}
		if e, ok := readEval(raw, i+1, line, list); ok {
			l.skill.Evals = append(l.skill.Evals, e)
		}
	}
}

func readEval(raw []byte, want, line int, list *finding.List) (Eval, bool) {
	var e struct {
		ID           *int     `json:"id"`
		Prompt       string   `json:"prompt"`
		Expected     string   `json:"expected_output"`
		Assertions   []string `json:"assertions"`
		Expectations []string `json:"expectations"`
		Files        []string `json:"files"`
	}
	if err := decodeStrict(raw, &e); err != nil {
		list.Errorf(line, "evals-fields", "use id, prompt, expected_output, assertions, files", "eval %d cannot be read: %s", want, jsonProblem(err))
		return Eval{}, false
	}
	if e.ID == nil || *e.ID != want {
		list.Errorf(line, "evals-id", fmt.Sprintf("write \"id\": %d", want), "eval %d is not numbered in order", want)
	}
	if strings.TrimSpace(e.Prompt) == "" {
		list.Errorf(line, "evals-fields", "write what a user would ask", "eval %d has no prompt", want)
	}
	if strings.TrimSpace(e.Expected) == "" {
		list.Errorf(line, "evals-fields", "say what a good answer does", "eval %d has no expected_output", want)
	}
	if len(e.Expectations) > 0 {
		list.Warnf(line, "evals-fields", "rename the field to assertions", "eval %d uses the older name expectations", want)
		e.Assertions = append(e.Assertions, e.Expectations...)
	}
	if n := len(e.Assertions); n < minAssertions {
		list.Warnf(line, "evals-assertions", fmt.Sprintf("write at least %d", minAssertions), "eval %d has %d assertions", want, n)
	}
	seen := map[string]bool{}
	for _, a := range e.Assertions {
		if strings.TrimSpace(a) == "" || seen[a] {
			list.Errorf(line, "evals-assertions", "make each assertion say one thing", "eval %d has an empty or repeated assertion", want)
		}
		seen[a] = true
	}
	return Eval{ID: want, Prompt: e.Prompt, Expected: e.Expected, Assertions: e.Assertions, Files: e.Files}, true
}

func decodeStrict(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return fmt.Errorf("something follows the closing brace")
	}
	return nil
}

func jsonProblem(err error) string {
	return strings.TrimPrefix(err.Error(), "json: ")
}

// jsonLine finds the line of a decoding error, 1 when it carries no place.
func jsonLine(text string, err error) int {
	var offset int64
	switch e := err.(type) {
	case *json.SyntaxError:
		offset = e.Offset
	case *json.UnmarshalTypeError:
		offset = e.Offset
	}
	return 1 + strings.Count(text[:min(int(offset), len(text))], "\n")
}

func lineOf(text, what string) int {
	before, _, ok := strings.Cut(text, what)
	if !ok {
		return 1
	}
	return 1 + strings.Count(before, "\n")
}
