package outfile_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"marketingskills/tools/internal/outfile"
)

func put(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// files are the names in a folder with what is in them.
func files(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e.Name()+"="+string(content))
	}
	return strings.Join(all, " ")
}

// TestDurable: the new content is durable before the file has its name, and the
// name before Write returns.
func TestDurable(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be made durable there")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "x.csv")
	if err := outfile.Write(path, put("old")); err != nil {
		t.Fatal(err)
	}
	var seen []string
	after := outfile.AfterSync
	defer func() { outfile.AfterSync = after }()
	outfile.AfterSync = func(name string) {
		named, err := os.ReadFile(path)
		what := "a folder"
		if name != dir {
			content, readErr := os.ReadFile(name)
			what, err = "a file with "+string(content), errors.Join(err, readErr)
		}
		if err != nil {
			t.Error(err)
		}
		seen = append(seen, what+" while there is "+string(named))
	}
	if err := outfile.Write(path, put("new")); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(seen, ", "), "a file with new while there is old, a folder while there is new"; got != want {
		t.Errorf("durable is %s; want %s", got, want)
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.csv")
	if err := outfile.Write(path, put("1")); err != nil || files(t, dir) != "x.csv=1" {
		t.Errorf("%v; %s", err, files(t, dir))
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v; %v", info.Mode(), err)
	}
	broken := errors.New("broken")
	if err := outfile.Write(path, func(w io.Writer) error { return errors.Join(put("2")(w), broken) }); !errors.Is(err, broken) || files(t, dir) != "x.csv=1" {
		t.Errorf("a write that fails: %v; %s", err, files(t, dir))
	}
	if err := outfile.Write(path, put("3")); err != nil || files(t, dir) != "x.csv=3" {
		t.Errorf("%v; %s", err, files(t, dir))
	}
	if err := outfile.Write(dir, put("")); err == nil || err.Error() != "this is a folder; name a file" {
		t.Error(err)
	}
	if err := outfile.Write(filepath.Join(dir, "no", "x"), put("")); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
	if err := outfile.Write(os.DevNull, put("")); err != nil {
		t.Error(err)
	}
}

// TestModes: nobody but the owner reads the file, whoever could read an older
// one; what the owner may not do with that stays so.
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such modes")
	}
	path := filepath.Join(t.TempDir(), "x.csv")
	for older, want := range map[fs.FileMode]fs.FileMode{0o600: 0o600, 0o644: 0o600, 0o640: 0o600, 0o777: 0o600, 0o400: 0o400, 0o444: 0o400} {
		os.Remove(path)
		err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chmod(path, older), outfile.Write(path, put("1")))
		if info, statErr := os.Stat(path); err != nil || statErr != nil || info.Mode().Perm() != want {
			t.Errorf("an older file changes from %v to %v, %v; want %v", older, info.Mode(), err, want)
		}
	}
}

func TestBesideOlder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.csv")
	for _, want := range []string{"x.csv=0", "x.csv=0 x.incomplete.csv=1"} {
		s, err := outfile.Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		put(string('0' + byte(strings.Count(want, " "))))(s)
		s.BesideOlder()
		if err := s.Commit(); err != nil || files(t, dir) != want || !s.Regular() {
			t.Errorf("%v; %s, want %s", err, files(t, dir), want)
		}
		if kept := strings.Contains(want, "incomplete"); (s.Kept == path) != kept || (s.Name == path) == kept {
			t.Errorf("it says that it kept %q and wrote %q", s.Kept, s.Name)
		}
		s.Discard()
	}
	if want := "x.csv=0 x.incomplete.csv=1"; files(t, dir) != want {
		t.Errorf("discarded after it was written: %s", files(t, dir))
	}
}

func TestStandardOutput(t *testing.T) {
	var b bytes.Buffer
	s, err := outfile.Open("", &b)
	if err != nil {
		t.Fatal(err)
	}
	s.BesideOlder()
	if err := errors.Join(put("x")(s), s.Commit()); err != nil || b.String() != "x" || s.Regular() || s.Name+s.Kept != "" {
		t.Errorf("%q, %v, %+v", b.String(), err, s)
	}
}

func TestSymbolicLink(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "real"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := outfile.Write(filepath.Join(dir, "link"), put("1")); err != nil || files(t, dir) != "link=1 real=1" {
		t.Errorf("%v; %s", err, files(t, dir))
	}
	if info, err := os.Lstat(filepath.Join(dir, "link")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
}
