package skill

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func TestSkillFile(t *testing.T) {
	body := sampleMain[strings.Index(sampleMain, "\n# Lead"):]
	tooLong := fmt.Sprintf("SKILL.md:%d body-lines", sampleBody+maxBodyLines)
	runBroken(t, []broken{
		{"missing", remove("SKILL.md"), []string{"SKILL.md skill-missing"}},
		{"in other letters", remove("SKILL.md").Then(put("skill.md", sampleMain)), []string{"SKILL.md skill-missing"}},
		{"a directory", remove("SKILL.md").Then(put("SKILL.md/notes.md", "x")), []string{"SKILL.md skill-missing"}},
		{"empty", put("SKILL.md", ""), []string{"SKILL.md:1 frontmatter-missing"}},
		{"no frontmatter", put("SKILL.md", body), []string{"SKILL.md:1 frontmatter-missing"}},
		{"frontmatter without an end", front("---\n\n#", "#"), []string{"SKILL.md:1 frontmatter-missing"}},
		{"frontmatter and nothing else", front("---\n"+body, "---\n"), nil},
		{"no line feed at the end", front("---\n"+body, "---"), nil},
		{"byte order mark", front("---\nname", "\uFEFF---\nname"), []string{"SKILL.md:1 byte-order-mark"}},
		{"not UTF-8 in the body", front("See", "See \xff"), []string{fmt.Sprintf("SKILL.md:%d utf-8", sampleBody+3)}},
		{"not UTF-8 in the frontmatter", front("Lead scoring\n  cat", "Lead scoring\xc3\n  cat"), []string{"SKILL.md:9 utf-8"}},
		{"UTF-16", put("SKILL.md", "\xff\xfe-\x00-\x00"), []string{"SKILL.md:1 utf-8", "SKILL.md:1 frontmatter-missing"}},
		{"499 lines", front(body, strings.Repeat("x\n", 499)), nil},
		{"499 lines, the last without an end", front(body, strings.Repeat("x\n", 498)+"x"), nil},
		{"500 lines", front(body, strings.Repeat("x\n", 500)), []string{tooLong}},
		{"500 lines with carriage returns", put("SKILL.md", strings.ReplaceAll(strings.Replace(sampleMain, body, strings.Repeat("x\n", 500), 1), "\n", "\r\n")),
			[]string{tooLong}},
		{"1 MiB", front(body, "# x\n"+strings.Repeat("x", maxFile-len(sampleMain)+len(body)-4)), nil},
		{"1 MiB and a byte", front(body, strings.Repeat("x", maxFile+1-len(sampleMain)+len(body))), []string{"SKILL.md file-size"}},
	})
}

// TestCarriageReturns: a file saved on Windows reads like any other.
func TestCarriageReturns(t *testing.T) {
	files := sample()
	want, _ := Load(files, sampleDir)
	for _, f := range files {
		f.Data = []byte(strings.ReplaceAll(string(f.Data), "\n", "\r\n"))
	}
	got, found := Load(files, sampleDir)
	expect(t, found)
	if !reflect.DeepEqual(got.Texts, want.Texts) || got.Description != want.Description {
		t.Errorf("got %+v", got)
	}
}

