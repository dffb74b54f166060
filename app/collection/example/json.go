package example

import (
	"errors"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/jsontree"
	"marketingskills/app/text"
)

// checkJSON reports a body that is not exactly one JSON value, and keys that an
// object has twice: parsers disagree on which of them wins.
func checkJSON(body string, firstLine int, into *finding.List) {
	b := newBlock(body, firstLine, into)
	defer b.report()
	root, err := jsontree.Parse([]byte(body))
	for v := range root.All() {
		if v.Repeats != nil {
			b.errorf(v.Line-1, "json-duplicate-key", "keep one of the two",
				"the object already has %s, on line %d", text.Quote(v.Key), b.firstLine+v.Repeats.Line-1)
		}
	}
	if syntax, ok := errors.AsType[*jsontree.SyntaxError](err); ok {
		b.errorf(min(syntax.Line-1, b.lastIndex()), "json-syntax", "write exactly one JSON value", "%s", syntax.What)
	}
}
