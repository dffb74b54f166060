package example

import (
	"fmt"
	"strings"
	"testing"

	"marketingskills/app/collection/finding"
)

const (
	label1 = "AG1_agency-invoicing_phrase > RSA1 > https://ledgerloop.example/agencies"
	check1 = "Check H15/15 max28 · D4/4 max81 · NEG 8 · SL4 CO4 · labels 2 · dup 0 · unproven claims 0\n\nRSA2"
	pages  = "URL: https://ledgerloop.example/agencies"
)

// section returns what the sample holds from one text up to another.
func section(from, to string) string {
	_, rest, _ := strings.Cut(validAd, from)
	section, _, _ := strings.Cut(rest, to)
	return from + section
}

func TestCheckSearchAdOrder(t *testing.T) {
	negatives, sitelinks := section("Negative keywords:", "Sitelinks:"), section("Sitelinks:", "Callouts:")
	rsa2 := section("RSA2\nAd", "Rationale:")
	checkChanges(t, KindSearchAd, validAd, []change{
		{"empty", validAd, "", []string{
			"search-ad-missing @ ", "search-ad-missing @ ", "search-ad-missing @ ",
			"search-ad-missing @ ", "search-ad-missing @ ", "search-ad-missing @ ",
		}},
		{"text before the first part", "Ad group structure:", "Here you are:\nAd group structure:", []string{"search-ad-line @ Here"}},
		{"label misspelt", "Rationale:", "Rationale", []string{
			"search-ad-missing @ Ad group structure:", "search-ad-line @ Rationale", "search-ad-line @ Two", "search-ad-line @ Test",
		}},
		{"parts swapped", negatives + sitelinks, sitelinks + negatives, []string{"search-ad-order @ Negative"}},
		{"part missing", section("Callouts:", "RSA1\nAd"), "", []string{
			"search-ad-missing @ Ad group", "search-ad-check @ Check", "search-ad-check @ Check",
		}},
		{"part twice", sitelinks, sitelinks + "Sitelinks:\n", []string{"search-ad-order @ Sitelinks:"}},
		{"part empty", "Two intents, two pages.\n\nTest one change at a time.\n", "", []string{"search-ad-missing @ Rationale:"}},
		{"ad missing", rsa2, "", []string{"search-ad-mapping @ AG2"}},
		{"ad misnumbered", "\nRSA2\n", "\nRSA3\n", []string{"search-ad-mapping @ AG2", "search-ad-order @ RSA3", "search-ad-mapping @ Ad group: AG2"}},
		{"ad after the rationale", rsa2 + "Rationale:\n", "Rationale:\nx\n" + rsa2, []string{
			"search-ad-order @ RSA2", "search-ad-line @ Two", "search-ad-line @ Test",
		}},
	})
}

