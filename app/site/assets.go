package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
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

	"marketingskills/app/pages"
	"marketingskills/app/pages/article"
	"marketingskills/app/pages/catalog"
	"marketingskills/app/pages/changelog"
	"marketingskills/app/pages/missing"
	"marketingskills/app/pages/prospects"
	"marketingskills/app/pages/prospects/verification"
	"marketingskills/app/pages/upgrade"
	"marketingskills/app/verify/disposable"
)

// Programs are the compiled WebAssembly programs by name. Only hash and size
// are used here.
type Programs map[string][]byte

// ProgramNames lists the programs. One is compiled from the directory wasm,
// the others from the directories below it that have their names.
func ProgramNames() []string {
	var names []string
	for _, e := range pages.Registry() {
		if !slices.Contains(names, e.Program) {
			names = append(names, e.Program)
		}
	}
	return names
}

// drawers draw every kind of page; in the browser each program has those of
// its own pages.
var drawers = pages.Program{
	pages.KindCatalog:   catalog.Draw,
	pages.KindSkill:     article.Draw,
	pages.KindReference: article.Draw,
	pages.KindTools:     catalog.Draw,
	pages.KindTool:      article.Draw,
	pages.KindChangelog: changelog.Draw,
	pages.KindUpgrade:   upgrade.Draw,
	pages.KindProspects: prospects.Draw,
	pages.KindVerify:    verification.Draw,
	pages.KindNews:      article.Draw,
	pages.KindTryouts:   article.Draw,
	pages.KindMissing:   missing.Draw,
}

// commonStyles are the style sheets of every page; the first declares the
// layers.
var commonStyles = []string{"layers", "tokens", "base", "page", "parts", "search"}

// program is what the pages drawn by one WebAssembly program refer to.
type program struct {
	css    string // the style sheet, put into every page
	loader string // address of the script that fetches and starts it
	policy string // the content-security policy
	build  string // name of the program, the style sheet and the page script
}

// assets are what pages refer to.
type assets struct {
	programs map[string]program
	head     string // the script that must run before the first paint
	script   string // address of the page script
	skills   string // address of the search index of skills
	tools    string // address of that of tools
	tasks    string // address of that of the tasks that tools are for
	// disposable is the address of the list of throwaway domains, too large for
	// a program; sample is that of the sample data of the prospects page.
	disposable, sample string
}

// readAssets gathers style sheets, scripts and icons, and has go-app write its
// own: the loaders, the WebAssembly runtime and the web manifest.
func (g *generator) readAssets(web fs.FS, compiled Programs) (assets, error) {
	var a assets
	head, err := fs.ReadFile(web, "js/head.js")
	if err != nil {
		return a, fmt.Errorf("reading the scripts: %w", err)
	}
	a.head = string(head)
	if err := g.copyIcons(web); err != nil {
		return a, err
	}
	var script string
	for _, name := range []string{"js/page.js", "js/news.js", "js/search.js"} {
		text, err := fs.ReadFile(web, name)
		if err != nil {
			return a, fmt.Errorf("reading the scripts: %w", err)
		}
		script += string(text)
	}
	runtime, err := g.fromGoApp("wasm_exec.js", &app.Handler{})
	if err != nil {
		return a, err
	}
	if a.skills, err = g.searchIndex("search.json", g.skillDocuments()); err != nil {
		return a, err
	}
	if a.tools, err = g.searchIndex("search-tools.json", g.toolDocuments()); err != nil {
		return a, err
	}
	if a.tasks, err = g.searchIndex("search-tasks.json", g.taskDocuments()); err != nil {
		return a, err
	}
	list, err := g.searchListFile(a)
	if err != nil {
		return a, err
	}
	page := strings.NewReplacer("{{runtime}}", g.versioned("wasm_exec.js", runtime), "{{list}}", list)
	a.script = g.versioned("page.js", []byte(page.Replace(script)))
	a.disposable = g.versioned("disposable.txt", []byte(disposable.Domains()))
	sample, err := fs.ReadFile(web, "sample.run.json")
	if err != nil {
		return a, fmt.Errorf("reading the sample data: %w", err)
	}
	a.sample = g.versioned("sample.run.json", sample)
	a.programs = map[string]program{}
	for _, name := range ProgramNames() {
		if a.programs[name], err = g.program(web, name, compiled[name], a); err != nil {
			return a, err
		}
	}
	return a, nil
}

