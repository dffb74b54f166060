package rest

import "strings"

// Secret is a key or a token that does not print itself: String, formatting with
// any verb and JSON show "[secret]" or "[no secret]". Its value is held by a
// function, because package fmt prints a string in a field that is not exported
// without asking.
type Secret struct{ value func() string }

// NewSecret wraps a secret; surrounding white space is not part of it.
func NewSecret(s string) Secret {
	s = strings.TrimSpace(s)
	if s == "" {
		return Secret{}
	}
	return Secret{func() string { return s }}
}

// Present reports whether there is a secret.
func (s Secret) Present() bool { return s.value != nil }

func (s Secret) String() string {
	if s.Present() {
		return "[secret]"
	}
	return "[no secret]"
}

// GoString keeps %#v from printing the secret.
func (s Secret) GoString() string { return s.String() }

// MarshalText keeps encoders from writing the secret.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func (s Secret) reveal() string {
	if s.value == nil {
		return ""
	}
	return s.value()
}

// ShortestMasked is the least length, in bytes, of a secret that is looked for in
// texts: what is shorter is no secret, and may be part of any word.
const ShortestMasked = 8

// Mask takes the secret out of a text from outside.
func (s Secret) Mask(text string) string {
	if secret := s.reveal(); len(secret) >= ShortestMasked {
		return strings.ReplaceAll(text, secret, s.String())
	}
	return text
}