func TestCheckSearchAdGroups(t *testing.T) {
	checkChanges(t, KindSearchAd, validAd, []change{
		{"no campaign", "Campaign: Search_US_Invoicing\n", "", []string{"search-ad-missing @ Ad group structure:"}},
		{"campaign without name", "Campaign: Search_US_Invoicing\n", "Campaign:\n", []string{"search-ad-missing @ Ad group structure:"}},
		{"campaign twice", "Campaign: Search_US_Invoicing\n", "Campaign: A\nCampaign: B\n", []string{"search-ad-order @ Campaign: B"}},
		{"campaign after a group", "Campaign: Search_US_Invoicing\n" + label1, label1 + "\nCampaign: A", []string{"search-ad-order @ Campaign: A"}},
		{"keyword before a group", label1, "- invoices\n" + label1, []string{"search-ad-order @ - invoices"}},
		{"neither", label1, "Groups\n" + label1, []string{"search-ad-line @ Groups"}},
		{"no arrow", " > RSA1 > https://ledgerloop.example/agencies", "", []string{"search-ad-group @ AG1"}},
		{"ad misnamed", "> RSA1 >", "> ad 1 >", []string{
			"search-ad-group @ AG1", "search-ad-mapping @ AG1", "search-ad-mapping @ Ad group: AG1",
		}},
		{"http", "> https://ledgerloop.example/agencies", "> http://ledgerloop.example/agencies", []string{
			"search-ad-url @ AG1", "search-ad-mapping @ URL:",
		}},
		{"label without number", label1, "AG_agency-invoicing_phrase > RSA1 > https://ledgerloop.example/agencies", []string{
			"search-ad-group @ AG_", "search-ad-negative @ AG1", "search-ad-mapping @ Ad group: AG1",
		}},
		{"unknown match type", label1, "AG1_agency-invoicing_modified > RSA1 > https://ledgerloop.example/agencies", []string{
			"search-ad-group @ AG1", "search-ad-negative @ AG1", "search-ad-mapping @ Ad group: AG1",
		}},
		{"space in the theme", label1, "AG1_agency invoicing_phrase > RSA1 > https://ledgerloop.example/agencies", []string{
			"search-ad-group @ AG1", "search-ad-negative @ AG1", "search-ad-mapping @ Ad group: AG1",
		}},
		{"number taken", "AG2_chase-payments_exact > RSA2", "AG1_chase-payments_exact > RSA2", []string{
			"search-ad-group @ AG1_chase", "search-ad-negative @ AG2", "search-ad-mapping @ Ad group: AG2",
		}},
		{"ad serves two groups", "> RSA2 >", "> RSA1 >", []string{"search-ad-mapping @ AG2", "search-ad-mapping @ Ad group: AG2"}},
		{"ad names another group", "Ad group: AG1", "Ad group: AG3", []string{"search-ad-mapping @ Ad group: AG3"}},
		{"ad leads elsewhere", pages, "URL: https://ledgerloop.example/", []string{"search-ad-mapping @ URL:"}},
		{"four keywords", "- agency billing\n", "", []string{"search-ad-count @ AG1"}},
		{"sixteen keywords", "- agency billing\n", numberedLines("- keyword %d\n", 12), []string{"search-ad-count @ AG1"}},
		{"quote not closed", `- "billing software agency"`, `- "billing software agency`, []string{"search-ad-count @ AG1", "search-ad-keyword @ - \"billing"}},
		{"empty keyword", "- agency billing", "-", []string{"search-ad-count @ AG1", "search-ad-keyword @ -"}},
		{"empty exact keyword", "- agency billing", "- []", []string{"search-ad-count @ AG1", "search-ad-keyword @ - []"}},
		{"keyword twice", "- agency billing\n", "- agency billing\n- Agency  Billing\n", []string{"search-ad-duplicate @ - Agency"}},
		{"keyword again in another match type", "- agency billing\n", "- agency billing\n- [agency billing]\n", nil},
	})
}