func (g *generator) program(web fs.FS, name string, wasm []byte, a assets) (pr program, err error) {
	if wasm == nil {
		return pr, fmt.Errorf("the program %s was not compiled", name)
	}
	if pr.css, err = styles(web, name); err != nil {
		return pr, err
	}
	if pr.loader, err = g.application(name, wasm); err != nil {
		return pr, err
	}
	pr.policy = g.policy(pr.css, a.head)
	pr.build = hash([]byte(hash(wasm) + pr.css + a.script))
	return pr, nil
}

// styles joins the common style sheets and those of a program's pages.
func styles(web fs.FS, program string) (string, error) {
	names := slices.Clone(commonStyles)
	for _, e := range pages.Registry() {
		for _, name := range e.Styles {
			if e.Program == program && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	var css strings.Builder
	for _, name := range names {
		data, err := fs.ReadFile(web, path.Join("css", name+".css"))
		if err != nil {
			return "", fmt.Errorf("reading the style sheets: %w", err)
		}
		css.Write(data)
	}
	return css.String(), nil
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

// application adds a program to the site and returns the address of its
// loader.
func (g *generator) application(name string, wasm []byte) (loader string, err error) {
	handler := &app.Handler{
		Name:              "Marketing Skills",
		Description:       "Marketing skills for AI agents",
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
		Resources: resolver{base: g.BasePath, wasm: g.versioned(name+".wasm", wasm)},
	}
	script, err := g.fromGoApp("app.js", handler)
	if err != nil {
		return "", err
	}
	if name == pages.Reading {
		manifest, err := g.fromGoApp("manifest.webmanifest", handler)
		if err != nil {
			return "", err
		}
		if g.files["manifest.webmanifest"], err = g.scoped(manifest); err != nil {
			return "", err
		}
	}
	return g.versioned(name+".js", script), nil
}

// fromGoApp asks go-app's handler for a file it makes itself. Pages are
// written here instead: the handler can neither set the policy nor start the
// application only when it is wanted.
func (g *generator) fromGoApp(name string, handler *app.Handler) ([]byte, error) {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/"+name, nil))
	if w.Code != http.StatusOK {
		return nil, fmt.Errorf("go-app answers %d for its own %s", w.Code, name)
	}
	return w.Body.Bytes(), nil
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
// worker rules only over what is below its own address.
func (g *generator) worker(web fs.FS) error {
	data, err := fs.ReadFile(web, "js/worker.js")
	if err != nil {
		return fmt.Errorf("reading the scripts: %w", err)
	}
	paths := []string{"VERSIONS.md", "versions.json"}
	for _, p := range g.pages {
		paths = append(paths, p.Path)
	}
	lists, err := json.Marshal(map[string][]string{"pages": paths, "immutable": g.immutable})
	if err != nil {
		return fmt.Errorf("listing the pages: %w", err)
	}
	g.files["app-worker.js"] = []byte(strings.NewReplacer("{{base}}", g.BasePath, "{{files}}", string(lists)).Replace(string(data)))
	return nil
}

// sayOfflineSize puts into the pages the size of all that the service worker
// can keep, in megabytes as browsers store it, which is not compressed.
func (g *generator) sayOfflineSize() {
	total := 0
	for _, p := range g.pages {
		total += len(g.files[pageFile(p)])
	}
	for _, name := range g.immutable {
		total += len(g.files[name])
	}
	size := fmt.Sprintf("%d MB", (total+500_000)/1_000_000)
	for _, p := range g.pages {
		g.files[pageFile(p)] = bytes.ReplaceAll(g.files[pageFile(p)], []byte(g.offlineSize), []byte(size))
	}
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
