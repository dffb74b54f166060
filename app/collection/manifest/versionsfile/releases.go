package versionsfile

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/text"
)

// readReleases reads the section on releases, which has a heading for each.
func (r *reader) readReleases(s section) {
	if r.releasesSeen {
		r.list.Errorf(s.heading.Line, "manifest-second-section", "keep all releases in one section", "this is another section %s", changesTitle)
	}
	r.releasesSeen = true
	before := len(r.releases)
	for _, entry := range splitSections(s.below, 3, s.end)[1:] {
		if strings.EqualFold(entry.heading.Text, unreleasedTitle) {
			r.readUnreleased(entry)
		} else {
			r.readRelease(entry)
		}
	}
	if len(r.releases) == before {
		r.list.Errorf(s.heading.Line, "manifest-no-changes", "give each release a heading ### 2.2.0 (2026-05-26)", "the section lists no release")
	}
}

// readRelease reads a release. It leaves out one without version and date in its
// heading.
func (r *reader) readRelease(entry section) {
	version, date, exact := splitHeading(entry.heading.Text)
	if !exact {
		r.list.Errorf(entry.heading.Line, "manifest-release-heading", "write ### 2.2.0 (2026-05-26), the date alone, or "+unreleasedTitle,
			"the heading %s is not a version and a date", text.Quote(entry.heading.Text))
	}
	if version == "" && date == "" {
		return
	}
	release := manifest.Release{Version: version, Date: date, Changes: []manifest.Change{}, Line: entry.heading.Line}
	for _, b := range r.bullets(entry, release.Name()) {
		if total := totalOf(b.Text); total > 0 {
			if release.Total != 0 {
				r.list.Errorf(b.Line, "manifest-total", "keep one of them; the last is read",
					"release %s gives its total twice", text.Quote(release.Name()))
			}
			release.Total = total
			continue
		}
		change, mark := cutMark(b.Text)
		var names []string
		for _, code := range b.CodeSpans {
			names = append(names, strings.TrimSpace(code.Text))
		}
		release.Changes = append(release.Changes, newChange(change, mark, names, b.Line))
	}
	r.releases = append(r.releases, release)
}

// bullets returns the bullets of an entry that are not empty, and reports those
// that are, and any text that is not in a bullet.
func (r *reader) bullets(entry section, name string) []markdown.Block {
	var bullets []markdown.Block
	for _, b := range entry.below {
		switch b.Kind {
		case markdown.KindItem:
			if change, _ := cutMark(b.Text); change == "" {
				r.list.Warnf(b.Line, "manifest-release-text", "say what changed, or delete the bullet", "the bullet is empty")
			} else {
				bullets = append(bullets, b)
			}
		case markdown.KindHeading, markdown.KindParagraph, markdown.KindQuotation, markdown.KindTableHead:
			r.list.Warnf(b.Line, "manifest-release-text", "write it as a bullet", "the text %s of release %s is not part of a bullet",
				text.Quote(b.Text), text.Quote(name))
		}
	}
	return bullets
}

// splitHeading reads "2.2.0 (2026-05-26)", "2.2.0 - 2026-05-26", "2026-05-26"
// and their like. exact is false when the text says more than that or less.
func splitHeading(text string) (version manifest.Version, date string, exact bool) {
	words := strings.FieldsFunc(text, func(c rune) bool {
		return unicode.IsSpace(c) || strings.ContainsRune("()[],;:–—", c)
	})
	words = slices.DeleteFunc(words, func(w string) bool { return w == "-" })
	switch {
	case len(words) == 0:
		return "", "", false
	case looksLikeDate(words[0]):
		return "", words[0], len(words) == 1
	case looksLikeVersion(words[0]):
		version = manifest.Version(words[0])
	default:
		return "", "", false
	}
	if len(words) > 1 && looksLikeDate(words[1]) {
		return version, words[1], len(words) == 2
	}
	// A missing date is reported with the other dates.
	return version, "", len(words) == 1
}

// looksLikeDate reports whether s was meant as YYYY-MM-DD.
func looksLikeDate(s string) bool {
	return strings.Count(s, "-") == 2 && strings.Trim(s, "0123456789-") == "" && s[0] != '-'
}

// looksLikeVersion reports whether s was meant as MAJOR.MINOR.PATCH.
func looksLikeVersion(s string) bool {
	s = strings.TrimLeft(s, "vV")
	return s != "" && '0' <= s[0] && s[0] <= '9'
}

// totalOf reads "Total: 42 skills."; 0 for any other text.
func totalOf(text string) int {
	number, ok := strings.CutPrefix(strings.TrimSuffix(text, "."), "Total: ")
	if !ok {
		return 0
	}
	number = strings.TrimSuffix(strings.TrimSuffix(number, " skills"), " skill")
	total, err := strconv.Atoi(number)
	if err != nil || total < 0 || strconv.Itoa(total) != number {
		return 0
	}
	return total
}

const breaking = "Breaking"

// marks are the words in bold with which a bullet may begin.
var marks = []string{breaking, string(manifest.MarkNew), string(manifest.MarkChanged), string(manifest.MarkFixed)}

// cutMark returns a bullet without its mark, and the mark. It knows it in any
// case, and with the colon inside or outside the bold.
func cutMark(text string) (rest, mark string) {
	for _, m := range marks {
		for _, written := range []string{"**" + m + ":**", "**" + m + "**:"} {
			if len(text) >= len(written) && strings.EqualFold(text[:len(written)], written) {
				return strings.TrimSpace(text[len(written):]), m
			}
		}
	}
	return text, ""
}

func newChange(text, mark string, skills []string, line int) manifest.Change {
	c := manifest.Change{Text: text, Skills: skills, Line: line}
	if mark == breaking {
		c.Breaking = true
	} else {
		c.Mark = manifest.Mark(mark)
	}
	return c
}
