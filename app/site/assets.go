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

// Programs are the compiled WebAssembly programs by name.
type Programs map[string][]byte

// ProgramNames returns the names of the programs in the registry of pages.
func ProgramNames() []string {
	var names []string
	for _, e := range pages.Registry() {
		if !slices.Contains(names, e.Program) {
			names = append(names, e.Program)
		}
	}
	return names
}

// drawFunctions draw every kind of page. In the browser, each program has those of
// its own pages.
var drawFunctions = pages.Program{
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
	pages.KindMap:       article.Draw,
	pages.KindMissing:   missing.Draw,
}

// commonStyles are the style sheets of every page; the first declares the
// layers.
var commonStyles = []string{"layers", "tokens", "base", "page", "parts", "search", "touch"}

// program is what the pages of a WebAssembly program refer to.
type program struct {
	css    string // the style sheet, which is written into every page
	loader string // the URL of the script that fetches and starts the program
	policy string // the content security policy
	build  string // changes with the program, the style sheet or the page script
}

// assets are the files that pages refer to, by URL, and the script in their head.
type assets struct {
	programs map[string]program
	head     string // the text of the script that must run before the first paint
	script   string // the page script
	icon     string // the icon in a tab
	skills   string // the search index of skills
	tools    string // the search index of tools
	tasks    string // the search index of the tasks that tools are for
	// disposable is the list of throwaway domains, which is too large for a
	// program; sample is the sample data of the prospects page.
	disposable, sample string
}

// readAssets adds style sheets, scripts, icons and search indexes to the site, and
// the files of go-app: loaders, the WebAssembly runtime and the web manifest.
func (g *generator) readAssets(web fs.FS, compiled Programs) (assets, error) {
	var a assets
	head, err := fs.ReadFile(web, "js/head.js")
	if err != nil {
		return a, fmt.Errorf("reading the scripts: %w", err)
	}
	a.head = string(head)
	if err := g.addIcons(web); err != nil {
		return a, err
	}
	a.icon = g.addVersioned("icon.svg", g.files["icons/icon.svg"])
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
	if a.skills, err = g.addSearchIndex("search.json", g.skillDocuments()); err != nil {
		return a, err
	}
	if a.tools, err = g.addSearchIndex("search-tools.json", g.toolDocuments()); err != nil {
		return a, err
	}
	if a.tasks, err = g.addSearchIndex("search-tasks.json", g.taskDocuments()); err != nil {
		return a, err
	}
	list, err := g.addSearchList(a)
	if err != nil {
		return a, err
	}
	page := strings.NewReplacer("{{runtime}}", g.addVersioned("wasm_exec.js", runtime), "{{list}}", list)
	a.script = g.addVersioned("page.js", []byte(page.Replace(script)))
	a.disposable = g.addVersioned("disposable.txt", []byte(disposable.Domains()))
	sample, err := fs.ReadFile(web, "sample.run.json")
	if err != nil {
		return a, fmt.Errorf("reading the sample data: %w", err)
	}
	a.sample = g.addVersioned("sample.run.json", sample)
	a.programs = map[string]program{}
	for _, name := range ProgramNames() {
		if a.programs[name], err = g.newProgram(web, name, compiled[name], a); err != nil {
			return a, err
		}
	}
	return a, nil
}

