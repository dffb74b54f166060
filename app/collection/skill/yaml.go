package skill

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"

	"marketingskills/app/collection/finding"
)

// isLineBreak tells whether r begins a new line in YAML, but neither in most
// editors nor in the line numbers of findings.
func isLineBreak(r rune) bool {
	return r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

// normalLineBreaks reports such line breaks and replaces them by spaces, so that
// all programs count the same lines.
func normalLineBreaks(front string, list *finding.List) string {
	at := strings.IndexFunc(front, isLineBreak)
	if at < 0 {
		return front
	}
	list.Errorf(2+strings.Count(front[:at], "\n"), "frontmatter-line-break", "end every line with a line feed",
		"the line holds a line break that only some programs see")
	return strings.Map(func(r rune) rune {
		if isLineBreak(r) {
			return ' '
		}
		return r
	}, front)
}

var errTextBehindFields = errors.New("the fields end here, and something follows")

// parseYAML returns the root of the frontmatter's one document. Lines of its
// nodes are lines of the file, for the line of hyphens is parsed as well.
func parseYAML(front string) (*yaml.Node, error) {
	d := yaml.NewDecoder(bytes.NewReader([]byte("---\n" + front + "\n")))
	var doc, second yaml.Node
	if err := d.Decode(&doc); err != nil {
		return nil, err
	}
	switch err := d.Decode(&second); {
	case err == nil:
		return nil, errTextBehindFields
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	return doc.Content[0], nil
}

// The longest frontmatter that locateYAMLError parses once for each line.
const (
	maxTriedLines = 100
	maxTriedBytes = 16 << 10
)

var yamlLine = regexp.MustCompile(`^yaml: (?:line \d+: )?`)

// locateYAMLError returns the line of the file for an error of parseYAML, and the
// error's text without the library's own line number.
//
// That number counts from 0 for some errors and from 1 for others, and is often
// the start of the block around the mistake. The line after the longest
// beginning that can be parsed is where people look.
func locateYAMLError(front string, err error) (line int, what string) {
	what = yamlLine.ReplaceAllString(err.Error(), "")
	lines := strings.SplitAfter(front, "\n")
	parses := func(n int) bool {
		_, err := parseYAML(strings.Join(lines[:n], ""))
		return err == nil
	}
	n := len(lines) - 1
	if n < maxTriedLines && len(front) < maxTriedBytes {
		for n > 0 && !parses(n) {
			n--
		}
	} else {
		// Too long to try every line. A binary search finds the end of some
		// beginning that can be parsed, not always of the longest.
		n = sort.Search(n, func(i int) bool { return !parses(i + 1) })
	}
	return 2 + n, what
}
