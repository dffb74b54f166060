package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"

	"marketingskills/app/site"
)

// inProject moves the test into an empty project with a cache.
func inProject(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
}

// tree reads all files below a directory.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		all[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// counted is an encoding that counts how often it packs.
func counted(e encoding) (f encoding, made *int) {
	made = new(int)
	writer := e.writer
	e.writer = func(w io.Writer) (io.WriteCloser, error) {
		*made++
		return writer(w)
	}
	return e, made
}

func TestKeepMakesOnce(t *testing.T) {
	inProject(t)
	f, made := counted(gzipEncoding)
	for range 3 {
		if got, err := f.packCached([]byte("words")); err != nil || !f.unpacksTo(got, []byte("words")) {
			t.Fatalf("got %q, %v", got, err)
		}
	}
	if *made != 1 || len(tree(t, cache)) != 1 {
		t.Errorf("made %d times, the cache holds %v", *made, tree(t, cache))
	}
}

// TestADamagedCache: what a power cut or a fault of the disk has left in the
// cache is not published, and gives way to what is right.
func TestADamagedCache(t *testing.T) {
	text := bytes.Repeat([]byte("words and words "), 500)
	for _, f := range []encoding{brotliEncoding, gzipEncoding} {
		inProject(t)
		want, err := f.packCached(text)
		if err != nil {
			t.Fatal(err)
		}
		other, err := f.pack([]byte("other words"))
		if err != nil {
			t.Fatal(err)
		}
		damages := map[string][]byte{
			"empty": {}, "zeroes": make([]byte, len(want)), "half": want[:len(want)/2], "one byte short": want[:len(want)-1],
			"more behind": append(slices.Clone(want), "more"...), "another text": other,
		}
		for i := range want {
			damages[fmt.Sprintf("byte %d", i)] = slices.Concat(want[:i], []byte{want[i] ^ 0x10}, want[i+1:])
		}
		for name, damaged := range damages {
			var file string
			for file = range tree(t, cache) {
				break
			}
			if err := os.WriteFile(filepath.Join(cache, file), damaged, 0o644); err != nil {
				t.Fatal(err)
			}
			// A bit of a header may mean nothing.
			if got, err := f.packCached(text); err != nil || !f.unpacksTo(got, text) {
				t.Errorf("%s, %s: %d bytes are published, %v", f.suffix, name, len(got), err)
			}
			if kept := tree(t, cache); len(kept) != 1 || !f.unpacksTo([]byte(kept[file]), text) {
				t.Errorf("%s, %s: it stays in the cache", f.suffix, name)
			}
		}
	}
}

// failing breaks when it is closed.
type failing struct{ io.Writer }

var errBroken = errors.New("broken")

func (f failing) Close() error { return errBroken }