func TestCheckSearchAdAssets(t *testing.T) {
	checkChanges(t, KindSearchAd, validAd, []change{
		{"seven negatives", "campaign | phrase | jobs | job seekers\n", "", []string{
			"search-ad-count @ Negative", "search-ad-check @ Check", "search-ad-check @ Check",
		}},
		{"nine negatives", "campaign | phrase | jobs", "campaign | phrase | salary | job seekers\ncampaign | phrase | jobs", []string{
			"search-ad-check @ Check", "search-ad-check @ Check",
		}},
		{"negative twice", "campaign | phrase | definition", "campaign | phrase | Jobs", []string{
			"search-ad-count @ Negative", "search-ad-duplicate @ campaign | phrase | Jobs", "search-ad-check @ Check", "search-ad-check @ Check",
		}},
		{"no reason", "| jobs | job seekers", "| jobs |", []string{"search-ad-negative @ campaign"}},
		{"long reason", "| job seekers", "| they want to be hired", []string{"search-ad-negative @ campaign"}},
		{"no text", "| jobs |", "| |", []string{"search-ad-negative @ campaign"}},
		{"unknown scope", "campaign | phrase | jobs", "account | phrase | jobs", []string{"search-ad-negative @ account"}},
		{"unknown match type", "campaign | phrase | jobs", "campaign | Phrase | jobs", []string{"search-ad-negative @ campaign"}},
		{"three fields", "campaign | phrase | jobs | job seekers", "phrase | jobs | job seekers", []string{
			"search-ad-count @ Negative", "search-ad-line @ phrase", "search-ad-check @ Check", "search-ad-check @ Check",
		}},
		{"three sitelinks", section("See pricing", "How chasing"), "", []string{
			"search-ad-count @ Sitelinks:", "search-ad-check @ Check", "search-ad-check @ Check",
		}},
		{"sitelink miscounted", "See pricing (11)", "See pricing (12)", []string{"search-ad-number @ See"}},
		{"sitelink uncounted", "See pricing (11)", "See pricing", []string{"search-ad-number @ See"}},
		{"sitelink at the limit", "See pricing (11)", "See our plans and pricing (25)", nil},
		{"sitelink too long", "See pricing (11)", "See all of our many plans now (29)", []string{"search-ad-length @ See"}},
		{"sitelink line at the limit", "Cancel any month (16)", "Cancel any month, whatever the plan (35)", nil},
		{"sitelink line too long", "Cancel any month (16)", "Cancel any month, whatever the plans (36)", []string{"search-ad-length @ See"}},
		{"sitelink without page", "https://ledgerloop.example/pricing", "/pricing", []string{"search-ad-url @ See"}},
		{"sitelink without host", "https://ledgerloop.example/pricing", "https:///pricing", []string{"search-ad-url @ See"}},
		{"sitelink without a line", "| Cancel any month (16) ", "", []string{
			"search-ad-count @ Sitelinks:", "search-ad-line @ See", "search-ad-check @ Check", "search-ad-check @ Check",
		}},
		{"sitelink twice", "Start a trial (13)", "See Pricing (11)", []string{
			"search-ad-count @ Sitelinks:", "search-ad-duplicate @ See Pricing", "search-ad-check @ Check", "search-ad-check @ Check",
		}},
		{"callout too long", "No card needed (14)", "No payment card needed here (27)", []string{"search-ad-length @ No"}},
		{"callout empty", "No card needed (14)", "(0)", []string{"search-ad-length @ (0)"}},
		{"callout in brackets", "No card needed (14)", "No card (needed)", []string{"search-ad-number @ No"}},
		{"callout twice", "No card needed (14)", "Syncs with Xero (15)", []string{
			"search-ad-count @ Callouts:", "search-ad-duplicate @ Syncs", "search-ad-check @ Check", "search-ad-check @ Check",
		}},
	})
}

