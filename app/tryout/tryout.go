// Package tryout is what is known from trying skills: requests that were
// answered with a skill and without, verdicts of readers who did not know which
// was which, and how sure the figures are that follow.
//
// A [Trial] is what is kept of one trial, as JSON and without answers.
// [Trial.Compare] counts it; [Sections] says it for people. [Check] finds in an
// answer what needs no reader. Everything here is a function of its input, and
// the same input gives the same figures on every machine.
//
// # How sure a figure is
//
// Readers of a pair nearly always agree, so the request is the unit: its score
// is the mean of its verdicts, a tie counting half, whoever read and however
// many answers were drawn. The share is the mean over requests. Its 95% interval
// is a Bayesian bootstrap over requests (Rubin 1981: each request gets a weight
// drawn from the exponential distribution) with one request more that was won
// and one more that was lost. Where all scores are 0 or 1 that is exactly the
// Beta(won+1, lost+1) interval. Without the two, three requests that were all
// won would give an interval of 100% to 100%; with them it is 40% to 100%, which
// is what three requests say. TestFalseAlarms measures how often chance alone is
// taken for a difference.
package tryout

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// Day is how dates are written in a trial.
const Day = time.DateOnly

// Trial is what is kept of one trial.
type Trial struct {
	Name  string   `json:"name"`
	Date  string   `json:"date"`            // when it was held, as [Day]
	Asked string   `json:"asked,omitempty"` // the day that agents were told
	Lines []string `json:"lines,omitempty"` // that the condition "lines" has and "no-lines" has not
	// Conditions says what each condition is, where its name does not.
	Conditions map[string]string `json:"conditions,omitempty"`
	Requests   []Request         `json:"requests"`
	Answers    []Answer          `json:"answers"`
	Verdicts   []Verdict         `json:"verdicts"`
	Unread     int               `json:"unread,omitempty"`  // verdicts that readers who began have not given
	Changed    int               `json:"changed,omitempty"` // verdicts left out, on answers that are others now
	Quotes     []Quote           `json:"quotes,omitempty"`
}

// Request is what somebody asked.
type Request struct {
	ID    string `json:"id"` // skill/p1
	Skill string `json:"skill"`
	Kind  string `json:"kind"` // one of [Kinds], or none
	Text  string `json:"text"`
	// Marks for prepared folders; paths are relative to the file of requests.
	Context string   `json:"-"`
	Files   []string `json:"-"`
	Lines   []string `json:"-"` // words of the lines of a skill that can apply
}

const unmarked = "no mark"

// kindsInOrder are those of a report.
var kindsInOrder = append(slices.Clone(Kinds), unmarked)

func (r *Request) kind() string { return cmp.Or(r.Kind, unmarked) }

// Answer is what is kept of an answer.
type Answer struct {
	Request   string   `json:"request"`
	Condition string   `json:"condition"`
	Words     int      `json:"words,omitempty"`
	Missing   string   `json:"missing,omitempty"`  // why there is none to read
	Findings  []string `json:"findings,omitempty"` // of [Check]
}

// Verdict is what one reader said of one pair: Better is Condition, Against or
// [Tie].
type Verdict struct {
	Request   string `json:"request"`
	Condition string `json:"condition"`
	Against   string `json:"against"`
	Reader    string `json:"reader"`
	Turn      int    `json:"turn,omitempty"` // of a command that reads each pair several times, from 1
	X         string `json:"x,omitempty"`    // the condition that reasons call X
	Better    string `json:"better"`
	Reason    string `json:"reason,omitempty"`
}

// Tie is the verdict that neither answer is better.
const Tie = "tie"

// Quote is a line of a skill of which readers quoted words in their reasons.
type Quote struct {
	Skill string `json:"skill"`
	Line  string `json:"line"`
	Won   int    `json:"won,omitempty"` // verdicts for the answer with the skill
	Lost  int    `json:"lost,omitempty"`
}

// Read reads a trial as JSON and checks that its parts fit together.
func Read(data []byte) (*Trial, error) {
	var t Trial
	if err := json.Unmarshal(data, &t); err != nil {
		return nil, fmt.Errorf("not a trial: %w", err)
	}
	return &t, t.check()
}

func (t *Trial) check() error {
	if _, err := time.Parse(Day, t.Date); err != nil || t.Name == "" || len(t.Requests) == 0 {
		return errors.New("not a trial: it needs a name, a date such as 2026-11-23 and requests")
	}
	for i, v := range t.Verdicts {
		switch {
		case t.request(v.Request) == nil:
			return fmt.Errorf("verdict %d: there is no request %q", i+1, v.Request)
		case v.Condition == "" || v.Against == "" || v.Condition == v.Against || v.Reader == "":
			return fmt.Errorf("verdict %d: it needs two conditions and a reader", i+1)
		case v.Better != v.Condition && v.Better != v.Against && v.Better != Tie:
			return fmt.Errorf("verdict %d: %q is not %s, %s or %s", i+1, v.Better, v.Condition, v.Against, Tie)
		}
	}
	return nil
}

func (t *Trial) request(id string) *Request {
	if i := slices.IndexFunc(t.Requests, func(r Request) bool { return r.ID == id }); i >= 0 {
		return &t.Requests[i]
	}
	return nil
}

// ReadAll reads the trials of a folder, newest first.
func ReadAll(fsys fs.FS, dir string) ([]*Trial, error) {
	names, err := fs.Glob(fsys, dir+"/*.json")
	if err != nil {
		return nil, err
	}
	var all []*Trial
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		t, err := Read(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, t)
	}
	slices.SortStableFunc(all, func(a, b *Trial) int { return cmp.Compare(b.Date, a.Date) })
	return all, nil
}

// Words counts the words of an answer; the bars and rules of tables are none.
func Words(answer string) int {
	n := 0
	for word := range strings.FieldsSeq(answer) {
		if strings.Trim(word, "|-:") != "" {
			n++
		}
	}
	return n
}
