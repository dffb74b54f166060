package build_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// goTool is a Go tool that knows five packages. The race detector works, and
// the tests pass, unless what comes first says otherwise.
func goTool(first string) string {
	return first + `
case "$*" in
"list ./...") for p in app/text app/upgrade/listing app/verify tools/verify-proxy wasm; do echo "m/$p"; done ;;
esac`
}

func TestTests(t *testing.T) {
	noBrowserOutsidePath(t)
	const (
		sum   = "go tool gotestsum --format standard-quiet -- -timeout 20m "
		probe = "go test -race -run ^$ ./app/text"
		raced = sum + "-race m/app/verify m/tools/verify-proxy"
		rest  = sum + "m/app/text m/app/upgrade/listing m/wasm"
		all   = sum + "m/app/text m/app/upgrade/listing m/app/verify m/tools/verify-proxy m/wasm"
		noGCC = `case "$*" in "test -race "*) echo "-race requires cgo"; exit 2;; esac; `
		cause = "NOT CHECKED: races, since the race detector does not work here: -race requires cgo\n"
	)
	for name, c := range map[string]struct {
		tool    string
		calls   []string
		printed string
		fails   bool
	}{
		"all is here":         {tool: "", calls: []string{"go list ./...", probe, raced, rest}},
		"a race":              {tool: `case "$*" in *-race\ m/*) exit 1;; esac`, calls: []string{"go list ./...", probe, raced, rest}, fails: true},
		"a failure elsewhere": {tool: `case "$*" in *m/wasm) exit 1;; esac`, calls: []string{"go list ./...", probe, raced, rest}, fails: true},
		"no C compiler":       {tool: noGCC, calls: []string{"go list ./...", probe, all}, printed: cause},
		"no C compiler, and a failure": {
			tool: noGCC + `case "$*" in *m/wasm) exit 1;; esac`, calls: []string{"go list ./...", probe, all}, printed: cause, fails: true,
		},
		"no list of packages": {tool: "exit 1", calls: []string{"go list ./..."}, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := machine(t, map[string]string{"go": goTool(c.tool), "chromium": "", "redis-server": ""})
			expect(t, dir, c.calls, c.printed, c.fails, "", "build/test.sh")
		})
	}
	t.Run("no Chromium", func(t *testing.T) {
		dir := machine(t, map[string]string{"go": goTool(""), "redis-server": "", "id": other, "brew": ""})
		expect(t, dir, nil, "The tests need programs that are not here. Install them with: brew install google-chrome\n"+
			"The browser tests need a Chromium. One that is elsewhere can be named: CHROME=/path/to/chromium make test\n",
			true, "", "build/test.sh")
	})
}

func TestVulnerabilities(t *testing.T) {
	const offline = `govulncheck: fetching vulnerabilities: Get "https://list.example/index/modules.json.gz": no such host`
	for name, c := range map[string]struct {
		tool, printed string
		fails         bool
	}{
		"none":             {},
		"no network":       {"echo '" + offline + "' >&2; exit 1", "NOT CHECKED: known vulnerabilities, since the list of them cannot be reached: " + offline + "\n", false},
		"one is called":    {"echo It calls one; exit 3", "Update what is named above, or call it no more.\n", true},
		"does not compile": {"echo 'no such package' >&2; exit 1", "go tool govulncheck ./... failed: no such package\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := machine(t, map[string]string{"go": c.tool})
			expect(t, dir, []string{"go tool govulncheck ./..."}, c.printed, c.fails, "", "build/vulnerabilities.sh")
		})
	}
}

// TestFuzzing: fuzzing nothing is no success.
func TestFuzzing(t *testing.T) {
	dir := machine(t, map[string]string{"go": "echo 'no go.mod' >&2; exit 1"})
	expect(t, dir, []string{"go list ./..."}, "no go.mod\n", true, "", "build/fuzz.sh", "1s")
}

// TestMake: a program that is not there is no success, and what to do about it
// is said.
func TestMake(t *testing.T) {
	path, err := exec.LookPath("make")
	if err != nil {
		t.Skip("NOT CHECKED: the Makefile, since make is not here")
	}
	const (
		wanted = "This project is built with Go 1.26 or newer: https://go.dev/dl/"
		goTool = `case "$*" in "env GOROOT") echo "${0%/bin/go}";; "vet ./...") exit 1;; esac`
	)
	asked := []string{"go list -m", "go env GOROOT"}
	gofmt := "gofmt -l app build tools wasm embed.go"
	for name, c := range map[string]struct {
		target   string
		programs map[string]string
		calls    []string
		printed  string
	}{
		"no Go":                {"run", nil, nil, wanted},
		"a Go that is too old": {"test", map[string]string{"go": "exit 1"}, asked[:1], wanted},
		"no gofmt":             {"check", map[string]string{"go": goTool}, asked, "bin/gofmt"},
		"a file that is no Go": {"check", map[string]string{"go": goTool, "gofmt": "echo x.go:1:1 >&2; exit 2"}, append(asked, gofmt), "x.go:1:1"},
		"a file to format":     {"check", map[string]string{"go": goTool, "gofmt": "echo x.go"}, append(asked, gofmt), "gofmt would change: x.go"},
		"formatted":            {"check", map[string]string{"go": goTool, "gofmt": ""}, append(asked, gofmt, "go vet ./..."), "go vet ./..."},
		"known vulnerabilities": {
			"check", map[string]string{"go": `case "$*" in "env GOROOT") echo "${0%/bin/go}";; *govulncheck*) exit 3;; esac`, "gofmt": ""},
			append(asked, gofmt, "go vet ./...", "go vet ./wasm/...", "go tool staticcheck ./...", "go tool govulncheck ./..."), "Update what is named",
		},
		"tests": {
			"test", map[string]string{"go": `case "$*" in "list ./...") exit 1;; esac`, "chromium": "", "redis-server": ""},
			[]string{"go list -m", "go list ./..."}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := machine(t, c.programs)
			stdout, stderr, err := run(dir, "", path, c.target)
			if err == nil || !strings.Contains(stdout+stderr, c.printed) {
				t.Errorf("it ended with %v and printed %q, %q; want %q", err, stdout, stderr, c.printed)
			}
			if got := calls(t, dir); !slices.Equal(got, c.calls) {
				t.Errorf("called %q\nwant   %q", got, c.calls)
			}
		})
	}
}
