package collection

import (
	"slices"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/skill"
)

// CommonSections are the sections that each SKILL.md has, in this order.
var CommonSections = []string{secondLookHeading, referencesHeading}

// outline is what rules 6, 7 and 12 of docs/rules.md ask of one file: that it
// exists, and that it has these headings, of level 2 or 3.
type outline struct {
	inOrder  []string // one below the other
	anyOrder []string
}

// outlines are the files that those rules name, by skill and file. Without
// headings, a file must only exist.
var outlines = map[string]map[string]outline{
	"prospecting": {
		"SKILL.md": {
			inOrder: []string{
				"Branch picker", "Phase 1: ICP", "Phase 2: Discovery",
				"Phase 3: Qualify", "Phase 4: Score", "Phase 5: Output",
			},
			anyOrder: []string{"Compliance guardrails", "Tool quick-picks", "Output formats", "Tool integrations"},
		},
		"references/saas-prospecting.md": {anyOrder: []string{
			"Tech-stack signals", "Funding and hiring triggers", "SaaS sources",
			"Qualification", "Buying-signal tiers", "Developer audience",
		}},
		"references/b2b-prospecting.md": {anyOrder: []string{
			"Industry and firmographic signals", "Trigger events", "Decision-maker mapping", "Sources",
		}},
		"references/local-prospecting.md": {anyOrder: []string{
			"Website status tiers", "Browser-assisted research", "Proximity scoring", "Programmatic verification",
		}},
		"references/data-sources.md": {anyOrder: []string{
			"Deep dives by vendor kind", "Sequencing across the branches",
		}},
		"references/compliance.md": {anyOrder: []string{
			"CAN-SPAM", "GDPR", "CASL", "Platform terms", "Anti-patterns", "Audit checklist",
		}},
	},
	"sms": {
		"references/compliance.md":         {anyOrder: []string{"TCPA", "A2P 10DLC", "GDPR", "CASL"}},
		"references/sequence-templates.md": {anyOrder: smsSequences},
		"references/platforms.md":          {},
	},
	"ads": {
		"SKILL.md": {anyOrder: []string{"Search ad output"}},
		"references/search-ad-output.md": {anyOrder: []string{
			"Order", "Limits", "Self-check", "Filled example",
		}},
	},
	"cro": {
		"references/form.md": {anyOrder: []string{"Field audit", "Validation", "Multi-step forms"}},
	},
}

// smsSequences are the sequences of the sms skill, rule 7.
var smsSequences = []string{
	"Welcome", "Abandoned cart", "Post-purchase", "Win-back", "Promotional", "Transactional and authentication",
}

// checkOutline reports files and headings that a skill lacks. A file that could
// not be read, or a missing SKILL.md, is reported by package skill.
func (l *loader) checkOutline(s *Skill) {
	for file, want := range outlines[s.Dir] {
		list := l.listFor(s, file)
		t, ok := s.Text(file)
		switch {
		case ok:
			checkHeadings(t, want, list)
		case len(s.Files) > 0 && file != skill.MainFile && !slices.Contains(s.Files, file):
			list.Errorf(0, "outline-file", "write it, and link it from SKILL.md", "docs/rules.md asks for this file")
		}
	}
	if main, ok := s.Text(skill.MainFile); ok {
		list := l.listFor(s, skill.MainFile)
		checkHeadings(main, outline{inOrder: CommonSections}, list)
		checkLast(main, referencesHeading, list)
	}
}

func checkHeadings(t Text, want outline, list *finding.List) {
	position := map[string]int{}
	for i, h := range t.Doc.Headings {
		if h.Level == 2 || h.Level == 3 {
			position[h.Text] = i
		}
	}
	last, lastName := -1, ""
	for _, heading := range want.inOrder {
		at, ok := position[heading]
		switch {
		case !ok:
			reportMissing(heading, list)
		case at < last:
			list.Errorf(t.Doc.Headings[at].Line, "outline-order", "put it below that", "%q stands above %q", heading, lastName)
		default:
			last, lastName = at, heading
		}
	}
	for _, heading := range want.anyOrder {
		if _, ok := position[heading]; !ok {
			reportMissing(heading, list)
		}
	}
}

func reportMissing(heading string, list *finding.List) {
	list.Errorf(0, "outline", "add it at level 2 or 3, in exactly these words", "there is no heading %q", heading)
}

// checkLast reports every section below the one that has to be the last.
func checkLast(t Text, heading string, list *finding.List) {
	last := 0 // the level of that section, 0 above it
	for _, h := range t.Doc.Headings {
		switch {
		case h.Text == heading && (h.Level == 2 || h.Level == 3):
			last = h.Level
		case last > 0 && h.Level <= last && h.Level > 1:
			list.Errorf(h.Line, "outline-last", "move it up", "%q follows %q, which closes every skill", h.Text, heading)
		}
	}
}
