// Package upgrade tells what the folders of an installation are, what each
// became, and what to do about it. It is the analysis behind the upgrade page
// and the skills-upgrade command, which print its sentences as they are, but for
// the advice on a folder that the page's plan replaces although nobody saw its
// version. It is given what was found and returns values and texts; it reads no
// disk and no network, and runs in the browser.
//
// [Analyze] turns an [Installation] and a manifest (VERSIONS.md) into a
// [Report] with one row per folder. Below this package, listing makes an
// Installation out of pasted text, scan makes one out of a folder, and plan
// makes steps and commands out of a Report. [ReadFrontmatter] reads the two
// fields that count out of the beginning of a SKILL.md.
//
// # From this collection
//
// A name is from this collection when the manifest has a row for it (a current
// name), or when its renames lead to such a row (an old name). Names are equal
// byte for byte; one that differs in case or in a hyphen is at most a
// suggestion.
//
// A command may act on some folders without a human looking. All are real
// directories whose SKILL.md was read, with the folder's name in its frontmatter
// and a version MAJOR.MINOR.PATCH. Such a folder is
//
//   - certainly from this collection, when it has a 1.x name and a version below
//     2.0.0. The 1.x names are those that 2.0.0 gave up or merged, and those
//     current ones that 2.0.0 neither introduced by a rename nor a later release
//     brought as a new skill;
//   - published, when it has a current name and an older version that the
//     collection can have published under that name.
//
// # Promises
//
// A near name is a suggestion and changes no state. A manifest newer than this
// code works: unknown names, releases and renames are data. Every text shown
// to people (evidence, advice, notes, the summary) is free of
// control characters and of characters that change the direction of text,
// whatever the names are; the fields that carry names carry them as found.
package upgrade

import "strings"

// firstNamed is the release that gave the skills the names they have today. What
// is older is 1.x.
const firstNamed = "2.0.0"

// Places are the folders that agents load skills from, each looked for in the
// project and in the home directory.
// Source: the agents' own documentation, August 2026.
var Places = []string{".agents/skills", ".claude/skills", ".codex/skills", ".cursor/skills", ".github/skills"}

// Hidden reports whether a path leads into a hidden folder, or to one, other than
// those that agents load skills from.
func Hidden(path string) bool {
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	for i, part := range parts {
		switch part {
		case ".", "..", ".agents", ".claude", ".codex", ".cursor":
		case ".github": // workflows are next to the skills
			if i+1 == len(parts) || parts[i+1] != "skills" {
				return true
			}
		default:
			if part[0] == '.' {
				return true
			}
		}
	}
	return false
}

// Lock files of the skills installer: in the project, and in the home
// directory.
const (
	ProjectLock = "skills-lock.json"
	HomeLock    = ".agents/.skill-lock.json"
)

// MaxLock is the most bytes a lock file may have to be checked.
const MaxLock = 4 << 20

// Installation is what was found, as far as it could be seen.
type Installation struct {
	Places []Place
	// Here is the name of the folder that a place without a path is; empty when
	// nothing says it.
	Here string
	// Contexts are the product context files found, by their paths relative
	// to the project, written with slashes. Paths not in [ContextPaths] are
	// ignored.
	Contexts []string
	// Locks are the lock files found.
	Locks []LockFile
	// Unchecked says, a sentence each, what was not checked, and what was checked
	// otherwise than one may think, such as once under two names. The report
	// repeats it.
	Unchecked []string
}

// Place is a skills folder.
type Place struct {
	// Path is where it is, as the person knows it: ".agents/skills",
	// "~/.claude/skills", "C:\Users\me\.claude\skills". Empty stands for the
	// folder that was listed, when nothing says where it is.
	Path string
	// Problem says why the place could not be read, if so.
	Problem string
	Folders []Folder
}

// Kind tells what stands under a name in a place.
type Kind string

const (
	// Directory is also what the empty Kind stands for.
	Directory Kind = "directory"
	// RegularFile is a file where a folder should be.
	RegularFile Kind = "file"
	// Symlink is a symbolic link, wherever it leads. It is not followed.
	Symlink Kind = "symlink"
	// Unreadable is a directory, or anything else, that could not be opened.
	Unreadable Kind = "unreadable"
)

// Folder is one entry of a place.
type Folder struct {
	// Name is the folder's own name, without a path.
	Name string
	Kind Kind
	// Target is where a symlink leads, as written in it.
	Target string
	// Problem says in words what went wrong in reading it, if something did.
	Problem string
	// Front is what SKILL.md says; nil when it was not read.
	Front *Frontmatter
	// Bare is set when the folder was opened and has no SKILL.md.
	Bare bool
	// Listed is a version known from elsewhere, such as a table that was
	// pasted. It counts when Front is nil.
	Listed string
	// Files are the files below the folder, as far as they are known: paths
	// relative to it, written with slashes.
	Files []string
}

// LockFile is a lock file of an installer.
type LockFile struct {
	Path string
	// Data is its content, as far as [MaxLock] and a byte more.
	Data []byte
}
