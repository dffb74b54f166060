package verify

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lengths in bytes. Sources: RFC 5321, 4.5.3.1 and its erratum 1690; RFC 1035,
// 2.3.4.
const (
	maxLocal   = 64
	maxDomain  = 253
	maxLabel   = 63
	maxAddress = 254
)

// split takes an address apart, or says in a few words what is wrong with it.
// The parts are as they were written, but for the white space around them.
func split(address string) (local, domain string, err error) {
	address = strings.TrimSpace(address)
	switch {
	case address == "":
		return "", "", errors.New("it is empty")
	case !utf8.ValidString(address) || strings.ContainsFunc(address, unicode.IsControl):
		return "", "", errors.New("it has characters that no email has")
	}
	at := strings.LastIndexByte(address, '@')
	switch {
	case at < 0:
		return "", "", errors.New("it has no @")
	case at == 0:
		return "", "", errors.New("nothing stands before the @")
	case at == len(address)-1:
		return "", "", errors.New("nothing stands after the @")
	case at > maxLocal:
		return "", "", errors.New("the part before the @ is too long")
	}
	local, domain = address[:at], address[at+1:]
	if ascii(domain) && len(address) > maxAddress {
		return "", "", errors.New("it is too long")
	}
	if err := checkDomain(domain); err != nil {
		return "", "", err
	}
	if !atoms(local) && !quoted(local) {
		return "", "", localFault(local)
	}
	return local, domain, nil
}

// atoms tells whether the part before the @ is words with dots between them
// (RFC 5322, 3.2.3), in the letters of any script (RFC 6532). Package net/mail,
// with which FuzzCheck compares it, would add 19 KB to a page's program,
// compressed.
func atoms(local string) bool {
	for word := range strings.SplitSeq(local, ".") {
		if word == "" || strings.ContainsFunc(word, func(r rune) bool { return !inAtom(r) }) {
			return false
		}
	}
	return true
}

func inAtom(r rune) bool {
	return r >= utf8.RuneSelf && !unicode.IsSpace(r) || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
		strings.ContainsRune("!#$%&'*+-/=?^_`{|}~", r)
}

// quoted tells whether all of the part before the @ is one quoted string. An
// empty one counts as a mistake, as in package net/mail.
func quoted(local string) bool {
	if len(local) < 3 || local[0] != '"' || local[len(local)-1] != '"' {
		return false
	}
	escaped := false // by the backslash before it
	for _, c := range []byte(local[1 : len(local)-1]) {
		if c == '"' && !escaped {
			return false
		}
		escaped = c == '\\' && !escaped
	}
	return !escaped
}

// dots are the characters that separate the parts of a domain in other scripts
// (UTS 46, 4).
var dots = strings.NewReplacer("。", ".", "．", ".", "｡", ".")

// checkDomain says what is wrong with the domain of an address. An IP address in
// brackets is: public mail servers do not take it. Letters of all scripts are
// allowed (RFC 6531).
func checkDomain(domain string) error {
	if ascii(domain) && len(domain) > maxDomain {
		return errors.New("the domain is too long")
	}
	if strings.Contains(domain, ",") {
		return errors.New("the domain has a comma")
	}
	labels := strings.Split(dots.Replace(domain), ".")
	if len(labels) == 1 {
		return errors.New("the domain has no dot")
	}
	for _, label := range labels {
		if err := checkLabel(label); err != nil {
			return err
		}
	}
	if strings.Trim(labels[len(labels)-1], "0123456789") == "" {
		return errors.New("the domain ends in a number")
	}
	return nil
}

// checkLabel says what is wrong with a part of a domain. How long one in another
// script is in ASCII, and which of its characters are dropped or become others
// there, takes the tables of UTS 46: about these no more is said than what is
// certain without them.
func checkLabel(label string) error {
	switch {
	case label == "":
		return errors.New("the domain has a dot too many")
	case strings.ContainsFunc(label, unicode.IsSpace):
		return errors.New("the domain has a space")
	case strings.ContainsFunc(label, notInDomain):
		return errors.New("the domain has characters that no domain has")
	case !ascii(label):
		return nil
	case len(label) > maxLabel:
		return errors.New("a part of the domain is too long")
	case label[0] == '-' || label[len(label)-1] == '-':
		return errors.New("a part of the domain begins or ends with a hyphen")
	}
	return nil
}

func notInDomain(r rune) bool {
	if r < utf8.RuneSelf {
		return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	return unicode.IsSpace(r)
}

func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// lower makes the ASCII letters small and leaves all others alone: whether two
// spellings of a domain in another script are the same is for its registry to
// say.
func lower(domain string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, domain)
}

// Key is the same for two spellings that are certainly one address: white
// space around it and the case of the domain do not count. The part before the
// @ is left alone, since only its mail server knows whether case counts there.
// Text without an @ is its own key, but for the white space.
func Key(address string) string {
	address = strings.TrimSpace(address)
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return address
	}
	return address[:at+1] + lower(address[at+1:])
}

// SameAddress tells whether an answer about one address may be taken for one about
// another: verifiers change the case. Where one is in another script and the
// other in ASCII (xn--), that part of the domain is not compared, which takes the
// tables of UTS 46.
func SameAddress(answered, asked string) bool {
	answered, asked = strings.TrimSpace(answered), strings.TrimSpace(asked)
	at, at2 := strings.LastIndexByte(answered, '@'), strings.LastIndexByte(asked, '@')
	if at < 0 || at2 < 0 {
		return strings.EqualFold(answered, asked)
	}
	a, b := strings.Split(dots.Replace(answered[at+1:]), "."), strings.Split(dots.Replace(asked[at2+1:]), ".")
	return strings.EqualFold(answered[:at], asked[:at2]) && slices.EqualFunc(a, b, func(a, b string) bool {
		return strings.EqualFold(a, b) || encoded(a) && !ascii(b) || encoded(b) && !ascii(a)
	})
}

func encoded(label string) bool { return strings.HasPrefix(lower(label), "xn--") }
