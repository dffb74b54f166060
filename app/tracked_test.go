package app_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mostBytes is the size of the largest file that people write or draw: fonts
// and pictures are smaller, programs that were built by accident larger.
const mostBytes = 1 << 20

// TestTracked sees that no built program is committed.
func TestTracked(t *testing.T) {
	out, err := exec.Command("git", "-C", "..", "ls-files", "-z").Output()
	if err != nil {
		t.Skip("NOT CHECKED: what is committed: this is not a git clone")
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		if info, err := os.Stat(filepath.Join("..", name)); err == nil && info.Size() > mostBytes {
			t.Errorf("%s has %d bytes; take it out of the commit, %d at most", name, info.Size(), mostBytes)
		}
	}
}
