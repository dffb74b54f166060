package verify

import (
	"context"
	"slices"
	"sort"
	"strings"
	"time"

	"marketingskills/app/text"
)

// Checker makes the free checks. Its zero value checks what the address alone
// tells.
type Checker struct {
	// Disposable, if not empty, lists domains of throwaway mailboxes.
	Disposable Domains
	// Mail, if not nil, asks the domain name system.
	Mail MailDomains
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// MailDomains knows which domains can receive mail.
type MailDomains interface {
	// Receives tells whether mail can be delivered to a domain, in ASCII or
	// not, and if it cannot, in a few words why. An error means that it could
	// not be found out, which says nothing about the domain.
	Receives(ctx context.Context, domain string) (ok bool, why string, err error)
}

// Check says what can be known of an address for free:
//
//   - email_invalid: it is not written as an address is, or its domain cannot
//     receive mail. No server would take it, so the sub-state is
//     failed_smtp_check, although none was asked;
//   - risky, is_disposable: its domain is one of throwaway mailboxes;
//   - unknown, with is_role if it is that of a function and not of a person:
//     all others, however plausible. Only a mail server knows more.
//
// DidYouMean is set where the address looks like a slip of the fingers, or like
// one that is written for people, as in "ann at example.com".
func (c Checker) Check(ctx context.Context, address string) Result {
	now := time.Now
	if c.Now != nil {
		now = c.Now
	}
	r := Result{Address: strings.TrimSpace(address), VerifiedAt: now().UTC().Format(time.RFC3339)}
	local, domain, err := split(r.Address)
	if err != nil {
		r.State, r.SubState, r.Reason = EmailInvalid, FailedSMTPCheck, err.Error()
		r.DidYouMean = repair(r.Address)
		return r
	}
	r.Domain, r.Canonical = lower(domain), Key(r.Address)
	if meant := meantDomain(r.Domain); meant != "" {
		r.DidYouMean = local + "@" + meant
	}
	if c.Disposable.Contain(r.Domain) {
		r.State, r.SubState, r.Reason = Risky, IsDisposable, "the domain offers throwaway mailboxes"
		return r
	}
	if c.Mail != nil {
		if ok, why, err := c.Mail.Receives(ctx, r.Domain); err == nil && !ok {
			r.State, r.SubState, r.Reason = EmailInvalid, FailedSMTPCheck, why
			return r
		}
	}
	r.State, r.SubState = Unknown, UnknownError
	if isRole(local) {
		r.SubState, r.Reason = IsRole, "shared inbox, not one person"
	}
	return r
}

// Domains is a sorted list of domains in small letters, one a line. Comments may
// stand before the first: lines that begin with #, which sorts before letters.
type Domains string

// Contain tells whether a domain in small letters, or one that it lies below,
// is in the list.
func (d Domains) Contain(domain string) bool {
	for domain != "" && !d.has(domain) {
		_, domain, _ = strings.Cut(domain, ".")
	}
	return domain != ""
}

// has searches the text as it is: the browser need not make 9,000 strings.
func (d Domains) has(domain string) bool {
	first := sort.Search(len(d), func(i int) bool { return d.lineAt(i) >= domain })
	return d.lineAt(first) == domain
}

// lineAt returns the line in which a byte stands.
func (d Domains) lineAt(i int) string {
	line, _, _ := strings.Cut(string(d[strings.LastIndexByte(string(d[:i]), '\n')+1:]), "\n")
	return line
}

// roles are names of functions before the @. Sources: RFC 2142; the lists that
// Mailchimp and other senders publish for what they call role addresses, as of
// November 2026.
var roles = []string{
	"abuse", "accounting", "accounts", "admin", "administrator", "all", "billing", "bookings", "careers", "compliance",
	"contact", "customerservice", "datenschutz", "devnull", "dns", "donotreply", "enquiries", "everyone", "feedback",
	"finance", "ftp", "hello", "help", "helpdesk", "hostmaster", "hr", "info", "information", "inquiries", "investors",
	"invoice", "invoices", "it", "jobs", "kontakt", "legal", "list", "mail", "mailer-daemon", "marketing", "media",
	"news", "newsletter", "no-reply", "nobody", "noc", "noreply", "office", "orders", "postmaster", "pr", "press",
	"privacy", "recruiting", "remove", "reservations", "root", "sales", "security", "service", "spam", "staff",
	"subscribe", "support", "sysadmin", "team", "tech", "undisclosed-recipients", "unsubscribe", "usenet", "uucp",
	"webmaster", "welcome", "www",
}

func isRole(local string) bool {
	local, _, _ = strings.Cut(strings.ToLower(local), "+")
	_, found := slices.BinarySearch(roles, local)
	return found
}

// mailboxes are domains under which very many people have their mailbox, and
// those that differ from one of them by a letter and exist.
var mailboxes = []string{
	"aol.com", "bol.com.br", "comcast.net", "email.com", "fastmail.com", "free.fr", "gmail.com", "gmx.at", "gmx.ch",
	"gmx.com", "gmx.de", "gmx.net", "googlemail.com", "hey.com", "hotmail.co.uk", "hotmail.com", "hotmail.de", "hotmail.es",
	"hotmail.fr", "hotmail.it", "icloud.com", "laposte.net", "libero.it", "live.com", "mac.com", "mail.com", "mail.ru",
	"me.com", "msn.com", "naver.com", "orange.fr", "outlook.com", "outlook.de", "outlook.fr", "proton.me",
	"protonmail.com", "qq.com", "rocketmail.com", "t-online.de", "uol.com.br", "verizon.net", "wanadoo.fr", "web.de",
	"yahoo.ca", "yahoo.co.in", "yahoo.co.jp", "yahoo.co.uk", "yahoo.com", "yahoo.com.br", "yahoo.de", "yahoo.es",
	"yahoo.fr", "yahoo.in", "yahoo.it", "yandex.ru", "ymail.com", "zoho.com",
}

// wrongEndings are top-level domains that do not exist and are typed for one
// that does.
var wrongEndings = map[string]string{
	"cmo": "com", "comm": "com", "con": "com", "cpm": "com", "ocm": "com", "vom": "com", "xom": "com",
	"nte": "net", "ner": "net", "ogr": "org", "orgg": "org",
}

// shortest is the least length of a name whose neighbours are slips: of shorter
// ones most exist, as line.com beside live.com does.
const shortest = 5

// meantDomain returns the domain that was probably meant, "" if none was.
func meantDomain(domain string) string {
	if slices.Contains(mailboxes, domain) {
		return ""
	}
	meant := domain
	dot := strings.LastIndexByte(domain, '.')
	if ending := wrongEndings[domain[dot+1:]]; ending != "" {
		meant = domain[:dot+1] + ending
	}
	if slices.Contains(mailboxes, meant) {
		return meant
	}
	name, ending, _ := strings.Cut(meant, ".")
	for _, known := range popular {
		nameKnown, endingKnown, _ := strings.Cut(known, ".")
		wrongEnding := name == nameKnown && text.Edits(ending, endingKnown) <= 1 && !edition(ending)
		wrongName := ending == endingKnown && slip(name, nameKnown)
		if len(nameKnown) >= shortest && (wrongEnding || wrongName) {
			return known
		}
	}
	if meant == domain {
		return ""
	}
	return meant
}

// popular are the mailboxes, those first that most people have: some slips are a
// letter away from several.
var popular = append([]string{"gmail.com", "yahoo.com"}, mailboxes...)

// edition tells whether an ending is probably that of another country, as in
// hotmail.be beside hotmail.de and yahoo.com.tr beside yahoo.com.br. The endings
// co, cm and om are countries, too, but far more often slips for com.
func edition(ending string) bool {
	country := ending[strings.LastIndexByte(ending, '.')+1:]
	return len(country) == 2 && !slices.Contains([]string{"co", "cm", "om"}, country)
}

// slip tells whether a name is a known one with a slip of the fingers: two
// letters swapped, one doubled or left out, or the one on a key beside it. With
// another first letter it is more likely a name of its own: cloud, not icloud.
func slip(name, known string) bool {
	if text.Edits(name, known) != 1 {
		return false
	}
	i := 0
	for i < min(len(name), len(known)) && name[i] == known[i] {
		i++
	}
	switch {
	case len(name) == len(known) && name[i+1:] != known[i+1:]: // gmial
		return true
	case i == 0:
		return false
	case len(name) > len(known): // gmaill
		return name[i] == name[i-1]
	}
	return len(name) < len(known) || beside(name[i], known[i]) // gmal, gmsil
}

// keys are the letters of a keyboard. A key touches the next one, and in the
// next row, 11 further on, the one below it and that one's left neighbour.
const keys = "qwertyuiop asdfghjkl  zxcvbnm"

func beside(a, b byte) bool {
	i, j := strings.IndexByte(keys, a), strings.IndexByte(keys, b)
	apart := max(i, j) - min(i, j)
	return i >= 0 && j >= 0 && (apart == 1 || apart == 10 || apart == 11)
}
