package main

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// trapNames are names of folders that a terminal, a shell or a careless
// program trips over.
var trapNames = []string{
	"two\nlines", `it's "quoted"`, "‘smart’", "\u202egnp.exe", "-rf", "$(touch pwned)", "`touch pwned`", "bell\a\x1b[31m", `back\slash`, "\xff\xfe",
	strings.Repeat("x", 255), ".hidden", "..more", "~", "сro", "skills-backup-old", ".skills-backup-2025",
}

const preCommit = "#!/bin/sh\ntouch pwned\n"

// layTraps makes a cloned repository of nothing but traps, and beside it what
// it would like to reach.
func layTraps(t *testing.T, repository string) {
	link := func(target, name string) {
		name = filepath.Join(repository, name)
		must(t, os.MkdirAll(filepath.Dir(name), 0o755))
		must(t, os.Symlink(target, name))
	}
	script := func(name string) {
		writeFile(t, filepath.Join(repository, name), preCommit)
		must(t, os.Chmod(filepath.Join(repository, name), 0o755))
	}
	must(t, os.MkdirAll(filepath.Join(repository, ".git", "hooks"), 0o755))
	outside := filepath.Join(filepath.Dir(repository), "outside")
	writeSkill(t, filepath.Join(outside, "skills"), "paid-ads", "1.0.0")
	writeSkill(t, outside, "form-cro", "1.0.0")

	skills := filepath.Join(repository, "skills")
	writeSkill(t, skills, "page-cro", "1.0.0")
	writeSkill(t, filepath.Join(repository, ".git", "hooks"), "page-cro", "1.0.0")
	for _, name := range trapNames {
		writeFile(t, filepath.Join(skills, name, "SKILL.md"), "---\nname: page-cro\nmetadata:\n  version: 1.2.0\n---\n")
	}
	link("../skills", ".claude/skills")
	link("../../outside/skills", ".agents/skills")
	link("../.git/hooks", ".codex/skills")
	link("..", ".cursor/skills")
	writeSkill(t, filepath.Join(filepath.Dir(repository), "other", "skills"), "launch-strategy", "1.0.0")
	link("../other", ".github")
	link("../../outside/form-cro", "skills/form-cro")
	link("../.git/hooks", "skills/paid-ads")
	link("/etc/passwd", "skills/page-cro/references/passwd")
	link("/dev/zero", "skills-lock.json")

	// Backups that were made elsewhere, or never.
	for i, name := range []string{".skills-backup-2026-01-01", "skills-backup-2026-01-02", ".git/.hooks-backup-2026", "..git-backup-2026", ".gone-backup-2026"} {
		script(filepath.Join(name, "pre-commit"))
		writeSkill(t, filepath.Join(repository, name), []string{"hooks", "popup-cro"}[min(i, 1)], "1.0.0")
		script(filepath.Join(name, ".new", "page-cro", "pre-commit"))
		link("../../.git", filepath.Join(name, "page-cro"))
		link("../../../outside", filepath.Join(name, ".new", "form-cro"))
	}
	link(".skills-backup-2026-01-01", ".skills-backup-2026-01-05")
	link("../../outside", ".skills-backup-2026-01-06/.new")
}

