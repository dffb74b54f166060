package pages

import (
	"net/url"
	"strings"
)

// ParseQuery reads the raw query of a URL as browsers' own URLSearchParams
// does, which the page script uses: nothing is malformed, of a name that
// stands twice the first counts, and what is not valid escaping is text.
func ParseQuery(raw string) map[string]string {
	values := map[string]string{}
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name = unescape(name); name == "" {
			continue
		}
		if _, ok := values[name]; !ok {
			values[name] = unescape(value)
		}
	}
	return values
}

func unescape(s string) string {
	if whole, err := url.QueryUnescape(s); err == nil {
		return strings.ToValidUTF8(whole, "\uFFFD")
	}
	var b strings.Builder
	s = strings.ReplaceAll(s, "+", " ")
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := url.PathUnescape(s[i : i+3]); err == nil {
				b.WriteString(c)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}
