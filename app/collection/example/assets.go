package example

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"marketingskills/app/text"
)

// readGroups reads the campaign and its ad groups with their keywords.
func (r *adReader) readGroups(p part) {
	for i, row := range r.rows(p.from, p.to) {
		name, isCampaign := strings.CutPrefix(row, "Campaign:")
		keyword, isKeyword := strings.CutPrefix(row, "-")
		switch {
		case isCampaign:
			r.readCampaign(i, strings.TrimSpace(name))
		case isKeyword:
			r.readKeyword(i, strings.TrimSpace(keyword))
		case strings.HasPrefix(row, "AG") || strings.Contains(row, ">"):
			r.readGroup(i, row)
		default:
			r.errorf(i, "search-ad-line", "write Campaign: name, a group or - keyword",
				"%s is none of the lines of the structure", text.Quote(row))
		}
	}
	if r.Campaign == "" {
		r.errorf(p.line, "search-ad-missing", "write Campaign: name", "the campaign has no name")
	}
	if len(r.Groups) == 0 {
		r.errorf(p.line, "search-ad-missing", "write AG1_theme_match > RSA1 > https://…", "there is no ad group")
	}
	for _, g := range r.Groups {
		if n := len(g.Keywords); n < minKeywords || n > maxKeywords {
			r.errorf(g.line, "search-ad-count", fmt.Sprintf("give %d to %d", minKeywords, maxKeywords),
				"%s in the group", text.Count(n, "keyword"))
		}
	}
}

func (r *adReader) readCampaign(line int, name string) {
	switch {
	case r.Campaign != "":
		r.errorf(line, "search-ad-order", "keep one campaign", "Campaign: is given twice")
	case len(r.Groups) > 0:
		r.errorf(line, "search-ad-order", "name the campaign first", "Campaign: stands after a group")
	}
	r.Campaign = name
}

func (r *adReader) readGroup(line int, row string) {
	const right = "write AG1_theme_match > RSA1 > https://…"
	fields := split(row, ">")
	g := adGroup{Label: fields[0], line: line}
	if len(fields) != 3 {
		r.errorf(line, "search-ad-group", right, "%s is not a label, an ad and an address", text.Quote(row))
	} else {
		g.Ad, g.URL = fields[1], r.link(line, fields[2])
		if _, rest, ok := numbered(g.Ad, "RSA"); !ok || rest != "" {
			r.errorf(line, "search-ad-group", right, "%s is not the name of an ad", text.Quote(g.Ad))
		}
	}
	n, theme, match, ok := splitLabel(g.Label)
	switch {
	case !ok:
		r.errorf(line, "search-ad-group", "label it AG<number>_<theme>_<exact|phrase|broad>",
			"%s is not a label", text.Quote(g.Label))
	case r.groupNumbers[n]:
		r.errorf(line, "search-ad-group", "number each group once", "a second group AG%d", n)
	}
	g.Theme, g.Match = theme, match
	r.groupNumbers[n] = r.groupNumbers[n] || ok
	r.Groups = append(r.Groups, g)
}

// splitLabel takes AG<number>_<theme>_<match> apart. A theme is made of
// letters, digits and hyphens.
func splitLabel(label string) (n int, theme string, match matchType, ok bool) {
	n, rest, ok := numbered(label, "AG")
	parts := strings.Split(rest, "_")
	if !ok || len(parts) != 3 || parts[0] != "" || parts[1] == "" || !matchType(parts[2]).known() {
		return 0, "", "", false
	}
	foreign := func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if strings.ContainsFunc(parts[1], foreign) {
		return 0, "", "", false
	}
	return n, parts[1], matchType(parts[2]), true
}

func (r *adReader) readKeyword(line int, s string) {
	if len(r.Groups) == 0 {
		r.errorf(line, "search-ad-order", "name the group first", "a keyword before the first group")
		return
	}
	k := adKeyword{s, matchBroad}
	if inner, ok := between(s, `"`, `"`); ok {
		k = adKeyword{inner, matchPhrase}
	} else if inner, ok := between(s, "[", "]"); ok {
		k = adKeyword{inner, matchExact}
	}
	if k.Text == "" || strings.ContainsAny(k.Text, `"[]`) {
		r.errorf(line, "search-ad-keyword", `write "phrase", [exact] or bare broad`, "%s is not a keyword", text.Quote(s))
		return
	}
	g := &r.Groups[len(r.Groups)-1]
	if r.once(line, fmt.Sprintf("keyword %d %s %s", g.line, k.Match, normal(k.Text)), "keyword") {
		g.Keywords = append(g.Keywords, k)
	}
}

