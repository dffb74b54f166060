package main

import (
	"bytes"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"marketingskills/app/collection"
	"marketingskills/app/collection/plugin"
	"marketingskills/app/collection/registry"
)

const root = "../.."

// written are the files that the command writes.
var written = []string{readme, registry.File, plugin.Marketplace, plugin.Manifest}

// TestRepository: the project is in order.
func TestRepository(t *testing.T) {
	var stdout strings.Builder
	if err := run([]string{"--check", root}, &stdout, io.Discard, time.Now()); err != nil {
		t.Errorf("%v\n%s", err, stdout.String())
	}
}

// copied returns a copy of the part of the project that the command reads.
func copied(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, part := range []string{"skills", "tools/integrations", plugin.Dir} {
		if err := os.CopyFS(filepath.Join(dir, part), os.DirFS(filepath.Join(root, part))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{readme, registry.File, "VERSIONS.md"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o640)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func content(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestRestores damages every derived part of a copy of the project; the command
// brings back the bytes that are committed.
func TestRestores(t *testing.T) {
	dir := copied(t)
	rows := regexp.MustCompile(`(?m)^\| \[.*\n`)
	number := regexp.MustCompile(`\d+ marketing`)
	version := regexp.MustCompile(`"version": "[^"]*"`)
	muddled := func(s string) string {
		all := rows.FindAllString(s, -1)
		slices.Reverse(all)
		return rows.ReplaceAllString(strings.Replace(s, all[0], "A stray line.\n"+strings.Join(all[3:], ""), 1), "")
	}
	damage := map[string]func(string) string{
		readme:        muddled,
		registry.File: muddled,
		plugin.Marketplace: func(s string) string {
			s = number.ReplaceAllString(s, "Forty-one marketing")
			s = strings.Replace(s, `"source"`, `"skills": [ "./skills/ads" ], "source"`, 1)
			return strings.Replace(s, `"owner"`, "\"skills\": [\n  ],\n  \"owner\"", 1)
		},
		plugin.Manifest: func(s string) string {
			return version.ReplaceAllString(number.ReplaceAllString(s, "1,042 marketing"), `"version": "1.10.0"`)
		},
	}
	const pricing, sms = "skills/pricing/references/facts.md", "skills/sms/references/facts.md"
	damage[pricing] = func(s string) string { return strings.Replace(s, "Since", "Until", 1) }
	want := map[string]string{sms: content(t, dir, sms)}
	if err := os.Remove(filepath.Join(dir, sms)); err != nil {
		t.Fatal(err)
	}
	for name, change := range damage {
		want[name] = content(t, dir, name)
		damaged := change(want[name])
		if damaged == want[name] {
			t.Fatalf("%s was not damaged", name)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(damaged), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	if err := run([]string{"--check", dir}, io.Discard, io.Discard, time.Now()); err != errNotInOrder {
		t.Errorf("the check of the damaged copy: %v", err)
	}
	var stderr strings.Builder
	if err := run([]string{dir}, io.Discard, &stderr, time.Now()); err != nil || strings.Count(stderr.String(), ": updated\n") != len(written)+2 {
		t.Errorf("%v\n%s", err, stderr.String())
	}
	for name := range want {
		if got := content(t, dir, name); got != want[name] {
			t.Errorf("%s is not restored:\n%s", name, got)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, readme)); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	unchanged(t, dir)
}

// unchanged wants a second run to leave every file alone.
func unchanged(t *testing.T, dir string) {
	t.Helper()
	before := map[string]os.FileInfo{}
	for _, name := range written {
		path := filepath.Join(dir, name)
		if err := os.Chtimes(path, time.Time{}, time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
		before[name], _ = os.Stat(path)
	}
	if err := run([]string{dir}, io.Discard, io.Discard, time.Now()); err != nil {
		t.Error(err)
	}
	for name, info := range before {
		if now, err := os.Stat(filepath.Join(dir, name)); err != nil || !os.SameFile(info, now) || !now.ModTime().Equal(info.ModTime()) {
			t.Errorf("a second run touches %s", name)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*", ".*.part")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

func TestTable(t *testing.T) {
	skills := []*collection.Skill{
		{Dir: "ads", Version: "2.0.1", Description: `Plan "paid" ads | Meta`},
		{Dir: "cro", Version: "2.0.0", Description: "Fix `<pages>`, *all* [of_them] \\"},
	}
	const table = `
| Skill | Version | What it does |
| --- | --- | --- |
| [ads](skills/ads/SKILL.md) | 2.0.1 | Plan "paid" ads \| Meta |
| [cro](skills/cro/SKILL.md) | 2.0.0 | Fix ` + "\\`\\<pages>\\`" + `, \*all\* \[of\_them\] \\ |

`
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	for _, c := range []struct{ name, old, want string }{
		{"empty", "a\n<!-- skills:begin -->\n<!-- skills:end -->\nb", "a\n<!-- skills:begin -->\n" + table + "<!-- skills:end -->\nb"},
		{"no line end", "<!-- skills:begin, x -->\nold\n  <!-- skills:end -->", "<!-- skills:begin, x -->\n" + table + "  <!-- skills:end -->"},
		{"CRLF", crlf("a\n<!-- skills:begin -->\nold\n<!-- skills:end -->\nb\n"), crlf("a\n<!-- skills:begin -->\n" + table + "<!-- skills:end -->\nb\n")},
		{"byte order mark, odd bytes", "\ufeffa\xff\n<!-- skills:begin -->\n<!-- skills:end -->\n\xfe", "\ufeffa\xff\n<!-- skills:begin -->\n" + table + "<!-- skills:end -->\n\xfe"},
	} {
		got, err := withTable([]byte(c.old), skillTable(skills))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\ngot  %q\nwant %q", c.name, err, got, c.want)
		}
		again, err := withTable(got, skillTable(skills))
		if err != nil || !bytes.Equal(again, got) {
			t.Errorf("%s: again %v, %q", c.name, err, again)
		}
	}
	for old, want := range map[string]string{
		"": "there is no place for the table; write the lines", "<!-- skills:begin -->\n": "there is no place for the table; write the lines", "<!-- skills:end -->\n": "there is no place for the table; write the lines",
		"<!-- skills:end -->\n<!-- skills:begin -->\n":                        "there is no place for the table; write the lines",
		"<!-- skills:begin --> <!-- skills:end -->\n":                         "there is no place for the table; write the lines",
		"<!-- skills:begin -->\n<!-- skills:begin -->\n<!-- skills:end -->\n": "skills:begin --> stands twice",
		"<!-- skills:begin -->\n<!-- skills:end -->\n<!-- skills:end -->\n":   "skills:end --> stands twice",
	} {
		if got, err := withTable([]byte(old), skillTable(skills)); got != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %q, %v", old, got, err)
		}
	}
}

// TestCounts: a description, and what becomes of it when there are 42 skills;
// "" for an error.
func TestCounts(t *testing.T) {
	for old, want := range map[string]string{
		"42 marketing skills.":         "42 marketing skills.",
		"41 marketing skills, 3 tools": "42 marketing skills, 3 tools",
		"1 skill":                      "42 skill",
		"All 1,041 skills":             "All 42 skills",
		"Forty-one marketing skills":   "42 marketing skills",
		"forty one skills":             "42 skills",
		"SEVENTEEN skills":             "42 skills",
		"ten agent-made skills":        "42 agent-made skills",
		"(41 skills)":                  "(42 skills)",
		"2.0 skills":                   "2.0 skills",
		"v2 skills":                    "v2 skills",
		"skills: 41":                   "skills: 41",
		"41 skills-based tests":        "41 skills-based tests",
		"a thousand skills":            "a thousand skills",
		"41 skills and 17 old skills":  "",
		"":                             "",
	} {
		source := []byte(`{"version": "1.0.0", "description": "` + old + `"}`)
		got, err := pluginJSON(source, 42, "1.0.0")
		if want == "" && old != "" {
			if err == nil || !strings.Contains(err.Error(), "line 1: ") {
				t.Errorf("%q: got %s, %v", old, got, err)
			}
			continue
		}
		if err != nil || string(got) != `{"version": "1.0.0", "description": "`+want+`"}` {
			t.Errorf("%q: got %s, %v", old, got, err)
		}
	}
}

// TestMarketplace: what stands around a change keeps its form.
func TestMarketplace(t *testing.T) {
	for _, c := range []struct{ name, old, want string }{
		{"in order", `{"version": "2.2.0", "description": "42 skills"}`, `{"version": "2.2.0", "description": "42 skills"}`},
		{"tabs, CRLF and escapes",
			"{\r\n\t\"description\" : \"\\u00e9 41 skills \\/\" ,\r\n\t\"version\":\"2.2.0\"\r\n}",
			"{\r\n\t\"description\" : \"\\u00e9 42 skills \\/\" ,\r\n\t\"version\":\"2.2.0\"\r\n}"},
		{"version of the entry", `{"metadata": {"version": "2.2.0", "description": "42 skills"}, "plugins": [{"version": "1"}, {"version": 1.0}]}`,
			`{"metadata": {"version": "2.2.0", "description": "42 skills"}, "plugins": [{"version": "2.2.0"}, {"version": "2.2.0"}]}`},
		{"skills at the end", "{\"version\": \"2.2.0\", \"description\": \"42 skills\",\n  \"skills\": [1, {}]\n}", "{\"version\": \"2.2.0\", \"description\": \"42 skills\"\n}"},
		{"skills first", "{\n  \"skills\": [],\n  \"version\": \"2.2.0\", \"description\": \"42 skills\"}", "{\n  \"version\": \"2.2.0\", \"description\": \"42 skills\"}"},
		{"skills twice", `{"skills": [], "skills": [], "version": "2.2.0", "description": "42 skills", "skills": []}`, `{"version": "2.2.0", "description": "42 skills"}`},
		{"nothing but skills", `{"version": "2.2.0", "description": "42 skills", "plugins": [{ "skills": [] }, {"skills": ["a"]}]}`,
			`{"version": "2.2.0", "description": "42 skills", "plugins": [{  }, {}]}`},
		{"skills elsewhere stay", `{"version": "2.2.0", "description": "42 skills", "metadata": {"skills": []}}`, `{"version": "2.2.0", "description": "42 skills", "metadata": {"skills": []}}`},
	} {
		got, version, err := marketplaceJSON([]byte(c.old), 42)
		if err != nil || version != "2.2.0" || string(got) != c.want {
			t.Errorf("%s: %q, %v\ngot  %s\nwant %s", c.name, version, err, got, c.want)
		}
		if again, _, err := marketplaceJSON(got, 42); err != nil || !bytes.Equal(again, got) {
			t.Errorf("%s: again %v, %s", c.name, err, again)
		}
	}
	for old, want := range map[string]string{
		`{"version": "2.2.0",}`:             "line 1 is not JSON",
		`{"description": "42 skills"}`:      "has no version",
		`{"version": "2.2.0"}`:              "has no number of skills",
		`[]`:                                "has no version",
		`{"version": 1, "description": 42}`: "has no version",
		`{"version": "2.2.0", "description": "Skills"}`:                                                                 "has no number of skills",
		`{"version": "2.2.0", "description": "42 skills", "plugins": [{"description": "42 skills, of 43 all skills"}]}`: "more than one number",
	} {
		if got, _, err := marketplaceJSON([]byte(old), 42); got != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %s, %v", old, got, err)
		}
	}
}

// FuzzSync: a second run changes nothing, and a file that is refused is
// refused again.
func FuzzSync(f *testing.F) {
	for _, name := range written {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"skills":[],"version":"1","description":"ten skills one skills","plugins":[{"skills":1},{"version":2}],"skills":[]}`))
	f.Add([]byte("<!-- skills:begin\r\n\r\n<!-- skills:end"))
	skills := []*collection.Skill{{Dir: "a", Version: "1.0.0", Description: "b"}}
	f.Fuzz(func(t *testing.T, old []byte) {
		for name, write := range map[string]func([]byte) ([]byte, error){
			readme:             func(old []byte) ([]byte, error) { return withTable(old, skillTable(skills)) },
			plugin.Marketplace: func(old []byte) ([]byte, error) { made, _, err := marketplaceJSON(old, 1); return made, err },
			plugin.Manifest:    func(old []byte) ([]byte, error) { return pluginJSON(old, 1, "2.0.0") },
		} {
			kept := bytes.Clone(old)
			made, err := write(old)
			if !bytes.Equal(old, kept) {
				t.Fatalf("%s: the old content was changed", name)
			}
			if err != nil {
				continue
			}
			if again, err := write(made); err != nil || !bytes.Equal(again, made) {
				t.Fatalf("%s: %v\nfirst %q\nagain %q", name, err, made, again)
			}
		}
	})
}

// TestAllOrNone: when a file cannot take its place, those before it get their
// old content back, and one that is new is gone again.
func TestAllOrNone(t *testing.T) {
	for failing := range 5 {
		dir := t.TempDir()
		old := map[string]string{"a": "1", "b": "2", "c": "3"}
		var files []*file
		for _, name := range slices.Sorted(maps.Keys(old)) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(old[name]), 0o644); err != nil {
				t.Fatal(err)
			}
			files = append(files, &file{name, []byte(old[name]), []byte("new")})
		}
		files = slices.Insert(files, 1, &file{"added", nil, []byte("new")})
		calls := 0
		before := signal.Ignored(os.Interrupt)
		err := replaceAll(dir, files, func(from, to string) error {
			if !signal.Ignored(os.Interrupt) || !signal.Ignored(syscall.SIGTERM) {
				t.Errorf("%d: an interrupt would leave some files replaced and others not", failing)
			}
			if calls++; calls == failing+1 {
				return errFull
			}
			return os.Rename(from, to)
		})
		if signal.Ignored(os.Interrupt) != before {
			t.Errorf("%d: interrupts are ignored from now on", failing)
		}
		if (err == nil) != (failing == 4) || err != nil && !strings.HasPrefix(err.Error(), files[failing].name+": the file cannot be replaced") {
			t.Errorf("%d: %v", failing, err)
		}
		for name, want := range old {
			if failing == 4 {
				want = "new"
			}
			if got := content(t, dir, name); got != want {
				t.Errorf("%d: %s is %q", failing, name, got)
			}
		}
		left := len(old)
		if failing == 4 {
			left++
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != left {
			t.Errorf("%d: %v, %v", failing, entries, err)
		}
	}
}

// TestNothingWithoutAPlace: a file that is gone leaves the others as they are.
func TestNothingWithoutAPlace(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("1"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := replaceAll(dir, []*file{{"a", []byte("1"), []byte("2")}, {"gone", []byte("1"), []byte("2")}}, os.Rename)
	if err == nil || !strings.HasPrefix(err.Error(), "gone: ") || strings.Contains(err.Error(), dir) || content(t, dir, "a") != "1" {
		t.Errorf("%v, %q", err, content(t, dir, "a"))
	}
}

// TestSymbolicLink: a link stays one, and the file it leads to is written.
func TestSymbolicLink(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "real"), []byte("1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	if err := replaceAll(dir, []*file{{"link", []byte("1"), []byte("2")}}, os.Rename); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(filepath.Join(dir, "link"))
	if err != nil || info.Mode()&os.ModeSymlink == 0 || content(t, dir, "real") != "2" {
		t.Errorf("%v, %v, %q", info.Mode(), err, content(t, dir, "real"))
	}
}