// TestTraps: whatever a repository holds, nothing changes but the skills
// folder that was given, and the backup beside it.
func TestTraps(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such names")
	}
	for _, args := range [][]string{
		nil, {"--json"}, {"--commands"}, {"--fix", "--dry-run"}, {"--fix", "--yes"}, {"--fix", "--yes", "--json"}, {"--fix"},
		{"--fix", "--yes", "--from", "../collection"}, {"--fix", "--yes", "skills"}, {"--fix", "--yes", "."},
		{"--undo", ".skills-backup-2026-01-01"}, {"--undo", "skills-backup-2026-01-02"}, {"--undo", ".git/.hooks-backup-2026"},
		{"--undo", ".codex/.skills-backup-2026"}, {"--undo", "..git-backup-2026"}, {"--undo", ".gone-backup-2026"},
		{"--undo", ".skills-backup-2026-01-05"}, {"--undo", ".skills-backup-2026-01-06"}, {"--undo", ".git"}, {"--undo", "skills"},
	} {
		c := newTool(t)
		top := filepath.Dir(c.dir)
		c.dir = filepath.Join(top, "repository")
		c.asks, c.stdin = true, bufio.NewReader(strings.NewReader("y\ny\ny\n"))
		layTraps(t, c.dir)
		writeCollection(t, filepath.Join(top, "collection"))
		fixes := len(args) > 0 && args[0] == "--fix" && !strings.Contains(strings.Join(args, " "), "--dry-run")
		// The one backup that stands beside skills/ and has a skill in it may be
		// put back, into skills/.
		undoes := len(args) > 1 && args[0] == "--undo" && args[1] == ".skills-backup-2026-01-01"
		outside := func() map[string]string {
			all := tree(t, top)
			maps.DeleteFunc(all, func(name, _ string) bool {
				made := strings.HasPrefix(name, "repository/skills/") || strings.HasPrefix(name, "repository/"+backupName)
				undone := strings.HasPrefix(name, "repository/skills/hooks") || strings.HasPrefix(name, "repository/.skills-backup-2026-01-01/hooks")
				return name == "repository" || name == "repository/skills" || name == "repository/.skills-backup-2026-01-01" || name == "." ||
					fixes && made || undoes && undone
			})
			return all
		}
		before := outside()
		err := c.run(t.Context(), args)
		sameTree(t, fmt.Sprintf("%q", args), before, outside())
		out := c.stdout.String() + c.stderr.String()
		if err != nil {
			out += err.Error()
		}
		if strings.ContainsAny(out, "\x1b\a\u202e") && !strings.Contains(strings.Join(args, " "), "--json") {
			t.Errorf("%q acts on the terminal:\n%q", args, out)
		}
		if _, missing := os.Lstat(filepath.Join(c.dir, "skills", "hooks")); undoes != (missing == nil) {
			t.Errorf("%q put something back that it should not, or did not:\n%s", args, out)
		}
		if _, err := os.Lstat(filepath.Join(c.dir, "skills", "page-cro")); fixes == (err == nil) {
			t.Errorf("%q: the safe one is there: %v\n%s", args, err == nil, out)
		}
		if !fixes {
			continue
		}
		c.does(nil, "--undo", backupName)
		sameTree(t, fmt.Sprintf("%q undone", args), before, outside())
	}
}

// TestHostileManifest: what stands in a manifest does nothing to a terminal.
func TestHostileManifest(t *testing.T) {
	const name = "cr\x1b[31mo\u202eX"
	c := newTool(t)
	skills := filepath.Join(c.dir, ".claude", "skills")
	writeSkill(t, skills, "page-cro", "1.0.0")
	writeSkill(t, skills, "video", "1.0.0")
	writeFile(t, filepath.Join(c.dir, "skills-lock.json"), `{"page-cro": 1}`)
	writeFile(t, filepath.Join(c.dir, "evil.md"), "| Skill | Version | Last Updated |\n| --- | --- | --- |\n"+
		"| "+name+" | 9.0.0 | 2027-\x1b[31m01-01 |\n| video | 9.0.\x1b[32m0 | \x1b[32m |\n\n## Renamed in 2.0.0\n\n"+
		"| Old name | New name | Kind | Where the content went |\n| --- | --- | --- | --- |\n| page-cro | "+name+" | renamed | `\x1b[31mskills` |\n\n"+
		"## Recent Changes\n\n### 9.1.0 (2027-01-01)\n\n- **Breaking:** `\x1b[31mads` is another \u202e.\n")
	for _, args := range [][]string{nil, {"--commands"}, {"--fix", "--dry-run"}, {"--fix", "--yes"}} {
		c.run(t.Context(), append(args, "--manifest", filepath.Join(c.dir, "evil.md")))
	}
	if out := c.stdout.String(); strings.ContainsAny(out, "\x1b\u202e") || !strings.Contains(out, `cr\x1b[31mo\u202eX`) {
		t.Errorf("%q", out)
	}
}

