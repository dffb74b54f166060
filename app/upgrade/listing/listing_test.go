package listing

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/manifest/versionsfile"
	"marketingskills/app/text"
	"marketingskills/app/upgrade"
)

// listed writes what was read in short: the places, their folders, what is no
// plain folder, and versions.
func listed(in upgrade.Installation) string {
	var places []string
	for _, p := range in.Places {
		var folders []string
		for _, f := range p.Folders {
			s := f.Name
			if f.Kind != upgrade.Directory {
				s += "(" + string(f.Kind) + ")"
			}
			if f.Listed != "" {
				s += "=" + f.Listed
			}
			folders = append(folders, s)
		}
		places = append(places, p.Path+": "+strings.Join(folders, ", "))
	}
	if len(in.Contexts) > 0 {
		places = append(places, "contexts: "+strings.Join(in.Contexts, ", "))
	}
	return strings.Join(places, "; ")
}

var listings = []struct {
	name, text, want string
}{
	{"names", "page-cro\ncro\npdf\n", ": page-cro, cro, pdf"},
	{"one name", "page-cro", ": page-cro"},
	{"CRLF", "page-cro\r\ncro\r\n", ": page-cro, cro"},
	{"byte order mark", "\uFEFFpage-cro\ncro\n", ": page-cro, cro"},
	{"columns", "ads   cro        page-cro\nsms   my skill   pdf\n", ": ads, cro, page-cro, sms, pdf"},
	{"columns with tabs", "ads\t\tcro\tpage-cro\n", ": ads, cro, page-cro"},
	{"ls -F", "ads/  cro/  link@  run*  README.md\n", ": ads, cro, link(symlink)"},
	{"ls -F, one a line", "ads/\nlink@\nnotes\n", ": ads, link(symlink), notes"},
	{"quotes of a terminal", " README.md   cro/    lnk@\t 'new'$'\\n''line'\n'a\"b'\\''c'  \"it's\"  'my skill'/   page-cro/\n",
		": cro, lnk(symlink), it's, my skill, page-cro"},
	{"colours", "\x1b[0m\x1b[01;34mads\x1b[0m  \x1b[01;34mcro\x1b[0m\n", ": ads, cro"},
	{"links of a terminal", "\x1b]8;;file:///x\x07ads\x1b]8;;\x07\n\x1b]8;;file:///y\x1b\\cro\x1b]8;;\x1b\\\n", ": ads, cro"},
	{"with the command", "$ ls\nads\ncro\n", ": ads, cro"},
	{"with the command and a folder", "$ ls ~/.claude/skills\nads\ncro\n$", ": ads, cro"},
	{"with a prompt that shows the folder", "me@host:~/.agents/skills$ ls\nads  cro\nme@host:~/.agents/skills$ ", ": ads, cro"},
	{"with a prompt of zsh", "me@mac skills % ls\nads\tcro\nme@mac skills %", ": ads, cro"},
	{"files among names", "LICENSE\nREADME.md\nads\n.DS_Store\n", ": ads"},
	{"a lock file among names", "ads\ncro\nskills-lock.json\n", ": ads, cro"},
	{"Unicode", "ads\nсro\n日本\n", ": ads, сro, 日本"},

	{"ls -la", "total 24\ndrwxr-xr-x 6 me staff 4096 Nov 20 07:26 .\ndrwxr-xr-x 3 me staff 4096 Nov 20 07:26 ..\n-rw-r--r-- 1 me staff   10 Nov 20 07:26 README.md\ndrwxr-xr-x 2 me staff 4096 Nov 20  2025 cro\nlrwxrwxrwx 1 me staff    4 Nov 20 07:26 lnk -> ../x\ndrwxr-xr-x 2 me staff 4096 Nov 20 07:26 my skill\n",
		": cro, lnk(symlink), my skill"},
	{"ls -la with quotes", "total 24\ndrwxr-xr-x 6 me staff 4096 Nov 20 07:26  .\n-rw-r--r-- 1 me staff   10 Nov 20 07:26  README.md\ndrwxr-xr-x 2 me staff 4096 Nov 20 07:26 'my skill'\ndrwxr-xr-x 2 me staff 4096 Nov 20 07:26  cro\n", ": my skill, cro"},
	{"ls -laF", "drwxr-xr-x 2 me staff 4096 Nov 20 07:26 cro/\nlrwxrwxrwx 1 me staff 4 Nov 20 07:26 lnk@ -> ../x/\n-rwxr-xr-x 1 me staff 4 Nov 20 07:26 run*\n", ": cro, lnk(symlink)"},
	{"ls -lh, ISO", "total 16K\n-rw-r--r-- 1 me me    0 2026-11-20 07:26 README.md\ndrwxr-xr-x 2 me me 4.0K 2026-11-20 07:26 cro\n", ": cro"},
	{"ls, full ISO", "-rw-r--r-- 1 me me    0 2026-11-20 07:26:48.863643250 +0000 a.md\ndrwxr-xr-x 2 me me 4096 2026-11-20 07:26:48.851643250 +0000 cro\n", ": cro"},
	{"ls of macOS", "total 0\ndrwxr-xr-x@ 5 me  staff  160 27 May 10:00 page-cro\ndrwxr-xr-x+ 5 me  staff  160 May 27  2025 cro\n", ": page-cro, cro"},
	{"ls, German", "insgesamt 8\ndrwxr-xr-x 2 me me 4096 27. Mai 10:00 cro\ndrwxr-xr-x 2 me me 4096 27. Dez 2025 ads\n", ": cro, ads"},
	{"ls -ld", "drwxr-xr-x 2 me me 4096 Nov 20 07:26 .claude/skills/cro\ndrwxr-xr-x 2 me me 4096 Nov 20 07:26 .claude/skills/page-cro/\n", ".claude/skills: cro, page-cro"},
	{"ls -l with colours", "drwxr-xr-x 2 me me 4096 Nov 20 07:26 \x1b[01;34mcro\x1b[0m\n", ": cro"},
	{"ls -lR", ".claude/skills:\ntotal 8\ndrwxr-xr-x 2 me me 4096 Nov 20 07:26 cro\n\n.claude/skills/cro:\ntotal 4\n-rw-r--r-- 1 me me 12 Nov 20 07:26 SKILL.md\n", ".claude/skills: cro"},
	{"ls -la of a folder above", "$ ls -la ~/.claude\ndrwxr-xr-x 2 me me 4096 Nov 20 07:26 skills\n-rw-r--r-- 1 me me 12 Nov 20 07:26 settings.json\n", ""},
	{"PowerShell on Unix", "    upgrade.Directory: /Users/me/.claude/skills\n\nUnixMode         User Group         LastWriteTime         Size Name\n--------         ---- -----         -------------         ---- ----\ndrwxr-xr-x         me staff      05/27/2026 10:00           96 page-cro\n-rw-r--r--         me staff      05/27/2026 10:00          120 README.md\n", "/Users/me/.claude/skills: page-cro"},

	{"ls -R", ".:\nREADME.md  cro\n\n./cro:\nSKILL.md  references\n\n./cro/references:\nform.md\n", ".: cro"},
	{"ls -R of the project", ".claude/skills:\ncro\npage-cro\n\n.claude/skills/cro:\nSKILL.md\n\n.claude/skills/page-cro:\nSKILL.md\nevals\n\n.claude/skills/page-cro/evals:\nevals.json\n", ".claude/skills: cro, page-cro"},
	{"ls of two folders", ".agents/skills:\nads  cro\n\n.claude/skills:\npage-cro\n", ".agents/skills: ads, cro; .claude/skills: page-cro"},
	{"ls -R, a place empty", ".agents/skills:\n\n.claude/skills:\npage-cro\n", ".claude/skills: page-cro"},

	{"find", ".\n./.claude\n./.claude/skills\n./.claude/skills/my skill\n./.claude/skills/page-cro\n./.claude/skills/page-cro/SKILL.md\n./.claude/skills/page-cro/references\n./.claude/skills/page-cro/references/x.md\n./src/main.go\n",
		".claude/skills: my skill, page-cro"},
	{"find -type d -maxdepth 1", ".\n./page-cro\n./cro\n", ".: page-cro, cro"},
	{"find of a folder", ".claude/skills\n.claude/skills/cro\n.claude/skills/README.md\n", ".claude/skills: cro"},
	{"find -name SKILL.md", "./page-cro/SKILL.md\n./cro/SKILL.md\n", ".: page-cro, cro"},
	{"find elsewhere", "/home/me/kit/page-cro/SKILL.md\n/home/me/kit/cro/references/form.md\n/home/me/other/x.txt\n", "/home/me/kit: page-cro"},
	{"find in several places", "/home/me/.claude/skills/cro/SKILL.md\n/home/me/p/.agents/skills/page-cro/SKILL.md\n/home/me/p/.agents/product-marketing-context.md\n",
		"/home/me/.claude/skills: cro; /home/me/p/.agents/skills: page-cro; contexts: .agents/product-marketing-context.md"},
	{"find with an error", "./.claude/skills/cro\nfind: ‘./.claude/skills/secret’: Permission denied\n./.claude/skills/ads\n", ".claude/skills: cro, ads"},
	{"find -type d, slashes", ".claude/skills/cro/\n.claude/skills/ads/\n", ".claude/skills: cro, ads"},
	{"find, only the place", ".claude/skills\n.claude\n", ""},
	{"dir /s /b", "C:\\Users\\me\\.claude\\skills\\page-cro\nC:\\Users\\me\\.claude\\skills\\page-cro\\SKILL.md\nC:\\Users\\me\\.claude\\skills\\cro\n", `C:\Users\me\.claude\skills: page-cro, cro`},

	{"tree", ".claude/skills\n├── cro\n│   ├── SKILL.md\n│   └── references\n│       └── form.md\n├── my skill -> ../x\n└── page-cro\n    └── SKILL.md\n\n5 directories, 3 files\n", ".claude/skills: cro, my skill(symlink), page-cro"},
	{"tree -a", ".\n├── .claude\n│   └── skills\n│       ├── ads\n│       │   └── SKILL.md\n│       └── cro\n├── .git\n│   └── HEAD\n└── README.md\n\n6 directories, 3 files\n", ".claude/skills: ads, cro"},
	{"tree with no-break spaces", ".\n├──\u00a0cro\n│\u00a0\u00a0 └── SKILL.md\n└── ads\n", ".: cro, ads"},
	{"tree, ASCII", "skills\n|-- cro\n|   `-- SKILL.md\n`-- page-cro\n\n2 directories, 1 file\n", "skills: cro, page-cro"},
	{"tree -F", "./\n├── cro/\n│   └── SKILL.md\n└── notes.txt\n", ".: cro"},
	{"tree -L 1", ".\n├── cro\n└── page-cro\n", ".: cro, page-cro"},
	{"tree of Windows", "Folder PATH listing\nVolume serial number is 1234-ABCD\nC:.\n├───cro\n│   └───references\n└───page-cro\n", ": cro, page-cro"},
	{"tree /A of Windows", "C:\\Users\\me\\.claude\\skills\n+---cro\n|   \\---references\n\\---page-cro\n", `C:\Users\me\.claude\skills: cro, page-cro`},

	{"dir", " Volume in drive C has no label.\n Volume Serial Number is 1234-ABCD\n\n upgrade.Directory of C:\\Users\\me\\.claude\\skills\n\n05/27/2026  10:00 AM    <DIR>          .\n05/27/2026  10:00 AM    <DIR>          ..\n05/27/2026  10:00 AM    <DIR>          page-cro\n05/27/2026  10:00 AM    <DIR>          my skill\n05/27/2026  10:00 AM             1,234 README.md\n05/27/2026  10:00 AM    <SYMLINKD>     lnk [..\\x]\n               1 File(s)          1,234 bytes\n               4 Dir(s)  10,000,000 bytes free\n",
		`C:\Users\me\.claude\skills: page-cro, my skill, lnk(symlink)`},
	{"dir, German", " Verzeichnis von C:\\skills\n\n27.05.2026  10:00    <DIR>          .\n27.05.2026  10:00    <DIR>          page-cro\n27.05.2026  10:00             1.234 LIESMICH.txt\n               1 Datei(en),          1.234 Bytes\n", `C:\skills: page-cro`},
	{"dir, French", " Répertoire de C:\\skills\n\n27/05/2026  10:00    <DIR>          page-cro\n27/05/2026  10:00             1\u00a0234 a.txt\n               1 fichier(s)            1 234 octets\n", `C:\skills: page-cro`},
	{"dir, ISO dates", "2026-05-27  10:00    <DIR>          page-cro\n2026-05-27  10:00    <DIR>          cro\n", ": page-cro, cro"},
	{"dir, Spanish hours", "27/05/2026  10:00 a. m.    <DIR>          page-cro\n", ": page-cro"},
	{"dir, Hungarian dates", "2026. 05. 27.  10:00    <DIR>          page-cro\n", ": page-cro"},
	{"dir with its prompt", "C:\\Users\\me\\.claude\\skills>dir\n05/27/2026  10:00 AM    <DIR>          page-cro\n\nC:\\Users\\me\\.claude\\skills>", ": page-cro"},

	{"Get-ChildItem", "\n    upgrade.Directory: C:\\Users\\me\\.claude\\skills\n\nMode                 LastWriteTime         Length Name\n----                 -------------         ------ ----\nd-----        27/05/2026     10:00                page-cro\nd-----         5/27/2026  10:00 AM                my skill\nd----l         5/27/2026  10:00 AM                lnk\n-a----         5/27/2026  10:00 AM           1234 README.md\n\n",
		`C:\Users\me\.claude\skills: page-cro, my skill, lnk(symlink)`},
	{"Get-ChildItem of PowerShell 7", "PS C:\\Users\\me\\.claude\\skills> gci\n\n        Verzeichnis: C:\\Users\\me\\.claude\\skills\n\nMode                 LastWriteTime         Length Name\n----                 -------------         ------ ----\nd----          27.05.2026    10:00                page-cro\nl----          27.05.2026    10:00                lnk -> ..\\x\n",
		`C:\Users\me\.claude\skills: page-cro, lnk(symlink)`},

	{"VERSIONS.md", "# Skill Versions\n\n| Skill | Version | Last Updated |\n|---|---|---|\n| page-cro | 1.1.0 | 2026-02-27 |\n| copywriting | 1.2.0 | 2026-02-27 |\n\n## Recent Changes\n\n### 2026-02-27\n- Things.\n", ": page-cro=1.1.0, copywriting=1.2.0"},
	{"the table alone", "| Skill | Version | Last Updated |\n| --- | --- | --- |\n| `paid-ads` | 1.0.0 | 2026-01-01 |\n", ": paid-ads=1.0.0"},
}

