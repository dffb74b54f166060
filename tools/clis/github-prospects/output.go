package main

import (
	"cmp"
	"os"

	"marketingskills/app/prospect/export"
	"marketingskills/tools/internal/console"
)

// sameFiles refuses to write over what is read.
func (o options) sameFiles() error {
	if o.output == "" {
		return nil
	}
	out, err := os.Stat(o.output)
	for _, other := range []struct{ name, path string }{{"--resume", o.resume}, {"--suppress", o.suppress}} {
		info, otherErr := os.Stat(other.path)
		if err == nil && otherErr == nil && os.SameFile(out, info) {
			return console.Refuse("--output and %s are the same file, %s; use another name for the output", other.name, other.path)
		}
	}
	return nil
}

// file is the kind of file asked for.
func (o options) file() export.Format {
	f, _ := export.Named(cmp.Or(o.preset, o.format, "csv")) // the options take no other name
	return f
}
