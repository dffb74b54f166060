// Package console is how the commands that are given a secret speak: exit
// statuses, lines that nobody outside can spoil, a bar, and the command to
// resume. It uses the standard library and app/text only.
//
// Data goes to standard output and nothing else does. Progress, summary and what
// goes wrong go to standard error; errors begin with the command's name and a
// small letter and end without a full stop, everything else is a sentence.
package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"marketingskills/app/text"
)

// ErrIncomplete says that a run ended before its end, and that what it found
// is safe; the person was told already.
var ErrIncomplete = errors.New("incomplete")

// usageError marks errors in how the command was called.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Usage marks an error as one in how the command was called.
func Usage(err error) error { return usageError{err} }

// Refuse makes an error in how the command was called.
func Refuse(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Status is the exit status: 0 complete, 1 failed, 2 wrong usage, 3 incomplete
// but saved.
func Status(err error) int {
	_, usage := errors.AsType[usageError](err)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, ErrIncomplete):
		return 3
	case usage:
		return 2
	}
	return 1
}

// longestSecret is far beyond any, in bytes.
const longestSecret = 64 << 10

// Secret reads a secret from an environment variable or from the file that the
// variable of the same name with _FILE at its end names, without white space
// around it; "" if neither is set. Errors do not repeat it, nor the path, which
// is the secret itself if somebody sets the wrong one of the two; they are ones
// in how the command was called.
func Secret(getenv func(string) string, name string) (string, error) {
	secret, path := strings.TrimSpace(getenv(name)), getenv(name+"_FILE")
	switch {
	case path == "":
		return secret, nil
	case secret != "":
		return secret, Refuse("%s and %[1]s_FILE are both set; unset one of them", name)
	}
	content, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", Refuse("%s_FILE names a file that is not there; check the path", name)
	}
	if err != nil {
		return "", Refuse("%s_FILE names a file that could not be read: %w", name, err)
	}
	if secret = strings.TrimSpace(content); secret == "" {
		return "", Refuse("%s_FILE names a file that is empty; write the key into it", name)
	}
	return secret, nil
}

// read reads a secret's file. Its errors leave out the path.
func read(path string) (string, error) {
	content, err := func() ([]byte, error) {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return io.ReadAll(io.LimitReader(file, longestSecret))
	}()
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		err = pathErr.Err
	}
	return string(content), err
}

// Interrupted returns a context that ends with the first Ctrl-C, or the like;
// the second one ends the command at once. Call stop at the end.
func Interrupted() (ctx context.Context, stop func()) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // not under nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop = signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// IsTerminal tells whether a person may be at the other end of a file.
func IsTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// longestLine is far beyond any message; a hostile text ends there, in bytes.
const longestLine = 4 << 10

// Printable makes a text fit for a terminal: one line, whatever is in it,
// nothing that acts on a terminal, and the mask in place of the secret. Less than
// 8 characters are no secret, and may be part of any word.
func Printable(s, secret, mask string) string {
	if secret = strings.TrimSpace(secret); len(secret) >= 8 {
		s = strings.ReplaceAll(s, secret, mask)
	}
	return text.Line(s, longestLine)
}

// Short writes a time as 42s, 1m05s or 1h30m.
func Short(d time.Duration) string {
	switch d = d.Round(time.Second); {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
}

// Resume writes a command with its arguments and --resume=path, in place of an
// earlier --resume, so that it can be pasted.
func Resume(command string, arguments []string, path string) string {
	words := []string{command}
	for i := 0; i < len(arguments); i++ {
		switch argument := arguments[i]; {
		case argument == "--resume":
			i++
		case strings.HasPrefix(argument, "--resume="):
		default:
			words = append(words, ShellWord(argument))
		}
	}
	return strings.Join(append(words, ShellWord("--resume="+path)), " ")
}

// ShellWord writes an argument so that it can be pasted. An option's name was
// accepted before, and needs no quotes.
func ShellWord(s string) string {
	if strings.HasPrefix(s, "--") {
		name, value, hasValue := strings.Cut(s, "=")
		if !hasValue {
			return name
		}
		return name + "=" + ShellWord(value)
	}
	if runtime.GOOS == "windows" {
		if word, ok := text.PowerShellWord(s); ok {
			return word
		}
	}
	return text.PosixWord(s)
}