func TestCheckSearchAdRSA(t *testing.T) {
	checkChanges(t, KindSearchAd, validAd, []change{
		{"no group", "Ad group: AG1_agency-invoicing_phrase\n", "", []string{"search-ad-missing @ RSA1"}},
		{"no pins", "invoicing (9)\nPins: none\n", "invoicing (9)\n", []string{"search-ad-missing @ RSA1"}},
		{"empty pins", "invoicing (9)\nPins: none\n", "invoicing (9)\nPins:\n", []string{"search-ad-missing @ Pins:"}},
		{"fields swapped", pages + "\nPaths: agencies (8) | invoicing (9)", "Paths: agencies (8) | invoicing (9)\n" + pages, []string{"search-ad-order @ URL:"}},
		{"field twice", pages, pages + "\n" + pages, []string{"search-ad-order @ URL:"}},
		{"unknown field", pages, pages + "\nBudget: 40", []string{"search-ad-line @ Budget"}},
		{"three paths", "| invoicing (9)", "| us (2) | invoicing (9)", []string{"search-ad-count @ Paths:"}},
		{"empty path", "| invoicing (9)", "|", []string{"search-ad-length @ Paths:"}},
		{"long path", "| invoicing (9)", "| invoicing-for-us (16)", []string{"search-ad-length @ Paths:"}},
		{"three descriptions", section("D4 Connects", "Headlines:"), "", []string{"search-ad-count @ RSA1", "search-ad-check @ Check"}},
		{"description twice", section("D4 Connects", "\nHeadlines:"), "D4 " + section("Median time to payment fell from", "\n"), []string{"search-ad-duplicate @ D4"}},
		{"description miscounted", "Compare plans. (79)", "Compare plans. (80)", []string{"search-ad-number @ D3"}},
		{"description at the limit", "Compare plans. (79)", "Compare plans and prices. (90)", []string{"search-ad-check @ Check"}},
		{"description too long", "Compare plans. (79)", "Compare plans with prices. (91)", []string{"search-ad-length @ D3", "search-ad-check @ Check"}},
		{"fourteen headlines", "H15 Agency Billing Made Plain (25)\n", "", []string{"search-ad-count @ RSA1", "search-ad-check @ Check"}},
		{"sixteen headlines", "H15 Agency Billing Made Plain (25)\n", "H15 Agency Billing Made Plain (25)\nH16 Ask Us (6)\n", []string{"search-ad-count @ RSA1", "search-ad-check @ Check"}},
		{"headline misnumbered", "H15 Agency Billing", "H16 Agency Billing", []string{"search-ad-order @ H16"}},
		{"headline before its label", "\nHeadlines:\nH1 Agency Invoicing Software (25)", "\nH1 Agency Invoicing Software (25)\nHeadlines:", []string{"search-ad-order @ Headlines:"}},
		{"headline without number", "H15 Agency Billing Made Plain (25)", "- Agency Billing Made Plain (25)", []string{
			"search-ad-count @ RSA1", "search-ad-line @ - Agency", "search-ad-check @ Check",
		}},
		{"headline empty", "H15 Agency Billing Made Plain (25)", "H15 (0)", []string{"search-ad-length @ H15"}},
		{"headline at the limit", "H15 Agency Billing Made Plain (25)", "H15 Agency Billing Made Very Plain (30)", []string{"search-ad-check @ Check"}},
		{"headline too long", "H15 Agency Billing Made Plain (25)", "H15 Agency Billing Made Rather Plain (32)", []string{"search-ad-length @ H15", "search-ad-check @ Check"}},
		{"headline miscounted", "Made Plain (25)", "Made Plain (24)", []string{"search-ad-number @ H15"}},
		{"headline of double width", "H15 Agency Billing Made Plain (25)", "H15 代理店の請求書を簡単に (22)", nil},
		{"double width too long", "H15 Agency Billing Made Plain (25)", "H15 代理店の請求書をとても簡単にする (32)", []string{"search-ad-length @ H15", "search-ad-check @ Check"}},
		{"exclamation mark", "Made Plain (25)", "Made Easy! (25)", []string{"search-ad-exclamation @ H15"}},
		{"fullwidth exclamation mark", "Made Plain (25)", "Made Easy！ (26)", []string{"search-ad-exclamation @ H15"}},
		{"headline twice", "Agency Billing Made Plain (25)", "agency  invoicing software (26)", []string{"search-ad-duplicate @ H15", "search-ad-check @ Check"}},
		{"same three words", "Agency Billing Made Plain (25)", "14-Day Trial: No Fees (21)", []string{"search-ad-opening @ H15"}},
		{"same three words, other case", "Agency Billing Made Plain (25)", "“See it” with Xero (18)", []string{"search-ad-opening @ H15"}},
		{"same two words", "Agency Billing Made Plain (25)", "Ledgerloop Invoicing Tools (26)", nil},
		{"insertion counted as written", "{KeyWord:Payment Reminders} (17)", "{KeyWord:Payment Reminders} (27)", []string{"search-ad-number @ H15"}},
		{"insertion not closed", "{KeyWord:Payment Reminders} (17)", "{KeyWord:Reminders (18)", []string{"search-ad-keyword @ H15"}},
		{"insertion without default", "{KeyWord:Payment Reminders} (17)", "Pay {keyword:} (4)", []string{"search-ad-keyword @ H15"}},
	})
}

