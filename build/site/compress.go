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

// compressed is a file in its compressed encodings.
type compressed struct {
	name         string
	brotli, gzip []byte
}

// compressibleTypes are the types worth compressing; archives and pictures are
// compressed already.
var compressibleTypes = []string{".html", ".js", ".json", ".md", ".svg", ".txt", ".wasm", ".webmanifest", ".xml"}

// compressAll compresses every file of these types, on all processors.
func compressAll(files site.Files) ([]compressed, error) {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(name string) bool {
		return !slices.Contains(compressibleTypes, path.Ext(name))
	})
	packed := make([]compressed, len(names))
	errs := make([]error, len(names))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, name := range names {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			packed[i], errs[i] = compressFile(name, files[name])
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

// encoding is a way to compress, with the ending of the files that it makes.
type encoding struct {
	suffix string
	writer func(io.Writer) (io.WriteCloser, error)
	reader func(io.Reader) (io.Reader, error)
}

var (
	brotliEncoding = encoding{".br",
		func(w io.Writer) (io.WriteCloser, error) {
			return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24}), nil
		},
		func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
	}
	gzipEncoding = encoding{".gz",
		func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestCompression) },
		func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	}
)

func (f encoding) pack(data []byte) ([]byte, error) {
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

// unpacksTo tells whether packed is data in this encoding.
func (f encoding) unpacksTo(packed, data []byte) bool {
	r, err := f.reader(bytes.NewReader(packed))
	if err != nil {
		return false
	}
	unpacked, err := io.ReadAll(io.LimitReader(r, int64(len(data))+1))
	return err == nil && bytes.Equal(unpacked, data)
}

// compressFile compresses one file. The strongest setting takes half a minute for a
// WebAssembly program, so results are cached by the content of the file.
func compressFile(name string, data []byte) (compressed, error) {
	br, err := brotliEncoding.packCached(data)
	if err != nil {
		return compressed{}, err
	}
	gz, err := gzipEncoding.packCached(data)
	return compressed{name, br, gz}, err
}

// packCached returns the packed data from the cache, or packs it and puts it there
// if it is missing or damaged. Another build may do the same at the same time, or
// the power may fail, so the file is put there whole or not at all.
func (f encoding) packCached(data []byte) ([]byte, error) {
	sum := sha256.Sum256(data)
	file := filepath.Join(cache, hex.EncodeToString(sum[:16])+f.suffix)
	if packed, err := os.ReadFile(file); err == nil && f.unpacksTo(packed, data) {
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
