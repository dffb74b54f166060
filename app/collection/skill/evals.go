package skill

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"marketingskills/app/collection/example"
)

const (
	evalsFile = "evals/evals.json"
	minEvals  = 6
	// So many observable facts make an answer checkable, and no more are read.
	minAssertions = 6
	maxAssertions = 10
)

// specified has the skills whose evals the specification lists: there are
// exactly minEvals.
var specified = []string{"prospecting", "sms"}

var (
	namesLength        = regexp.MustCompile(`(?i)\d.*\bwords?\b`)
	namesFirstSentence = regexp.MustCompile(`(?i)\bfirst (?:\w+ ){0,3}sentences?\b`)
)

// Eval is one evaluation case: what a user asks, what a good answer does, and
// facts about the answer that a reader can tick off.
type Eval struct {
	Prompt   string
	Expected string
	// Assertions are read from "assertions", and from "expectations" in files
	// written for older suites.
	Assertions []string
}

func (l *loader) evals() {
	list := l.on(evalsFile)
	if !l.has(evalsFile, "evals-missing", fmt.Sprintf("add at least %d evals", minEvals), list) {
		return
	}
	text, ok := l.text(evalsFile, list)
	if !ok {
		return
	}
	if line, what := example.JSONProblem(text); what != "" {
		list.Errorf(line, "evals-json", `write one object, {"skill_name": …, "evals": […]}`, "the file is not JSON: %s", what)
		return
	}
	r := jsonReader{list, "evals-json"}
	top, ok := r.object(jsonValue{text: text, line: 1, start: 1}, "the file", "use skill_name and evals", "skill_name", "evals")
	if !ok {
		return
	}
	name := ""
	r.decode(top["skill_name"], &name, "skill_name", "text")
	if name != l.skill.Dir {
		list.Errorf(max(top["skill_name"].line, 1), "evals-skill-name", fmt.Sprintf("write %q", l.skill.Dir), "skill_name is %q", name)
	}
	all := r.array(top["evals"], "evals")
	exactly := slices.Contains(specified, l.skill.Dir)
	if n := len(all); n < minEvals || exactly && n > minEvals {
		right := fmt.Sprintf("write at least %d", minEvals)
		if exactly {
			right = fmt.Sprintf("write the %d of the specification", minEvals)
		}
		list.Errorf(max(top["evals"].line, 1), "evals-count", right, "the number of evals is %d", n)
	}
	for i, value := range all {
		e := evalReader{jsonReader{list, "evals-fields"}, i + 1}
		if eval, ok := e.read(value); ok {
			l.skill.Evals = append(l.skill.Evals, eval)
		}
	}
}

// evalReader reads the n-th eval.
type evalReader struct {
	jsonReader
	n int
}

func (r *evalReader) read(value jsonValue) (Eval, bool) {
	of := fmt.Sprintf("eval %d", r.n)
	o, ok := r.object(value, of, "use id, prompt, expected_output, assertions, files",
		"id", "prompt", "expected_output", "assertions", "files", "expectations")
	if !ok {
		return Eval{}, false
	}
	var e Eval
	id := 0
	r.decode(o["id"], &id, of+": id", "a whole number")
	if id != r.n {
		r.list.Errorf(o.line("id"), "evals-id", fmt.Sprintf(`write "id": %d`, r.n), "%s is not numbered in order", of)
	}
	r.required(o, "prompt", &e.Prompt, "write what a user would ask")
	r.required(o, "expected_output", &e.Expected, "say what a good answer does")
	r.decode(o["assertions"], &e.Assertions, of+": assertions", "a list of texts")
	if older, ok := o["expectations"]; ok {
		r.list.Warnf(older.line, "evals-fields", "rename the field to assertions", "%s uses the older name expectations", of)
		var more []string
		r.decode(older, &more, of+": expectations", "a list of texts")
		e.Assertions = append(e.Assertions, more...)
	}
	var files []string
	r.decode(o["files"], &files, of+": files", "a list of texts")
	r.checkAssertions(e.Assertions, o.line("assertions"))
	return e, true
}

func (r *evalReader) required(o jsonObject, key string, into *string, right string) {
	r.decode(o[key], into, fmt.Sprintf("eval %d: %s", r.n, key), "text")
	if strings.TrimSpace(*into) == "" {
		r.list.Errorf(o.line(key), "evals-fields", right, "eval %d has no %s", r.n, key)
	}
}

func (r *evalReader) checkAssertions(all []string, line int) {
	if n := len(all); n < minAssertions || n > maxAssertions {
		r.list.Warnf(line, "evals-assertions", fmt.Sprintf("write %d to %d", minAssertions, maxAssertions),
			"the number of assertions of eval %d is %d", r.n, n)
	}
	if len(all) == 0 {
		return
	}
	if !slices.ContainsFunc(all, namesLength.MatchString) {
		r.list.Errorf(line, "evals-length", "say how many words the answer may have", "no assertion of eval %d names the number of words", r.n)
	}
	if !slices.ContainsFunc(all, namesFirstSentence.MatchString) {
		r.list.Errorf(line, "evals-first-sentence", "say what the first sentence answers",
			"no assertion of eval %d is about the first sentence", r.n)
	}
	seen := map[string]bool{}
	for i, a := range all {
		switch {
		case strings.TrimSpace(a) == "":
			r.list.Errorf(line, "evals-assertions", "write it or remove it", "assertion %d of eval %d is empty", i+1, r.n)
		case seen[a]:
			r.list.Errorf(line, "evals-assertions", "write something else or remove it", "assertion %d of eval %d repeats another", i+1, r.n)
		}
		seen[a] = true
	}
}

// decode fills into from a value, which may be missing. name and kind say what
// it is and what it should be.
func (r *jsonReader) decode(v jsonValue, into any, name, kind string) {
	if v.text != "" && json.Unmarshal([]byte(v.text), into) != nil {
		r.list.Errorf(v.line, r.rule, "write "+kind, "%s is not %s", name, kind)
	}
}
