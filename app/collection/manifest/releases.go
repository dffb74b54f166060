package manifest

import (
	"strconv"
	"strings"
	"unicode"
)

// readReleases reads the section on releases: a heading each, bullets below.
func (r *reader) readReleases(s section) {
	if r.hasChanges {
		r.errorf(s.line(), "manifest-second-section", "keep all releases in one section", "this is another section %s", changesTitle)
	}
	r.hasChanges = true
	before := len(r.m.Releases)
	var release *releaseReader
	for i := s.start; i < s.end; i++ {
		line := r.lines[i]
		if r.hidden[i] {
			continue
		}
		if level, text := heading(line); level == 3 {
			release.close()
			release = r.openRelease(text, i+1)
			continue
		}
		release.read(line, i+1)
	}
	release.close()
	if len(r.m.Releases) == before {
		r.errorf(s.line(), "manifest-no-changes", "give each release a heading ### 2.2.0 (2026-05-26)", "the section lists no release")
	}
}

// openRelease begins a release under a heading; nil when the heading is none
// of a release.
func (r *reader) openRelease(text string, line int) *releaseReader {
	version, date, exact := splitHeading(text)
	if !exact {
		r.errorf(line, "manifest-release-heading", "write ### 2.2.0 (2026-05-26), or the date alone",
			"the heading %s is not a version and a date", quote(text))
	}
	if version == "" && date == "" {
		return nil
	}
	return &releaseReader{reader: r, release: Release{
		Version: version, Date: date, Changes: []Change{}, Line: line,
	}}
}

// splitHeading reads "2.2.0 (2026-05-26)", "2.2.0 - 2026-05-26", "2026-05-26"
// and their like. exact is false when the text says more than that or less.
func splitHeading(text string) (version Version, date string, exact bool) {
	words := strings.FieldsFunc(text, func(c rune) bool {
		return unicode.IsSpace(c) || strings.ContainsRune("()[],;:–—", c)
	})
	kept := words[:0]
	for _, w := range words {
		if w != "-" {
			kept = append(kept, w)
		}
	}
	words = kept
	switch {
	case len(words) == 0:
		return "", "", false
	case looksLikeDate(words[0]):
		return "", words[0], len(words) == 1
	case looksLikeVersion(words[0]):
		version = Version(words[0])
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

// releaseReader gathers the bullets of one release. A nil one skips lines.
type releaseReader struct {
	*reader
	release Release
	// bullet holds the lines of the one being read; nil between bullets.
	bullet []string
	line   int // where it began
	blank  bool
}

// read takes the next line below the heading.
func (r *releaseReader) read(line string, number int) {
	if r == nil {
		return
	}
	text := strings.TrimSpace(line)
	indented := strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "\t")
	switch content, isBullet := cutBullet(text); {
	case text == "":
		r.blank = true
		return
	case isRule(text):
		r.endBullet()
	case isBullet:
		r.endBullet()
		r.bullet, r.line = append([]string{}, content), number
	case r.bullet != nil && (indented || !r.blank) && !isHeading(line):
		r.bullet = append(r.bullet, text)
	default:
		r.endBullet()
		r.warnf(number, "manifest-release-text", "write it as a bullet", "the text %s of release %s is not part of a bullet",
			quote(text), quote(r.release.Name()))
	}
	r.blank = false
}

func isHeading(line string) bool {
	level, _ := heading(line)
	return level > 0
}

// isRule reports whether a line, already trimmed, is a thematic break.
func isRule(text string) bool {
	mark := text[:min(1, len(text))]
	return mark != "" && strings.Contains("-*_", mark) && strings.Count(text, mark) >= 3 && strings.Trim(text, mark+" \t") == ""
}

// cutBullet returns what follows the marker of a bullet.
func cutBullet(text string) (content string, ok bool) {
	if text == "" || !strings.Contains("-*+", text[:1]) || len(text) > 1 && text[1] != ' ' && text[1] != '\t' {
		return "", false
	}
	return strings.TrimSpace(text[1:]), true
}

// endBullet adds the bullet that was being read to the release.
func (r *releaseReader) endBullet() {
	if r.bullet == nil {
		return
	}
	text := strings.TrimSpace(strings.Join(r.bullet, " "))
	r.bullet = nil
	if total := totalOf(text); total > 0 {
		if r.release.Total != 0 {
			r.errorf(r.line, "manifest-total", "keep one of them; the last is read",
				"release %s gives its total twice", quote(r.release.Name()))
		}
		r.release.Total = total
		return
	}
	text, breaking := cutBreaking(text)
	if text == "" {
		r.warnf(r.line, "manifest-release-text", "say what changed, or delete the bullet", "the bullet is empty")
		return
	}
	r.release.Changes = append(r.release.Changes, Change{Text: text, Breaking: breaking, Skills: []string{}, Line: r.line})
}

// close adds the release to the manifest.
func (r *releaseReader) close() {
	if r == nil {
		return
	}
	r.endBullet()
	r.m.Releases = append(r.m.Releases, r.release)
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
