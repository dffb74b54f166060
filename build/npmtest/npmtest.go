// Package npmtest fetches the npm packages that tests use: those of
// package.json, in the versions of package-lock.json and only with the content
// whose hash is there. To change them, edit package.json and run
// npm install --package-lock-only in this directory; .npmrc keeps out of the
// lock file where the packages came from.
package npmtest

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

//go:embed package.json package-lock.json .npmrc
var files embed.FS

// errRefused is a package that is not the one pinned, or pins that contradict
// each other. Everything else may be the network's fault.
var errRefused = errors.New("the packages do not match build/npmtest/package-lock.json")

// Modules returns a directory with the packages, which lasts as long as the
// test. Without Node.js, npm or a registry that answers, the test is skipped.
func Modules(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	err := install(dir, files)
	switch {
	case errors.Is(err, errRefused):
		t.Fatal(err)
	case err != nil:
		t.Skipf("NOT CHECKED: npm packages cannot be had: %v", err)
	}
	return filepath.Join(dir, "node_modules")
}

// install puts the packages that the files pin into an empty directory. npm
// has a cache of its own, which it checks.
func install(dir string, files fs.FS) error {
	if _, err := exec.LookPath("node"); err != nil {
		return err
	}
	if err := os.CopyFS(dir, files); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "ci", "--loglevel=error", "--ignore-scripts", "--no-audit", "--no-fund",
		"--prefer-offline", "--fetch-retries=0")
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	out, err := cmd.CombinedOutput()
	if err != nil && (strings.Contains(string(out), "EINTEGRITY") || strings.Contains(string(out), "EUSAGE")) {
		err = errRefused
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}
