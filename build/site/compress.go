package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
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

// form is a way to compress.
type form struct {
	suffix string
	writer func(io.Writer) (io.WriteCloser, error)
	reader func(io.Reader) (io.Reader, error)
}

var (
	brotliForm = form{".br",
		func(w io.Writer) (io.WriteCloser, error) {
			return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24}), nil
		},
		func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
	}
	gzipForm = form{".gz",
		func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestCompression) },
		func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	}
)

func (f form) pack(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := f.writer(&b)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), err
}

// holds tells whether packed unpacks to data.
func (f form) holds(packed, data []byte) bool {
	r, err := f.reader(bytes.NewReader(packed))
	if err != nil {
		return false
	}
	unpacked, err := io.ReadAll(io.LimitReader(r, int64(len(data))+1))
	return err == nil && bytes.Equal(unpacked, data)
}

// pack compresses one file. The strongest setting takes half a minute for the
// application, so what was packed once is kept by its content.
func pack(name string, data []byte) (variant, error) {
	br, err := brotliForm.keep(data)
	if err != nil {
		return variant{}, err
	}
	gz, err := gzipForm.keep(data)
	return variant{name, br, gz}, err
}

// keep returns the packed data from the cache, where it is put if it is not
// there or damaged. Another build may be doing the same, or the power may fail,
// so the file appears whole or not at all.
func (f form) keep(data []byte) ([]byte, error) {
	sum := sha256.Sum256(data)
	file := filepath.Join(cache, hex.EncodeToString(sum[:16])+f.suffix)
	if packed, err := os.ReadFile(file); err == nil && f.holds(packed, data) {
		return packed, nil
	}
	packed, err := f.pack(data)
	if err != nil {
		return nil, err
	}
	temporary, err := os.CreateTemp(cache, "packing-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(packed)
	if err == nil {
		err = temporary.Sync()
	}
	if err = errors.Join(err, temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), file)
	}
	return packed, err
}