func TestParse(t *testing.T) {
	for _, c := range listings {
		r := Parse(c.text)
		if got := listed(r.Installation); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s\nnotes %q", c.name, got, c.want, r.Notes)
		}
	}
}

// TestNoListing: a text that is none gives no rows, and says so.
func TestNoListing(t *testing.T) {
	for _, c := range []struct{ name, text, note string }{
		{"nothing", "", sayEmpty},
		{"space", " \n\t\r\n\x1b[0m", sayEmpty},
		{"a recipe", "Pancakes\n\nIngredients:\n- 2 cups of flour\n- 3 eggs\n- 500 ml milk\n- a pinch of salt\n\nMix everything and let it rest for half an hour.\nFry in a hot pan.\n", sayForeign},
		{"a log", "2026-05-27 10:00:00 INFO starting server on port 8080\n2026-05-27 10:00:01 WARN slow query: 1200 ms\n2026-05-27 10:00:02 ERROR connection refused\n", sayForeign},
		{"an access log", "127.0.0.1 - - [27/May/2026:10:00:00 +0000] \"GET /skills/cro/ HTTP/1.1\" 200 1234\n127.0.0.1 - - [27/May/2026:10:00:01 +0000] \"GET / HTTP/1.1\" 200 99\n", sayForeign},
		{"a letter", "Dear Sir or Madam,\n\nI am writing to you about the folders on my machine.\n\nYours,\nA. Reader\n", sayForeign},
		{"code", "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(\"hello\")\n}\n", sayForeign},
		{"HTML", "<!doctype html>\n<html>\n<body>\n<p>Hello</p>\n</body>\n</html>\n", sayForeign},
		{"JSON", "{\n  \"skills\": {\n    \"page-cro\": {}\n  }\n}\n", sayForeign},
		{"a diff", "--- a/x.go\n+++ b/x.go\n@@ -1,3 +1,4 @@\n context line here\n-removed line\n+added line\n", sayForeign},
		{"a stack trace", "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.main()\n\t/tmp/x.go:5 +0x1d\nexit status 2\n", sayForeign},
		{"addresses", "https://example.com/a\nhttps://example.com/b\n", sayForeign},
		{"a table of other things", "| Fruit | Price |\n|---|---|\n| apple | 1 |\n| pear | 2 |\n", sayForeign},
		{"a SKILL.md", "---\nname: cro\ndescription: \"A skill.\"\n---\n\n# Title\n\nText with words.\n", sayForeign},
		{"binary", "\x00\x01\x02\xff\xfe\x03\x04", sayForeign},
		{"the inside of a skill", "SKILL.md\nreferences\nevals\n", sayInside},
		{"the inside of a skill, found", ".\n./SKILL.md\n./references/form.md\n", sayInside},
		{"a folder above", "$ ls -l ~/.claude\ntotal 4\ndrwxr-xr-x 2 me me 4096 Nov 20 07:26 skills\n", sayNothing},
		{"an empty folder", "total 0\ndrwxr-xr-x 2 me me 4096 Nov 20 07:26 .\ndrwxr-xr-x 2 me me 4096 Nov 20 07:26 ..\n", sayNothing},
		{"only the prompt", "me@host:~$ ", sayForeign},
	} {
		r := Parse(c.text)
		rows := len(upgrade.Analyze(r.Installation, nil).Rows)
		if rows != 0 || len(r.Notes) == 0 || !strings.Contains(strings.Join(r.Notes, " "), c.note) {
			t.Errorf("%s: %d rows (%s), notes %q", c.name, rows, listed(r.Installation), r.Notes)
		}
	}
}

