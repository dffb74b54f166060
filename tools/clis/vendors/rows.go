package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"marketingskills/app/text"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/outfile"
)

// maxPages bounds a run whose vendor always has another page.
const maxPages = 1000

// at returns what stands at a path of names and positions, nil for nothing.
func at(value json.RawMessage, path string) json.RawMessage {
	for path != "" && value != nil {
		var name string
		name, path, _ = strings.Cut(path, ".")
		var object map[string]json.RawMessage
		var list []json.RawMessage
		i, err := strconv.Atoi(name)
		switch {
		case json.Unmarshal(value, &object) == nil:
			value = object[name]
		case json.Unmarshal(value, &list) == nil && err == nil && 0 <= i && i < len(list):
			value = list[i]
		default:
			return nil
		}
	}
	return value
}

// cell is a value as a cell of a table: a text without quotes, a list with
// commas, nothing for null.
func cell(value json.RawMessage) string {
	var s string
	var list []json.RawMessage
	switch {
	case value == nil || json.Unmarshal(value, &s) == nil: // null too
		return s
	case json.Unmarshal(value, &list) == nil:
		var cells []string
		for _, v := range list {
			cells = append(cells, cell(v))
		}
		return strings.Join(cells, ", ")
	}
	var b bytes.Buffer
	_ = json.Compact(&b, value) // it is JSON
	return b.String()
}

// write sends the request, follows the pages if it should, and writes what came.
func (s *session) write(ctx context.Context) error {
	if !s.asRows() {
		return s.response(ctx)
	}
	stop := s.pages(ctx)
	if stop != nil && len(s.rows) == 0 {
		return stop
	}
	var err error
	if s.fields != nil {
		err = s.csv()
	} else {
		all, _ := json.Marshal(append([]json.RawMessage{}, s.rows...)) // they are JSON
		err = s.output(indented(s.mask.json(all)) + "\n")
	}
	if err == nil && stop != nil {
		s.say("vendors: incomplete: %s", stop)
		rest := ""
		if name := s.op.Paging.Param(); s.values[name] != "" && !errors.Is(stop, errAgain) {
			rest = " To get the rest, add " + argument(name, s.values[name]) + "."
		}
		s.say("%s written.%s", text.Count(len(s.rows), "row"), rest)
		err = console.ErrIncomplete
	}
	if absent := s.absent(); err == nil && absent != "" {
		s.say("vendors: %s; the rows were written with an empty column", absent)
		err = console.ErrIncomplete
	}
	return err
}

// response writes one response as it is.
func (s *session) response(ctx context.Context) error {
	response, header, err := s.fetch(ctx)
	if err != nil {
		return err
	}
	if response == nil {
		s.say("Done. The response is empty.")
		return nil
	}
	if s.op.Paging != nil {
		rows, _ := s.batch(response)
		s.mention(response, header, rows)
	}
	return s.output(indented(s.mask.json(response)) + "\n")
}

// mention tells, where one page was asked for, that there may be others.
func (s *session) mention(response json.RawMessage, header http.Header, rows []json.RawMessage) {
	if more, err := s.next(response, header, rows); more && err == nil {
		s.say("There may be more rows: --all, or --limit N.")
	}
}

// pages collects rows until there are enough. After an error, those so far are
// there.
func (s *session) pages(ctx context.Context) error {
	for n := 1; ; n++ {
		response, header, err := s.fetch(ctx)
		if err != nil {
			return err
		}
		batch, err := s.batch(response)
		if len(batch) > 0 {
			err = s.once(string(at(response, s.op.Items))) // a vendor that ignores the parameter repeats the rows
		}
		if err != nil {
			return err
		}
		s.rows = append(s.rows, batch...)
		switch {
		case s.limit > 0 && len(s.rows) >= s.limit:
			s.rows = s.rows[:s.limit]
			return nil
		case s.op.Paging == nil:
			return nil
		case !s.all && s.limit == 0:
			s.mention(response, header, batch)
			return nil
		}
		more, err := s.next(response, header, batch)
		switch {
		case err != nil || !more:
			return err
		case n == maxPages:
			return fmt.Errorf("stopped after %s; narrow the request", text.Count(n, "page"))
		}
	}
}

// batch takes the rows out of a response.
func (s *session) batch(response json.RawMessage) (list []json.RawMessage, err error) {
	found := at(response, s.op.Items)
	switch {
	case found == nil && response != nil:
		s.say("The response has no %s, so it has no rows.", s.op.Items)
	case found == nil, json.Unmarshal(found, &list) == nil: // null too
	case found[0] == '{':
		list = []json.RawMessage{found}
	default:
		err = fmt.Errorf("there are no rows at %q in the response; leave out --all, --limit and --csv to see it", s.op.Items)
	}
	return list, err
}

// relNext finds the URL of the next page in a header Link.
var relNext = regexp.MustCompile(`<([^<>]*)>[^<]*\brel="?next\b`)

