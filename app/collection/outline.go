package collection

import (
	"slices"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/skill"
)

// EverySkill are the sections of each SKILL.md, in this order, whatever it is
// about.
var EverySkill = []string{lookHeading, references}

// outline is what rules 6, 7 and 12 of docs/rules.md ask of one file: it is
// there, and it has these headings, of level 2 or 3. Those in ordered come in this order.
type outline struct {
	ordered  []string
	headings []string
}

// outlines are the files those rules name, by skill and file. A file
// listed without headings must only exist.
var outlines = map[string]map[string]outline{
	"prospecting": {
		"SKILL.md": {
			ordered: []string{
				"Branch picker", "Phase 1: ICP", "Phase 2: Discovery",
				"Phase 3: Qualify", "Phase 4: Score", "Phase 5: Output",
			},
			headings: []string{"Compliance guardrails", "Tool quick-picks", "Output formats", "Tool integrations"},
		},
		"references/saas-prospecting.md": {headings: []string{
			"Tech-stack signals", "Funding and hiring triggers", "SaaS sources",
			"Qualification", "Buying-signal tiers", "Developer audience",
		}},
		"references/b2b-prospecting.md": {headings: []string{
			"Industry and firmographic signals", "Trigger events", "Decision-maker mapping", "Sources",
		}},
		"references/local-prospecting.md": {headings: []string{
			"Website status tiers", "Browser-assisted research", "Proximity scoring", "Programmatic verification",
		}},
		"references/data-sources.md": {headings: []string{
			"Deep dives by vendor kind", "Sequencing across the branches",
		}},
		"references/compliance.md": {headings: []string{
			"CAN-SPAM", "GDPR", "CASL", "Platform terms", "Anti-patterns", "Audit checklist",
		}},
	},
	"sms": {
		"references/compliance.md":         {headings: []string{"TCPA", "A2P 10DLC", "GDPR", "CASL"}},
		"references/sequence-templates.md": {headings: textFamilies},
		"references/platforms.md":          {},
	},
	"ads": {
		"SKILL.md": {headings: []string{"Search ad output"}},
		"references/search-ad-output.md": {headings: []string{
			"Order", "Limits", "Self-check", "Filled example",
		}},
	},
	"cro": {
		"references/form.md": {headings: []string{"Field audit", "Validation", "Multi-step forms"}},
	},
}

// textFamilies are the sequences of the sms skill, rule 7.
var textFamilies = []string{
	"Welcome", "Abandoned cart", "Post-purchase", "Win-back", "Promotional", "Transactional and authentication",
}

// outline reports the parts a skill lacks. Files that exist and could not be
// read have findings of their own, as has a folder without SKILL.md.
func (c *checks) outline(s *Skill) {
	for file, want := range outlines[s.Dir] {
		list := c.of(s, file)
		t, ok := s.Text(file)
		switch {
		case ok:
			checkHeadings(t, want, list)
		case len(s.Files) > 0 && file != skill.Main && !slices.Contains(s.Files, file):
			list.Errorf(0, "outline-file", "write it, and link it from SKILL.md", "docs/rules.md asks for this file")
		}
	}
	if main, ok := s.Text(skill.Main); ok {
		list := c.of(s, skill.Main)
		checkHeadings(main, outline{ordered: EverySkill}, list)
		checkLast(main, references, list)
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
	for _, heading := range want.ordered {
		at, ok := position[heading]
		switch {
		case !ok:
			missing(heading, list)
		case at < last:
			list.Errorf(t.Doc.Headings[at].Line, "outline-order", "put it below that", "%q stands above %q", heading, lastName)
		default:
			last, lastName = at, heading
		}
	}
	for _, heading := range want.headings {
		if _, ok := position[heading]; !ok {
			missing(heading, list)
		}
	}
}

func missing(heading string, list *finding.List) {
	list.Errorf(0, "outline", "add it at level 2 or 3, in exactly these words", "there is no heading %q", heading)
}

// checkLast reports every section that follows the closing one.
func checkLast(t Text, heading string, list *finding.List) {
	closing := 0
	for _, h := range t.Doc.Headings {
		switch {
		case h.Text == heading && (h.Level == 2 || h.Level == 3):
			closing = h.Level
		case closing > 0 && h.Level <= closing && h.Level > 1:
			list.Errorf(h.Line, "outline-last", "move it up", "%q follows %q, which closes every skill", h.Text, heading)
		}
	}
}
