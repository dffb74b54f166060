package wasmbuild

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
// directory dir, an absolute path, which must last as long as the command runs.
func Tool(root, dir, command string, args ...string) (*exec.Cmd, error) {
	goroot, err := goRoot(root, dir)
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

// goRoot is where the Go tool of the project at root and its library are. A tool
// that was downloaded for this module lies among the modules, where it replaces
// no files; behind a link from elsewhere it does.
func goRoot(root, dir string) (string, error) {
	cmd := exec.Command("go", "env", "GOROOT", "GOMODCACHE")
	cmd.Dir = root
	out, err := cmd.Output()
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
	theirs, err := goFiles(library)
	if err != nil {
		return nil, err
	}
	standIn := filepath.Join(root, "build", "wasmbuild", "http")
	ours, err := goFiles(standIn)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, name := range theirs {
		if !slices.Contains(constants, name) {
			files[filepath.Join(library, name)] = ""
		}
	}
	for _, name := range ours {
		if !strings.HasSuffix(name, "_test.go") {
			files[filepath.Join(library, name)] = filepath.Join(standIn, name)
		}
	}
	return files, nil
}

// goFiles are the names of the Go files in a directory, at least one.
func goFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("looking for Go files: %w", err)
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("looking for Go files: %s has none", dir)
	}
	return names, nil
}