func TestReferences(t *testing.T) {
	const front = "---\ntitle: x\n---\n# The scale\n"
	runBroken(t, []broken{
		{"none", remove("references/scale.md"), nil},
		{"frontmatter", put("references/scale.md", front), []string{"references/scale.md:1 reference-frontmatter"}},
		{"a rule at the top", put("references/scale.md", "---\n# The scale\n"), nil},
		{"nested", put("references/more/deep.md", "# Deep\n"), []string{"references/more/deep.md reference-place"}},
		{"not Markdown", put("references/scale.csv", "a,b\n"), []string{"references/scale.csv reference-type"}},
		{"ending in capitals", put("references/other.MD", "# Other\n"), []string{"references/other.MD reference-type"}},
		{"capitals", put("references/Other.md", "# Other\n"), []string{"references/Other.md reference-name"}},
		{"space", put("references/o ther.md", "# Other\n"), []string{"references/o ther.md reference-name"}},
		{"no name", put("references/.md", "# Other\n"), []string{"references/.md reference-name"}},
		{"byte order mark", put("references/scale.md", "\uFEFF# The scale\n"), []string{"references/scale.md:1 byte-order-mark"}},
		{"not UTF-8", put("references/scale.md", "# The scale\n\nx\xff\n"), []string{"references/scale.md:3 utf-8"}},
		{"too large", put("references/scale.md", strings.Repeat("x", maxFile+1)), []string{"references/scale.md file-size"}},
		{"other folders", put("scripts/run.sh", "#!/bin/sh\n").Then(put("assets/a/b.csv", "1\n")), nil},
	})
	files := sample()
	put("references/scale.md", front)(t, files)
	s, _ := Load(files, sampleDir)
	if got := s.Texts[1]; got.Body != "# The scale\n" || got.Doc.Headings[0].Line != 4 {
		t.Errorf("the lines moved: %+v", got)
	}
}

func TestFolder(t *testing.T) {
	link := func(name string) change {
		return func(_ *testing.T, files fstest.MapFS) {
			files[sampleDir+"/"+name] = &fstest.MapFile{Data: []byte("target"), Mode: fs.ModeSymlink}
		}
	}
	runBroken(t, []broken{
		{"empty", func(_ *testing.T, files fstest.MapFS) {
			clear(files)
			files[sampleDir] = &fstest.MapFile{Mode: fs.ModeDir}
		}, []string{"SKILL.md skill-missing", "evals/evals.json evals-missing"}},
		{"a picture that runs scripts", put("assets/x.svg", "<svg/>"), []string{"assets/x.svg file-type"}},
		{"a page", put("x.html", "<p>"), []string{"x.html file-type"}},
		{"no type", put("assets/run", "x"), []string{"assets/run file-type"}},
		// One finding each: that the file is missing follows from the first.
		{"link for SKILL.md", remove("SKILL.md").Then(link("SKILL.md")), []string{"SKILL.md plain-files"}},
		{"link for evals", remove("evals/evals.json").Then(link("evals/evals.json")), []string{"evals/evals.json plain-files"}},
		{"link anywhere", link("assets/x"), []string{"assets/x plain-files"}},
		{"pipe", func(_ *testing.T, files fstest.MapFS) {
			files[sampleDir+"/pipe"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
		}, []string{"pipe plain-files"}},
		{"1,000 files", manyFiles(1000), nil},
		// A name behind the thousandth must not make SKILL.md disappear.
		{"1,001 files", manyFiles(1001), []string{" file-count"}},
	})
}

func manyFiles(n int) change {
	return func(_ *testing.T, files fstest.MapFS) {
		for i := range n - len(sample()) {
			files[path.Join(sampleDir, "A"+strings.Repeat("x", i%7)+string(rune('a'+i/7%26))+string(rune('a'+i/182))+".md")] = &fstest.MapFile{}
		}
	}
}

// hugeFS has one file with a size nobody would store, and counts what is read
// of it. A size of 0 is a lie about the same file.
type hugeFS struct {
	fstest.MapFS
	name string
	size int64
	read *int64
}

func (h hugeFS) Open(name string) (fs.File, error) {
	if name == h.name {
		return &hugeFile{h}, nil
	}
	return h.MapFS.Open(name)
}

func (h hugeFS) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := h.MapFS.ReadDir(name)
	for i, e := range entries {
		if path.Join(name, e.Name()) == h.name {
			entries[i] = fs.FileInfoToDirEntry(hugeInfo{h})
		}
	}
	return entries, err
}

type hugeFile struct{ of hugeFS }

func (f *hugeFile) Stat() (fs.FileInfo, error) { return hugeInfo(*f), nil }
func (f *hugeFile) Close() error               { return nil }

func (f *hugeFile) Read(p []byte) (int, error) {
	if *f.of.read >= 50<<20 {
		return 0, io.EOF
	}
	for i := range p {
		p[i] = 'x'
	}
	*f.of.read += int64(len(p))
	return len(p), nil
}

