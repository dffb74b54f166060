package versionsfile

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/text"
)

// readRelease reads a block of the section on releases: a heading each,
// bullets below.
func (r *reader) readRelease(b markdown.Block, index int) {
	switch {
	case b.Kind == markdown.Title && b.Level == 3 && b.Depth == 0 && strings.EqualFold(b.Text, nextTitle):
		r.openNext(b)
	case b.Kind == markdown.Title && b.Level == 3 && b.Depth == 0:
		r.openRelease(b)
	case !r.open && !r.nextOpen:
	case b.Kind == markdown.Item && r.nextOpen:
		r.readNext(b, index)
	case b.Kind == markdown.Item:
		r.readBullet(b, index)
	case b.Kind == markdown.Title || b.Kind == markdown.Paragraph || b.Kind == markdown.Quotation || b.Kind == markdown.TableHead:
		name := nextTitle
		if r.open {
			name = r.release().Name()
		}
		r.Warnf(b.Line, "manifest-release-text", "write it as a bullet", "the text %s of release %s is not part of a bullet",
			text.Quote(b.Text), text.Quote(name))
	}
}

// endEntry ends the entry that takes bullets, at the line of what follows it.
func (r *reader) endEntry(line int) {
	if r.nextOpen {
		r.next.End = line
	}
	r.open, r.nextOpen = false, false
}

// release is the one being read.
func (r *reader) release() *manifest.Release { return &r.releases[len(r.releases)-1] }

func (r *reader) openRelease(b markdown.Block) {
	r.endEntry(b.Line)
	version, date, exact := splitHeading(b.Text)
	if !exact {
		r.Errorf(b.Line, "manifest-release-heading", "write ### 2.2.0 (2026-05-26), the date alone, or "+nextTitle,
			"the heading %s is not a version and a date", text.Quote(b.Text))
	}
	r.open = version != "" || date != ""
	if r.open {
		r.found = true
		r.releases = append(r.releases, manifest.Release{Version: version, Date: date, Changes: []manifest.Change{}, Line: b.Line})
	}
}

func (r *reader) readBullet(b markdown.Block, index int) {
	if total := totalOf(b.Text); total > 0 {
		if r.release().Total != 0 {
			r.Errorf(b.Line, "manifest-total", "keep one of them; the last is read",
				"release %s gives its total twice", text.Quote(r.release().Name()))
		}
		r.release().Total = total
		return
	}
	change, breaking := cutBreaking(b.Text)
	if change == "" {
		r.emptyBullet(b)
		return
	}
	var names []string
	for _, code := range r.codes(index) {
		names = append(names, strings.TrimSpace(code.Text))
	}
	r.release().Changes = append(r.release().Changes, manifest.Change{Text: change, Breaking: breaking, Skills: names, Line: b.Line})
}

func (r *reader) emptyBullet(b markdown.Block) {
	r.Warnf(b.Line, "manifest-release-text", "say what changed, or delete the bullet", "the bullet is empty")
}

// codes returns the code spans of a block.
func (r *reader) codes(index int) []markdown.Code {
	blocks, codes := r.document.Blocks, r.document.Codes
	end := math.MaxInt
	if index+1 < len(blocks) {
		end = blocks[index+1].Line
	}
	first := sort.Search(len(codes), func(i int) bool { return codes[i].Line >= blocks[index].Line })
	last := sort.Search(len(codes), func(i int) bool { return codes[i].Line >= end })
	return codes[first:max(first, last)]
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

const breakingMark = "**Breaking:**"

// cutBreaking returns a bullet without the mark of a breaking change, however
// its colon and its letters are set.
func cutBreaking(text string) (rest string, breaking bool) {
	for _, mark := range []string{breakingMark, "**Breaking**:"} {
		if len(text) >= len(mark) && strings.EqualFold(text[:len(mark)], mark) {
			return strings.TrimSpace(text[len(mark):]), true
		}
	}
	return text, false
}
