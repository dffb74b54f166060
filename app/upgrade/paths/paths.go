// Package paths reads paths of any system as they are written, on any system:
// a path out of a pasted listing or from the command line, with slashes or
// backslashes. It touches no disk.
package paths

import (
	"cmp"
	"strings"
)

// HasDrive reports whether a path begins with a drive of Windows.
func HasDrive(path string) bool {
	return len(path) >= 2 && path[1] == ':' && 'a' <= path[0]|0x20 && path[0]|0x20 <= 'z'
}

// IsWindows reports whether a path is written the Windows way: with a drive, or
// with backslashes and no slash.
func IsWindows(path string) bool {
	return HasDrive(path) || strings.Contains(path, `\`) && !strings.Contains(path, "/")
}

// separator returns what stands between the parts of a path.
func separator(path string) string {
	if IsWindows(path) {
		return `\`
	}
	return "/"
}

// IsSeparator reports whether the byte at i stands between two parts.
func IsSeparator(path string, i int) bool {
	return path[i] == '/' || path[i] == '\\' && IsWindows(path)
}

// Trim drops the separators behind a path, but for those of a root.
func Trim(path string) string {
	for len(path) > 1 && IsSeparator(path, len(path)-1) && !(len(path) == 3 && path[1] == ':') {
		path = path[:len(path)-1]
	}
	return path
}

// Clean drops what is at the ends of a path without a meaning: ./ before
// it, separators behind it. The current directory is ".".
func Clean(path string) string {
	for len(path) > 2 && path[0] == '.' && IsSeparator(path, 1) {
		path = path[2:]
	}
	return cmp.Or(Trim(path), ".")
}

// lastSeparator returns where the last separator stands, -1 for nowhere.
func lastSeparator(path string) int {
	i := len(path) - 1
	for i >= 0 && !IsSeparator(path, i) {
		i--
	}
	return i
}

// Base returns the last part of a path.
func Base(path string) string { return path[lastSeparator(path)+1:] }

// Parent returns a path without its last part, "" when there is none.
func Parent(path string) string { return path[:max(lastSeparator(path), 0)] }

// First returns the first part of a path, "." for the current directory; "" for
// a path that does not start there: with a root, a drive or the home directory.
func First(path string) string {
	path = Clean(path)
	for i := range len(path) {
		if IsSeparator(path, i) {
			path = path[:i]
			break
		}
	}
	if HasDrive(path) || path == "~" {
		return ""
	}
	return path
}

// Below puts a name behind a path as it is written; behind none it is alone.
func Below(path, name string) string {
	if path == "" || IsSeparator(path, len(path)-1) {
		return path + name
	}
	return path + separator(path) + name
}

// Join puts parts below a path, which gets ./ when it could be taken for an
// option or for nothing.
func Join(path string, parts ...string) string {
	path = Clean(path)
	if path[0] == '-' {
		path = "." + separator(path) + path
	}
	for _, part := range parts {
		path = Below(path, part)
	}
	return path
}
