package example

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"marketingskills/app/collection/finding"
	"marketingskills/app/text"
)

// change starts from a valid sample and breaks one thing.
type change struct {
	name     string
	old, new string
	// want lists the findings as "rule @ beginning of the line".
	want []string
}

// checkChanges checks the sample, which must be valid, and each change of it.
// The sample begins on line 40 of its file, so that an index taken for a line
// shows.
func checkChanges(t *testing.T, kind, sample string, changes []change) {
	t.Helper()
	if got := check(t, kind, sample); len(got) > 0 {
		t.Fatalf("the sample is not valid: %q", got)
	}
	for _, c := range changes {
		t.Run(c.name, func(t *testing.T) {
			if n := strings.Count(sample, c.old); n != 1 {
				t.Fatalf("%q stands %d times in the sample", c.old, n)
			}
			got := check(t, kind, strings.Replace(sample, c.old, c.new, 1))
			matches := func(got, want string) bool { return strings.HasPrefix(got, want) }
			if !slices.EqualFunc(got, c.want, matches) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// check returns the findings as "rule @ line", sorted by line.
func check(t *testing.T, kind, body string) (all []string) {
	t.Helper()
	const first = 40
	list := &finding.List{File: "sample.md"}
	if !Check(kind, body, first, list) {
		t.Fatalf("Check does not know %q", kind)
	}
	finding.Sort(list.All)
	lines := strings.Split(body, "\n")
	for _, f := range list.All {
		if f.Wrong == "" || f.Right == "" {
			t.Errorf("half a finding: %v", f)
		}
		all = append(all, string(f.Rule)+" @ "+lines[f.Line-first])
		t.Log(f)
	}
	return all
}

func TestCheckUnknownKind(t *testing.T) {
	list := &finding.List{}
	if Check("python", "!", 1, list) || len(list.All) > 0 {
		t.Error("Check took python, or reported on it")
	}
}

func TestInvalidUTF8(t *testing.T) {
	for _, kind := range []string{KindSMS, "ad-headlines", KindJSON} {
		got := check(t, kind, "\"good\nbad \xff\ngood\nworse \xc3(")
		if !slices.Contains(got, "example-utf8 @ bad \xff") || !slices.Contains(got, "example-utf8 @ worse \xc3(") {
			t.Errorf("%s: %q", kind, got)
		}
	}
}

func TestWindowsLineEnds(t *testing.T) {
	for kind, sample := range map[string]string{KindSMS: validSMS, "ad-headlines": validHeadlines, KindJSON: validJSON} {
		if got := check(t, kind, strings.ReplaceAll(sample, "\n", "\r\n")); len(got) > 0 {
			t.Errorf("%s: %q", kind, got)
		}
	}
}

func TestMaxFindings(t *testing.T) {
	list := &finding.List{}
	Check(KindSMS, "Hi\n---\n"+strings.Repeat("?\n", maxFindings+100), 1, list)
	if len(list.All) != maxFindings+1 {
		t.Fatalf("%d findings", len(list.All))
	}
	last := list.All[maxFindings]
	// The five lines that are missing come on top.
	if last.Rule != "example-findings" || !strings.HasPrefix(last.Wrong, "105 more problems") {
		t.Errorf("last finding: %v", last)
	}
}

// TestHostile gives each check a megabyte of what would hurt a careless one:
// quadratic time would take minutes, expansion would take gigabytes.
func TestHostile(t *testing.T) {
	const size = 1 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	half := func(s string) string { return strings.Repeat(s, size/2/len(s)) }
	rsa := "RSA1\nHeadlines:\n"
	bodies := []string{
		"", "\n", fill("\n"), fill("x"), fill("€"), fill("😀"), fill("\xff"), fill("\x00"), fill(" "),
		fill("{"), fill("{a"), fill("{a}"), fill("}"), fill("{keyword:"), fill("{keyword:a}"),
		fill("["), fill("[["), fill(`{"a":`), fill(`"`), fill("[1,"), `{` + fill(`"a":1,`), "[" + fill("1,") + "1]",
		fill("a") + "\n---\n", "---\n" + fill("merge: a = b | c\n"), "x\n---\n" + fill("|"), "x\n---\n" + fill("length: 1\n"),
		half("{a}") + "\n---\nmerge: a = 1 | " + half("1") + "\n",
		fill("AG1_a_exact > RSA1 > https://a\n"), "Ad group structure:\nAG1_a_exact > RSA1 > https://a\n" + fill("- a\n"),
		"Ad group structure:\n" + fill(">"), "Ad group structure:\n" + fill("_"),
		"Ad group structure:\nAG1_" + fill("x") + "_exact > RSA1 > https://" + fill("x"),
		fill("RSA1\n"), fill("Callouts:\n"), "Callouts:\n" + fill("a (1)\n"), "Callouts:\n" + fill("("),
		rsa + fill("H1 a b c (5)\n"), rsa + "H1 " + fill("a "), rsa + "H1 " + fill("{KeyWord:"), "RSA1\nCheck " + fill(" · "),
		"Negative keywords:\n" + fill("a|b|c|d\n"), "Negative keywords:\n" + fill("|"), "Sitelinks:\n" + fill("a|b|c|d\n"),
	}
	for _, kind := range []string{KindSMS, "ad-headlines", KindJSON} {
		for _, body := range bodies {
			start := time.Now()
			lawful(t, kind, body, 7)
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%s: %s took %v", kind, text.Clip(body, 80), took)
			}
		}
	}
}

// lawful checks what must hold for any input: no panic, every finding inside
// the block, complete and printable, and no more of them than promised.
func lawful(t *testing.T, kind, body string, first int) {
	t.Helper()
	list := &finding.List{File: "f.md"}
	Check(kind, body, first, list)
	last := first + strings.Count(strings.TrimSuffix(body, "\n"), "\n")
	for _, f := range list.All {
		if f.Line < first || f.Line > last {
			t.Fatalf("the block is on lines %d to %d: %v", first, last, f)
		}
		unprintable := func(r rune) bool { return !strconv.IsPrint(r) }
		if f.Rule == "" || f.Wrong == "" || f.Right == "" || strings.ContainsFunc(f.String(), unprintable) {
			t.Fatalf("not a finding one can read: %q", f)
		}
		if len(f.String()) > 1000 {
			t.Fatalf("a finding of %d bytes", len(f.String()))
		}
	}
	if len(list.All) > maxFindings+1 {
		t.Fatalf("%d findings", len(list.All))
	}
}

func FuzzCheck(f *testing.F) {
	for _, kind := range []string{KindSMS, "ad-headlines", KindJSON} {
		for _, body := range []string{"", validSMS, validHeadlines, validJSON, "---", "{{a}", "RSA1\nRSA1", "\xff\r\n"} {
			f.Add(kind, body, uint16(1))
		}
	}
	f.Fuzz(func(t *testing.T, kind, body string, first uint16) {
		lawful(t, kind, body, int(first)+1)
	})
}

func ExampleCheck() {
	body := "Your code is 481 220\n---\nencoding: GSM-7\nlength: 21\nsegments: 1\nconsent: none\nquiet-hours: exempt\n"
	list := &finding.List{File: "skills/sms/SKILL.md"}
	Check(KindSMS, body, 88, list)
	for _, f := range list.All {
		fmt.Println(f)
	}
	// Output: skills/sms/SKILL.md:91: sms-length: length: "21" is stated; write 20
}

func Example_sizeOf() {
	fmt.Println(SizeOf("Northpeak: your order has left Portland."))
	fmt.Println(SizeOf("Northpeak: your order has left Portland 📦"))
	// Output:
	// 40 of 160 · GSM-7 · 1 segment
	// 42 of 70 · UCS-2 · 1 segment
}
