package plan

import "testing"

// TestPlaceOf reads back what BackupName makes, and what people make of it.
func TestPlaceOf(t *testing.T) {
	for name, want := range map[string]string{
		BackupName("skills", now): "skills", BackupName("my\nskills", now): "my\nskills",
		".my skills-backup-2026": "my skills", ".a-backup-b-backup-2": "a-backup-b", "..git-backup-1": ".git",
		"": "", "skills-backup-2": "", ".skills-backup-": "", ".-backup-1": "", ".skills-backup-../x": "",
	} {
		if got := PlaceOf(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}
