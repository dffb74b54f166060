// Package npmtest fetches the npm packages that tests use: those of package.json,
// in the versions of package-lock.json and with the content whose hashes it has.
// To change them, edit package.json and run npm install --package-lock-only in
// this directory. A setting in .npmrc keeps the address of the registry out of the
// lock file.
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

// errPinned means that a package is not the one that is pinned, or that the two
// files do not agree. Any other failure may be that of the network.
var errPinned = errors.New("the packages do not match build/npmtest/package-lock.json")

// Modules returns a directory with the packages, which exists as long as the test
// runs. The test is skipped without Node.js, npm or a registry that responds.
func Modules(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	err := install(dir, files)
	switch {
	case errors.Is(err, errPinned):
		t.Fatal(err)
	case err != nil:
		t.Skipf("NOT CHECKED: npm packages cannot be had: %v", err)
	}
	return filepath.Join(dir, "node_modules")
}

// install installs the packages that the files pin into an empty directory. npm
// checks what it takes from its cache.
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
		err = errPinned
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}
