package upgrade

import (
	"strings"
	"testing"
)

// foreign are names of other people's skills, and names anyone might give:
// some are real, some only likely. None may bring up a suggestion.
const foreign = `
pdf docx pptx xlsx frontend-design mcp-builder git-commit webapp-testing skill-creator brand-guidelines
internal-comms canvas-design algorithmic-art theme-factory slack-gif-creator web-artifacts-builder doc-coauthoring
code-review seo marketing email ad social-media video-editing image-gen launch-checklist copywriter
template-skill using-superpowers test-driven-development systematic-debugging writing-plans executing-plans
brainstorming requesting-code-review receiving-code-review dispatching-parallel-agents using-git-worktrees
verification-before-completion finishing-a-development-branch subagent-driven-development writing-skills
vercel-deploy react-best-practices web-design-guidelines next-upgrade composition-patterns find-skills
playwright puppeteer docker kubernetes terraform postgres supabase stripe prisma django rails laravel
commit changelog release-notes pr-review pull-request issue-triage refactor debugging unit-tests e2e-testing
api-design openapi graphql sql database-migrations data-analysis data-visualization spreadsheet charts excel word
notion slack jira linear figma canva discord telegram gmail calendar obsidian
translate translation proofreading grammar summarize summarizer transcript meeting-notes note-taking research
deep-research web-search web-scraping scraper browser-use crawler pdf-extraction ocr
resume cover-letter interview-prep job-search travel-planner recipes fitness budget invoice accounting tax
security-audit site-audit web-audit ux-audit geo-audit a11y-audit page-audit accessibility performance lighthouse
devops onboard offboarding boarding analysis analyst analytic dashboards reporting kpi metrics funnel
image images imagery video-generator videos video-script photo photography thumbnail
blog blog-writing newsletter email-templates email-marketing emailing e-commerce shop shopify
ad-copy ads-copy ad-creator social-posts social-copy socials linkedin twitter tweet instagram tiktok youtube
launch-plan launches product-launch go-to-market gtm growth-hacking growth
pricing-page price pricer payments paypal wallet checkout
popup paywall referral competitor competitive-analysis competitor-research
content-creator content-marketing content-calendar content-writer copy copyeditor copy-editor
influencer-marketing affiliate-marketing event-marketing guerilla-marketing marketing-plan marketing-strategy
product-management product-manager product-design product-requirements prd roadmap user-stories user-research
customer-support customer-success customer-service consumer-research market-research
sales sales-calls sales-pitch crm cold-calls cold-calling cold-start prospects prospector inspecting
schema-validation schemas schematic json-schema database-schema sign-in login auth
churn churn-prediction retention revenue revenue-operations devrel
free-trial free-software tools toolkit lead-scoring leads lead-gen
community community-management forum directory directory-listing submissions
site-map sitemap site-builder site-architect architecture clean-architecture
psychology ideas brainstorm strategy tests testing a-b cr crew sm aso-tool ai ai-agents ai-sdk ai-art
api-design security-review code-reviewer git-commits webapp-tester data-analysis pdf-processing release-notes
page-crops-tool paid-apps lead-capture seo-expert form-filler page-builder launch-darkly email-parser
image-backup video-backup social-old my-notes new-folder untitled backup old test tmp
`