func (r *adReader) readNegatives(p part) {
	for i, row := range r.rows(p.from, p.to) {
		fields := split(row, "|")
		if len(fields) != 4 {
			r.errorf(i, "search-ad-line", "write scope | match | text | reason",
				"%s is not a negative keyword", text.Quote(row))
			continue
		}
		n := adNegative{fields[0], matchType(fields[1]), fields[2], fields[3], i}
		if !n.Match.known() {
			r.errorf(i, "search-ad-negative", "write exact, phrase or broad", "the match type is %s", text.Quote(fields[1]))
		}
		if n.Text == "" {
			r.errorf(i, "search-ad-negative", "write what is searched for", "the text is empty")
		}
		if words := len(strings.Fields(n.Reason)); words < 1 || words > maxReasonWords {
			r.errorf(i, "search-ad-negative", fmt.Sprintf("say it in 1 to %d words", maxReasonWords),
				"the reason has %s", text.Count(words, "word"))
		}
		if r.once(i, "negative "+n.Scope+"|"+string(n.Match)+"|"+normal(n.Text), "negative keyword") {
			r.Negatives = append(r.Negatives, n)
		}
	}
	r.atLeast(p.line, len(r.Negatives), minNegatives, "negative keyword")
}

func (r *adReader) readSitelinks(p part) {
	for i, row := range r.rows(p.from, p.to) {
		fields := split(row, "|")
		if len(fields) != 4 {
			r.errorf(i, "search-ad-line", "write text (n) | line (n) | line (n) | https://…",
				"%s is not a sitelink", text.Quote(row))
			continue
		}
		s := adSitelink{
			r.counted(i, "sitelink", fields[0], maxSitelink),
			r.counted(i, "sitelink line", fields[1], maxSiteLine),
			r.counted(i, "sitelink line", fields[2], maxSiteLine),
			r.link(i, fields[3]),
		}
		if r.once(i, "sitelink "+normal(s.Text.Text), "sitelink") {
			r.Sitelinks = append(r.Sitelinks, s)
		}
	}
	r.atLeast(p.line, len(r.Sitelinks), minSitelinks, "sitelink")
}

func (r *adReader) readCallouts(p part) {
	for i, row := range r.rows(p.from, p.to) {
		t := r.counted(i, "callout", row, maxCallout)
		if r.once(i, "callout "+normal(t.Text), "callout") {
			r.Callouts = append(r.Callouts, t)
		}
	}
	r.atLeast(p.line, len(r.Callouts), minCallouts, "callout")
}

// counted reads "text (length)" and checks both the statement and the limit.
func (r *adReader) counted(line int, what, s string, limit int) adText {
	t := adText{Text: s, line: line}
	stated := ""
	if i := strings.LastIndexByte(s, '('); i >= 0 && strings.HasSuffix(s, ")") {
		if inner := s[i+1 : len(s)-1]; inner != "" && strings.Trim(inner, "0123456789") == "" {
			t.Text, stated = strings.TrimSpace(s[:i]), inner
		}
	}
	t.Length = adLength(t.Text)
	if _, ok := expand(t.Text); !ok {
		r.errorf(line, "search-ad-keyword", "write {KeyWord:Default text}",
			"an insertion in the %s is not closed or has no default", what)
	}
	if t.Text == "" {
		r.errorf(line, "search-ad-length", "write one", "the %s is empty", what)
		return t
	}
	switch {
	case stated == "":
		r.errorf(line, "search-ad-number", fmt.Sprintf("end it with (%d)", t.Length), "the %s states no length", what)
	case stated != strconv.Itoa(t.Length):
		r.errorf(line, "search-ad-number", fmt.Sprintf("write (%d)", t.Length), "the %s states (%s)", what, text.Clip(stated, 80))
	}
	if t.Length > limit {
		r.errorf(line, "search-ad-length", fmt.Sprintf("stay within %d", limit), "the %s is %d long", what, t.Length)
	}
	return t
}

// split cuts a row at each separator and trims what it finds.
func split(row, separator string) []string {
	fields := strings.Split(row, separator)
	for i, f := range fields {
		fields[i] = strings.TrimSpace(f)
	}
	return fields
}

// between returns what stands between two marks at the ends of s.
func between(s, left, right string) (string, bool) {
	if len(s) < len(left)+len(right) || !strings.HasPrefix(s, left) || !strings.HasSuffix(s, right) {
		return "", false
	}
	return strings.TrimSpace(s[len(left) : len(s)-len(right)]), true
}

// normal is the form in which two texts are the same to a reader: insertions
// replaced by their defaults, case and space evened out.
func normal(s string) string {
	s, _ = expand(s)
	return strings.Join(strings.Fields(strings.ToLower(s)), " ")
}
