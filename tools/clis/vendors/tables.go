package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/vendor"
	"marketingskills/app/text"
)

//go:embed tables/*.json
var own embed.FS

// load reads the tables of this command, or of a folder. One that is not in order
// is an error, with what is wrong with it.
func load(folder string) (map[string]*vendor.Table, error) {
	if folder != "" {
		return loadFrom(os.DirFS(folder), "--tables "+text.Name(folder))
	}
	return loadOwn()
}

var loadOwn = sync.OnceValues(func() (map[string]*vendor.Table, error) {
	from, err := fs.Sub(own, "tables")
	if err != nil {
		return nil, err
	}
	return loadFrom(from, "this command's tables")
})

func loadFrom(from fs.FS, name string) (map[string]*vendor.Table, error) {
	files, err := fs.Glob(from, "*.json")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s: no folder with files VENDOR.json; check the path", name)
	}
	tables, lists := map[string]*vendor.Table{}, finding.Report{}
	for _, file := range files {
		data, err := fs.ReadFile(from, file)
		if err != nil {
			return nil, fmt.Errorf("%s: reading %s: %w", name, text.Name(file), finding.Cause(err))
		}
		tables[strings.TrimSuffix(file, path.Ext(file))], _ = vendor.Parse(data, lists.On(file))
	}
	if found := lists.All(); len(found) > 0 {
		return nil, fmt.Errorf("%s: %s; the first: %s", name, text.Count(len(found), "problem"), found[0])
	}
	return tables, nil
}
