// Command site builds the whole static site into build/dist: it compiles the
// programs to WebAssembly, generates every page, compresses what compresses
// and holds the result against the size budgets. With -local it leaves out the
// last two, which take most of the time and help only visitors from afar. It
// is run at the root of the project and takes its settings from the
// environment, as the Makefile sets them.
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
	"marketingskills/build/application"
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
	programs, err := application.Compile(".", cache)
	if err != nil {
		return err
	}
	compiled := time.Now()
	files, err := generate(programs)
	if err != nil {
		return err
	}
	generated := time.Now()
	var packed []variant
	if !local {
		if packed, err = compress(files); err != nil {
			return err
		}
	}
	if err := write(files, packed); err != nil {
		return err
	}
	fmt.Printf("%d files in %s: compiled in %.1f s, generated in %.2f s, compressed and written in %.1f s\n",
		len(files), output, compiled.Sub(started).Seconds(), generated.Sub(compiled).Seconds(), time.Since(generated).Seconds())
	if local {
		return nil
	}
	return checkBudgets(packed)
}

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

// write replaces the output as a whole: a failed build leaves the old one.
func write(files site.Files, packed []variant) error {
	temporary := output + ".new"
	if err := os.RemoveAll(temporary); err != nil {
		return fmt.Errorf("clearing %s: %w", temporary, err)
	}
	put := func(name string, data []byte) error {
		target := filepath.Join(temporary, filepath.FromSlash(name))
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
	return replace(output, temporary)
}

// replace puts a finished directory into the place of another one. The old one
// is moved aside first and deleted last: on a system that refuses to delete
// what is open, the site stays whole.
func replace(old, finished string) error {
	aside := old + ".old"
	if err := os.RemoveAll(aside); err != nil {
		return fmt.Errorf("replacing %s: %w", old, err)
	}
	if err := os.Rename(old, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("replacing %s: %w", old, err)
	}
	if err := os.Rename(finished, old); err != nil {
		return errors.Join(fmt.Errorf("replacing %s: %w", old, err), os.Rename(aside, old))
	}
	if err := os.RemoveAll(aside); err != nil {
		return fmt.Errorf("clearing %s: %w", aside, err)
	}
	return nil
}

// budget is the most bytes something may have, compressed with brotli. The file
// is a pattern, since names carry hashes.
type budget struct {
	what, file string
	most       int
}

// budgets are the promises made to visitors. The home page carries its style
// sheet within itself.
var budgets = []budget{
	{"reading program", "app.*.wasm", 1_750_000},
	{"upgrade program", "upgrade.*.wasm", 1_750_000},
	{"prospects program", "prospects.*.wasm", 1_750_000},
	{"home page, HTML and CSS", "index.html", 30_000},
}

func checkBudgets(packed []variant) error {
	var over []error
	for _, b := range budgets {
		i := slices.IndexFunc(packed, func(v variant) bool {
			ok, _ := path.Match(b.file, v.name)
			return ok
		})
		if i < 0 {
			over = append(over, fmt.Errorf("size budget: there is no %s", b.file))
			continue
		}
		size := len(packed[i].brotli)
		fmt.Printf("size budget: %s %d bytes of %d in brotli\n", b.what, size, b.most)
		if size > b.most {
			over = append(over, fmt.Errorf("size budget: the %s (%s) has %d bytes in brotli, %d too many",
				b.what, b.file, size, size-b.most))
		}
	}
	return errors.Join(over...)
}
