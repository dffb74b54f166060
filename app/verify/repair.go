package verify

import (
	"errors"
	"strings"
	"unicode"
)

// localFault says what is wrong with the part before the last @, which is
// neither words with dots between them nor a quoted string.
func localFault(local string) error {
	switch {
	case strings.Count(local, "@") == 1:
		return errors.New("it has two @ signs")
	case strings.Contains(local, "@"):
		return errors.New("it has more than two @ signs")
	case strings.ContainsFunc(local, unicode.IsSpace):
		return errors.New("it has a space before the @")
	case strings.Contains(local, ".."):
		return errors.New("it has two dots in a row")
	case local[0] == '.' || local[len(local)-1] == '.':
		return errors.New("the part before the @ begins or ends with a dot")
	}
	return errors.New("the part before the @ is not written as in an email")
}

// spellings are ways of writing an email that programs which collect them do not
// read, and the slips of the hand that are as plain.
var spellings = strings.NewReplacer(
	" at ", "@", " AT ", "@", "(at)", "@", "(AT)", "@", "[at]", "@", "[AT]", "@",
	" dot ", ".", " DOT ", ".", "(dot)", ".", "[dot]", ".",
)

// Of each slip, what was written and what was meant.
var slips = []struct{ written, meant string }{{" @", "@"}, {"@ ", "@"}, {"@@", "@"}, {" .", "."}, {". ", "."}, {"..", "."}}

// repair returns the email that was meant by text that is none, "" if no single
// one is likely.
func repair(written string) string {
	if len(written) > 2*maxAddress {
		return ""
	}
	if from, to := strings.IndexByte(written, '<'), strings.LastIndexByte(written, '>'); from >= 0 && from < to {
		written = written[from+1 : to] // Ann <ann@x.example>
	}
	written = spellings.Replace(strings.TrimPrefix(written, "mailto:"))
	for _, s := range slips {
		for strings.Contains(written, s.written) {
			written = strings.ReplaceAll(written, s.written, s.meant)
		}
	}
	written = strings.Trim(written, ` .,;:<>()[]'"`)
	at := strings.LastIndexByte(written, '@')
	if at < 0 {
		return ""
	}
	domain := strings.ReplaceAll(written[at+1:], ",", ".")
	if !strings.Contains(domain, ".") {
		domain = dotted(lower(domain))
	}
	local, domain, err := split(written[:at+1] + domain)
	if err != nil {
		return ""
	}
	if meant := meantDomain(lower(domain)); meant != "" {
		domain = meant
	}
	return local + "@" + domain
}

// dotted is the domain that was meant by one without a dot, if it is that of
// many mailboxes: gmail, gmailcom.
func dotted(domain string) string {
	for _, known := range popular {
		if name, _, _ := strings.Cut(known, "."); len(name) >= shortest && domain == name || domain == strings.ReplaceAll(known, ".", "") {
			return known
		}
	}
	return domain
}