// TestKeepAllOrNothing: whatever fails on the way leaves no file behind that a
// later build would take for whole.
func TestKeepAllOrNothing(t *testing.T) {
	inProject(t)
	f := encoding{suffix: ".x", writer: func(w io.Writer) (io.WriteCloser, error) { return failing{w}, nil }}
	if _, err := f.packCached([]byte("words")); !errors.Is(err, errBroken) || len(tree(t, cache)) > 0 {
		t.Errorf("got %v, the cache holds %v", err, tree(t, cache))
	}
	if _, err := gzipEncoding.packCached([]byte("words")); err != nil {
		t.Fatal(err)
	}
	for file := range tree(t, cache) {
		if err := errors.Join(os.Remove(filepath.Join(cache, file)), os.Mkdir(filepath.Join(cache, file), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := gzipEncoding.packCached([]byte("words")); err == nil || len(tree(t, cache)) > 0 {
		t.Errorf("in the way of a directory: got %v, the cache holds %v", err, tree(t, cache))
	}
	if err := os.RemoveAll(cache); err != nil {
		t.Fatal(err)
	}
	if _, err := gzipEncoding.packCached([]byte("words")); err == nil {
		t.Error("without a cache nothing was wrong")
	}
}

func TestCompress(t *testing.T) {
	inProject(t)
	text := bytes.Repeat([]byte("words and words "), 500)
	files := site.Files{"index.html": text, "a/app.wasm": text, "a.zip": text, "icon.png": text, "empty.txt": nil, "SKILL.md": text}
	for range 2 {
		packed, err := compressAll(files)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, v := range packed {
			names = append(names, v.name)
			br, err := io.ReadAll(brotli.NewReader(bytes.NewReader(v.brotli)))
			if err != nil || !bytes.Equal(br, files[v.name]) {
				t.Errorf("%s: brotli gives %d bytes, %v", v.name, len(br), err)
			}
			r, err := gzip.NewReader(bytes.NewReader(v.gzip))
			if err != nil {
				t.Fatal(err)
			}
			gz, err := io.ReadAll(r)
			if err != nil || !bytes.Equal(gz, files[v.name]) {
				t.Errorf("%s: gzip gives %d bytes, %v", v.name, len(gz), err)
			}
		}
		if want := []string{"SKILL.md", "a/app.wasm", "empty.txt", "index.html"}; !slices.Equal(names, want) {
			t.Errorf("compressed %q, want %q", names, want)
		}
	}
	// The same content is kept once, under both its forms.
	if n := len(tree(t, cache)); n != 4 {
		t.Errorf("the cache holds %d files", n)
	}
}

// work is a place to work in for one build.
func work(t *testing.T) string {
	t.Helper()
	dir, err := makeWorkDir()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestTwoBuildsAtOnce: what is published is the whole of one of them.
func TestTwoBuildsAtOnce(t *testing.T) {
	inProject(t)
	var wg sync.WaitGroup
	for _, build := range []string{"1", "2", "3", "4"} {
		dir := work(t)
		wg.Go(func() {
			for range 100 {
				files := site.Files{}
				for _, name := range []string{"index.html", "a/b.html", "c.html"} {
					files[name] = []byte(build)
				}
				if err := write(files, nil, dir); err != nil {
					t.Errorf("build %s: %v", build, err)
				}
				if err := os.RemoveAll(dir); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got := tree(t, output)
	if len(got) != 3 || got["index.html"] != got["a/b.html"] || got["index.html"] != got["c.html"] {
		t.Errorf("a mixture is published: %v", got)
	}
}

func TestWriteReplacesTheOutputAsAWhole(t *testing.T) {
	inProject(t)
	first := site.Files{"index.html": []byte("1"), "old/gone.txt": []byte("gone")}
	if err := write(first, []compressed{{"index.html", []byte("b"), []byte("g")}}, work(t)); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"index.html": "1", "index.html.br": "b", "index.html.gz": "g", "old/gone.txt": "gone"}
	if got := tree(t, output); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if err := write(site.Files{"skills/sms/index.html": []byte("2")}, nil, work(t)); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, output); !maps.Equal(got, map[string]string{"skills/sms/index.html": "2"}) {
		t.Errorf("got %v", got)
	}
}

func TestAFailedWriteLeavesTheOldSite(t *testing.T) {
	inProject(t)
	if err := write(site.Files{"index.html": []byte("1")}, nil, work(t)); err != nil {
		t.Fatal(err)
	}
	// A file cannot also be a directory.
	err := write(site.Files{"a": []byte("2"), "a/b": []byte("3")}, nil, work(t))
	if err == nil {
		t.Fatal("nothing was wrong")
	}
	if got := tree(t, output); !maps.Equal(got, map[string]string{"index.html": "1"}) {
		t.Errorf("got %v after %v", got, err)
	}
}

func TestBudgets(t *testing.T) {
	sized := func(app, home int) []compressed {
		brotli := func(n int) []byte { return make([]byte, n) }
		return []compressed{
			{name: "other"}, {name: "app.0123456789ab.wasm", brotli: brotli(app)}, {name: "upgrade.0123456789ab.wasm", brotli: brotli(1_000_000)},
			{name: "prospects.0123456789ab.wasm", brotli: brotli(1_000_000)}, {name: "index.html", brotli: brotli(home)},
		}
	}
	const app, home = 1_000_000, 20_000
	for _, c := range []struct {
		name   string
		packed []compressed
		want   []string
	}{
		{"most", sized(1_250_000, 30_000), nil},
		{"least", sized(312_500, 7_500), nil},
		{"program over", sized(1_250_001, home), []string{"reading program (app.*.wasm) has 1250001 bytes in brotli, 1 too many"}},
		{"home over", sized(app, 30_010), []string{"(index.html)", "10 too many"}},
		{"both over", sized(2_000_000, 40_000), []string{"(app.*.wasm)", "(index.html)"}},
		{"program empty", sized(0, home), []string{"reading program (app.*.wasm) has only 0 bytes in brotli"}},
		{"home under", sized(app, 7_499), []string{"(index.html) has only 7499 bytes"}},
		{"one missing", sized(app, home)[:4], []string{"there is no index.html"}},
		{"all missing", nil, []string{"there is no app.*.wasm", "there is no upgrade.*.wasm", "there is no index.html"}},
	} {
		err := checkBudgets(c.packed)
		if (err == nil) != (len(c.want) == 0) {
			t.Errorf("%s: got %v", c.name, err)
		}
		for _, want := range c.want {
			if err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %s", c.name, err, want)
			}
		}
	}
}

func TestDownloadShare(t *testing.T) {
	for sent, ok := range map[int]bool{0: false, 10: false, 20: true, 22: true, 40: false} {
		files := site.Files{"a.html": make([]byte, 60), "b.wasm": make([]byte, 40), "c.js": make([]byte, 1000)}
		packed := []compressed{{name: "a.html", brotli: make([]byte, sent/2)}, {name: "b.wasm", brotli: make([]byte, sent/2)}, {name: "c.js"}}
		if err := checkDownloadShare(files, packed); (err == nil) != ok {
			t.Errorf("%d of 100 bytes sent: %v", sent, err)
		}
	}
}
