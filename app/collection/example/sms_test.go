package example

import (
	"reflect"
	"strings"
	"testing"

	"marketingskills/app/collection/finding"
)

const validSMS = `Northpeak: {first_name}, your {product} is still in the bag.
We hold it until 6 pm: npk.example/b/7Q2 Txt STOP to end
---
encoding: GSM-7
length: 112
segments: 1
merge: first_name = Ana | Maximiliana
merge: product = Barrier Serum | Daily SPF, fragrance-free, 50 ml
worst-length: 139
worst-segments: 1
consent: marketing
quiet-hours: hold
`

func TestCheckSMS(t *testing.T) {
	checkChanges(t, KindSMS, validSMS, []change{
		{"no separator", "---\n", "", []string{"sms-order @ quiet-hours:"}},
		{"a dash too many", "---\n", "----\n", []string{"sms-order @ quiet-hours:"}},
		{"a key missing", "segments: 1\nmerge", "merge", []string{"sms-order @ ---"}},
		{"two keys missing", "consent: marketing\nquiet-hours: hold\n", "", []string{"sms-order @ ---", "sms-order @ ---"}},
		{"keys swapped", "encoding: GSM-7\nlength: 112\n", "length: 112\nencoding: GSM-7\n", []string{"sms-order @ encoding:"}},
		{"a key twice", "length: 112\n", "length: 112\nlength: 112\n", []string{"sms-order @ length:"}},
		{"an unknown key", "consent: marketing\n", "consent: marketing\nsender: NPK\n", []string{"sms-line @ sender:"}},
		{"not a key", "consent: marketing\n", "consent: marketing\nHello\n", []string{"sms-line @ Hello"}},
		{"a blank line", "consent: marketing\n", "consent: marketing\n\n", []string{"sms-line @ "}},
		{"no space after the colon", "consent: marketing", "consent:marketing", []string{"sms-order @ ---", "sms-line @ consent:"}},
		{"wrong encoding", "encoding: GSM-7", "encoding: UCS-2", []string{"sms-encoding @ encoding:"}},
		{"encoding misspelt", "encoding: GSM-7", "encoding: gsm7", []string{"sms-encoding @ encoding:"}},
		{"wrong length", "length: 112", "length: 113", []string{"sms-length @ length:"}},
		{"length spelt oddly", "length: 112", "length: 0112", []string{"sms-length @ length:"}},
		{"length not a number", "length: 112", "length: about 112", []string{"sms-length @ length:"}},
		{"wrong segments", "\nsegments: 1", "\nsegments: 2", []string{"sms-segments @ segments:"}},
		{"wrong worst length", "worst-length: 139", "worst-length: 160", []string{"sms-worst @ worst-length:"}},
		{"wrong worst segments", "worst-segments: 1", "worst-segments: 2", []string{"sms-worst @ worst-segments:"}},
		{"worst length missing", "worst-length: 139\n", "", []string{"sms-order @ ---"}},
		{"message grown", "6 pm", "6.30 pm", []string{"sms-length @ length:", "sms-worst @ worst-length:"}},
		{"line break lost", "bag.\n", "bag.", []string{"sms-length @ length:", "sms-worst @ worst-length:"}},
		{"em dash", "bag.\n", "bag —\n", []string{
			"sms-encoding @ encoding:", "sms-length @ length:", "sms-segments @ segments:",
			"sms-worst @ worst-length:", "sms-worst @ worst-segments:",
		}},
		{"worst case in another encoding", "Maximiliana", "Małgorzata", []string{
			"sms-encoding @ merge: first_name", "sms-worst @ worst-length:", "sms-worst @ worst-segments:",
		}},
		{"sample longer than the longest", "Ana | Maximiliana", "Ana | Al", []string{
			"sms-merge @ merge: first_name", "sms-worst @ worst-length:",
		}},
		{"no merge line", "merge: product = Barrier Serum | Daily SPF, fragrance-free, 50 ml\n", "", []string{"sms-merge @ Northpeak:"}},
		{"a merge line too many", "worst-length", "merge: city = Bend | Portland\nworst-length", []string{"sms-merge @ merge: city"}},
		{"a merge line twice", "worst-length", "merge: product = A | B\nworst-length", []string{"sms-merge @ merge: product = A"}},
		{"merge without longest", "Ana | Maximiliana", "Ana", []string{"sms-merge @ Northpeak:", "sms-merge @ merge: first_name"}},
		{"merge with three values", "Ana |", "Ana | Eva |", []string{"sms-merge @ Northpeak:", "sms-merge @ merge: first_name"}},
		{"merge without field", "first_name = Ana", "Ana", []string{"sms-merge @ Northpeak:", "sms-merge @ merge: Ana"}},
		{"merge with a bad name", "merge: first_name", "merge: {first_name}", []string{"sms-merge @ Northpeak:", "sms-merge @ merge: {first_name}"}},
		{"empty longest", "Maximiliana", "", []string{"sms-merge @ merge: first_name", "sms-merge @ merge: first_name", "sms-worst @ worst-length:"}},
		{"field misspelt", "{product}", "{Product}", []string{
			"sms-merge @ Northpeak:", "sms-length @ length:", "sms-merge @ merge: product", "sms-worst @ worst-length:",
		}},
		{"wrong consent", "consent: marketing", "consent: implied", []string{"sms-consent @ consent:"}},
		{"empty consent", "consent: marketing", "consent: ", []string{"sms-consent @ consent:"}},
		{"wrong quiet hours", "quiet-hours: hold", "quiet-hours: queue", []string{"sms-quiet-hours @ quiet-hours:"}},
		{"empty message", validSMS[:strings.Index(validSMS, "---")], "", []string{
			"sms-message @ ---", "sms-length @ length:", "sms-merge @ merge: first_name", "sms-merge @ merge: product",
			"sms-order @ worst-length:", "sms-order @ worst-segments:",
		}},
		{"several things", "GSM-7\nlength: 112\nsegments: 1\n", "ucs2\nlength: 1\nsegments: 9\n", []string{
			"sms-encoding @ encoding:", "sms-length @ length:", "sms-segments @ segments:",
		}},
		{"longer than a phone joins", "6 pm", strings.Repeat("6 pm ", 8000), []string{"sms-length @ Northpeak:"}},
		{"longest value longer than a phone joins", "Maximiliana", strings.Repeat("a", 40000), []string{"sms-length @ Northpeak:"}},
	})
}

