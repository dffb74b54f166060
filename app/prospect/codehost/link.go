package codehost

import "strings"

// links reads the value of a Link header (RFC 8288) into its targets by
// relation; the first target of a relation counts. Targets are as written:
// numeric (/repositories/1/forks?page=2), by name, absolute or not. What does
// not parse is left out.
func links(header string) map[string]string {
	found := map[string]string{}
	for _, link := range splitUnquoted(header, ',') {
		parts := splitUnquoted(link, ';')
		target, isTarget := strings.CutPrefix(strings.TrimSpace(parts[0]), "<")
		target, closed := strings.CutSuffix(target, ">")
		if target = strings.TrimSpace(target); !isTarget || !closed || target == "" {
			continue
		}
		for _, parameter := range parts[1:] {
			name, value, _ := strings.Cut(parameter, "=")
			if !strings.EqualFold(strings.TrimSpace(name), "rel") {
				continue
			}
			for rel := range strings.FieldsSeq(strings.ToLower(strings.Trim(value, " \t\""))) {
				if _, known := found[rel]; !known {
					found[rel] = target
				}
			}
			break // a second rel does not count
		}
	}
	return found
}

// splitUnquoted splits a header at a separator, but not within <…> or "…".
func splitUnquoted(header string, separator byte) (parts []string) {
	start, closing := 0, byte(0)
	for i := 0; i < len(header); i++ {
		switch c := header[i]; {
		case closing == '"' && c == '\\':
			i++
		case closing != 0:
			if c == closing {
				closing = 0
			}
		case c == '<':
			closing = '>'
		case c == '"':
			closing = '"'
		case c == separator:
			parts = append(parts, header[start:i])
			start = i + 1
		}
	}
	return append(parts, header[start:])
}