func TestNotes(t *testing.T) {
	r := Parse("./.claude/skills/cro\nfind: ‘./.claude/skills/secret’: Permission denied\n./.claude/skills/ads\n./x/y\n")
	if got := strings.Join(r.Notes, "\n"); got != "Outside your skills folders and not checked: 1 entry." {
		t.Errorf("the notes are %s", got)
	}
	if got := strings.Join(r.Unread, "\n"); got != "find: ‘./.claude/skills/secret’: Permission denied" {
		t.Errorf("not recognised: %s", got)
	}
}

// TestMixed: a listing is read as far as it can be, and what cannot be is
// given back line by line.
func TestMixed(t *testing.T) {
	const long = "drwxr-xr-x 2 me me 4096 Nov 20 07:26 "
	for _, c := range []struct{ name, text, want, unread string }{
		{"one line of ls -l", long + "cro\npage-cro\npaid-ads\nemail-sequence\n", ": cro, page-cro, paid-ads, email-sequence", ""},
		{"names first", "page-cro\npaid-ads\n" + long + "cro\n", ": page-cro, paid-ads, cro", ""},
		{"names in columns", long + "cro\nads  page-cro  'my skill'\n", ": cro, ads, page-cro, my skill", ""},
		{"words that are no name", long + "cro\nmy page-cro\nads  my skill\n", ": cro, ads", "my page-cro|my skill"},
		{"with a sentence", long + "cro\npage-cro\nwhat is this\nfolders/\n\x1b[1mbold words here\n", ": cro, page-cro, folders", "what is this|bold words here"},
		{"in two folders", "./a/skills:\n" + long + "cro\n\n./b/skills:\npage-cro\n", "a/skills: cro; b/skills: page-cro", ""},
	} {
		r := Parse(c.text)
		if got := listed(r.Installation); got != c.want || strings.Join(r.Unread, "|") != c.unread {
			t.Errorf("%s: got %s, unread %q", c.name, got, r.Unread)
		}
	}
	r := Parse(long + "cro\n" + strings.Repeat("page-cro\n", 40) + strings.Repeat("not a name\n", 30))
	if len(r.Unread) != 10 || r.UnreadCount != 30 {
		t.Errorf("%d unread lines of %d", len(r.Unread), r.UnreadCount)
	}
}