func TestCheckSearchAdCheckLine(t *testing.T) {
	var changes []change
	for old, new := range map[string]string{
		"H15/15": "H14/15", "max28": "max30", "D4/4": "4/4", "max81": "max79", "NEG 8": "NEG 10", "SL4": "SL5", "CO4": "CO6",
		"labels 2": "labels 1", "dup 0": "dup 1", "claims 0": "claims 1", "NEG": "neg",
	} {
		changes = append(changes, change{new, check1, strings.Replace(check1, old, new, 1), []string{"search-ad-check @ Check"}})
	}
	checkChanges(t, KindSearchAd, validAd, append(changes,
		change{"missing", check1, "RSA2", []string{"search-ad-missing @ RSA1"}},
		change{"an item short", check1, strings.Replace(check1, " · NEG 8", "", 1), []string{"search-ad-check @ Check"}},
		change{"other dots", check1, strings.ReplaceAll(check1, "·", "-"), []string{"search-ad-check @ Check"}},
		change{"two items wrong", check1, strings.NewReplacer("NEG 8", "NEG 7", "dup 0", "dup").Replace(check1), []string{
			"search-ad-check @ Check", "search-ad-check @ Check",
		}},
	))
}

func TestReadSearchAd(t *testing.T) {
	ad := parseSearchAd(validAd, 1, &finding.List{})
	got := fmt.Sprint(ad.Campaign, len(ad.Groups), len(ad.Negatives), len(ad.Sitelinks), len(ad.Callouts), len(ad.Ads), ad.Rationale)
	if want := "Search_US_Invoicing2 8 4 4 2 [Two intents, two pages. Test one change at a time.]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	g := ad.Groups[0]
	if g.Theme != "agency-invoicing" || g.Match != matchPhrase || g.Ad != "RSA1" || g.URL != "https://ledgerloop.example/agencies" {
		t.Errorf("group: %+v", g)
	}
	for i, want := range []adKeyword{{"agency invoicing software", matchPhrase}, {"invoicing software for agencies", matchExact}} {
		if g.Keywords[i] != want {
			t.Errorf("keyword: %+v, want %+v", g.Keywords[i], want)
		}
	}
	if k := g.Keywords[4]; k != (adKeyword{"agency billing", matchBroad}) {
		t.Errorf("keyword: %+v", k)
	}
	if n := ad.Negatives[6]; n.Scope != g.Label || n.Match != matchExact || n.Text != "chase late payments" || n.Reason != "belongs to AG2" {
		t.Errorf("negative: %+v", n)
	}
	if s := ad.Sitelinks[0]; s.Text.Text != "See pricing" || s.Line2.Length != 16 || s.URL != "https://ledgerloop.example/pricing" {
		t.Errorf("sitelink: %+v", s)
	}
	rsa := ad.Ads[1]
	if rsa.Name != "RSA2" || rsa.Group != ad.Groups[1].Label || len(rsa.Paths) != 1 || rsa.Pins != "none" || len(rsa.Descriptions) != 4 {
		t.Errorf("ad: %+v", rsa)
	}
	if h := rsa.Headlines[14]; h.Text != "{KeyWord:Payment Reminders}" || h.Length != 17 {
		t.Errorf("headline: %+v", h)
	}
}

func TestAdLength(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "plain": 5, "Æsop": 4, "e\u0301": 2, "“”—": 3, "日本語": 6, "한국어": 6, "ﾊﾝｶｸ": 4, "ＡＢ！": 6, "　": 2,
		"ㄅ": 2, "𠀀": 2, "😀": 2, "☀": 1, "½": 1, "Ж": 1, "\u303f": 1,
		"{KeyWord:Default}": 7, "{keyword:日本} now": 8, "a {KEYWORD:b} c {Keyword:d} e": 9,
		"{KeyWord:open": 13, "{x}": 3, "{": 1, "{{KeyWord:a}}": 3,
	} {
		if got := adLength(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// numberedLines repeats a line, numbered from 1.
func numberedLines(format string, n int) string {
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, format, i+1)
	}
	return lines.String()
}
