package example

import "regexp"

// field is a merge field, braces included.
var field = regexp.MustCompile(`\{[a-z][a-z0-9_]*\}`)

// fieldsOf returns the names of the merge fields in text, in their order.
func fieldsOf(text string) []string {
	names := field.FindAllString(text, -1)
	for i, f := range names {
		names[i] = f[1 : len(f)-1]
	}
	return names
}

// fill puts values into the merge fields of text; what a value holds is not
// read again. It returns false, and builds nothing, when the result would be
// longer than can be sent: a small block could otherwise ask for gigabytes.
func fill(text string, values map[string]string) (string, bool) {
	size := len(text)
	for _, name := range fieldsOf(text) {
		size += len(values[name]) - len("{}") - len(name)
	}
	if size > maxBytes {
		return "", false
	}
	return field.ReplaceAllStringFunc(text, func(f string) string { return values[f[1:len(f)-1]] }), true
}