// next prepares the request for the page after a response; more is false if there
// is none.
func (s *session) next(response json.RawMessage, header http.Header, batch []json.RawMessage) (more bool, err error) {
	p, token := s.op.Paging, ""
	switch {
	case p.More != "" && !holds(at(response, p.More)):
	case p.Offset+p.Page != "":
		token = s.number(len(batch), response)
	case p.Last != "" && len(batch) > 0:
		token = cell(at(batch[len(batch)-1], p.Last))
	case p.Next != "":
		token = cell(at(response, p.Next))
	case p.Link:
		if match := relNext.FindStringSubmatch(strings.Join(header.Values("Link"), ", ")); match != nil {
			token = match[1]
		}
	}
	if token == "" || token == "false" {
		return false, nil
	}
	if err := s.once(token); err != nil {
		return false, err
	}
	if p.Param() == "" {
		return true, s.follow(token)
	}
	s.values[p.Param()] = token
	s.request, err = s.table.Call(s.op, s.values, s.getenv)
	return true, err
}

var errAgain = errors.New("the vendor gives the same page again")

// once fails if something that tells pages apart, rows or what leads to them, was
// there before.
func (s *session) once(key string) error {
	if s.seen[key] {
		return fmt.Errorf("%w; see %s", errAgain, s.table.Docs)
	}
	s.seen[key] = true
	return nil
}

// number returns the offset or the page that comes next, "" if all pages or rows
// were there.
func (s *session) number(rows int, response json.RawMessage) string {
	p, first, step := s.op.Paging, 0, rows
	if p.Page != "" {
		first, step = 1, 1
		if p.First != nil {
			first = *p.First
		}
	}
	n, err := strconv.Atoi(s.values[p.Param()])
	if err != nil { // it was not given
		n = first
	}
	n += step
	all, err := strconv.Atoi(cell(at(response, p.Total)))
	if rows == 0 || p.Total != "" && err == nil && n-first >= all {
		return ""
	}
	return strconv.Itoa(n)
}

// follow makes a URL of the vendor the next request, if the key may go there.
func (s *session) follow(target string) error {
	from, err := url.Parse(s.request.URL)
	if err != nil {
		return err
	}
	to, err := from.Parse(target)
	switch {
	case err != nil:
		return errors.New("the URL of the next page cannot be read")
	case !sameHost(to, from):
		return fmt.Errorf("the next page is at %s://%s, which is not asked because the key belongs to %s", to.Scheme, to.Host, s.table.Base)
	}
	s.request.URL = to.String()
	return nil
}

// output writes data.
func (s *session) output(data string) error {
	if _, err := io.WriteString(s.stdout, data); err != nil {
		return fmt.Errorf("could not write the output: %w", outfile.Bare(err))
	}
	return nil
}

// holds tells whether a value says yes: it is there, and not false, 0 or empty.
func holds(value json.RawMessage) bool {
	return !slices.Contains([]string{"", "false", "0"}, cell(value))
}

// isNumber tells numbers from texts that look like formulas.
var isNumber = regexp.MustCompile(`^-?[0-9][0-9.eE+-]*$`)

// csv writes fields of rows.
func (s *session) csv() error {
	var b strings.Builder
	line := func(cells []string) { b.WriteString(cmp.Or(strings.Join(cells, ","), `""`) + "\r\n") } // never an empty one
	cells := make([]string, len(s.fields))
	for i, field := range s.fields {
		cells[i] = text.CSVCell(field)
	}
	line(cells)
	for _, row := range s.rows {
		row = s.mask.json(row)
		for i, field := range s.fields {
			value := at(row, field)
			if cells[i] = cell(value); !isNumber.Match(value) {
				cells[i] = text.CSVCell(cells[i])
			}
		}
		line(cells)
	}
	return s.output(b.String())
}

// absent names the first field for CSV that no row has, which is a slip, and the field
// that was probably meant; "" if there is none.
func (s *session) absent() string {
	i := slices.IndexFunc(s.fields, s.lacks)
	if i < 0 || len(s.rows) == 0 {
		return ""
	}
	field, known := s.fields[i], map[string]bool{}
	for _, row := range s.rows {
		paths(row, "", known)
	}
	names := slices.Sorted(maps.Keys(known))
	if near := nearest(field, names); near != "" {
		return fmt.Sprintf("no row has the field %s; did you mean %s?", text.Quote(field), text.Name(near))
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.Contains(name, ".") })
	return fmt.Sprintf("no row has the field %s; they have %s", text.Quote(field), cmp.Or(text.List(names), "no fields"))
}

// nearest returns the path that was probably meant by a field; its object may have been
// left out.
func nearest(field string, known []string) string {
	if near := text.Nearest(field, known, 2); near != "" {
		return near
	}
	for most := range 3 {
		for _, path := range known {
			if text.Nearest(field, []string{path[strings.LastIndexByte(path, '.')+1:]}, most) != "" {
				return path
			}
		}
	}
	return ""
}

// lacks tells whether no row has a field, nor anything that leaves it open, such as null
// where an object with it would stand.
func (s *session) lacks(field string) bool {
	open, object := false, false
	for _, row := range s.rows {
		above := field
		for at(row, above) == nil && strings.Contains(above, ".") {
			above = above[:strings.LastIndexByte(above, '.')]
		}
		switch found := at(row, above); {
		case found != nil && above == field:
			return false
		case found != nil:
			object = object || found[0] == '{'
			open = open || found[0] != '{'
		}
	}
	return object || !open
}

// paths adds the paths of all fields of a value, each behind a prefix.
func paths(value json.RawMessage, prefix string, to map[string]bool) {
	var object map[string]json.RawMessage
	_ = json.Unmarshal(value, &object) // what is no object has none
	for name, inner := range object {
		to[prefix+name] = true
		paths(inner, prefix+name+".", to)
	}
}
