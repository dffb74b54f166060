package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"marketingskills"
	"marketingskills/app/collection/manifest"
)

// TestManifestURL: over https or from this machine, no further, no longer, no
// larger.
func TestManifestURL(t *testing.T) {
	data, err := marketingskills.Content.ReadFile(manifest.File)
	must(t, err)
	mux := http.NewServeMux()
	mux.HandleFunc("/VERSIONS.md", func(w http.ResponseWriter, r *http.Request) { w.Write(data) })
	mux.HandleFunc("/prose", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<html>") })
	mux.HandleFunc("/large", func(w http.ResponseWriter, r *http.Request) { w.Write(make([]byte, maxManifest+1)) })
	mux.Handle("/away", http.RedirectHandler("http://example.com/VERSIONS.md", http.StatusFound))
	mux.Handle("/up", http.RedirectHandler("https://127.0.0.1:1/VERSIONS.md", http.StatusFound))
	mux.Handle("/round", http.RedirectHandler("/round", http.StatusFound))
	mux.Handle("/moved", http.RedirectHandler("/VERSIONS.md", http.StatusFound))
	server := httptest.NewServer(mux)
	defer server.Close()
	c := newTool(t)
	latest, _ := ours(t).Latest()
	for path, want := range map[string]any{
		"/VERSIONS.md": error(nil),
		"/moved":       error(nil),
		"/nowhere":     "the server responded with 404",
		"/prose":       "no table of skills",
		"/large":       "larger than 4 MiB",
		"/away":        "redirected to a URL that is not allowed: only https",
		"/up":          "redirected from http to https",
		"/round":       "too many redirects",
	} {
		out := c.does(want, "--manifest", server.URL+path)
		if want == error(nil) && !strings.Contains(out, "VERSIONS.md "+latest.Name()+" of "+latest.Date+", from "+server.URL) {
			t.Errorf("%s: %s", path, out)
		}
	}
	server.Close()
	c.does("reading VERSIONS.md from http://", "--manifest", server.URL+"/VERSIONS.md")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.run(ctx, []string{"--manifest", "https://127.0.0.1:1/x"}); err == nil {
		t.Error("a stopped command fetched")
	}
}
