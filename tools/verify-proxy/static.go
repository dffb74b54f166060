package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// types are those a browser must be told; guessing them would depend on the
// machine.
var types = map[string]string{
	".html":        "text/html; charset=utf-8",
	".ico":         "image/png",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".md":          "text/markdown; charset=utf-8",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
	".xml":         "application/xml",
	".zip":         "application/zip",
}

// static serves a generated site: a directory's address answers with its
// index.html, an unknown one with 404.html, and a file that lies compressed
// beside itself goes out compressed.
type static struct {
	root fs.FS
	base string
	// grace and slowest bound how long an answer may take: grace, and a second
	// for each slowest bytes.
	grace   time.Duration
	slowest int64
}

func newStatic(dir, base string) (*static, error) {
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
		return nil, fmt.Errorf("opening the site in %s: %w; generate it first with make site", dir, err)
	}
	base = "/" + strings.Trim(base, "/") + "/"
	if base == "//" {
		base = "/"
	}
	return &static{root: os.DirFS(dir), base: base, grace: 30 * time.Second, slowest: 16 << 10}, nil
}

func (s *static) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	// The rest of the policy is in the pages; this part only a header can say.
	header.Set("Content-Security-Policy", "frame-ancestors 'none'")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "This address only answers GET and HEAD.", http.StatusMethodNotAllowed)
		return
	}
	if r.URL.Path+"/" == s.base {
		redirect(w, r, s.base)
		return
	}
	name, below := strings.CutPrefix(r.URL.Path, s.base)
	switch {
	case !below || !servable(name):
		s.missing(w, r)
		return
	case name == "" || strings.HasSuffix(name, "/"):
		name += "index.html"
	default:
		if info, err := fs.Stat(s.root, name); err == nil && info.IsDir() {
			redirect(w, r, r.URL.Path+"/")
			return
		}
	}
	err := s.serve(w, r, name, http.StatusOK)
	if errors.Is(err, fs.ErrNotExist) {
		s.missing(w, r)
	} else if err != nil {
		http.Error(w, "The file cannot be read.", http.StatusInternalServerError)
	}
}

// servable tells whether a path below the base may be looked up at all: it
// climbs nowhere, and of hidden files only the well-known ones (RFC 8615) are
// meant for visitors.
func servable(name string) bool {
	if name == "" {
		return true
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") && part != ".well-known" {
			return false
		}
	}
	return fs.ValidPath(strings.TrimSuffix(name, "/"))
}

// redirect sends the visitor to another path of this site, with the query.
func redirect(w http.ResponseWriter, r *http.Request, path string) {
	to := url.URL{Path: path, RawQuery: r.URL.RawQuery}
	http.Redirect(w, r, to.String(), http.StatusMovedPermanently)
}

func (s *static) missing(w http.ResponseWriter, r *http.Request) {
	if err := s.serve(w, r, "404.html", http.StatusNotFound); err != nil {
		http.Error(w, "There is no such page.", http.StatusNotFound)
	}
}

// serve answers with one file. Only errors found before anything was written
// are returned.
func (s *static) serve(w http.ResponseWriter, r *http.Request, name string, status int) error {
	f, encoding, err := s.pick(name, strings.Join(r.Header.Values("Accept-Encoding"), ","))
	if err != nil {
		return err
	}
	defer f.Close()
	header := w.Header()
	header.Set("Vary", "Accept-Encoding")
	if t, ok := types[path.Ext(name)]; ok {
		header.Set("Content-Type", t)
	} else {
		header.Set("Content-Type", "application/octet-stream")
	}
	if encoding != "" {
		header.Set("Content-Encoding", encoding)
	}
	header.Set("Cache-Control", "no-cache")
	deadline := time.Now().Add(s.grace + time.Duration(f.info.Size()/s.slowest)*time.Second)
	// Where the connection takes no deadline, the server's own must do.
	_ = http.NewResponseController(w).SetWriteDeadline(deadline)
	if status != http.StatusOK {
		header.Set("Content-Length", strconv.FormatInt(f.info.Size(), 10))
		w.WriteHeader(status)
		if r.Method != http.MethodHead {
			// A visitor who leaves early is nothing to report.
			_, _ = io.Copy(w, f)
		}
		return nil
	}
	if immutable(name) {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	header.Set("ETag", fmt.Sprintf(`"%x-%x%s"`, f.info.ModTime().UnixNano(), f.info.Size(), encoding))
	http.ServeContent(w, r, "", time.Time{}, f)
	return nil
}

// immutable tells a file whose name carries the hash of its content, as in
// page.0123456789ab.js: it never changes.
func immutable(name string) bool {
	parts := strings.Split(path.Base(name), ".")
	return len(parts) == 3 && len(parts[1]) == 12 && strings.Trim(parts[1], "0123456789abcdef") == ""
}

// file is an open file of the site.
type file struct {
	io.ReadSeekCloser
	info fs.FileInfo
}

// pick opens a file in the best encoding there is and the visitor takes. What
// cannot be a file's name names no file.
func (s *static) pick(name, accepted string) (f *file, encoding string, err error) {
	if info, err := fs.Stat(s.root, name); err != nil || !info.Mode().IsRegular() {
		return nil, "", fs.ErrNotExist
	}
	for _, e := range []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}} {
		if !accepts(accepted, e.name) {
			continue
		}
		if f, err := s.open(name + e.suffix); err == nil {
			return f, e.name, nil
		}
	}
	f, err = s.open(name)
	return f, "", err
}

func (s *static) open(name string) (*file, error) {
	opened, err := s.root.Open(name)
	if err != nil {
		return nil, err
	}
	content, ok := opened.(io.ReadSeekCloser)
	info, err := opened.Stat()
	if err != nil || !ok || !info.Mode().IsRegular() {
		opened.Close()
		return nil, cmp.Or(err, fs.ErrNotExist)
	}
	return &file{content, info}, nil
}

// accepts tells whether an Accept-Encoding header names an encoding and does
// not refuse it with a quality of zero (RFC 9110, section 12.5.3).
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), encoding) {
			quality, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(parameters)), "q=")
			value, err := strconv.ParseFloat(quality, 64)
			return !ok || err != nil || value > 0
		}
	}
	return false
}
