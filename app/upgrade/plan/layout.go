package plan

import (
	"regexp"
	"time"
)

// Folders in a backup folder, hidden like it, so that none is an old skill.
const (
	// NewFolder is where skills are made ready.
	NewFolder = ".new"
	// DownloadFolder is where printed commands put what is not whole yet.
	DownloadFolder = ".download"
)

// BackupName is the name of the backup folder that is made at a time for the
// skills folder of that name. It says in local time when that was.
func BackupName(place string, at time.Time) string {
	return "." + place + "-backup-" + at.Format("2006-01-02-150405")
}

var backupForm = regexp.MustCompile(`(?s)^\.(.+)-backup-[0-9A-Za-z-]+$`)

// PlaceOf returns the name of the skills folder that a backup folder is of; ""
// for a name that no backup folder has. It takes any mark for the time, since
// people rename folders.
func PlaceOf(backup string) string {
	if m := backupForm.FindStringSubmatch(backup); m != nil {
		return m[1]
	}
	return ""
}
