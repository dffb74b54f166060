package example

import (
	"fmt"
	"net/url"
	"strings"

	"marketingskills/app/collection/finding"
	"marketingskills/app/text"
)

// What a search ad set must hold. Lengths are those of [adLength].
// Sources: Google Ads, responsive search ads and their assets, as of November
// 2026; the minimums are the collection's own contract.
const (
	minKeywords, maxKeywords  = 5, 15
	minNegatives              = 8
	maxReasonWords            = 4
	minSitelinks, minCallouts = 4, 4
	maxSitelink, maxSiteLine  = 25, 35
	maxCallout                = 25
	maxPaths, maxPath         = 2, 15
	descriptions              = 4
	maxDescription            = 90
	headlines                 = 15
	maxHeadline               = 30
)

// searchAd is a whole search ad set: what one would upload.
type searchAd struct {
	Campaign  string
	Groups    []adGroup
	Negatives []adNegative
	Sitelinks []adSitelink
	Callouts  []adText
	Ads       []rsa
	// Rationale holds the lines of free text at the end, without blank ones.
	Rationale []string
}

// matchType is how closely a search must follow a keyword: matchExact,
// matchPhrase or matchBroad.
type matchType string

// The match types, as labels and negative keywords spell them.
const (
	matchExact  matchType = "exact"
	matchPhrase matchType = "phrase"
	matchBroad  matchType = "broad"
)

func (m matchType) known() bool {
	return m == matchExact || m == matchPhrase || m == matchBroad
}

// adGroup is an ad group.
type adGroup struct {
	// Label is AG<number>_<theme>_<match>. Theme and Match are empty when it
	// is malformed.
	Label string
	Theme string
	Match matchType
	// Ad is the name of the ad that serves the group, such as RSA1.
	Ad       string
	URL      string
	Keywords []adKeyword

	line int
}

// adKeyword is what a group bids on: "phrase", [exact] or bare broad.
type adKeyword struct {
	Text  string
	Match matchType
}

// adNegative is a search that must not show an ad.
type adNegative struct {
	// Scope is "campaign" or the label of a group.
	Scope  string
	Match  matchType
	Text   string
	Reason string

	line int
}

// adSitelink is a further link below the ad.
type adSitelink struct {
	Text, Line1, Line2 adText
	URL                string
}

// adText is a piece of ad copy.
type adText struct {
	Text string
	// Length is the true length, by [adLength].
	Length int

	line int
}

// adSteps are the parts of a set; ads are numbered from RSA1.
var adSteps = []step{
	{name: "Ad group structure:"}, {name: "Negative keywords:"}, {name: "Sitelinks:"},
	{name: "Callouts:"}, {name: "RSA1", many: true}, {name: "Rationale:"},
}

// The indexes of adSteps.
const (
	partGroups = iota
	partNegatives
	partSitelinks
	partCallouts
	partAd
	partRationale
)

// part is a label line and the lines below it.
type part struct {
	kind     int
	name     string
	line     int // the label
	from, to int // what stands below
}

// adReader is a SearchAd in the making.
type adReader struct {
	*block
	searchAd
	groupNumbers map[int]bool
	unique       map[string]int // what must not come twice, by kind and text
}

// parseSearchAd reads an example of kind search-ad and adds what is wrong with
// it to into. It returns what could be read, whatever was wrong. The arguments
// are those of [Check]. A line that is exactly a label starts its part
// wherever it stands, in the rationale too.
func parseSearchAd(body string, firstLine int, into *finding.List) searchAd {
	r := adReader{
		block:        newBlock(body, firstLine, into),
		groupNumbers: map[int]bool{}, unique: map[string]int{},
	}
	defer r.close()
	for _, p := range r.readParts() {
		switch p.kind {
		case partGroups:
			r.readGroups(p)
		case partNegatives:
			r.readNegatives(p)
		case partSitelinks:
			r.readSitelinks(p)
		case partCallouts:
			r.readCallouts(p)
		case partAd:
			r.readAd(p)
		case partRationale:
			r.readRationale(p)
		}
	}
	r.checkMapping()
	r.checkScopes()
	for _, ad := range r.Ads {
		r.checkLine(ad)
	}
	return r.searchAd
}

