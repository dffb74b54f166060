package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"marketingskills/app/text"
	"marketingskills/app/verify"
	"marketingskills/app/verify/csvfile"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/outfile"
)

// input is what the command was given: a file, or a list that is treated as
// one.
type input struct {
	file *csvfile.File
	// rows are the emails of the file's rows. A list is written with a ' before
	// what a spreadsheet would take for a formula, and reads otherwise.
	rows  []string
	given int  // emails, duplicates included
	local bool // no verifier will be asked
	job   *verify.Job
	// Answers of the earlier output about emails that are not in this run.
	unused int
}

// read reads the input, and the earlier output if there is one. It sends
// nothing.
func (c *command) read() (*input, error) {
	in, err := c.readInput()
	if err == nil {
		in.local = c.local
		err = in.resume(c.options)
	}
	return in, err
}

func (c *command) readInput() (*input, error) {
	if c.csv != "" {
		return c.readCSV()
	}
	emails := c.emails
	if len(emails) == 0 || emails[0] == "-" {
		if len(emails) == 0 && c.asks {
			return nil, console.Refuse("no emails given; use verify-emails EMAIL... or verify-emails --csv FILE; see verify-emails --help")
		}
		var err error
		if emails, err = readLines(c.stdin); err != nil {
			return nil, console.Refuse("reading emails from standard input: %w", err)
		}
		if len(emails) == 0 && len(c.emails) == 0 {
			return nil, console.Refuse("no emails given, and none on standard input; see verify-emails --help")
		}
	}
	in := &input{given: len(emails), job: verify.NewJob(emails)}
	for _, e := range in.job.Entries() {
		in.rows = append(in.rows, e.Address)
	}
	var err error
	in.file, err = csvfile.FromList(slices.Values(in.rows))
	return in, err
}

func (c *command) readCSV() (*input, error) {
	f, err := openCSV(c.stdin, c.csv, c.column)
	if err != nil {
		if column, ok := errors.AsType[*csvfile.ColumnError](err); ok && column.Wanted == "" {
			err = fmt.Errorf("%w; choose one with --column", err)
		}
		return nil, console.Refuse("--csv %s: %w", c.csv, err)
	}
	emails := f.Emails()
	for i := range emails {
		emails[i] = strings.TrimSpace(emails[i])
	}
	in := &input{file: f, given: len(emails), job: verify.NewJob(emails)}
	for row := range f.Len() {
		in.rows = append(in.rows, f.Email(row))
	}
	return in, nil
}

// resume takes the answers of an earlier output, but those that say unknown: a
// verifier may know more by now, or was never asked because of --local. Its
// column of emails may have another name, if that was a list.
func (in *input) resume(o options) error {
	if o.resume == "" {
		return nil
	}
	f, err := openCSV(nil, o.resume, o.column)
	if _, ok := errors.AsType[*csvfile.ColumnError](err); ok && o.column != "" {
		f, err = openCSV(nil, o.resume, "")
	}
	if err == nil && !f.Answered() {
		err = fmt.Errorf("this is not an output of verify-emails: it does not end in the columns %s", text.List(csvfile.Columns))
	}
	if err != nil {
		return console.Refuse("--resume %s: %w", o.resume, err)
	}
	for row := range f.Len() {
		r, ok := f.Answer(row)
		if !ok {
			continue
		}
		if _, mine := in.job.Entry(r.Address); !mine {
			in.unused++
		} else if r.State != verify.Unknown {
			in.job.Know(r.Address, r)
		}
	}
	return nil
}

// openCSV reads a file, or standard input, if it is given, for the path "-".
func openCSV(stdin io.Reader, path, column string) (*csvfile.File, error) {
	var data []byte
	var err error
	if path == "-" && stdin != nil {
		data, err = readAll(stdin, csvfile.MaxOutputBytes)
	} else {
		data, err = readFile(path, csvfile.MaxOutputBytes)
	}
	if err != nil {
		return nil, err
	}
	return csvfile.Read(data, column)
}

func readFile(path string, most int) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("file not found; check the path")
	}
	if err != nil {
		return nil, outfile.Bare(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.New("this is a folder; name a file")
	}
	return readAll(f, most)
}

func readAll(r io.Reader, most int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err == nil && len(data) > most {
		err = fmt.Errorf("it is larger than %s; split it", size(most))
	}
	return data, outfile.Bare(err)
}

func size(bytes int) string {
	if bytes < 1<<20 {
		return text.Number(bytes>>10) + " KiB"
	}
	return text.Number(bytes>>20) + " MiB"
}

// readLines reads one email a line.
func readLines(r io.Reader) ([]string, error) {
	data, err := readAll(r, csvfile.MaxBytes)
	if err != nil {
		return nil, err
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	var emails []string
	for line := range strings.FieldsFuncSeq(string(data), func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		emails = append(emails, line)
		switch {
		case len(emails) == csvfile.MaxRows: // the output has a header
			return nil, fmt.Errorf("there are %s or more; split the list", text.Count(csvfile.MaxRows, "email"))
		case len(emails) == 1 && strings.ContainsAny(line, ",;\t") && !strings.Contains(line, `"@`):
			return nil, fmt.Errorf("the first line has several cells: %s; for CSV use --csv -, otherwise write one email per line", text.Quote(line))
		}
	}
	return emails, nil
}
