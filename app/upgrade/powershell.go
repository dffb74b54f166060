package upgrade

import (
	"strings"

	"marketingskills/app/text"
)

// powerShellHead begins every plan for PowerShell 5.1 and 7. Moves are made
// by .NET, whose paths have no wildcards.
const powerShellHead = `$DryRun = $true
& {
$ErrorActionPreference = 'Stop'
$undo = New-Object System.Collections.ArrayList
function Full($p) { $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($p) }
function Have($p) { $f = Full $p; [IO.Directory]::Exists($f) -or [IO.File]::Exists($f) }
function Say($t) { Write-Host $t }
function Place($p, $t) { if (-not [IO.Directory]::Exists((Full $p))) { throw "not found from here: $t" } }
function Fetched($p, $t) {
  if (-not [IO.File]::Exists((Join-Path (Full $p) 'SKILL.md'))) { throw "what was fetched has no SKILL.md: $t" }
  Say "fetched $t"
}
function FetchZip($url, $to, $done, $t) {
  if (Have $done) { return }
  if ($DryRun) { Say "would fetch $t"; return }
  [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor 3072
  Add-Type -AssemblyName System.IO.Compression.FileSystem
  $f = Full $to
  $part = $f + '.' + [Guid]::NewGuid().ToString('N')
  $null = [IO.Directory]::CreateDirectory([IO.Path]::GetDirectoryName($f))
  if (-not [IO.Directory]::Exists($f)) {
    (New-Object Net.WebClient).DownloadFile($url, "$part.zip")
    [IO.Compression.ZipFile]::ExtractToDirectory("$part.zip", $part)
    [IO.Directory]::Move($part, $f)
    [IO.File]::Delete("$part.zip")
  }
  Fetched $to $t
}
function FetchCopy($from, $to, $done, $t) {
  if (Have $done) { return }
  $src = Full $from
  if (-not [IO.File]::Exists((Join-Path $src 'SKILL.md'))) { throw "not found in the collection: $t" }
  if ($DryRun) { Say "would copy $t"; return }
  foreach ($file in [IO.Directory]::GetFiles($src, '*', 'AllDirectories')) {
    $dest = (Full $to) + $file.Substring($src.Length)
    $null = [IO.Directory]::CreateDirectory([IO.Path]::GetDirectoryName($dest))
    [IO.File]::Copy($file, $dest, $true)
  }
  Fetched $to $t
}
function Aside($from, $dir, $to, $t, $u, $again) {
  if (-not (Have $from)) { Say "already moved: $t"; return }
  if (Have $to) {
    if ($again) { Say "already replaced: $t"; return }
    throw "already in the backup, so not moved: $t"
  }
  if ($DryRun) { Say "would move aside $t"; return }
  $null = [IO.Directory]::CreateDirectory((Full $dir))
  [IO.Directory]::Move((Full $from), (Full $to))
  $undo.Insert(0, $u)
  Say "moved aside $t"
}
function Install($from, $to, $t, $u) {
  if ($DryRun) { if (-not (Have $to)) { Say "would install $t" }; return }
  if (-not (Have $from)) { Say "already installed: $t"; return }
  if (Have $to) { throw "something stands where this should go: $t" }
  [IO.Directory]::Move((Full $from), (Full $to))
  $undo.Insert(0, $u)
  Say "installed $t"
}
function Keep($from, $to, $dir, $t) {
  if ($DryRun) { Say "would keep $t"; return }
  if (-not [IO.File]::Exists((Full $from))) { return }
  if (Have $to) { Say "not copied, there is one: $t"; return }
  $null = [IO.Directory]::CreateDirectory((Full $dir))
  [IO.File]::Copy((Full $from), (Full $to))
  Say "kept $t"
}
function Verify($p, $t) {
  if ($DryRun) { return }
  if (-not [IO.File]::Exists((Join-Path (Full $p) 'SKILL.md'))) { throw "not installed: $t" }
  Say "installed $t"
}
try {
`

const powerShellTail = `} catch {
  Write-Warning "Stopped at the first error; the rest was not done. $_"
} finally {
  if ($DryRun) { Say 'Dry run: nothing was changed. To act, change the first line to $DryRun = $false' }
  elseif ($undo.Count) { Say 'To undo, from the same folder:'; $undo | ForEach-Object { Say $_ } }
}
}
`

// PowerShell writes the plan for Windows PowerShell 5.1 and PowerShell 7. Its
// first line makes it a dry run: as it stands it only says what it would do.
// Folders whose names PowerShell cannot write are left alone, and it says so.
func (c Cleanup) PowerShell() string {
	if len(c.Steps) == 0 {
		return "Write-Host 'There is nothing to do.'\n"
	}
	w := powerShellWriter{}
	w.b.WriteString(powerShellHead)
	for _, backup := range c.Backups {
		w.line("Place", psPath(join(backup.Place)), psText(showPlace(backup.Place)))
	}
	for _, s := range c.Steps {
		shown := psText(printable(s.shown()))
		switch s.Action {
		case Fetch:
			if c.Source.Dir != "" {
				w.line("FetchCopy", psPath(s.From), psPath(s.To), psPath(s.Done), shown)
			} else {
				w.line("FetchZip", psText(s.From), psPath(s.To), psPath(s.Done), shown)
			}
		case Move:
			again := psWord("$false")
			if s.Again {
				again = psWord("$true")
			}
			w.line("Aside", psPath(s.From), psPath(parent(s.To)), psPath(s.To), shown, w.undo(s), again)
		case Install:
			w.line("Install", psPath(s.From), psPath(s.To), shown, w.undo(s))
		case Keep:
			w.line("Keep", psPath(s.From), psPath(s.To), psPath(parent(s.To)), shown)
		case Run:
			w.line("if ($DryRun) { Say", psText("would run "+s.From), psWord("} else {"))
			w.b.WriteString(s.From + "\n}\n")
		case Verify:
			w.line("Verify", psPath(s.To), shown)
		}
	}
	for _, l := range c.Left {
		w.line("Say", psText("left alone: "+l.shown()))
	}
	w.b.WriteString(powerShellTail)
	return w.b.String()
}

// argument is a PowerShell expression; ok is false when it cannot be written.
type argument struct {
	written string
	ok      bool
}

func psWord(s string) argument { return argument{s, true} }

func psText(s string) argument {
	quoted, ok := text.PowerShellWord(s)
	return argument{quoted, ok}
}

func psPath(s string) argument {
	quoted, ok := text.PowerShellPath(s)
	return argument{quoted, ok}
}

type powerShellWriter struct{ b strings.Builder }

// line writes a command, or says that it cannot be written.
func (w *powerShellWriter) line(command string, arguments ...argument) {
	line := command
	for _, a := range arguments {
		if !a.ok {
			w.b.WriteString("Say 'left alone: a folder whose name is not UTF-8; move it by hand'\n")
			return
		}
		line += " " + a.written
	}
	w.b.WriteString(line + "\n")
}

// undo is the command that takes a step back, as a text.
func (w *powerShellWriter) undo(s Step) argument {
	from, to := s.To, s.From
	before := ""
	if s.Action == Install {
		undone := join(parent(parent(s.From)), "undone")
		made := psPath(undone)
		before = "$null = [IO.Directory]::CreateDirectory(" + psFull(made) + "); "
		to = join(undone, s.Skill)
	}
	f, t := psPath(from), psPath(to)
	undo := psText(before + "[IO.Directory]::Move(" + psFull(f) + ", " + psFull(t) + ")")
	return argument{undo.written, undo.ok && f.ok && t.ok}
}

func psFull(a argument) string {
	return "$ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath(" + a.written + ")"
}
