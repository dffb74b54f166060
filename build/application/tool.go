package application

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Tool is a command of the Go tool for the programs of the project at root,
// such as build or list, that takes the package http, below this one, for
// net/http: see there for why. What tells it so is written to the empty
// directory dir, which must last as long as the command runs.
func Tool(root, dir, command string, args ...string) (*exec.Cmd, error) {
	goroot, err := goRoot(dir)
	if err != nil {
		return nil, err
	}
	replaced, err := replaced(root, filepath.Join(goroot, "src", "net", "http"))
	if err != nil {
		return nil, err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o644); err != nil {
		return nil, err
	}
	cmd := exec.Command(filepath.Join(goroot, "bin", "go"), append([]string{command, "-overlay=" + file}, args...)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOROOT="+goroot)
	return cmd, nil
}

// goRoot is where the Go tool and its library are. A tool that was downloaded
// for this module lies among the modules, where it replaces no files; behind a
// link from elsewhere it does.
func goRoot(dir string) (string, error) {
	out, err := exec.Command("go", "env", "GOROOT", "GOMODCACHE").Output()
	if err != nil {
		return "", fmt.Errorf("asking the Go tool where it is: %w", err)
	}
	goroot, modules, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	goroot, modules = strings.TrimSpace(goroot), strings.TrimSpace(modules)
	if !strings.HasPrefix(goroot, modules+string(filepath.Separator)) {
		return goroot, nil
	}
	link := filepath.Join(dir, "go")
	return link, os.Symlink(goroot, link)
}

// constants are the files of net/http that stay.
var constants = []string{"method.go", "status.go"}

// replaced says for the files of the library net/http what is read instead, ""
// for nothing.
func replaced(root, library string) (map[string]string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	theirs, err := filepath.Glob(filepath.Join(library, "*.go"))
	if err != nil {
		return nil, err
	}
	ours, err := filepath.Glob(filepath.Join(root, "build", "application", "http", "*.go"))
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, file := range theirs {
		if !slices.Contains(constants, filepath.Base(file)) {
			files[file] = ""
		}
	}
	for _, file := range ours {
		if !strings.HasSuffix(file, "_test.go") {
			files[filepath.Join(library, filepath.Base(file))] = file
		}
	}
	return files, nil
}
