package example

import (
	"strings"
	"testing"
)

const validHeadlines = `Agency Invoicing Software
Chase Payment, Kindly
Reminders That Stop When Paid
For Agencies of 20 to 200
Ledgerloop Invoicing
Works With QuickBooks
Works With Xero Too
14-Day Trial, No Card
Six Seats From $294 a Month
A Schedule for Each Client
Invoices Sent and Chased
Know What Is Overdue
Median 41 to 29 Days
No More Friday Spreadsheets
{KeyWord:Payment Reminders}
`

const validStructure = `Campaign: Search_US_Invoicing
AG1_agency-invoicing_phrase > https://ledgerloop.example/agencies
`

const validKeywords = `"agency invoicing software"
[invoicing software for agencies]
"invoice tool for agencies"
"billing software agency"
agency billing
`

const validSitelinks = `See pricing | From $29 a seat | Cancel any month | https://ledgerloop.example/pricing
How chasing works | Pick the days | Read the words | https://ledgerloop.example/chasing
Connections | QuickBooks Online | Xero | https://ledgerloop.example/connections
Start a trial | 14 days | No card | https://ledgerloop.example/trial
`

const validDescriptions = `Invoices sent and chased for agencies of 20 to 200 people. Try it for 14 days, no card.
Reminders go out on the days you pick and stop when the payment is booked.
Median time to payment fell from 41 to 29 days, 112 customers, May 2026.
Connects to QuickBooks Online and Xero. From $29 a seat a month.
`

func TestAdHeadlines(t *testing.T) {
	checkChanges(t, "ad-headlines", validHeadlines, []change{
		{"fourteen", "Median 41 to 29 Days\n", "", []string{"search-ad-count @ Agency"}},
		{"sixteen", "Median 41 to 29 Days\n", "Median 41 to 29 Days\nAsk Us\n", []string{"search-ad-count @ Agency"}},
		{"thirty characters", "Know What Is Overdue", "Know Today What Is Overdue Now", nil},
		{"too long", "Know What Is Overdue", "Know Today What Is Overdue Here", []string{"search-ad-length @ Know"}},
		{"double width", "Know What Is Overdue", "代理店の請求書を簡単に管理でき", nil},
		{"double width, too long", "Know What Is Overdue", "代理店の請求書を簡単に管理できる", []string{"search-ad-length @ 代"}},
		{"exclamation mark", "Know What Is Overdue", "Know What Is Overdue!", []string{"search-ad-exclamation @ Know"}},
		{"fullwidth exclamation mark", "Know What Is Overdue", "Know What Is Overdue！", []string{"search-ad-exclamation @ Know"}},
		{"twice", "Know What Is Overdue", "ledgerloop  invoicing", []string{"search-ad-duplicate @ ledgerloop"}},
		{"same three words", "Know What Is Overdue", "“14-day trial”: No Fees", []string{"search-ad-opening @ “14"}},
		{"same two words", "Know What Is Overdue", "Works With Your Books", nil},
		{"a count left in", "Know What Is Overdue", "Know What Is Overdue Now, Ok (24)", []string{"search-ad-length @ Know"}},
	})
}

func TestAdFields(t *testing.T) {
	checkChanges(t, "ad-structure", validStructure, []change{
		{"no campaign", "Campaign: Search_US_Invoicing\n", "", []string{"search-ad-count @ AG1"}},
		{"nameless campaign", "Campaign: Search_US_Invoicing", "Campaign:", []string{"search-ad-group @ Campaign:"}},
		{"label without number", "AG1_", "AG_", []string{"search-ad-group @ AG_"}},
		{"unknown match type", "_phrase", "_modified", []string{"search-ad-group @ AG1"}},
		{"no page", " > https://ledgerloop.example/agencies", "", []string{"search-ad-group @ AG1"}},
		{"http", "https:", "http:", []string{"search-ad-url @ AG1"}},
	})
	checkChanges(t, "ad-keywords", validKeywords, []change{
		{"four", "agency billing\n", "", []string{"search-ad-count @ \"agency"}},
		{"sixteen", "agency billing\n", strings.Join(strings.Split("abcdefghijkl", ""), "\n") + "\n", []string{"search-ad-count @ \"agency"}},
		{"quote not closed", `"billing software agency"`, `"billing software agency`, []string{"search-ad-keyword @ \"billing"}},
		{"empty", "[invoicing software for agencies]", "[]", []string{"search-ad-keyword @ []"}},
		{"twice", "agency billing", `"Agency  invoicing software"`, []string{"search-ad-duplicate @ \"Agency"}},
		{"in another match type", "agency billing", "[agency invoicing software]", nil},
	})
	checkChanges(t, "ad-sitelinks", validSitelinks, []change{
		{"three", "Start a trial | 14 days | No card | https://ledgerloop.example/trial\n", "", []string{"search-ad-count @ See"}},
		{"text too long", "See pricing", "See all our plans and prices", []string{"search-ad-length @ See"}},
		{"line too long", "Cancel any month", "Cancel any month, whatever the plans", []string{"search-ad-length @ See"}},
		{"no line", " | Cancel any month", "", []string{"search-ad-line @ See"}},
		{"empty line", "Cancel any month", "", []string{"search-ad-length @ See"}},
		{"no host", "https://ledgerloop.example/pricing", "https:///pricing", []string{"search-ad-url @ See"}},
	})
	checkChanges(t, "ad-descriptions", validDescriptions, []change{
		{"three", "Connects to QuickBooks Online and Xero. From $29 a seat a month.\n", "", []string{"search-ad-count @ Invoices"}},
		{"too long", "no card.", "and no card needed.", []string{"search-ad-length @ Invoices"}},
	})
	checkChanges(t, "ad-callouts", "No card needed\nSyncs with Xero\nCancel any month\nSet up in a day\n", []change{
		{"three", "Set up in a day\n", "", []string{"search-ad-count @ No"}},
		{"too long", "No card needed", "No payment card is needed here", []string{"search-ad-length @ No"}},
	})
	checkChanges(t, "ad-paths", "agencies\ninvoicing\n", []change{
		{"three", "invoicing\n", "invoicing\nus\n", []string{"search-ad-count @ agencies"}},
		{"too long", "invoicing", "invoicing-for-us", []string{"search-ad-length @ invoicing"}},
	})
	checkChanges(t, "ad-negatives", "jobs\nfree\ntemplate\n\"what is\"\n[invoice]\nexcel\nword\npdf\n", []change{
		{"seven", "pdf\n", "", []string{"search-ad-count @ jobs"}},
	})
}

func TestAdLength(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "plain": 5, "Æsop": 4, "e\u0301": 2, "“”—": 3, "日本語": 6, "한국어": 6, "ＡＢ！": 6, "😀": 2, "½": 1, "Ж": 1,
		"{KeyWord:Default}": 7, "{keyword:日本} now": 8, "a {KEYWORD:b} c {Keyword:d} e": 9, "{x}": 3, "{KeyWord:open": 13,
	} {
		if got := adLength(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if got := AdLabel("ad-headlines", validHeadlines); got != "15 headlines, longest 29 of 30" {
		t.Errorf("label %q", got)
	}
	if got := AdLabel("ad-sitelinks", validSitelinks); got != "4 sitelinks" || AdLabel("python", "x") != "" {
		t.Errorf("label %q", got)
	}
}
