package codehost

import (
	"net/url"
	"strings"
)

// Links reads the value of a Link header (RFC 8288) into its targets by
// relation; the first target of a relation counts. Targets are as written:
// numeric (/repositories/1/forks?page=2), by name, absolute or not. What does
// not parse is left out: a header never makes an error, at worst no link.
func Links(header string) map[string]string {
	links := map[string]string{}
	for rest := header; ; {
		start := strings.IndexByte(rest, '<')
		if start < 0 {
			return links
		}
		end := strings.IndexByte(rest[start:], '>')
		if end < 0 {
			return links
		}
		target := strings.TrimSpace(rest[start+1 : start+end])
		rest = rest[start+end+1:]
		var rels string
		rels, rest = linkRelations(rest)
		for rel := range strings.FieldsSeq(strings.ToLower(rels)) {
			if _, dup := links[rel]; !dup && target != "" {
				links[rel] = target
			}
		}
	}
}

// linkRelations reads the parameters after one target up to the comma that
// ends it; it returns the value of the first rel and what follows the comma.
func linkRelations(text string) (rels, rest string) {
	found := false
	for {
		text = strings.TrimLeft(text, " \t;")
		if text == "" || text[0] == ',' {
			return rels, strings.TrimPrefix(text, ",")
		}
		stop := strings.IndexAny(text, "=;,")
		if stop < 0 {
			return rels, ""
		}
		name := strings.TrimSpace(text[:stop])
		if text[stop] != '=' {
			text = text[stop:]
			continue
		}
		var value string
		value, text = linkValue(strings.TrimLeft(text[stop+1:], " \t"))
		if !found && strings.EqualFold(name, "rel") {
			rels, found = value, true
		}
	}
}

// linkValue reads a parameter's value, a token or a quoted string.
func linkValue(text string) (value, rest string) {
	if !strings.HasPrefix(text, `"`) {
		end := strings.IndexAny(text, ";,")
		if end < 0 {
			end = len(text)
		}
		return strings.TrimSpace(text[:end]), text[end:]
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			if i++; i < len(text) {
				b.WriteByte(text[i])
			}
		case '"':
			return b.String(), text[i+1:]
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String(), ""
}

// sameHost resolves an address the host gave against the one it was given at,
// and refuses it unless it stays on the configured host: same scheme, same
// name, same port, no credentials.
func (c *Client) sameHost(at *url.URL, given string) (*url.URL, bool) {
	target, err := url.Parse(given)
	if err != nil {
		return nil, false
	}
	target = at.ResolveReference(target)
	target.Fragment, target.RawFragment = "", ""
	if target.Scheme != c.base.Scheme || !strings.EqualFold(target.Host, c.base.Host) || target.User != nil {
		return target, false
	}
	return target, true
}
