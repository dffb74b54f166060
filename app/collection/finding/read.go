package finding

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"
)

// MaxText bounds what is read of a text, in bytes: fifty times the longest that
// the collection has use for.
const MaxText = 1 << 20

// Read returns what is in the list's file, or reports why that cannot be read:
// it is missing, no file, larger than most bytes, or locked. add is what to do
// if it is missing.
func (l *List) Read(fsys fs.FS, most int64, add string) (data []byte, ok bool) {
	info, err := fs.Stat(fsys, l.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l.Errorf(0, "unreadable", add, "there is no such file")
		return nil, false
	case err == nil && !info.Mode().IsRegular():
		// Reading a pipe or a device might never end.
		l.Errorf(0, "unreadable", "put a plain file in its place", "this is not a file")
		return nil, false
	case err == nil && info.Size() > most:
		l.TooLarge(info.Size(), most)
		return nil, false
	case err == nil:
		data, err = readAtMost(fsys, l.File, most+1)
	}
	if err != nil {
		l.Errorf(0, "unreadable", "make the file readable", "the file cannot be read: %v", Cause(err))
		return nil, false
	}
	if int64(len(data)) > most { // it was said to be smaller
		l.TooLarge(int64(len(data)), most)
		return nil, false
	}
	return data, true
}

func readAtMost(fsys fs.FS, name string, most int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// TooLarge reports that the file has more than most bytes.
func (l *List) TooLarge(size, most int64) {
	l.Errorf(0, "file-size", fmt.Sprintf("stay within %d KiB", most>>10),
		"the file has %d KiB, more than it has use for, and was not read", size>>10)
}

// ReadText reads the list's file as text and reports what every text of the
// collection must be: small, UTF-8, without a byte order mark. Lines of what it
// returns end in \n.
func (l *List) ReadText(fsys fs.FS, add string) (source string, ok bool) {
	data, ok := l.Read(fsys, MaxText, add)
	if !ok {
		return "", false
	}
	s, marked := strings.CutPrefix(string(data), "\uFEFF")
	if marked {
		l.Errorf(1, "byte-order-mark", "save as UTF-8 without a byte order mark",
			"the file starts with a byte order mark, which some agents refuse")
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if !utf8.ValidString(s) {
		line := 1
		for part := range strings.SplitSeq(s, "\n") {
			if !utf8.ValidString(part) {
				break
			}
			line++
		}
		l.Errorf(line, "utf-8", "save the file as UTF-8", "the line holds bytes that are not UTF-8")
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return s, true
}

// Cause leaves out of an error about a file what a finding says already: the
// attempt and the path.
func Cause(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}
