package collection

import (
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"marketingskills/app/collection/example"
	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/text"
)

// checkTexts checks what is inside the Markdown files.
func (l *loader) checkTexts() {
	var current []string
	for _, s := range l.collection.Skills {
		// A folder with an old name, which is a finding, does not make that name
		// current again.
		if _, _, old := l.collection.Manifest.Resolve(s.Dir); !old {
			current = append(current, s.Dir)
		}
	}
	for _, s := range l.collection.Skills {
		l.checkOutline(s)
		for _, t := range s.Texts {
			list := l.listFor(s, t.File)
			checkAnyText(t, list)
			l.checkLinks(t, skillsDir+"/"+s.Dir+"/", list)
			l.checkSkillNames(t, current, list)
		}
		l.checkForm(s)
	}
	for _, t := range l.collection.Tools.Texts {
		list := l.report.On(t.File)
		checkAnyText(t, list)
		l.checkLinks(t, "", list)
	}
}

// checkAnyText is what is asked of every text of the collection.
func checkAnyText(t Text, list *finding.List) {
	checkStructure(t, list)
	checkPlaceholders(t, list)
	checkExamples(t, list)
}

// checkExamples checks the examples that a program can count, and reports
// blocks that are marked almost like one and would not be checked.
func checkExamples(t Text, list *finding.List) {
	for _, f := range t.Doc.Fences {
		if example.Check(f.Info, f.Body, f.Line, list) {
			continue
		}
		words := strings.FieldsFunc(f.Info, func(r rune) bool { return r != '-' && !unicode.IsLetter(r) })
		for _, kind := range example.Kinds() {
			if len(words) > 0 && strings.EqualFold(words[0], kind) {
				list.Errorf(f.Line-1, "example-kind", "write "+kind+" and nothing else behind the fence",
					"no checker is called %q, so the example is not checked", f.Info)
			}
		}
	}
}

// checkStructure asks for one title at the top and no level left out below it,
// so that a table of contents and a screen reader both make sense of the text.
func checkStructure(t Text, list *finding.List) {
	switch blocks := t.Doc.Blocks; {
	case len(blocks) == 0:
		list.Errorf(0, "title", "start with one heading of level 1", "the text is empty")
	case blocks[0].Kind != markdown.KindHeading || blocks[0].Level != 1:
		list.Errorf(blocks[0].Line, "title", "start with one heading of level 1", "the text does not start with a title")
	}
	level := 1
	titles := 0
	seen := map[string]bool{}
	for _, h := range t.Doc.Headings {
		if h.Level == 1 {
			titles++
		}
		switch {
		case h.Level == 1 && titles > 1:
			list.Errorf(h.Line, "title", "use level 2 or below", "%q is a second title", h.Text)
		case h.Level > level+1:
			list.Errorf(h.Line, "heading-level", "go down one level at a time", "%q is of level %d below level %d", h.Text, h.Level, level)
		}
		if strings.TrimSpace(h.Text) == "" {
			list.Errorf(h.Line, "heading-empty", "give it words or remove it", "the heading is empty")
		}
		if seen[h.Text] {
			list.Errorf(h.Line, "heading-repeated", "give each heading of a file its own words", "%q stands twice", h.Text)
		}
		seen[h.Text] = true
		level = h.Level
	}
}

// checkLinks reports links that lead neither to the web nor to a file in the
// folder that the text belongs to: "skills/ads/", or "" for the whole
// collection.
func (l *loader) checkLinks(t Text, folder string, list *finding.List) {
	for _, link := range t.Doc.Links {
		line := link.Line
		if link.Image {
			list.Errorf(line, "image", "say it in words or in a table", "the collection carries no images")
			continue
		}
		u, err := url.Parse(link.Target)
		switch {
		case err != nil || strings.ContainsAny(link.Target, " \\"):
			list.Errorf(line, "link", "write a web address or a relative path", "%q is not a link", link.Target)
		case strings.Trim(link.Target, "#") == "":
			list.Errorf(line, "link", "write a web address or a relative path", "the link leads nowhere")
		case (u.Scheme == "https" || u.Scheme == "http") && u.Host != "", u.Scheme == "mailto" && u.Opaque != "":
		case u.Scheme != "" || u.Host != "" || strings.HasPrefix(link.Target, "/"):
			list.Errorf(line, "link", "write a web address or a path relative to this file", "%q leads nowhere in a copy", link.Target)
		default:
			l.checkRelativeLink(t, folder, link.Target, line, list)
		}
	}
}

// checkRelativeLink reports a link to a file or a section that does not exist.
func (l *loader) checkRelativeLink(t Text, folder, target string, line int, list *finding.List) {
	file, anchor := markdown.SplitTarget(target)
	to := t
	if file != "" {
		// Relative to the folder, which may have another name in a copy.
		inside := path.Join(path.Dir(t.File), file)
		var ok bool
		if to, ok = l.textAt(path.Join(folder, inside)); !ok || folder != "" && !filepath.IsLocal(inside) {
			right := "correct the path"
			if folder != "" {
				right += "; name other skills in backticks instead of linking"
			}
			list.Errorf(line, "link", right, "there is no file %q to link to", target)
			return
		}
	}
	if anchor != "" && to.File != "" && !slices.ContainsFunc(to.Doc.Headings, func(h markdown.Heading) bool { return h.ID == anchor }) {
		list.Errorf(line, "link-anchor", "use the heading's words in lower case, joined by hyphens", "%s has no section %q", to.File, anchor)
	}
}

// textAt returns the text at a path from the root; ok is false when there is no
// such file. The text is empty for a file of another kind.
func (l *loader) textAt(name string) (t Text, ok bool) {
	below, inSkills := strings.CutPrefix(name, skillsDir+"/")
	if !inSkills {
		t, ok = l.collection.Tools.Text(name)
		return t, ok || l.collection.Tools.HasCommand(name)
	}
	dir, below, _ := strings.Cut(below, "/")
	s := l.collection.Skill(dir)
	if s == nil || !s.Has(below) {
		return Text{}, false
	}
	t, _ = s.Text(below)
	return t, true
}

// A text names a skill in a code span. The words around it tell such a name from
// other code.
var (
	saysSkillAfter  = regexp.MustCompile(`(?i)^ skills?\b`)
	saysSkillBefore = regexp.MustCompile(`(?i)(?:\bskills?:?|→|\bhand (?:it |this )?(?:over )?to|\bgo to)\s$`)
)

// checkSkillNames reports names of skills that are outdated or misspelt. current
// are the names of the skills there are.
func (l *loader) checkSkillNames(t Text, current []string, list *finding.List) {
	for _, code := range t.Doc.CodeSpans {
		newName, _, old := l.collection.Manifest.Resolve(code.Text)
		switch {
		case !text.IsSkillName(code.Text) || slices.Contains(current, code.Text):
		case old:
			list.Errorf(code.Line, "old-name", "write `"+newName+"`", "`%s` is a 1.x name", code.Text)
		case saysSkillAfter.MatchString(code.After) || saysSkillBefore.MatchString(code.Before):
			right := "use a name from " + manifestFile
			if near := text.Nearest(code.Text, current, 2); near != "" {
				right = "did you mean `" + near + "`?"
			}
			list.Errorf(code.Line, "skill-name", right, "there is no skill `%s`", code.Text)
		case len(code.Text) > 5:
			if near := text.Nearest(code.Text, current, 1); near != "" {
				list.Warnf(code.Line, "skill-name", "write `"+near+"` if the skill is meant",
					"`%s` is one letter away from a skill's name", code.Text)
			}
		}
	}
}
