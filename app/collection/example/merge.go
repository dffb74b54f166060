package example

import "regexp"

// mergeField is a merge field, braces included.
var mergeField = regexp.MustCompile(`\{[a-z][a-z0-9_]*\}`)

// mergeFieldsOf returns the names of the merge fields in text, in their order.
func mergeFieldsOf(text string) []string {
	names := mergeField.FindAllString(text, -1)
	for i, f := range names {
		names[i] = f[1 : len(f)-1]
	}
	return names
}

// fillIn replaces the merge fields of text by values, in which it does not look
// for fields again. It returns false, and builds nothing, when the result would
// be longer than can be sent: a small block could otherwise ask for gigabytes.
func fillIn(text string, values map[string]string) (string, bool) {
	size := len(text)
	for _, name := range mergeFieldsOf(text) {
		size += len(values[name]) - len("{}") - len(name)
	}
	if size > maxBytes {
		return "", false
	}
	return mergeField.ReplaceAllStringFunc(text, func(f string) string { return values[f[1:len(f)-1]] }), true
}