// slipsMade are names as people mistype, misremember and copy them, and what they
// mean.
var slipsMade = map[string]string{
	"paid-adz":                   "paid-ads",
	"page-crop":                  "page-cro",
	"refferal-program":           "referral-program",
	"seo-adit":                   "seo-audit",
	"launch-stratgy":             "launch-strategy",
	"prospectng":                 "prospecting",
	"prospectign":                "prospecting",
	"propsecting":                "prospecting",
	"cold-emails":                "cold-email",
	"cold-emial":                 "cold-email",
	"ab-test":                    "ab-test-setup",
	"ab-testng":                  "ab-testing",
	"a-b-testing":                "ab-testing",
	"abtesting":                  "ab-testing",
	"page_cro":                   "page-cro",
	"pagecro":                    "page-cro",
	"Page CRO":                   "page-cro",
	"PageCRO":                    "page-cro",
	"CRO":                        "cro",
	"signupflow-cro":             "signup-flow-cro",
	"sign-up-flow-cro":           "signup-flow-cro",
	"signup-flow":                "signup-flow-cro",
	"sign-up":                    "signup",
	"product-marketting":         "product-marketing",
	"product-markting":           "product-marketing",
	"product_marketing":          "product-marketing",
	"product-marketing-contexts": "product-marketing-context",
	"comarketing":                "co-marketing",
	"copywritting":               "copywriting",
	"copy-writing":               "copywriting",
	"copy-editting":              "copy-editing",
	"programatic-seo":            "programmatic-seo",
	"programmatic-SEO":           "programmatic-seo",
	"seo_audit":                  "seo-audit",
	"seo-audits":                 "seo-audit",
	"paid-ad":                    "paid-ads",
	"paidads":                    "paid-ads",
	"free-tool":                  "free-tools",
	"referal-program":            "referral-program",
	"refferrals":                 "referrals",
	"marketing-psycology":        "marketing-psychology",
	"marketing-idea":             "marketing-ideas",
	"lead-magnet":                "lead-magnets",
	"email-sequences":            "email-sequence",
	"lauch-strategy":             "launch-strategy",
	"pricing-stratgey":           "pricing-strategy",
	"competitor-profilling":      "competitor-profiling",
	"competitor-alternatve":      "competitor-alternatives",
	"competitor-alternative":     "competitor-alternatives",
	"sales-enablment":            "sales-enablement",
	"customer-reserach":          "customer-research",
	"content-stategy":            "content-strategy",
	"churn-prevetion":            "churn-prevention",
	"directory-submision":        "directory-submissions",
	"site-architechture":         "site-architecture",
	"analytics-traking":          "analytics-tracking",
	"analitics":                  "analytics",
	"onboardng":                  "onboarding",
	"sms-marketing":              "sms",
	"pricing_skill":              "pricing",
	"marketing-seo-audit":        "seo-audit",
	"on-boarding":                "onboarding",
	"paywall-upgrade":            "paywall-upgrade-cro",
	"schema_markup":              "schema-markup",
	"social content":             "social-content",
	"page-cro.bak":               "page-cro",
	"page-cro-old":               "page-cro",
	"cro copy":                   "cro",
	"cro (copy)":                 "cro",
	"cro (1)":                    "cro",
	"cro - Copy":                 "cro",
}

func suggesterOf(t testing.TB) *suggester {
	return newSuggester(newReleases(repository(t)).names())
}

func TestSuggestionsSilent(t *testing.T) {
	s := suggesterOf(t)
	rs := newReleases(repository(t))
	names := strings.Fields(foreign)
	if len(names) < 250 {
		t.Errorf("only %d names", len(names))
	}
	for _, name := range names {
		if rs.manifest.Current(name) != "" {
			continue // others may use the name too; nothing can tell
		}
		if got := s.near(name); got != "" {
			t.Errorf("%s: suggests %s", name, got)
		}
	}
	for _, name := range []string{"", "-", "...", "日本語", "été", strings.Repeat("prospecting", 20), "\x00", "\xff\xfe", "crо", "рage-cro", "cro\n"} {
		if got := s.near(name); got != "" {
			t.Errorf("%q: suggests %s", name, got)
		}
	}
}

func TestSuggestionsMade(t *testing.T) {
	s := suggesterOf(t)
	for name, want := range slipsMade {
		if got := s.near(name); got != want {
			t.Errorf("%q: suggests %q, want %q", name, got, want)
		}
	}
}

// TestSuggestionsOfSlips makes one slip at every place of every long name, and
// wants the name back; of short ones it wants nothing else.
func TestSuggestionsOfSlips(t *testing.T) {
	rs := newReleases(repository(t))
	s := newSuggester(rs.names())
	right, tried := 0, 0
	for _, name := range rs.names() {
		for i := 1; i < len(name); i++ {
			left := name[:i] + name[i+1:]
			if rs.manifest.Current(left) != "" {
				continue
			}
			got := s.near(left)
			if got != "" && rs.manifest.Current(got) != rs.manifest.Current(name) {
				t.Errorf("%s for %s: suggests %s", left, name, got)
			}
			tried++
			if got == name {
				right++
			}
		}
	}
	if right*100 < tried*60 {
		t.Errorf("only %d of %d names with a letter left out were found", right, tried)
	}
	t.Logf("%d of %d names with a letter left out were found, none wrongly", right, tried)
}

// TestForeignLettersAreNotEqual: a name that only looks like one from the
// collection, with a Cyrillic o, is somebody else's.
func TestForeignLettersAreNotEqual(t *testing.T) {
	r := Analyze(with(skillFolder("crо", "1.0.0")), repository(t))
	if row := rowOf(t, r, "crо"); row.State != NotOurs || row.Certain || row.Replacement != "" {
		t.Errorf("%+v", row)
	}
	if rowOf(t, r, "cro").State != Current {
		t.Error("the real one changed its state")
	}
}
