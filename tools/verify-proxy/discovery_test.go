package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection"
	"marketingskills/app/site"
	"marketingskills/build/npmtest"
)

// TestInstallWithClient takes the way of somebody who installs with npx: from
// the site, below a path, by the command of a page; and from the repository.
func TestInstallWithClient(t *testing.T) {
	c := newClient(t)
	readme, err := os.ReadFile("../../README.md")
	if err != nil || !bytes.Contains(readme, []byte("`npx skills@"+c.version(t)+" add ")) {
		t.Errorf("README does not name the client's release %s, which is tried here: %v", c.version(t), err)
	}
	content := copied(t)
	s := serveSite(t, content)
	skills := len(s.build(t).Skills)

	if out := c.run(t, "add", s.address, "--list"); !strings.Contains(out, fmt.Sprintf("Found %d skills", skills)) {
		t.Errorf("the site lists other skills:\n%s", out)
	}
	install := s.command(t, c, "sms")
	out := c.run(t, append(install, "--yes", "--agent", "universal")...)
	installed := filepath.Join(c.project, ".agents", "skills", "sms")
	sameFiles(t, installed, filepath.Join(content, "skills", "sms"), out)

	// The same command again brings what has changed; the client's own update
	// leaves out skills from sites.
	change(t, content, "sms")
	s.build(t)
	out = c.run(t, append(install, "--yes", "--agent", "universal")...)
	sameFiles(t, installed, filepath.Join(content, "skills", "sms"), out)

	// An archive that is not the one listed is not installed.
	archive := filepath.Join(s.dir, "skills", "ads", "ads.zip")
	data, err := os.ReadFile(archive)
	if err == nil {
		err = os.WriteFile(archive, append(data, 0), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if out, err := c.try(append(s.command(t, c, "ads"), "--yes", "--agent", "universal")...); err == nil {
		t.Errorf("an archive with another digest was taken:\n%s", out)
	}
	if _, err := os.Stat(filepath.Join(c.project, ".agents", "skills", "ads")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an archive with another digest was installed: %v", err)
	}
}

func TestInstallFromRepository(t *testing.T) {
	c := newClient(t)
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("NOT CHECKED: installing from the repository, since git is not here")
	}
	content := copied(t)
	git := func(arguments ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", content, "-c", "user.name=test", "-c", "user.email=test@localhost"}, arguments...)...)
		cmd.Env = c.env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", arguments, err, out)
		}
	}
	git("init", "--quiet")
	git("add", "--all")
	git("commit", "--quiet", "--message=One")
	source := "file://" + filepath.ToSlash(content)
	skills, err := filepath.Glob(filepath.Join(content, "skills", "*", "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	if out := c.run(t, "add", source, "--list"); !strings.Contains(out, fmt.Sprintf("Found %d skills", len(skills))) {
		t.Errorf("the repository lists other skills:\n%s", out)
	}
	out := c.run(t, "add", source, "--skill", "ads", "--yes", "--agent", "universal")
	installed := filepath.Join(c.project, ".agents", "skills", "ads")
	sameFiles(t, installed, filepath.Join(content, "skills", "ads"), out)
	change(t, content, "ads")
	git("commit", "--quiet", "--all", "--message=Two")
	out = c.run(t, "update", "--project", "--yes")
	sameFiles(t, installed, filepath.Join(content, "skills", "ads"), out)
}

// client runs the package skills in a project and a home directory of its own,
// and without telemetry.
type client struct {
	dir     string // the package
	project string
	env     []string
}

func newClient(t *testing.T) *client {
	t.Helper()
	home := t.TempDir()
	return &client{filepath.Join(npmtest.Modules(t), "skills"), t.TempDir(), []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "USERPROFILE=" + home, "TMPDIR=" + t.TempDir(),
		"DISABLE_TELEMETRY=1", "DO_NOT_TRACK=1", "NO_COLOR=1", "GIT_CONFIG_NOSYSTEM=1",
	}}
}

// escapes are what a terminal would act on.
var escapes = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)

// try runs a command of the client and returns what it printed.
func (c *client) try(arguments ...string) (string, error) {
	cmd := exec.Command("node", append([]string{filepath.Join(c.dir, "bin", "cli.mjs")}, arguments...)...)
	cmd.Dir, cmd.Env = c.project, c.env
	out, err := cmd.CombinedOutput()
	return escapes.ReplaceAllString(string(out), ""), err
}

func (c *client) run(t *testing.T, arguments ...string) string {
	t.Helper()
	out, err := c.try(arguments...)
	if err != nil {
		t.Fatalf("skills %q: %v\n%s", arguments, err, out)
	}
	return out
}

// version is the release of the package.
func (c *client) version(t *testing.T) string {
	t.Helper()
	var p struct{ Version string }
	data, err := os.ReadFile(filepath.Join(c.dir, "package.json"))
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p.Version
}

// copied is a copy of the project's files that are published.
func copied(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, part := range []string{"skills", ".claude-plugin"} {
		if err := os.CopyFS(filepath.Join(dir, part), os.DirFS(filepath.Join("../..", part))); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile("../../VERSIONS.md")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "VERSIONS.md"), data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// change adds a line to a skill.
func change(t *testing.T, content, skill string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(content, "skills", skill, "SKILL.md"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("\nChanged.\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// served is the site of a collection as this program serves it, below a path.
type served struct {
	content, dir, address string
	config                site.Config
}

func serveSite(t *testing.T, content string) *served {
	t.Helper()
	s := &served{content: content, dir: t.TempDir()}
	if err := os.WriteFile(filepath.Join(s.dir, "index.html"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	const base = "/marketing/skills-site/"
	handler, err := newStatic(s.dir, base)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	s.config = site.Config{SiteURL: server.URL, BasePath: base, GitHubAPIURL: "https://api.github.com"}
	s.address = server.URL + base
	return s
}

// build generates the site, without programs that nobody runs here.
func (s *served) build(t *testing.T) *collection.Collection {
	t.Helper()
	content := os.DirFS(s.content)
	c, _, err := collection.Load(content)
	if err != nil {
		t.Fatal(err)
	}
	programs := site.Programs{}
	for _, name := range site.ProgramNames() {
		programs[name] = []byte(name)
	}
	files, err := site.Build(c, content, s.config, os.DirFS("../../web"), programs)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		target := filepath.Join(s.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// command returns the arguments of the client in the command that the page of a
// skill shows first, which names the release that is tried here.
func (s *served) command(t *testing.T, c *client, skill string) []string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(s.dir, "skills", skill, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(page, []byte(`data-copy="`))
	line, _, _ := bytes.Cut(rest, []byte(`"`))
	arguments, ok := strings.CutPrefix(html.UnescapeString(string(line)), "npx skills@"+c.version(t)+" ")
	if !ok {
		t.Fatalf("the first command of the page of %s is %q", skill, line)
	}
	return strings.Fields(arguments)
}

// sameFiles wants a folder to be an exact copy of another.
func sameFiles(t *testing.T, got, want, out string) {
	t.Helper()
	read := func(dir string) map[string]string {
		files := map[string]string{}
		err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(filepath.Join(dir, name))
			files[name] = string(data)
			return err
		})
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return files
	}
	a, b := read(got), read(want)
	if !maps.Equal(a, b) {
		t.Errorf("installed %q, published %q\n%s", slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)), out)
	}
}
