package collection

import (
	"regexp"
	"slices"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/text"
)

var (
	codeSpan       = regexp.MustCompile("`+[^`]*`+")
	bracketedWords = regexp.MustCompile(`\[([\pL][^\[\]]*[\pL.…])\](?:[^(\[:]|$)`)
	leftOverWords  = regexp.MustCompile(`\b(?:TODO|TBD|FIXME)\b|(?i:\blorem ipsum\b|\blorem\b)`)
)

// checkPlaceholders reports what the author meant to fill in: [words in brackets],
// TODO and the like. Templates are written with {braces}; brackets in code mean
// other things.
func checkPlaceholders(t Text, list *finding.List) {
	for _, b := range t.Doc.Blocks {
		found := leftOverWords.FindString(b.Text)
		if b.Kind != markdown.KindCode && found == "" {
			for _, match := range bracketedWords.FindAllStringSubmatch(codeSpan.ReplaceAllString(b.Text, "``"), -1) {
				if !slices.ContainsFunc(b.Links, func(l markdown.Link) bool { return l.Text == match[1] }) {
					found = "[" + match[1] + "]"
					break
				}
			}
		}
		if found != "" {
			list.Errorf(b.Line, "placeholder", "fill it in, or write {braces} for what is merged", "%s is left over", text.Quote(found))
		}
	}
}

var (
	statedLimit = regexp.MustCompile(`\d[\d,.]* (?:characters|(?:\w+ )?(?:per|a) (?:second|minute|hour|day)\b|MPS\b|TPS\b|MB\b)`)
	asOf        = regexp.MustCompile(`(?i)\bas of\b`)
)

// checkUndatedLimits warns of a reference that states a limit in a table or list
// and nowhere says "as of". It warns once a file.
func checkUndatedLimits(t Text, list *finding.List) {
	var first *markdown.Block
	for i, b := range t.Doc.Blocks {
		if asOf.MatchString(b.Text) {
			return
		}
		if first == nil && (b.Kind == markdown.KindTableRow || b.Kind == markdown.KindItem) && statedLimit.MatchString(b.Text) {
			first = &t.Doc.Blocks[i]
		}
	}
	if first != nil {
		list.Warnf(first.Line, "limit-undated", `say "as of" and the month`,
			"the limit %s has no date", text.Quote(statedLimit.FindString(first.Text)))
	}
}
