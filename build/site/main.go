// Command site builds the static site into build/dist: it compiles the programs to
// WebAssembly, generates the pages, compresses the files and checks the size
// budgets. With -local it leaves out the last two steps, which take most of the
// time and only matter on the web. It runs in the root of the project and reads
// its settings from the environment, where the Makefile puts them.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"marketingskills/app/collection"
	"marketingskills/app/site"
	"marketingskills/build/wasmbuild"
)

const (
	output = "build/dist"
	cache  = "build/cache"
)

func main() {
	local := flag.Bool("local", false, "build for this machine only: compress nothing and check no sizes")
	flag.Parse()
	if err := run(*local); err != nil {
		fmt.Fprintf(os.Stderr, "site: %v\n", err)
		os.Exit(1)
	}
}

func run(local bool) error {
	started := time.Now()
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return fmt.Errorf("preparing to compile: %w", err)
	}
	work, err := makeWorkDir()
	if err != nil {
		return fmt.Errorf("preparing to compile: %w", err)
	}
	defer os.RemoveAll(work)
	programs, err := wasmbuild.Compile(".", work)
	if err != nil {
		return err
	}
	compiled := time.Now()
	files, err := generate(programs)
	if err != nil {
		return err
	}
	generated := time.Now()
	var packed []compressed
	if !local {
		if packed, err = compressAll(files); err != nil {
			return err
		}
	}
	if err := write(files, packed, work); err != nil {
		return err
	}
	fmt.Printf("%d files in %s: compiled in %.1f s, generated in %.2f s, compressed and written in %.1f s\n",
		len(files), output, compiled.Sub(started).Seconds(), generated.Sub(compiled).Seconds(), time.Since(generated).Seconds())
	if local {
		return nil
	}
	return errors.Join(checkBudgets(packed), checkDownloadShare(files, packed))
}

// makeWorkDir makes a directory of its own for each build, since two may run at the
// same time.
func makeWorkDir() (string, error) { return os.MkdirTemp(cache, "work-") }

func generate(programs site.Programs) (site.Files, error) {
	root := os.DirFS(".")
	c, findings, err := collection.Load(root)
	if err != nil {
		return nil, err
	}
	if len(findings) > 0 {
		return nil, fmt.Errorf("the collection has %d findings, the first: %s\nrun go run ./tools/validate-skills to see all",
			len(findings), findings[0])
	}
	config := site.Config{
		SiteURL:      os.Getenv("SITE_URL"),
		BasePath:     os.Getenv("BASE_PATH"),
		RepoURL:      os.Getenv("REPO_URL"),
		GitHubAPIURL: os.Getenv("GITHUB_API_URL"),
		ProxyURL:     os.Getenv("PROXY_URL"),
	}
	return site.Build(c, root, config, os.DirFS("web"), programs)
}

// write replaces the whole output; if it fails, the old output stays. work is an
// empty directory on the same disk that no other build uses.
func write(files site.Files, packed []compressed, work string) error {
	finished := filepath.Join(work, "site")
	put := func(name string, data []byte) error {
		target := filepath.Join(finished, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	}
	for name, data := range files {
		if err := put(name, data); err != nil {
			return fmt.Errorf("writing the site: %w", err)
		}
	}
	for _, v := range packed {
		if err := put(v.name+".br", v.brotli); err != nil {
			return fmt.Errorf("writing the site: %w", err)
		}
		if err := put(v.name+".gz", v.gzip); err != nil {
			return fmt.Errorf("writing the site: %w", err)
		}
	}
	return replace(output, finished, filepath.Join(work, "old"))
}

// replace puts a finished directory into the place of another one, which it moves to
// backup-1. If another build puts its own there in between, it moves that one to
// backup-2, and so on.
func replace(old, finished, backup string) error {
	for try := 1; ; try++ {
		moved := fmt.Sprintf("%s-%d", backup, try)
		if err := os.Rename(old, moved); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("replacing %s: %w", old, err)
		}
		err := os.Rename(finished, old)
		if err == nil {
			return nil
		}
		if _, taken := os.Stat(old); taken != nil || try == 10 {
			return errors.Join(fmt.Errorf("replacing %s: %w", old, err), os.Rename(moved, old))
		}
	}
}

// budget is the most bytes that a file may have, compressed with brotli. A file with
// less than a quarter of them is an error, too: something is missing. The file is
// given by a pattern, since its name has a hash.
type budget struct {
	what, pattern string
	maxBytes      int
}

// budgets bound what visitors have to download. The home page contains its style
// sheet.
var budgets = []budget{
	{"reading program", "app.*.wasm", 1_250_000},
	{"upgrade program", "upgrade.*.wasm", 1_300_000},
	{"prospects program", "prospects.*.wasm", 1_450_000},
	{"home page, HTML and CSS", "index.html", 30_000},
}

func checkBudgets(packed []compressed) error {
	var wrong []error
	for _, b := range budgets {
		i := slices.IndexFunc(packed, func(v compressed) bool {
			ok, _ := path.Match(b.pattern, v.name)
			return ok
		})
		if i < 0 {
			wrong = append(wrong, fmt.Errorf("size budget: there is no %s", b.pattern))
			continue
		}
		size := len(packed[i].brotli)
		fmt.Printf("size budget: %s %d bytes of %d in brotli\n", b.what, size, b.maxBytes)
		if size > b.maxBytes {
			wrong = append(wrong, fmt.Errorf("size budget: the %s (%s) has %d bytes in brotli, %d too many",
				b.what, b.pattern, size, size-b.maxBytes))
		}
		if least := b.maxBytes / 4; size < least {
			wrong = append(wrong, fmt.Errorf("size budget: the %s (%s) has only %d bytes in brotli, at least %d were expected; "+
				"look whether it is whole", b.what, b.pattern, size, least))
		}
	}
	return errors.Join(wrong...)
}

// checkDownloadShare holds what pages say of a download against what was
// compressed.
func checkDownloadShare(files site.Files, packed []compressed) error {
	stored, sent := 0, 0
	for _, v := range packed {
		if ext := path.Ext(v.name); ext == ".html" || ext == ".wasm" {
			stored += len(files[v.name])
			sent += len(v.brotli)
		}
	}
	if share := float64(stored) / float64(max(sent, 1)); share < 0.8*site.DownloadShare || share > 1.2*site.DownloadShare {
		return fmt.Errorf("pages say that what is saved for offline use is %d times smaller when downloaded, it is %.1f times: "+
			"correct site.DownloadShare", site.DownloadShare, share)
	}
	return nil
}
