// Package marketingskills carries the collection's texts, so that native
// commands work from a single file.
package marketingskills

import "embed"

// Content holds the skills and their manifest, laid out as in the project.
//
//go:embed all:skills VERSIONS.md
var Content embed.FS
