package console

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestStatus(t *testing.T) {
	plain := errors.New("x")
	for _, test := range []struct {
		err  error
		want int
	}{{nil, 0}, {plain, 1}, {Refuse("--x %d: no", 1), 2}, {Usage(plain), 2}, {fmt.Errorf("y: %w", Usage(plain)), 2}, {ErrIncomplete, 3},
		{fmt.Errorf("y: %w", ErrIncomplete), 3}} {
		if got := Status(test.err); got != test.want {
			t.Errorf("%v: %d, want %d", test.err, got, test.want)
		}
	}
	if err := Usage(plain); !errors.Is(err, plain) || err.Error() != "x" {
		t.Errorf("a marked error is %v", err)
	}
}

func TestShort(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0s", 59 * time.Second: "59s", 61 * time.Second: "1m01s", 90 * time.Minute: "1h30m"} {
		if got := Short(d); got != want {
			t.Errorf("Short(%v) = %s, want %s", d, got, want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for _, test := range []struct{ s, secret, want string }{
		{"a\nb\x1b[2J", "", "a b[2J"}, {"the key sk-12345678!", " sk-12345678\n", "the key [key]!"}, {"short words", "short", "short words"},
	} {
		if got := Printable(test.s, test.secret, "[key]"); got != test.want {
			t.Errorf("%q: %q, want %q", test.s, got, test.want)
		}
	}
}

// TestSecretErrors: whoever puts the key into the variable for its file does not
// see it in the error.
func TestSecretErrors(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "empty-sk-12345678"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"sk-12345678":                           "KEY_FILE names a file that is not there; check the path",
		strings.Repeat("sk-12345678", 500):      "KEY_FILE names a file that could not be read: ",
		"sk-12345678\x00":                       "KEY_FILE names a file that could not be read: ",
		dir:                                     "KEY_FILE names a file that could not be read: ",
		filepath.Join(dir, "empty-sk-12345678"): "KEY_FILE names a file that is empty; write the key into it",
	} {
		_, err := Secret(func(name string) string { return map[string]string{"KEY_FILE": path}[name] }, "KEY")
		if Status(err) != 2 || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "12345678") || strings.Contains(err.Error(), dir) {
			t.Errorf("%.30q: %v, want %s", path, err, want)
		}
	}
}

func TestResume(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a POSIX shell's rules")
	}
	got := Resume("tool", []string{"a b", "--resume", "old", "--resume=older", "--text=it's", "--", "-x"}, "new file")
	if want := `tool 'a b' --text='it'\''s' -- '-x' --resume='new file'`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestShellWord(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a POSIX shell's rules")
	}
	for _, word := range []string{"", "plain", "two words", "it's", "$(touch x)", `back\slash`, "--purpose=a;b"} {
		out, err := exec.Command("sh", "-c", "printf %s "+ShellWord(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q as %s is %q, %v", word, ShellWord(word), out, err)
		}
	}
}

func TestIsTerminal(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if IsTerminal(file) || IsTerminal(null) {
		t.Error("a file or nothing at all is taken for a terminal")
	}
}

func TestBar(t *testing.T) {
	now := time.Now()
	for terminal, every := range map[bool]time.Duration{true: barEvery, false: plainEvery} {
		b := Bar{Now: func() time.Time { return now }, Terminal: terminal}
		if !b.Due() || b.Due() {
			t.Error("it is due more than once")
		}
		if now = now.Add(every); !b.Due() {
			t.Errorf("after %s it is not due", every)
		}
	}
	var screen bytes.Buffer
	b := Bar{Out: &screen, Now: time.Now}
	b.Clear()
	b.Draw(0.5, "half")
	b.Draw(7, "")
	b.Clear()
	b.Clear()
	const want = "\r[######......] half\r[############]     \r               \r"
	if got := screen.String(); got != want {
		t.Errorf("drew %q, want %q", got, want)
	}
}
