package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/andybalholm/brotli"

	"marketingskills/app/site"
)

// variant is a file's compressed forms.
type variant struct {
	name         string
	brotli, gzip []byte
}

// compressible are the types worth compressing; archives and pictures are
// compressed already.
var compressible = []string{".html", ".js", ".json", ".md", ".svg", ".txt", ".wasm", ".webmanifest", ".xml"}

// compress packs every compressible file, on all processors.
func compress(files site.Files) ([]variant, error) {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(name string) bool {
		return !slices.Contains(compressible, path.Ext(name))
	})
	packed := make([]variant, len(names))
	errs := make([]error, len(names))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, name := range names {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			packed[i], errs[i] = pack(name, files[name])
		})
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("compressing %s: %w", names[i], err)
		}
	}
	return packed, nil
}

// pack compresses one file. The strongest setting takes half a minute for the
// application, so what was packed once is kept by its content.
func pack(name string, data []byte) (variant, error) {
	v := variant{name: name}
	sum := sha256.Sum256(data)
	kept := filepath.Join(cache, hex.EncodeToString(sum[:16]))
	var err error
	v.brotli, err = keep(kept+".br", func(b *bytes.Buffer) error {
		w := brotli.NewWriterOptions(b, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
		if _, err := w.Write(data); err != nil {
			return err
		}
		return w.Close()
	})
	if err != nil {
		return v, err
	}
	v.gzip, err = keep(kept+".gz", func(b *bytes.Buffer) error {
		w, err := gzip.NewWriterLevel(b, gzip.BestCompression)
		if err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
		return w.Close()
	})
	return v, err
}

// keep returns a file of the cache, made first if it is not there. Another
// build may be doing the same, so the file appears whole or not at all.
func keep(file string, make func(*bytes.Buffer) error) ([]byte, error) {
	if data, err := os.ReadFile(file); err == nil {
		return data, nil
	}
	var b bytes.Buffer
	if err := make(&b); err != nil {
		return nil, err
	}
	temporary, err := os.CreateTemp(cache, "packing-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(temporary.Name())
	if _, err := temporary.Write(b.Bytes()); err != nil {
		temporary.Close()
		return nil, err
	}
	if err := temporary.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), os.Rename(temporary.Name(), file)
}
