package tryout

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Table is the file by which a folder is known to hold a trial as [ReadTable]
// reads it.
const Table = "verdicts.tsv"

// ReadTable reads a trial that was kept with its answers: verdicts.tsv has the
// columns subject, request, condition, against, reader, better and, if they are
// there, reason; requests/<subject>.md are as [ReadRequests] wants them; answers
// are in answers/<subject>/<condition>/<request>.md.
func ReadTable(fsys fs.FS, name string) (*Trial, error) {
	t := &Trial{Name: name}
	files, err := fs.Glob(fsys, "requests/*.md")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		source, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, err
		}
		requests, day, err := ReadRequests(string(source), strings.TrimSuffix(path.Base(file), ".md"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		t.Requests = append(t.Requests, requests...)
		if !day.IsZero() {
			t.Date = max(t.Date, day.Format(Day))
		}
	}
	if t.Date == "" {
		return nil, errors.New("requests/*.md have no day; begin one of them with Today is 23 November 2026. or the like")
	}
	if err := t.readVerdicts(fsys); err != nil {
		return nil, fmt.Errorf("%s: %w", Table, err)
	}
	if err := t.readAnswers(fsys); err != nil {
		return nil, err
	}
	return t, t.check()
}

func (t *Trial) readVerdicts(fsys fs.FS) error {
	data, err := fs.ReadFile(fsys, Table)
	if err != nil {
		return err
	}
	var rows [][]string
	for line := range strings.Lines(string(data)) {
		rows = append(rows, strings.Split(strings.TrimRight(line, "\r\n"), "\t"))
	}
	columns := []string{"subject", "request", "condition", "against", "reader", "better"}
	if len(rows) == 0 || len(rows[0]) < len(columns) || !slices.Equal(rows[0][:len(columns)], columns) {
		return fmt.Errorf("the first line must be %s", strings.Join(columns, ", "))
	}
	for i, row := range rows[1:] {
		if len(row) < len(columns) {
			return fmt.Errorf("line %d has %d columns, it needs %d", i+2, len(row), len(columns))
		}
		v := Verdict{Request: row[0] + "/" + row[1], Condition: row[2], Against: row[3], Reader: row[4], Better: row[5]}
		if len(row) > len(columns) {
			v.Reason = row[6]
		}
		t.Verdicts = append(t.Verdicts, v)
	}
	return nil
}

func (t *Trial) readAnswers(fsys fs.FS) error {
	files, err := fs.Glob(fsys, "answers/*/*/*.md")
	if err != nil {
		return err
	}
	day, _ := time.Parse(Day, t.Date)
	for _, file := range files {
		answer, err := fs.ReadFile(fsys, file)
		if err != nil {
			return err
		}
		parts := strings.Split(strings.TrimSuffix(file, ".md"), "/")
		t.Answers = append(t.Answers, NewAnswer(parts[1]+"/"+parts[3], parts[2], string(answer), day))
	}
	return nil
}

// NewAnswer is what is kept of an answer.
func NewAnswer(request, condition, answer string, day time.Time) Answer {
	return Answer{Request: request, Condition: condition, Words: Words(answer), Findings: Check(answer, day)}
}
