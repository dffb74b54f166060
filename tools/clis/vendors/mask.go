package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"marketingskills/app/collection/vendor"
)

// mask takes secrets out of what is written. The zero value knows none.
type mask struct {
	pairs [][2]string // secret and what stands for it, the longest first
	show  bool        // nothing is masked
}

// shortest is the least length of a secret that is looked for in texts: what is
// shorter is none, and may be part of any word.
const shortest = 8

// add has a secret replaced by the name of its variable, also where it is part of
// a URL.
func (m *mask) add(secret, env string) {
	for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret)} {
		if len(form) >= shortest {
			m.pairs = append(m.pairs, [2]string{form, "[" + env + "]"})
		}
	}
	slices.SortStableFunc(m.pairs, func(a, b [2]string) int { return cmp.Compare(len(b[0]), len(a[0])) })
}

// in tells whether a text has a secret in it.
func (m *mask) in(s string) bool {
	return slices.ContainsFunc(m.pairs, func(p [2]string) bool { return strings.Contains(s, p[0]) })
}

func (m *mask) text(s string) string {
	for _, p := range m.pairs {
		if !m.show {
			s = strings.ReplaceAll(s, p[0], p[1])
		}
	}
	return s
}

// json masks a value of valid JSON, fields whose names say that they are secret
// too. Order stays, and so do other numbers.
func (m *mask) json(raw []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	m.value(d, e, &b, false)
	return b.Bytes()
}

func (m *mask) value(d *json.Decoder, e *json.Encoder, b *bytes.Buffer, secret bool) {
	token, _ := d.Token() // it is valid
	switch v := token.(type) {
	case json.Delim:
		b.WriteString(v.String())
		for i := 0; d.More(); i++ {
			if i > 0 {
				b.WriteByte(',')
			}
			hidden := secret
			if v == '{' {
				key, _ := d.Token()
				hidden = secret || vendor.SecretName(key.(string))
				_ = e.Encode(m.text(key.(string))) // a text can always be written
				b.WriteByte(':')
			}
			m.value(d, e, b, hidden)
		}
		end, _ := d.Token()
		fmt.Fprint(b, end)
	case string:
		if secret && v != "" && !m.show {
			v = "[secret]"
		}
		_ = e.Encode(m.text(v))
	case json.Number:
		masked := m.text(v.String())
		if secret && !m.show {
			masked = "[secret]"
		}
		if masked != v.String() {
			token = masked // is no number any more
		}
		_ = e.Encode(token)
	default: // true, false or null
		_ = e.Encode(v)
	}
}

// indented is JSON for reading: what acts on a terminal is written as an escape.
func indented(raw []byte) string {
	var plain bytes.Buffer
	var b strings.Builder
	_ = json.Indent(&plain, raw, "", "  ") // it is valid
	for _, r := range plain.String() {
		if r == ' ' || r == '\n' || unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