func TestCheckSMSWithoutMergeFields(t *testing.T) {
	checkChanges(t, KindSMS, `481220 is your Ledgerloop code [no reply] 📦
@ledgerloop.example #481220
---
encoding: UCS-2
length: 72
segments: 2
consent: none
quiet-hours: exempt
`, []change{
		{"worst case without fields", "consent", "worst-length: 72\nworst-segments: 2\nconsent", []string{
			"sms-order @ worst-length:", "sms-order @ worst-segments:",
		}},
		{"no emoji", " 📦", "", []string{
			"sms-encoding @ encoding:", "sms-length @ length:", "sms-segments @ segments:",
		}},
	})
}

func TestParseSMS(t *testing.T) {
	got := ParseSMS(validSMS, 1, &finding.List{})
	for i := range got.Merges {
		got.Merges[i].line = 0
	}
	want := SMS{
		Text:    validSMS[:strings.Index(validSMS, "\n---")],
		Message: "Northpeak: Ana, your Barrier Serum is still in the bag.\nWe hold it until 6 pm: npk.example/b/7Q2 Txt STOP to end",
		Size:    Size{gsm7, 112, 1},
		Worst:   Size{gsm7, 139, 1},
		Merges: []Merge{
			{Field: "first_name", Sample: "Ana", Longest: "Maximiliana"},
			{Field: "product", Sample: "Barrier Serum", Longest: "Daily SPF, fragrance-free, 50 ml"},
		},
		Consent:    "marketing",
		QuietHours: "hold",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// FuzzFill: filling every field with itself gives the text back, and a value
// that looks like a field is not filled in turn.
func FuzzFill(f *testing.F) {
	for _, seed := range []string{"", "{a}", "x{a}y{b_1}z", "{{a}}", "{A}", "{a", "a}", "{1}", "{a-b}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		same := map[string]string{}
		for _, name := range mergeFieldsOf(text) {
			same[name] = "{" + name + "}"
		}
		if got, ok := fillIn(text, same); ok && got != text {
			t.Fatalf("%q became %q", text, got)
		}
	})
}
