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

// isLineBreak tells whether YAML starts a new line at r where editors, and the
// lines of our findings, mostly do not.
func isLineBreak(r rune) bool {
	return r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

// normalLineBreaks reports line breaks that only some programs take for one, and
// replaces them by spaces, so that lines are counted here as everywhere else.
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

var errSecondDocument = errors.New("the fields end here, and something follows")

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
		return nil, errSecondDocument
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	return doc.Content[0], nil
}

// The longest frontmatter that is parsed once for each of its lines.
const (
	honestLines = 100
	honestBytes = 16 << 10
)

var yamlLine = regexp.MustCompile(`^yaml: (?:line \d+: )?`)

// yamlProblem takes an error of parseYAML apart: the line of the file and the
// bare complaint.
//
// The library counts the lines of some errors from 0, those of others from 1,
// and for many names the start of the block around the mistake. The line
// behind the longest beginning that can be parsed is where people look.
func yamlProblem(front string, err error) (line int, what string) {
	what = yamlLine.ReplaceAllString(err.Error(), "")
	lines := strings.SplitAfter(front, "\n")
	good := func(n int) bool {
		_, err := parseYAML(strings.Join(lines[:n], ""))
		return err == nil
	}
	n := len(lines) - 1
	if n < honestLines && len(front) < honestBytes {
		for n > 0 && !good(n) {
			n--
		}
	} else {
		// Too long to try every line: the end of some beginning that can be
		// parsed must do.
		n = sort.Search(n, func(i int) bool { return !good(i + 1) })
	}
	return 2 + n, what
}
