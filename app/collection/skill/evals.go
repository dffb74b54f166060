package skill

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/jsontree"
)

const (
	evalsFile = "evals/evals.json"
	minEvals  = 6
	// Fewer assertions do not make an answer checkable; more are not read.
	minAssertions = 6
	maxAssertions = 10
)

// exactlyMinEvals are the skills whose evals rule 3 of docs/rules.md lists one by
// one. They have exactly minEvals.
var exactlyMinEvals = []string{"prospecting", "sms"}

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

func (l *loader) readEvals() {
	list := l.listFor(evalsFile)
	if !l.requireFile(evalsFile, "evals-missing", fmt.Sprintf("add at least %d evals", minEvals), list) {
		return
	}
	text, ok := l.readText(evalsFile, list)
	if !ok {
		return
	}
	r := evalReader{list: list, source: []byte(text), rule: "evals-json", of: "the file"}
	root, err := jsontree.Parse(r.source)
	if syntax, ok := errors.AsType[*jsontree.SyntaxError](err); ok {
		list.Errorf(syntax.Line, r.rule, `write one object, {"skill_name": …, "evals": […]}`, "the file is not JSON: %s", syntax.What)
		return
	}
	if !r.readObject(root, "use skill_name and evals", "skill_name", "evals") {
		return
	}
	var name string
	r.decode("skill_name", &name, "text")
	if name != l.skill.Dir {
		list.Errorf(r.line("skill_name"), "evals-skill-name", fmt.Sprintf("write %q", l.skill.Dir), "skill_name is %q", name)
	}
	var all []*jsontree.Value
	switch v := r.fields["evals"]; {
	case v == nil:
	case v.Kind != jsontree.Array:
		list.Errorf(v.Line, r.rule, "write it in square brackets", "evals is not an array")
	default:
		all = v.Children
	}
	exactly := slices.Contains(exactlyMinEvals, l.skill.Dir)
	if n := len(all); n < minEvals || exactly && n > minEvals {
		right := fmt.Sprintf("write at least %d", minEvals)
		if exactly {
			right = fmt.Sprintf("write the %d of docs/rules.md, rule 3", minEvals)
		}
		list.Errorf(r.line("evals"), "evals-count", right, "the number of evals is %d", n)
	}
	for i, value := range all {
		e := evalReader{list: list, source: r.source, rule: "evals-fields", of: fmt.Sprintf("eval %d", i+1)}
		if eval, ok := e.readEval(value, i+1); ok {
			l.skill.Evals = append(l.skill.Evals, eval)
		}
	}
}

// evalReader reads one object of the file and reports what is wrong with it. The
// standard library's strict mode does not serve: it stops at the first unknown
// field, does not say where it is, and takes "ID" for "id".
type evalReader struct {
	list   *finding.List
	source []byte
	rule   finding.Rule
	of     string // which object it is
	object *jsontree.Value
	fields map[string]*jsontree.Value // the known ones that are there
}

// readObject reads the fields of an object, and reports those that come twice or
// are not known, with right as the advice. It returns false, with a finding, for
// a value of another kind.
func (r *evalReader) readObject(v *jsontree.Value, right string, known ...string) bool {
	if v.Kind != jsontree.Object {
		r.list.Errorf(v.Line, r.rule, `write it in braces, {"key": value}`, "%s is not an object", r.of)
		return false
	}
	r.object, r.fields = v, map[string]*jsontree.Value{}
	for _, member := range v.Children {
		switch {
		case !slices.Contains(known, member.Key):
			r.list.Errorf(member.Line, "evals-fields", right, "%s has the unknown field %q", r.of, member.Key)
		case member.Repeats != nil:
			r.list.Errorf(member.Line, "evals-fields", "keep one of the two", "%s has %q twice", r.of, member.Key)
		default:
			r.fields[member.Key] = member
		}
	}
	return true
}

// line returns the line of a field, or that of the object if it is missing.
func (r *evalReader) line(key string) int {
	if v := r.fields[key]; v != nil {
		return v.Line
	}
	return r.object.Line
}

// decode stores the value of a field in into. A missing field changes nothing; kind
// names the type that is wanted, for the finding.
func (r *evalReader) decode(key string, into any, kind string) {
	if v := r.fields[key]; v != nil && json.Unmarshal(r.source[v.Start:v.End], into) != nil {
		r.list.Errorf(v.Line, r.rule, "write "+kind, "%s: %s is not %s", r.of, key, kind)
	}
}

func (r *evalReader) readRequired(key string, into *string, right string) {
	r.decode(key, into, "text")
	if strings.TrimSpace(*into) == "" {
		r.list.Errorf(r.line(key), r.rule, right, "%s has no %s", r.of, key)
	}
}

// readEval reads the n-th eval.
func (r *evalReader) readEval(value *jsontree.Value, n int) (e Eval, ok bool) {
	if !r.readObject(value, "use id, prompt, expected_output, assertions, files",
		"id", "prompt", "expected_output", "assertions", "files", "expectations") {
		return e, false
	}
	id := 0
	r.decode("id", &id, "a whole number")
	if id != n {
		r.list.Errorf(r.line("id"), "evals-id", fmt.Sprintf(`write "id": %d`, n), "%s is not numbered in order", r.of)
	}
	r.readRequired("prompt", &e.Prompt, "write what a user would ask")
	r.readRequired("expected_output", &e.Expected, "say what a good answer does")
	r.decode("assertions", &e.Assertions, "a list of texts")
	if older := r.fields["expectations"]; older != nil {
		r.list.Warnf(older.Line, r.rule, "rename the field to assertions", "%s uses the older name expectations", r.of)
		var more []string
		r.decode("expectations", &more, "a list of texts")
		e.Assertions = append(e.Assertions, more...)
	}
	var files []string
	r.decode("files", &files, "a list of texts")
	r.checkAssertions(e.Assertions, r.line("assertions"))
	return e, true
}

func (r *evalReader) checkAssertions(all []string, line int) {
	if n := len(all); n < minAssertions || n > maxAssertions {
		r.list.Warnf(line, "evals-assertions", fmt.Sprintf("write %d to %d", minAssertions, maxAssertions),
			"the number of assertions of %s is %d", r.of, n)
	}
	if len(all) == 0 {
		return
	}
	if !slices.ContainsFunc(all, namesLength.MatchString) {
		r.list.Errorf(line, "evals-length", "say how many words the answer may have", "no assertion of %s names the number of words", r.of)
	}
	if !slices.ContainsFunc(all, namesFirstSentence.MatchString) {
		r.list.Errorf(line, "evals-first-sentence", "say what the first sentence answers",
			"no assertion of %s is about the first sentence", r.of)
	}
	seen := map[string]bool{}
	for i, a := range all {
		switch {
		case strings.TrimSpace(a) == "":
			r.list.Errorf(line, "evals-assertions", "write it or remove it", "assertion %d of %s is empty", i+1, r.of)
		case seen[a]:
			r.list.Errorf(line, "evals-assertions", "write something else or remove it", "assertion %d of %s repeats another", i+1, r.of)
		}
		seen[a] = true
	}
}
