package main

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestPairsOfResumes: of two that resume one saved run at the same time, after
// one that was killed, one gets it.
func TestPairsOfResumes(t *testing.T) {
	here, _ := os.Hostname()
	for range 60 {
		path := filepath.Join(t.TempDir(), "found.run.json")
		if err := os.WriteFile(path+".lock", []byte("999999999 "+here+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		var claims [2]*autosave
		var both sync.WaitGroup
		var got atomic.Int32
		for i := range claims {
			both.Go(func() {
				c := &command{now: time.Now}
				c.resume = path
				var err error
				if claims[i], err = c.claim(); err == nil {
					got.Add(1)
				}
			})
		}
		both.Wait()
		if got.Load() != 1 {
			t.Fatalf("%d runs use the saved run", got.Load())
		}
		for _, k := range claims {
			if k != nil {
				k.release()
			}
		}
	}
}
