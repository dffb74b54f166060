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

// Tool returns a command of the Go tool, such as build or list, for the programs of
// the project at root. It replaces net/http by the package http below this one; see
// there for why. The list of replaced files is written to the empty directory dir,
// an absolute path, which must exist as long as the command runs.
func Tool(root, dir, command string, args ...string) (*exec.Cmd, error) {
	goroot, err := linkedGoRoot(root, dir)
	if err != nil {
		return nil, err
	}
	replaced, err := overlayFiles(root, filepath.Join(goroot, "src", "net", "http"))
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

// linkedGoRoot returns the directory of the Go tool and its library for the project
// at root. If the tool was downloaded for this module, it is in the module cache,
// where it refuses to replace files. Then a symbolic link to it, in dir, is
// returned.
func linkedGoRoot(root, dir string) (string, error) {
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

// keptFiles are the files of net/http that are not replaced. They have constants.
var keptFiles = []string{"method.go", "status.go"}

// overlayFiles returns, for each file of net/http in the Go library, the file to
// read instead; "" for none.
func overlayFiles(root, library string) (map[string]string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	replaced, err := goFiles(library)
	if err != nil {
		return nil, err
	}
	standIn := filepath.Join(root, "build", "wasmbuild", "http")
	replacing, err := goFiles(standIn)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, name := range replaced {
		if !slices.Contains(keptFiles, name) {
			files[filepath.Join(library, name)] = ""
		}
	}
	for _, name := range replacing {
		if !strings.HasSuffix(name, "_test.go") {
			files[filepath.Join(library, name)] = filepath.Join(standIn, name)
		}
	}
	return files, nil
}

// goFiles returns the names of the Go files in a directory. It fails if there are
// none.
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