type hugeInfo struct{ of hugeFS }

func (i hugeInfo) Name() string     { return path.Base(i.of.name) }
func (i hugeInfo) Size() int64      { return i.of.size }
func (hugeInfo) Mode() fs.FileMode  { return 0o644 }
func (hugeInfo) ModTime() time.Time { return time.Time{} }
func (hugeInfo) IsDir() bool        { return false }
func (hugeInfo) Sys() any           { return nil }

func TestHugeFiles(t *testing.T) {
	for _, file := range []string{"SKILL.md", "references/scale.md", "evals/evals.json", "assets/film.csv"} {
		for _, size := range []int64{50 << 20, 0} {
			var read int64
			files := sample()
			put(file, "")(t, files)
			s, found := Load(hugeFS{files, sampleDir + "/" + file, size, &read}, sampleDir)
			switch {
			case size > 0:
				expect(t, found, file+" file-size")
				if !strings.Contains(found[0].Wrong, "51200 KiB") {
					t.Errorf("no size in %v", found[0])
				}
				if read > 0 {
					t.Errorf("%s: %d bytes were read", file, read)
				}
			case strings.HasPrefix(file, "assets/"):
				expect(t, found) // not a text; nobody reads it
			default:
				expect(t, found, file+" file-size")
				if read > 3*maxFile {
					t.Errorf("%s: %d bytes were read", file, read)
				}
			}
			// The rest of the skill is there all the same.
			if file != "SKILL.md" && s.Name == "" || file != "evals/evals.json" && len(s.Evals) != 6 {
				t.Errorf("%s: the rest is missing: %+v", file, s)
			}
		}
	}
}

// unreadable lists what may be locked, and the one finding that follows: what
// cannot be seen is not reported as missing.
var unreadable = []struct{ path, want string }{
	{"", " unreadable"},
	{"references", "references unreadable"},
	{"references/scale.md", "references/scale.md unreadable"},
	{"SKILL.md", "SKILL.md unreadable"},
	{"evals/evals.json", "evals/evals.json unreadable"},
}

// lockedFS denies access to one path.
type lockedFS struct {
	fstest.MapFS
	name string
}

func (l lockedFS) Open(name string) (fs.File, error) {
	if name == l.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return l.MapFS.Open(name)
}

func (l lockedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == l.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return l.MapFS.ReadDir(name)
}

func TestUnreadable(t *testing.T) {
	for _, c := range unreadable {
		t.Run(c.path, func(t *testing.T) {
			_, found := Load(lockedFS{sample(), path.Join(sampleDir, c.path)}, sampleDir)
			expect(t, found, c.want)
			if strings.Contains(found[0].Wrong, sampleDir) {
				t.Errorf("the path stands twice: %v", found[0])
			}
		})
	}
}

func TestUnreadableOnDisk(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	for _, c := range unreadable {
		t.Run(c.path, func(t *testing.T) {
			root := onDisk(t, sample())
			locked := filepath.Join(root, sampleDir, c.path)
			info, err := os.Stat(locked)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(locked, 0); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.Chmod(locked, info.Mode()) })
			_, found := Load(os.DirFS(root), sampleDir)
			expect(t, found, c.want)
		})
	}
}

// TestLinksOnDisk: links that lead in a circle end the walk nowhere.
func TestLinksOnDisk(t *testing.T) {
	root := onDisk(t, sample())
	for name, target := range map[string]string{"loop": ".", "self": "self", "references/up": "../..", "gone": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(root, sampleDir, name)); err != nil {
			t.Skip(err)
		}
	}
	s, found := Load(os.DirFS(root), sampleDir)
	expect(t, found, "loop plain-files", "self plain-files", "references/up plain-files", "gone plain-files")
	if len(s.Files) != 3 || len(s.Evals) != 6 {
		t.Errorf("files %q, %d evals", s.Files, len(s.Evals))
	}
}

func onDisk(t *testing.T, files fstest.MapFS) string {
	t.Helper()
	root := t.TempDir()
	if err := os.CopyFS(root, files); err != nil {
		t.Fatal(err)
	}
	return root
}
