package site

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// cssOrder lists the style sheets; the first declares the layers.
var cssOrder = []string{
	"layers", "tokens", "base", "page", "parts", "article", "catalog", "changelog", "upgrade",
}

// assets are what every page refers to.
type assets struct {
	css    string // the style sheet, put into every page
	head   string // the script that must run before the first paint, likewise
	script string // address of the page script
	policy string // the content-security policy
	index  string // address of the search index
	build  string // name of the program, the style sheet and the page script
}

// readAssets gathers style sheets, scripts and icons, and has go-app write its
// own: the loader, the WebAssembly runtime and the web manifest.
func (g *generator) readAssets(web fs.FS, wasm []byte) (assets, error) {
	var a assets
	var css strings.Builder
	for _, name := range cssOrder {
		data, err := fs.ReadFile(web, path.Join("css", name+".css"))
		if err != nil {
			return a, fmt.Errorf("reading the style sheets: %w", err)
		}
		css.Write(data)
	}
	a.css = css.String()
	head, err := fs.ReadFile(web, "js/head.js")
	if err != nil {
		return a, fmt.Errorf("reading the scripts: %w", err)
	}
	a.head = string(head)
	if err := g.copyIcons(web); err != nil {
		return a, err
	}
	starter, err := g.application(wasm)
	if err != nil {
		return a, err
	}
	script, err := fs.ReadFile(web, "js/page.js")
	if err != nil {
		return a, fmt.Errorf("reading the scripts: %w", err)
	}
	page := strings.NewReplacer("{{runtime}}", starter.runtime, "{{loader}}", starter.loader).Replace(string(script))
	a.script = g.versioned("page.js", []byte(page))
	if a.index, err = g.searchIndex(); err != nil {
		return a, err
	}
	a.policy = g.policy(a.css, a.head)
	a.build = hash([]byte(hash(wasm) + a.css + a.script))
	return a, nil
}

// versioned adds a file under a name that carries its content's hash, and
// returns its address. A cache may keep it for ever, and an address of another
// release leads nowhere instead of to the wrong content.
func (g *generator) versioned(name string, data []byte) string {
	ext := path.Ext(name)
	name = strings.TrimSuffix(name, ext) + "." + hash(data) + ext
	g.files[name] = data
	g.immutable = append(g.immutable, name)
	return g.BasePath + name
}

func (g *generator) copyIcons(web fs.FS) error {
	entries, err := fs.ReadDir(web, "icons")
	if err != nil {
		return fmt.Errorf("reading the icons: %w", err)
	}
	for _, e := range entries {
		data, err := fs.ReadFile(web, path.Join("icons", e.Name()))
		if err != nil {
			return fmt.Errorf("reading the icons: %w", err)
		}
		g.files["icons/"+e.Name()] = data
	}
	// Browsers ask for this one beside texts that cannot name an icon.
	g.files["favicon.ico"] = g.files["icons/icon-192.png"]
	return nil
}

// starter holds the addresses of what starts the application.
type starter struct{ runtime, loader string }

// resolver tells go-app where its files are.
type resolver struct{ base, wasm string }

func (r resolver) Resolve(location string) string {
	switch location {
	case "/web/app.wasm":
		return r.wasm
	case "/":
		return strings.TrimRight(r.base, "/")
	}
	return r.base + strings.TrimLeft(location, "/")
}

// application asks go-app's handler for the files it makes itself. Pages are
// written here instead: the handler can neither set the policy nor start the
// application only when it is wanted.
func (g *generator) application(wasm []byte) (starter, error) {
	handler := &app.Handler{
		Name:              "Marketing Skills",
		Description:       "Skills an agent can do marketing with",
		Version:           hash(wasm),
		BackgroundColor:   "#fcfbf8",
		ThemeColor:        "#fcfbf8",
		WasmContentLength: strconv.Itoa(len(wasm)),
		Icon: app.Icon{
			Default:  "/icons/icon-192.png",
			Large:    "/icons/icon-512.png",
			SVG:      "/icons/icon.svg",
			Maskable: "/icons/icon-maskable.png",
		},
		Resources: resolver{base: g.BasePath, wasm: g.versioned("app.wasm", wasm)},
	}
	get := func(name string) ([]byte, error) {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/"+name, nil))
		if w.Code != http.StatusOK {
			return nil, fmt.Errorf("go-app answers %d for its own %s", w.Code, name)
		}
		return w.Body.Bytes(), nil
	}
	var s starter
	runtime, err := get("wasm_exec.js")
	if err != nil {
		return s, err
	}
	loader, err := get("app.js")
	if err != nil {
		return s, err
	}
	manifest, err := get("manifest.webmanifest")
	if err != nil {
		return s, err
	}
	if g.files["manifest.webmanifest"], err = g.scoped(manifest); err != nil {
		return s, err
	}
	s.runtime = g.versioned("wasm_exec.js", runtime)
	s.loader = g.versioned("app.js", loader)
	return s, nil
}

// scoped corrects the web manifest, whose scope go-app fixes at the root of
// the host.
func (g *generator) scoped(manifest []byte) ([]byte, error) {
	var fields map[string]any
	if err := json.Unmarshal(manifest, &fields); err != nil {
		return nil, fmt.Errorf("reading go-app's web manifest: %w", err)
	}
	fields["scope"], fields["start_url"] = g.BasePath, g.BasePath
	return json.Marshal(fields)
}

// worker writes the service worker. It sits at the top of the site, because a
// worker rules only over what is below its own address, and its version is
// that of everything it keeps.
func (g *generator) worker(web fs.FS) error {
	data, err := fs.ReadFile(web, "js/worker.js")
	if err != nil {
		return fmt.Errorf("reading the scripts: %w", err)
	}
	all := sha256.New()
	pages := []string{"VERSIONS.md"}
	for _, p := range g.pages {
		all.Write(g.files[pageFile(p)])
		pages = append(pages, p.Path)
	}
	lists, err := json.Marshal(map[string][]string{"pages": pages, "immutable": g.immutable})
	if err != nil {
		return fmt.Errorf("listing the pages: %w", err)
	}
	g.files["app-worker.js"] = []byte(strings.NewReplacer(
		"{{base}}", g.BasePath,
		"{{version}}", hex.EncodeToString(all.Sum(nil)[:6]),
		"{{files}}", string(lists),
	).Replace(string(data)))
	return nil
}

// policy lets a page run its own scripts and WebAssembly and talk to the site,
// the code host and the proxy: nothing else, whatever finds its way into a
// page.
func (g *generator) policy(css, head string) string {
	connect := []string{"'self'", origin(g.GitHubAPIURL)}
	if g.ProxyURL != "" {
		connect = append(connect, origin(g.ProxyURL))
	}
	return strings.Join([]string{
		"default-src 'none'",
		"script-src 'self' 'wasm-unsafe-eval' " + allowed(head),
		"style-src " + allowed(css),
		"img-src 'self'",
		"manifest-src 'self'",
		"worker-src 'self'",
		"connect-src " + strings.Join(slices.Compact(connect), " "),
		"form-action 'self'",
		"base-uri 'none'",
	}, "; ")
}

// origin cuts an address to scheme and host.
func origin(address string) string {
	scheme, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}

// allowed is the policy's word for one inline script or style.
func allowed(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
