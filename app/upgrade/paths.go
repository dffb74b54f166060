package upgrade

import "strings"

// windows tells whether a path is written the Windows way: with a drive, or
// with backslashes and no slash.
func windows(path string) bool {
	if len(path) >= 2 && path[1] == ':' && ('a' <= path[0]|0x20 && path[0]|0x20 <= 'z') {
		return true
	}
	return strings.Contains(path, `\`) && !strings.Contains(path, "/")
}

func separator(path string) string {
	if windows(path) {
		return `\`
	}
	return "/"
}

func isSeparator(path string, i int) bool {
	return path[i] == '/' || path[i] == '\\' && windows(path)
}

// cleanPath drops what is at the ends of a path without a meaning: ./ before
// it, separators behind it. The current directory is ".".
func cleanPath(path string) string {
	for len(path) > 2 && path[0] == '.' && isSeparator(path, 1) {
		path = path[2:]
	}
	for len(path) > 1 && isSeparator(path, len(path)-1) && !(len(path) == 3 && path[1] == ':') {
		path = path[:len(path)-1]
	}
	if path == "" {
		return "."
	}
	return path
}

// base returns the last part of a path.
func base(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if isSeparator(path, i) {
			return path[i+1:]
		}
	}
	return path
}

// parent returns a path without its last part, "" when there is none.
func parent(path string) string {
	for i := len(path) - 1; i > 0; i-- {
		if isSeparator(path, i) {
			return path[:i]
		}
	}
	return ""
}

// join puts parts below a path, which gets "./" when it could be taken for an
// option or for nothing.
func join(path string, parts ...string) string {
	sep := separator(path)
	path = cleanPath(path)
	if path[0] == '-' {
		path = "." + sep + path
	}
	for _, part := range parts {
		if !isSeparator(path, len(path)-1) {
			path += sep
		}
		path += part
	}
	return path
}

// beside returns the backup folder of a place, and false when there is
// nothing beside it.
func beside(place, date string) (string, bool) {
	path := cleanPath(place)
	name := base(path)
	switch {
	case path == "/" || path == `\` || path == "~" || strings.HasSuffix(name, ":") || name == "":
		return "", false
	case name == "." || name == "..":
		// Where it is says nothing about what it is called.
		if path == "." {
			return join("..", "skills-backup-"+date), true
		}
		return join(path, "..", "skills-backup-"+date), true
	}
	return join(path[:len(path)-len(name)] + name + "-backup-" + date), true
}

// movable tells whether a name can be one part of a path everywhere.
func movable(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\\\x00")
}