// readParts finds the labels and checks their order.
func (r *adReader) readParts() (parts []part) {
	labels := newOrder(adSteps)
	ads := 0
	for i, row := range r.rows(0, len(r.lines)) {
		kind := labels.index(row)
		if n, rest, ok := numbered(row, "RSA"); ok && rest == "" {
			kind = partAd
			if ads++; n != ads {
				r.errorf(i, "search-ad-order", fmt.Sprintf("name it RSA%d", ads), "%s is ad number %d", row, ads)
			}
		}
		if kind < 0 {
			if len(parts) == 0 {
				r.errorf(i, "search-ad-line", "begin with "+labels.steps[partGroups].name,
					"%s stands before the first part", text.Quote(row))
			}
			continue
		}
		if wrong := labels.meet(kind); wrong != "" {
			r.errorf(i, "search-ad-order", "keep to the order "+labels.String(), "%s", wrong)
		}
		if len(parts) > 0 {
			parts[len(parts)-1].to = i
		}
		parts = append(parts, part{kind, row, i, i + 1, len(r.lines)})
	}
	for name := range labels.missing() {
		r.errorf(0, "search-ad-missing", "add it, in the order "+labels.String(), "the part %s is missing", name)
	}
	return parts
}

func (r *adReader) readRationale(p part) {
	for _, row := range r.rows(p.from, p.to) {
		r.Rationale = append(r.Rationale, row)
	}
	if len(r.Rationale) == 0 {
		r.errorf(p.line, "search-ad-missing", "say why the set is built this way", "the rationale is empty")
	}
}

// checkMapping asks that each group has an ad of its own and each ad a group,
// and that both lead to the same page.
func (r *adReader) checkMapping() {
	const rule = "search-ad-mapping"
	exists := map[string]bool{}
	for _, ad := range r.Ads {
		exists[ad.Name] = true
	}
	byLabel, byAd := map[string]adGroup{}, map[string]string{}
	for _, g := range r.Groups {
		if _, twice := byLabel[g.Label]; !twice {
			byLabel[g.Label] = g
		}
		other, taken := byAd[g.Ad]
		switch {
		case g.Ad == "": // the line is malformed, and reported
		case !exists[g.Ad]:
			r.errorf(g.line, rule, "add the ad or name another", "the group is served by %s, which is not here", text.Quote(g.Ad))
		case taken:
			r.errorf(g.line, rule, "give each group an ad of its own", "%s serves %s already", text.Quote(g.Ad), text.Quote(other))
		default:
			byAd[g.Ad] = g.Label
		}
	}
	for _, ad := range r.Ads {
		if ad.Group == "" {
			continue
		}
		g, known := byLabel[ad.Group]
		switch {
		case !known:
			r.errorf(ad.lines[fieldGroup], rule, "name a group of the structure", "%s is not a group", text.Quote(ad.Group))
		case g.Ad == "": // as above
		case g.Ad != ad.Name:
			r.errorf(ad.lines[fieldGroup], rule, "let group and ad name each other", "the group %s is served by %s, not by %s",
				text.Quote(g.Label), text.Quote(g.Ad), ad.Name)
		case ad.URL != "" && g.URL != ad.URL:
			r.errorf(ad.lines[fieldURL], rule, "use the page of the group, "+text.Quote(g.URL), "%s leads to %s", ad.Name, text.Quote(ad.URL))
		}
	}
}

// checkScopes asks that a negative keyword applies to something that exists.
func (r *adReader) checkScopes() {
	labels := map[string]bool{"campaign": true}
	for _, g := range r.Groups {
		labels[g.Label] = true
	}
	for _, n := range r.Negatives {
		if !labels[n.Scope] {
			r.errorf(n.line, "search-ad-negative", "write campaign or the label of a group", "the scope is %s", text.Quote(n.Scope))
		}
	}
}

// once reports what comes a second time; key must start with its kind.
func (r *adReader) once(line int, key, what string) bool {
	first, twice := r.unique[key]
	if twice {
		r.errorf(line, "search-ad-duplicate", "replace one of the two",
			"the same %s as on line %d", what, r.first+first)
		return false
	}
	r.unique[key] = line
	return true
}

// atLeast reports a part with too few entries.
func (r *adReader) atLeast(line, have, want int, noun string) {
	if have < want {
		r.errorf(line, "search-ad-count", fmt.Sprintf("give at least %d", want), "%s", text.Count(have, noun))
	}
}

// link checks an address, and returns it.
func (r *adReader) link(line int, s string) string {
	if u, err := url.Parse(s); err != nil || u.Scheme != "https" || u.Host == "" || strings.ContainsAny(s, " |") {
		r.errorf(line, "search-ad-url", "write an https:// address", "%s is not one", text.Quote(s))
	}
	return s
}