// newProgram adds a program to the site.
func (g *generator) newProgram(web fs.FS, name string, wasm []byte, a assets) (pr program, err error) {
	if wasm == nil {
		return pr, fmt.Errorf("the program %s was not compiled", name)
	}
	if pr.css, err = styles(web, name); err != nil {
		return pr, err
	}
	if pr.loader, err = g.addProgram(name, wasm); err != nil {
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

// addVersioned adds a file with the hash of its content in its name, and returns
// its URL. A cache may keep it for ever, and a page of another release gets no
// file rather than the wrong one.
func (g *generator) addVersioned(name string, data []byte) string {
	ext := path.Ext(name)
	name = strings.TrimSuffix(name, ext) + "." + hash(data) + ext
	g.files[name] = data
	g.immutable = append(g.immutable, name)
	return g.config.BasePath + name
}

func (g *generator) addIcons(web fs.FS) error {
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
	// Browsers ask for this one when they show a file that cannot name an icon.
	g.files["favicon.ico"] = g.files["icons/icon-192.png"]
	return nil
}

// resources is an [app.ResourceResolver]: it tells go-app the URLs of its files.
type resources struct{ base, wasm string }

func (r resources) Resolve(location string) string {
	switch location {
	case "/web/app.wasm":
		return r.wasm
	case "/":
		return strings.TrimRight(r.base, "/")
	}
	return r.base + strings.TrimLeft(location, "/")
}

// addProgram adds the files of a program and returns the URL of its loader.
func (g *generator) addProgram(name string, wasm []byte) (loader string, err error) {
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
		Resources: resources{base: g.config.BasePath, wasm: g.addVersioned(name+".wasm", wasm)},
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
		if g.files["manifest.webmanifest"], err = g.withScope(manifest); err != nil {
			return "", err
		}
	}
	return g.addVersioned(name+".js", script), nil
}

// fromGoApp returns a file that go-app's handler makes. Pages are not made by it:
// it can neither set the security policy nor start the program only when it is
// needed.
func (g *generator) fromGoApp(name string, handler *app.Handler) ([]byte, error) {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/"+name, nil))
	if w.Code != http.StatusOK {
		return nil, fmt.Errorf("go-app answers %d for its own %s", w.Code, name)
	}
	return w.Body.Bytes(), nil
}

// withScope sets the scope of the web manifest to the path of the site. go-app sets
// it to the root of the host.
func (g *generator) withScope(manifest []byte) ([]byte, error) {
	var fields map[string]any
	if err := json.Unmarshal(manifest, &fields); err != nil {
		return nil, fmt.Errorf("reading go-app's web manifest: %w", err)
	}
	fields["scope"], fields["start_url"] = g.config.BasePath, g.config.BasePath
	return json.Marshal(fields)
}

// addWorker writes the service worker. It is at the root of the site, because a
// worker serves only URLs below its own.
func (g *generator) addWorker(web fs.FS) error {
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
	g.files["app-worker.js"] = []byte(strings.NewReplacer("{{base}}", g.config.BasePath, "{{files}}", string(lists)).Replace(string(data)))
	return nil
}

// DownloadShare is how many times smaller than in a browser's storage pages and
// programs are on their way there, compressed with brotli.
const DownloadShare = 5

// fillInOfflineSize writes into the pages the size of all files that the service
// worker can keep, in megabytes without compression, as browsers store them, and
// what of it is downloaded.
func (g *generator) fillInOfflineSize() {
	total := 0
	for _, p := range g.pages {
		total += len(g.files[pageFile(p)])
	}
	for _, name := range g.immutable {
		total += len(g.files[name])
	}
	size := fmt.Sprintf("%.0f MB, about %.0f MB to download", float64(total)/1e6, float64(total)/DownloadShare/1e6)
	for _, p := range g.pages {
		g.files[pageFile(p)] = bytes.ReplaceAll(g.files[pageFile(p)], []byte(g.offlineSize), []byte(size))
	}
}

// policy returns the content security policy of a page. It lets the page run its
// own scripts and WebAssembly and send requests to the site, the code host and
// the proxy, and nothing else, whatever is in the page.
func (g *generator) policy(css, head string) string {
	connect := []string{"'self'", origin(g.config.GitHubAPIURL)}
	if g.config.ProxyURL != "" {
		connect = append(connect, origin(g.config.ProxyURL))
	}
	return strings.Join([]string{
		"default-src 'none'",
		"script-src 'self' 'wasm-unsafe-eval' " + policyHash(head),
		"style-src " + policyHash(css),
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

// policyHash returns the expression by which a policy allows an inline script or
// style sheet.
func policyHash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
