package scan

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"marketingskills/app/upgrade"
)

func scanned(name, version string) *fstest.MapFile {
	return &fstest.MapFile{Data: fmt.Appendf(nil, "---\nname: %s\nmetadata:\n  version: %q\n---\n", name, version)}
}

func kindsOf(p upgrade.Place) map[string]upgrade.Kind {
	kinds := map[string]upgrade.Kind{}
	for _, f := range p.Folders {
		kinds[f.Name] = f.Kind
	}
	return kinds
}

func TestPlace(t *testing.T) {
	fsys := fstest.MapFS{
		"s/ads/SKILL.md":               scanned("ads", "2.0.0"),
		"s/ads/references/mine.md":     {Data: []byte("mine")},
		"s/pdf/SKILL.md":               scanned("pdf", "1.0.0"),
		"s/pdf/other.md":               {Data: []byte("theirs")},
		"s/empty/readme.txt":           {Data: []byte("no skill")},
		"s/broken/SKILL.md":            {Data: []byte("no frontmatter")},
		"s/nested/SKILL.md/unexpected": {Data: []byte("a folder called SKILL.md")},
		"s/a file":                     {Data: []byte("x")},
		"s/.git/config":                {Data: []byte("x")},
		"s/skills-lock.json":           {Data: []byte("{}")},
	}
	said := 0
	p := Place(fsys, "s", ".agents/skills", Options{
		Known:    func(name string) bool { return name == "ads" },
		Progress: func(done, total int) { said = max(said, done) },
	})
	if p.Path != ".agents/skills" || p.Problem != "" || said == 0 {
		t.Fatalf("got %+v, progress %d", p, said)
	}
	want := map[string]upgrade.Kind{"ads": upgrade.Directory, "pdf": upgrade.Directory, "empty": upgrade.Directory, "broken": upgrade.Directory, "nested": upgrade.Unreadable, "a file": upgrade.RegularFile}
	if got := kindsOf(p); len(got) != len(want) {
		t.Errorf("got %v, want %v", got, want)
	} else {
		for name, kind := range want {
			if got[name] != kind {
				t.Errorf("%s is a %s, want %s", name, got[name], kind)
			}
		}
	}
	for _, f := range p.Folders {
		switch f.Name {
		case "ads":
			if f.Front == nil || f.Front.Version != "2.0.0" || len(f.Files) != 2 {
				t.Errorf("ads: got %+v %+v", f.Front, f.Files)
			}
		case "pdf":
			if f.Front == nil || len(f.Files) != 1 {
				t.Errorf("pdf: only SKILL.md was asked for, got %+v", f.Files)
			}
		case "empty":
			if f.Front != nil || !f.Bare {
				t.Errorf("empty: got %+v", f)
			}
		case "broken":
			if f.Front == nil || f.Problem == "" {
				t.Errorf("broken: got %+v, %q", f.Front, f.Problem)
			}
		}
	}
	if got := Place(fsys, "nowhere", "x", Options{}); got.Problem == "" || len(got.Folders) != 0 {
		t.Errorf("a missing place: got %+v", got)
	}
}

// endless is a file that never ends; reading all of it would not end either.
type endless struct{ fs.File }

func (endless) Read(b []byte) (int, error) { return copy(b, strings.Repeat("x", len(b))), nil }

type withEndless struct{ fstest.MapFS }

func (w withEndless) Open(name string) (fs.File, error) {
	f, err := w.MapFS.Open(name)
	if err == nil && strings.HasSuffix(name, "SKILL.md") {
		return endless{f}, nil
	}
	return f, err
}

func TestPlaceReadsOnlyTheBeginning(t *testing.T) {
	p := Place(withEndless{fstest.MapFS{"s/big/SKILL.md": {Data: []byte("x")}}}, "s", "s", Options{})
	if len(p.Folders) != 1 || p.Folders[0].Problem == "" {
		t.Errorf("got %+v", p)
	}
}

func TestPlaceFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(dir, "outside")
	skills := filepath.Join(dir, "skills")
	for _, d := range []string{outside, filepath.Join(skills, "ads")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		filepath.Join(skills, "paid-ads"):        outside,
		filepath.Join(skills, "loop"):            skills,
		filepath.Join(skills, "ads", "SKILL.md"): filepath.Join(outside, "SKILL.md"),
		filepath.Join(skills, "gone"):            filepath.Join(dir, "gone"),
	} {
		if err := os.Symlink(target, link); err != nil {
			t.Skipf("links cannot be made here: %v", err)
		}
	}
	p := Place(os.DirFS(skills), ".", "", Options{Known: func(string) bool { return true }})
	kinds := kindsOf(p)
	if kinds["paid-ads"] != upgrade.Symlink || kinds["loop"] != upgrade.Symlink || kinds["gone"] != upgrade.Symlink || kinds["ads"] != upgrade.Unreadable {
		t.Errorf("got %v", kinds)
	}
}

func TestPlaces(t *testing.T) {
	skill := scanned("ads", "2.0.0")
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  []string
	}{
		"a folder of skills":       {fstest.MapFS{"ads/SKILL.md": skill}, []string{"."}},
		"a project":                {fstest.MapFS{".claude/skills/ads/SKILL.md": skill, "src/main.go": skill}, []string{".claude/skills"}},
		"both":                     {fstest.MapFS{".agents/skills/ads/SKILL.md": skill, "cro/SKILL.md": skill}, []string{".", ".agents/skills"}},
		"nothing like a skill":     {fstest.MapFS{"page-cro/readme.txt": skill}, []string{"."}},
		"an empty folder":          {fstest.MapFS{}, []string{"."}},
		"a file where a folder is": {fstest.MapFS{".agents/skills": skill}, []string{"."}},
	} {
		if got := Places(c.files); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

// refusing cannot read one file.
type refusing struct {
	fstest.MapFS
	file string
}

func (r refusing) Open(name string) (fs.File, error) {
	f, err := r.MapFS.Open(name)
	if err == nil && name == r.file {
		return failing{f}, nil
	}
	return f, err
}

type failing struct{ fs.File }

func (failing) Read([]byte) (int, error) { return 0, errors.New("the disk is broken") }
func (f failing) Close() error           { return f.File.Close() }

var _ io.Reader = failing{}

func TestFolderReadsWhatLiesAround(t *testing.T) {
	files := fstest.MapFS{
		".claude/skills/ads/SKILL.md":          scanned("ads", "2.0.0"),
		".claude/product-marketing-context.md": {Data: []byte("x")},
		"skills-lock.json":                     {Data: []byte(`{"skills": {"paid-ads": {}}}`)},
		".agents/.skill-lock.json":             {Data: []byte(`{}`)},
	}
	in := Folder(files, func(place string) string { return "~/" + place }, Options{})
	if len(in.Places) != 1 || in.Places[0].Path != "~/.claude/skills" || len(in.Contexts) != 1 || len(in.Locks) != 2 {
		t.Errorf("got %+v", in)
	}
	in = Folder(refusing{files, "skills-lock.json"}, func(place string) string { return place }, Options{})
	if len(in.Locks) != 1 || len(in.Unchecked) != 1 || !strings.Contains(in.Unchecked[0], "the disk is broken") {
		t.Errorf("with a broken lock file: got %+v", in)
	}
}