// TestHiddenFolders: where a repository's links lead to a hidden folder that
// agents do not load skills from, nothing is changed, whatever the way there.
func TestHiddenFolders(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a right there")
	}
	for _, c := range []struct {
		name         string
		link, target string // "" for none
		skills       string // the folder that holds an old skill
		dir          string // named; "" for none
		changes      bool
	}{
		{"agent's place", ".codex/skills", "../.git/hooks", ".git/hooks", "", false},
		{"agent's place, the project named", ".codex/skills", "../.git/hooks", ".git/hooks", ".", false},
		{"agent's place, itself named", ".codex/skills", "../.git/hooks", ".git/hooks", ".codex/skills", false},
		{"named from elsewhere", ".codex/skills", "../.git/hooks", ".git/hooks", "../project/.codex/skills", false},
		{"agent's folder", ".codex", ".git", ".git/skills", "", false},
		{"deep below", ".codex/skills", "../.git/a/.claude/skills", ".git/a/.claude/skills", "", false},
		{"workflows", ".github/skills", "workflows", ".github/workflows", "", false},
		{"another one's workflows", ".agents/skills", "../.github/workflows", ".github/workflows", "", false},
		{"a plain folder", "skills", ".git/hooks", ".git/hooks", "skills", false},
		{"a plain folder on the way", "way", ".git", ".git/skills", "way/skills", false},
		{"a project on the way", "way", ".git", ".git/.claude/skills", "way", false},
		{"no link", "", "", ".git/hooks", ".git/hooks", false},
		{"another agent's place", ".codex/skills", "../.claude/skills", ".claude/skills", "", true},
		{"a folder that is not hidden", ".codex/skills", "../skills", "skills", "", true},
		{"in its place", "", "", ".codex/skills", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			tool := newTool(t)
			writeSkill(t, filepath.Join(tool.dir, filepath.FromSlash(c.skills)), "page-cro", "1.0.0")
			writeCollection(t, filepath.Join(tool.home, "collection"))
			if c.link != "" {
				link := filepath.Join(tool.dir, filepath.FromSlash(c.link))
				must(t, os.MkdirAll(filepath.Dir(link), 0o755))
				must(t, os.Symlink(c.target, link))
			}
			args := []string{"--fix", "--yes", "--from", filepath.Join(tool.home, "collection")}
			if c.dir != "" {
				args = append(args, c.dir)
			}
			if strings.HasPrefix(c.dir, "..") {
				must(t, os.Mkdir(filepath.Join(tool.home, "other"), 0o755))
				tool.dir = filepath.Join(tool.home, "other")
				args[len(args)-1] = filepath.Join("..", c.dir)
			}
			project := filepath.Join(filepath.Dir(tool.home), "project")
			before := tree(t, project)
			err := tool.run(t.Context(), args)
			if c.changes {
				if d := differences(before, tree(t, project)); err != nil || !strings.Contains(d, backupName+"/page-cro") {
					t.Errorf("not fixed: %v\n%s", err, tool.stdout.String())
				}
				return
			}
			sameTree(t, "after --fix", before, tree(t, project))
			if out := tool.stdout.String(); !errors.Is(err, errFindings) || !strings.Contains(out, "in a hidden folder that agents do not load skills from") {
				t.Errorf("got %v\n%s", err, out)
			}
		})
	}
}

// TestOwnHiddenFolders: in the home directory links are the person's own.
func TestOwnHiddenFolders(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a right there")
	}
	c := newTool(t)
	writeSkill(t, filepath.Join(c.home, ".dotfiles", "skills"), "page-cro", "1.0.0")
	must(t, os.Mkdir(filepath.Join(c.home, ".claude"), 0o755))
	must(t, os.Symlink("../.dotfiles/skills", filepath.Join(c.home, ".claude", "skills")))
	c.does(nil, "--fix", "--yes")
	if _, err := os.Lstat(filepath.Join(c.home, ".dotfiles", backupName, "page-cro")); err != nil {
		t.Error(err)
	}
}
