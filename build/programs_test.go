// Package build_test tries the scripts and the Makefile on machines that it
// makes up: PATH holds stubs and nothing else.
package build_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// machine makes a directory of programs. Each notes how it was called and then
// does what is said here, in the language of sh.
func machine(t *testing.T, programs map[string]string) (dir string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("programs are scripts here")
	}
	dir = filepath.Join(t.TempDir(), "bin")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, does := range programs {
		stub := fmt.Sprintf("#!/bin/sh\necho \"%s${*:+ $*}\" >>%s/calls\n%s\n", name, dir, does)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(stub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// calls are the calls of a machine's programs, questions to id left out.
func calls(t *testing.T, dir string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "calls"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(string(data)), "\n"), func(line string) bool {
		return line == "" || line == "id -u"
	})
}

// run runs a command on a machine, at the root of the project.
func run(dir, env, command string, arguments ...string) (stdout, stderr string, err error) {
	cmd := exec.Command(command, arguments...)
	cmd.Dir, cmd.Env = "..", []string{"PATH=" + dir, env}
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// expect runs a script and looks at the calls that it makes, at its standard
// error and at how it ends.
func expect(t *testing.T, dir string, called []string, printed string, fails bool, env string, script ...string) {
	t.Helper()
	stdout, stderr, err := run(dir, env, "/bin/sh", script...)
	if (err != nil) != fails {
		t.Errorf("it ended with %v", err)
	}
	if stderr != printed {
		t.Errorf("printed %q\nwant    %q\nand, to standard output, %q", stderr, printed, stdout)
	}
	if got := calls(t, dir); !slices.Equal(got, called) {
		t.Errorf("called %q\nwant   %q", got, called)
	}
}

// root and other say who is at work.
const root, other = "echo 0", "echo 1000"

// putting is a package manager that puts programs where PATH leads.
func putting(t *testing.T, programs ...string) string {
	t.Helper()
	does := ""
	for _, p := range programs {
		does += fmt.Sprintf("test \"$1\" = update || /bin/cp \"$0\" \"${0%%/*}/%s\"\n", p)
	}
	return does
}

// noBrowserOutsidePath leaves a test out where a browser is found without PATH.
func noBrowserOutsidePath(t *testing.T) {
	t.Helper()
	if found, _ := filepath.Glob("/Applications/*Chrom*.app"); found != nil {
		t.Skipf("NOT CHECKED: a machine without a browser, since here is %s", found[0])
	}
}

func TestPrograms(t *testing.T) {
	noBrowserOutsidePath(t)
	const (
		apt         = "apt-get update && apt-get install -y --no-install-recommends"
		noBrowser   = "The browser tests need a Chromium. One that is elsewhere can be named: CHROME=/path/to/chromium make test\n"
		needed      = "The tests need programs that are not here. Install them with: "
		failed      = "That failed: the lines above say why.\n"
		nothing     = "no such program"
		fails       = "echo 'E: no network' >&2; exit 100"
		bothDebian  = apt + " chromium redis-server"
		installing  = "Installing what the tests need: "
		browserOnly = apt + " chromium"
	)
	for name, c := range map[string]struct {
		programs map[string]string
		chrome   string
		calls    []string
		printed  string
		fails    bool
	}{
		"both there":         {programs: map[string]string{"chromium": "", "redis-server": "", "id": root, "apt-get": ""}},
		"under another name": {programs: map[string]string{"google-chrome-stable": "", "redis-server": "", "id": root, "apt-get": ""}},

		"root": {
			programs: map[string]string{"id": root, "apt-get": putting(t, "chromium", "redis-server")},
			calls:    []string{"apt-get update", "apt-get install -y --no-install-recommends chromium redis-server"},
			printed:  installing + bothDebian + "\n",
		},
		"root, Redis there": {
			programs: map[string]string{"id": root, "redis-server": "", "apt-get": putting(t, "chromium")},
			calls:    []string{"apt-get update", "apt-get install -y --no-install-recommends chromium"},
			printed:  installing + browserOnly + "\n",
		},
		"root, Chromium there": {
			programs: map[string]string{"id": root, "chromium-browser": "", "apt-get": putting(t, "redis-server")},
			calls:    []string{"apt-get update", "apt-get install -y --no-install-recommends redis-server"},
			printed:  installing + apt + " redis-server\n",
		},
		"root, dnf": {
			programs: map[string]string{"id": root, "dnf": putting(t, "chromium-browser", "redis-server")},
			calls:    []string{"dnf install -y chromium redis"}, printed: installing + "dnf install -y chromium redis\n",
		},
		"root, apk": {
			programs: map[string]string{"id": root, "apk": putting(t, "chromium", "redis-server")},
			calls:    []string{"apk add chromium redis"}, printed: installing + "apk add chromium redis\n",
		},
		"root, pacman": {
			programs: map[string]string{"id": root, "pacman": putting(t, "chromium", "redis-server")},
			calls:    []string{"pacman -Syu --noconfirm chromium redis"}, printed: installing + "pacman -Syu --noconfirm chromium redis\n",
		},
		"root, brew, which refuses to be run as root": {
			programs: map[string]string{"id": root, "brew": ""},
			printed:  needed + "brew install google-chrome redis\n" + noBrowser, fails: true,
		},

		"not root": {
			programs: map[string]string{"id": other, "sudo": "", "apt-get": ""},
			printed:  needed + "sudo sh -c '" + bothDebian + "'\n" + noBrowser, fails: true,
		},
		"not root, Redis there": {
			programs: map[string]string{"id": other, "sudo": "", "apt-get": "", "redis-server": ""},
			printed:  needed + "sudo sh -c '" + browserOnly + "'\n" + noBrowser, fails: true,
		},
		"not root, Chromium there": {
			programs: map[string]string{"id": other, "sudo": "", "apt-get": "", "google-chrome": ""},
			printed:  needed + "sudo sh -c '" + apt + " redis-server'\n",
		},
		"not root, no sudo": {
			programs: map[string]string{"id": other, "apt-get": ""},
			printed:  needed + "su -c '" + bothDebian + "'\n" + noBrowser, fails: true,
		},
		"not root, dnf": {
			programs: map[string]string{"id": other, "sudo": "", "dnf": ""},
			printed:  needed + "sudo sh -c 'dnf install -y chromium redis'\n" + noBrowser, fails: true,
		},
		"not root, brew": {
			programs: map[string]string{"id": other, "sudo": "", "brew": "", "chromium": ""},
			printed:  needed + "brew install redis\n",
		},
		"no package manager": {
			programs: map[string]string{"id": root},
			printed:  "The tests need programs that are not here: chromium redis\n" + noBrowser, fails: true,
		},

		"not to be installed": {
			programs: map[string]string{"id": root, "apt-get": fails},
			calls:    []string{"apt-get update"}, fails: true,
			printed: installing + bothDebian + "\nE: no network\n" + failed + noBrowser,
		},
		"Redis not to be installed": {
			programs: map[string]string{"id": root, "chromium": "", "apt-get": fails},
			calls:    []string{"apt-get update"},
			printed:  installing + apt + " redis-server\nE: no network\n" + failed,
		},
		"installed, but no Chromium came": {
			programs: map[string]string{"id": root, "apt-get": putting(t, "redis-server")},
			calls:    []string{"apt-get update", "apt-get install -y --no-install-recommends chromium redis-server"},
			printed:  installing + bothDebian + "\n" + noBrowser, fails: true,
		},

		"a Chromium elsewhere": {programs: map[string]string{"id": root, "mine": "", "redis-server": ""}, chrome: "mine"},
		"a Chromium named that is not there": {
			programs: map[string]string{"id": root, "chromium": "", "redis-server": "", "apt-get": ""}, chrome: "/opt/" + nothing,
			printed: "CHROME is /opt/" + nothing + ", which cannot be run. Name a Chromium, or unset CHROME to have one found\n", fails: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := machine(t, c.programs)
			expect(t, dir, c.calls, c.printed, c.fails, "CHROME="+c.chrome, "build/programs.sh")
		})
	}
}
