package filelock_test

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"marketingskills/tools/internal/filelock"
)

// holdFor names the environment variable that has this program lock a file and
// wait to be killed.
const holdFor = "FILELOCK_TEST_HOLD"

func TestMain(m *testing.M) {
	path := os.Getenv(holdFor)
	if path == "" {
		os.Exit(m.Run())
	}
	if _, err := filelock.Beside(path); err != nil {
		os.Exit(1)
	}
	os.Stdout.WriteString("locked\n")
	select {}
}

// TestOneAtATime: of many that want a file, one has it, also while others have
// just removed the lock, and whatever lay there before.
func TestOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	var holders, locked atomic.Int32
	for range 20 {
		if err := os.WriteFile(path+".lock", []byte("1 left.example\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 50 {
					release, err := filelock.Beside(path)
					if errors.Is(err, filelock.ErrHeld) {
						continue
					}
					if err != nil {
						t.Error(err)
						return
					}
					if holders.Add(1) != 1 {
						t.Error("two have the lock")
					}
					locked.Add(1)
					runtime.Gosched()
					holders.Add(-1)
					release()
				}
			})
		}
		all.Wait()
	}
	if locked.Load() == 0 {
		t.Error("nobody got the lock")
	}
	if _, err := os.Lstat(path + ".lock"); err == nil && runtime.GOOS != "windows" {
		t.Error("the lock stays behind")
	}
}

// TestKilled: a process that is killed leaves its file to others, and not
// before.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	holder := exec.Command(os.Args[0])
	holder.Env = append(os.Environ(), holdFor+"="+path)
	out, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if _, err := filelock.Beside(path); !errors.Is(err, filelock.ErrHeld) {
		t.Errorf("while another process has it: %v", err)
	}
	if err := holder.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = holder.Wait() // it says that it was killed
	release, err := filelock.Beside(path)
	if err != nil {
		t.Fatalf("after its end: %v", err)
	}
	release()
}

// TestByAnyName: a file is one, also by a symbolic link.
func TestByAnyName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Symlink("x.json", path+".link")); err != nil {
		t.Skip(err)
	}
	release, err := filelock.Beside(path)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if _, err := filelock.Beside(path + ".link"); !errors.Is(err, filelock.ErrHeld) {
		t.Errorf("got %v", err)
	}
}

// TestNowhereToWrite: where a lock cannot be, nobody is kept out.
func TestNowhereToWrite(t *testing.T) {
	release, err := filelock.Beside(filepath.Join(t.TempDir(), "missing", "x.json"))
	if err != nil {
		t.Fatal(err)
	}
	release()
}
