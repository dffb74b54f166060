package main

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"marketingskills/app/collection/markdown"
	"marketingskills/app/text"
	"marketingskills/tools/internal/console"
)

//go:embed page.html
var pageHTML string

// page serves the pairs to one reader on this machine, until all are read or
// the command is interrupted.
func (c *command) page(ctx context.Context, r *reading, o *options) error {
	if len(r.left()) == 0 {
		return nil
	}
	listener, err := net.Listen("tcp", o.addr)
	if err != nil {
		return console.Refuse("--addr %s: %w; leave it out for any free port", text.Quote(o.addr), err)
	}
	if tcp, ok := listener.Addr().(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		listener.Close()
		return console.Refuse("--addr %s: other machines could read and judge, too; use 127.0.0.1 and a port", text.Quote(o.addr))
	}
	s := &server{reading: r, host: listener.Addr().String(), nonce: rand.Text(), read: make(chan struct{}, 1)}
	web := &http.Server{Handler: s.routes(), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = web.Serve(listener) }() // it ends with Shutdown
	c.say("Read the pairs at http://%s/ (%d of %d to go). Ctrl-C ends; what you said is kept.", s.host, len(r.left()), len(r.pairs))
	select {
	case <-ctx.Done():
	case <-s.read:
	}
	last, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = web.Shutdown(last)
	if n := len(r.left()); n > 0 {
		c.say("%s to go. To resume, run the same command.", text.Count(n, "pair"))
		return console.ErrIncomplete
	}
	return nil
}

// server is the local page of one reader.
type server struct {
	*reading
	host, nonce string
	read        chan struct{} // all pairs were read
}

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, strings.ReplaceAll(pageHTML, "NONCE", s.nonce)) // the reader has left
	})
	mux.HandleFunc("GET /pair", func(w http.ResponseWriter, _ *http.Request) { s.next(w) })
	mux.HandleFunc("POST /verdict", s.verdict)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", fmt.Sprintf("default-src 'none'; script-src 'nonce-%s'; style-src 'nonce-%[1]s'; connect-src 'self'; "+
			"frame-ancestors 'none'; base-uri 'none'; form-action 'none'", s.nonce))
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		// Another site cannot read the page under a name of its own, nor post: that
		// takes JSON, which a browser does not let it send.
		if r.Host != s.host || r.Method == http.MethodPost && r.Header.Get("Content-Type") != "application/json" {
			http.Error(w, "open http://"+s.host+"/ in the browser of this machine", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// next writes the pair that is to be read, and nothing by which its conditions
// could be told.
func (s *server) next(w http.ResponseWriter) {
	left := s.left()
	view := struct {
		Pair    string `json:"pair,omitempty"`
		Done    int    `json:"done"`
		Total   int    `json:"total"`
		Request string `json:"request,omitempty"`
		X       string `json:"x,omitempty"`
		Y       string `json:"y,omitempty"`
	}{Done: len(s.pairs) - len(left), Total: len(s.pairs)}
	if len(left) > 0 {
		_, _, shown := s.show(left[0])
		view.Pair, view.Request, view.X, view.Y = left[0].ID, shown.request, html("x", shown.x), html("y", shown.y)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(view) // the reader has left
}

// html draws an answer. Its images are words, and the page follows no links of
// it: nothing is sent anywhere.
func html(name, answer string) string {
	return markdown.Parse([]byte(answer)).HTML(markdown.Options{RewriteLink: func(string) string { return "" }, Section: name})
}

func (s *server) verdict(w http.ResponseWriter, r *http.Request) {
	var said struct{ Pair, Better, Reason string }
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&said)
	if err != nil {
		http.Error(w, "The verdict could not be read. Reload the page.", http.StatusBadRequest)
		return
	}
	// A pair that was read already, on another tab, keeps its verdict.
	if left := s.left(); len(left) > 0 && left[0].ID == said.Pair {
		if err := s.say(left[0], said.Better, said.Reason); err != nil {
			http.Error(w, "The verdict could not be kept: "+err.Error()+".", http.StatusInternalServerError)
			return
		}
	}
	s.next(w)
	if len(s.left()) == 0 {
		select {
		case s.read <- struct{}{}:
		default:
		}
	}
}