// TestStates: from pasted text to states, old names and all.
func TestStates(t *testing.T) {
	in := Parse("$ ls .claude/skills\ncro\nform-cro\npage-cro\npaid-ads\npdf\nprospectng\n").Installation
	r := upgrade.Analyze(in, repository(t))
	if got, want := states(r), "form-cro merged, page-cro merged, paid-ads renamed, cro unclear, prospectng not-ours, pdf not-ours"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	in = Parse("| Skill | Version | Last Updated |\n|---|---|---|\n| page-cro | 1.1.0 | x |\n| copywriting | 1.2.0 | x |\n| sms | 1.0.0 | x |\n| video | 3.0.0 | x |\n").Installation
	r = upgrade.Analyze(in, repository(t))
	if got, want := states(r), "page-cro merged, copywriting outdated, sms current, video current"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestRealListings reads what the commands of this machine print of a folder
// with odd names.
func TestRealListings(t *testing.T) {
	root := t.TempDir()
	names := []string{"ads", "it's", "page-cro", "сro", "-dash", "$dollar", "100%"}
	for _, name := range names {
		dir := filepath.Join(root, ".claude/skills", name)
		if err := os.MkdirAll(filepath.Join(dir, "references"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]bool{}
	for _, name := range names {
		want[name] = true
	}
	for _, command := range []string{
		"ls -1 .claude/skills", "ls -F .claude/skills", "ls -la .claude/skills", "ls -lh --time-style=long-iso .claude/skills", "ls -lF --full-time .claude/skills",
		"ls -C --quoting-style=shell-escape .claude/skills", "ls -l --quoting-style=shell-escape .claude/skills", "ls -Q .claude/skills", "ls --color=always .claude/skills", "ls -la --color=always .claude/skills",
		"ls -R .claude/skills", "ls -lR .claude/skills", "ls -d .claude/skills/*", "ls -ld .claude/skills/*", "find .claude/skills", "find .", "find .claude -type d", "find . -name SKILL.md",
	} {
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
		out, err := cmd.Output()
		if err != nil {
			t.Logf("%s: %v", command, err) // another ls
			continue
		}
		read := Parse(string(out))
		in, notes := read.Installation, read.Notes
		got := map[string]bool{}
		for _, p := range in.Places {
			for _, f := range p.Folders {
				got[f.Name] = true
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || len(in.Places) != 1 {
			t.Errorf("%s: got %v, want %v; notes %q\n%s", command, got, want, notes, out)
		}
	}
}

// FuzzParse: no panic, no name that is not in the text, and twice the
// same.
func FuzzParse(f *testing.F) {
	for _, c := range listings {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, pasted string) {
		r := Parse(pasted)
		in, notes := r.Installation, r.Notes
		if listed(in) != listed(Parse(pasted).Installation) {
			t.Fatal("a second reading differs")
		}
		// Quotes and escapes are undone, so names are compared without them;
		// the dollar sign begins one kind of quote.
		unquoted := strings.NewReplacer("'", "", `"`, "", `\`, "", "$", "")
		bare := unquoted.Replace(uncoloured(pasted))
		inText := func(name string) {
			for _, word := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("\\/ \n\t\r", r) }) {
				if !strings.Contains(bare, unquoted.Replace(word)) {
					t.Fatalf("%q is not in the text", name)
				}
			}
		}
		total := 0
		for _, p := range in.Places {
			inText(p.Path)
			for _, folder := range p.Folders {
				total++
				inText(folder.Name)
				inText(folder.Target)
				inText(folder.Listed)
				for _, file := range folder.Files {
					for part := range strings.SplitSeq(file, "/") {
						inText(part)
					}
				}
				if folder.Name == "" || folder.Name == "." || folder.Name == ".." || len(folder.Name) > maxName {
					t.Fatalf("a folder called %q", folder.Name)
				}
			}
		}
		if total == 0 && len(notes) == 0 {
			t.Fatal("no folders and not a word")
		}
		for _, note := range slices.Concat(notes, r.Unread) {
			if text.Printable(note) != note {
				t.Fatalf("%q", note)
			}
		}
		if r := upgrade.Analyze(in, nil); len(r.Rows) != total {
			t.Fatalf("%d rows for %d folders", len(r.Rows), total)
		}
	})
}

// repository is the project's manifest as of 2.2.0.
func repository(t *testing.T) *manifest.Manifest {
	t.Helper()
	data, err := os.ReadFile("../testdata/VERSIONS-2.2.0.md")
	if err != nil {
		t.Fatal(err)
	}
	m, _ := versionsfile.Parse(data)
	return m
}

// states writes a report as its folders and states, in order.
func states(r upgrade.Report) string {
	var all []string
	for _, row := range r.Rows {
		all = append(all, row.Folder+" "+string(row.State))
	}
	return strings.Join(all, ", ")
}

// BenchmarkParse: what was made to be slow is not.
func BenchmarkParse(b *testing.B) {
	var long, deep strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&long, "drwxr-xr-x 2 me staff 4096 Nov 20 07:26 some-skill-%d\n", i)
	}
	for i := range 2000 {
		deep.WriteString(strings.Repeat("│   ", i) + "├── a\n")
	}
	for name, pasted := range map[string]string{
		"ls -l":        long.String(),
		"tree depth":   deep.String(),
		"long lines":   strings.Repeat("a", 4<<20),
		"quoted cells": strings.Repeat("'a", 1<<20),
		"gaps":         strings.Repeat("a ", 1<<20),
		"deep paths":   strings.Repeat(strings.Repeat("a/", 1000)+"\n", 2000),
		"headers":      strings.Repeat("a/b:\n\n", 100_000),
		"pipes":        "| Version |\n" + strings.Repeat("|", 1<<20),
		"escapes":      strings.Repeat("\x1b]", 1<<20),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(pasted)))
			for b.Loop() {
				Parse(pasted)
			}
		})
	}
}
