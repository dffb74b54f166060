package upgrade

import (
	"strings"

	"marketingskills/app/text"
)

// posixHead begins every plan for a POSIX shell. It has no comments, which an
// interactive zsh would take for commands, and runs in a subshell, so that an
// error ends the plan and not the terminal. What is pasted in part does
// nothing.
const posixHead = `dry_run=yes
(
set -eu
undo=
have() { [ -e "$1" ] || [ -L "$1" ]; }
say() { printf '%s\n' "$1"; }
dry() { [ "$dry_run" != no ]; }
stop() { printf '%s\n' "$1" >&2; exit 1; }
finish() {
  code=$?
  trap - EXIT
  if dry; then say 'Dry run: nothing was changed. To act, change the first line to dry_run=no.'
  elif [ -n "$undo" ]; then say 'To undo, from the same folder:'; say "$undo"
  fi
  if [ "$code" -ne 0 ]; then printf '%s\n' 'Stopped at the first error; the rest was not done.' >&2; fi
  exit "$code"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' HUP TERM
place() { if [ ! -d "$1" ]; then stop "not found from here: $2"; fi; }
fetched() {
  if [ ! -f "$1/SKILL.md" ]; then stop "what was fetched has no SKILL.md: $2"; fi
  say "fetched $2"
}
fetch_zip() {
  if have "$3"; then return 0; fi
  if dry; then say "would fetch $4"; return 0; fi
  mkdir -p "$2"
  curl -fsSL -o "$2.zip" "$1"
  unzip -oq "$2.zip" -d "$2"
  rm -f "$2.zip"
  fetched "$2" "$4"
}
fetch_copy() {
  if have "$3"; then return 0; fi
  if [ ! -f "$1/SKILL.md" ]; then stop "not found in the collection: $4"; fi
  if dry; then say "would copy $4"; return 0; fi
  mkdir -p "$2"
  cp -R "$1/." "$2"
  fetched "$2" "$4"
}
aside() {
  if ! have "$1"; then say "already moved: $4"; return 0; fi
  if have "$2/$3"; then
    if [ "$6" = again ]; then say "already replaced: $4"; return 0; fi
    stop "already in the backup, so not moved: $4"
  fi
  if dry; then say "would move aside $4"; return 0; fi
  mkdir -p "$2"
  mv "$1" "$2/$3"
  undo="$5
$undo"
  say "moved aside $4"
}
install() {
  if dry; then if ! have "$2"; then say "would install $3"; fi; return 0; fi
  if ! have "$1"; then say "already installed: $3"; return 0; fi
  if have "$2"; then stop "something stands where this should go: $3"; fi
  mv "$1" "$2"
  undo="$4
$undo"
  say "installed $3"
}
keep() {
  if dry; then say "would keep $4"; return 0; fi
  if [ ! -f "$1" ] || [ -L "$1" ]; then return 0; fi
  if have "$2"; then say "not copied, there is one: $4"; return 0; fi
  mkdir -p "$3"
  cp -p "$1" "$2"
  say "kept $4"
}
verify() {
  if dry; then return 0; fi
  if [ ! -f "$1/SKILL.md" ]; then stop "not installed: $2"; fi
  say "installed $2"
}
`

const posixTail = `)
`

// POSIX writes the plan for sh, bash, dash, ksh and zsh. Its first line makes
// it a dry run: as it stands it only says what it would do. It needs curl and
// unzip when the source is a site.
func (c Cleanup) POSIX() string {
	if len(c.Steps) == 0 {
		return "printf '%s\\n' 'There is nothing to do.'\n"
	}
	var b strings.Builder
	b.WriteString(posixHead)
	word := func(words ...string) { b.WriteString(strings.Join(words, " ") + "\n") }
	for _, backup := range c.Backups {
		word("place", text.PosixPath(join(backup.Place)), text.PosixWord(showPlace(backup.Place)))
	}
	for _, s := range c.Steps {
		shown := text.PosixWord(printable(s.shown()))
		switch s.Action {
		case Fetch:
			if c.Source.Dir != "" {
				word("fetch_copy", text.PosixPath(s.From), text.PosixPath(s.To), text.PosixPath(s.Done), shown)
			} else {
				word("fetch_zip", text.PosixWord(s.From), text.PosixPath(s.To), text.PosixPath(s.Done), shown)
			}
		case Move:
			again := "once"
			if s.Again {
				again = "again"
			}
			// The folder's name comes by itself, so that mv never takes the
			// target for a folder to move into.
			word("aside", text.PosixPath(s.From), text.PosixPath(parent(s.To)), text.PosixWord(s.Folder), shown, text.PosixWord(s.undoPOSIX()), again)
		case Install:
			word("install", text.PosixPath(s.From), text.PosixPath(s.To), shown, text.PosixWord(s.undoPOSIX()))
		case Keep:
			word("keep", text.PosixPath(s.From), text.PosixPath(s.To), text.PosixPath(parent(s.To)), shown)
		case Run:
			word("if dry; then say", text.PosixWord("would run "+s.From)+"; else")
			word(s.From)
			word("fi")
		case Verify:
			word("verify", text.PosixPath(s.To), shown)
		}
	}
	for _, backup := range c.Backups {
		word("if ! dry; then rmdir", text.PosixPath(join(backup.Path, "new")), "2>/dev/null || :; fi")
	}
	for _, l := range c.Left {
		word("say", text.PosixWord("left alone: "+l.shown()))
	}
	b.WriteString(posixTail)
	return b.String()
}

// undoPOSIX is the command that takes a step back.
func (s Step) undoPOSIX() string {
	if s.Action == Install {
		undone := join(parent(parent(s.From)), "undone")
		return "mkdir -p " + text.PosixPath(undone) + " && mv " + text.PosixPath(s.To) + " " + text.PosixPath(undone) + "/"
	}
	return "mv " + text.PosixPath(s.To) + " " + text.PosixPath(s.From)
}

// shown says in a few words what a step is about.
func (s Step) shown() string {
	in := ""
	if s.Place != "" {
		in = " in " + Show(s.Place)
	}
	switch s.Action {
	case Move:
		return Show(s.Folder) + in
	case Keep:
		return Show(s.To)
	}
	return s.Skill + in
}

func (l Left) shown() string {
	in := ""
	if l.Place != "" {
		in = " in " + Show(l.Place)
	}
	return printable(Show(l.Folder) + in + ", " + l.Why)
}
