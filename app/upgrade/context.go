package upgrade

import (
	"slices"
	"strings"

	"marketingskills/app/text"
)

// ContextPaths are where skills look for the shared product context, in their
// order, relative to the project. The last two have the legacy file name,
// which is still read.
// Source: the collection's specification, "Skill directory", rule 3.
var ContextPaths = []string{
	".agents/product-marketing.md",
	".claude/product-marketing.md",
	".agents/product-marketing-context.md",
	".claude/product-marketing-context.md",
}

// Context tells about the product context file. It is never a finding: the
// legacy file is still read.
type Context struct {
	// Read is the file that skills read; empty when none was found.
	Read string `json:"read"`
	// Legacy is the first file found under the legacy name; empty for none.
	Legacy string `json:"legacy"`
	// Found are all that were found, in the order in which they are looked
	// for. Skills read the first one only.
	Found []string `json:"found"`
	// LookedFor are the places, whether looked into or not.
	LookedFor []string `json:"looked_for"`
	// Advice says what to do; empty when there is nothing to say.
	Advice string `json:"advice"`
}

func contextOf(paths []string) Context {
	c := Context{Found: []string{}, LookedFor: ContextPaths}
	for _, path := range ContextPaths {
		if !slices.Contains(paths, path) {
			continue
		}
		c.Found = append(c.Found, path)
		if strings.HasSuffix(path, "-context.md") && c.Legacy == "" {
			c.Legacy = path
		}
	}
	if len(c.Found) == 0 {
		return c
	}
	c.Read = c.Found[0]
	switch {
	case len(c.Found) > 1:
		c.Advice = "Skills use " + c.Read + " and ignore " + text.List(c.Found[1:]) + ". Keep one file."
	case c.Legacy != "":
		c.Advice = c.Legacy + " still works. Rename it to " + strings.Replace(c.Legacy, "-context.md", ".md", 1) + " when convenient."
	}
	return c
}
