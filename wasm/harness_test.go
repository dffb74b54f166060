//go:build !js

package main_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"marketingskills/app/collection"
	"marketingskills/app/site"
	"marketingskills/build/wasmbuild"
)

// patience is how long a story waits for something to happen before it fails.
// The machines that run these tests are shared.
const patience = 60 * time.Second

var (
	programs site.Programs   // compiled from what is here now
	browser  context.Context // one browser for all stories
	scratch  string
	proxy    string // the program that serves the site
)

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := setUp(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "browser tests:", err)
		code = 1
	}
	os.Exit(code)
}

func setUp(m *testing.M) (int, error) {
	var err error
	if scratch, err = os.MkdirTemp("", "browser-tests-"); err != nil {
		return 0, err
	}
	defer os.RemoveAll(scratch)
	if programs, err = wasmbuild.Compile("..", scratch); err != nil {
		return 0, err
	}
	proxy = filepath.Join(scratch, "verify-proxy.exe")
	server := exec.Command("go", "build", "-buildvcs=false", "-o", proxy, "../tools/verify-proxy")
	if out, err := server.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("compiling the server: %w\n%s", err, out)
	}
	chrome, err := findChrome()
	if err != nil {
		return 0, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chrome), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.UserDataDir(filepath.Join(scratch, "profile")),
		chromedp.WSURLReadTimeout(patience),
	)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	var cancel context.CancelFunc
	browser, cancel = chromedp.NewContext(allocator)
	defer cancel()
	if err := chromedp.Do(browser); err != nil {
		return 0, fmt.Errorf("starting %s: %w", chrome, err)
	}
	code := m.Run()
	if shared != nil {
		shared.stop()
	}
	return code, nil
}

func findChrome() (string, error) {
	if chrome := os.Getenv("CHROME"); chrome != "" {
		return chrome, nil
	}
	for _, name := range []string{
		"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
		"/Applications/Chromium.app/Contents/MacOS/Chromium",
	} {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", errors.New("no Chromium found; make test installs one or prints the command that does, and CHROME=/path names one")
}

// served is a generated site behind the program that serves it in earnest.
type served struct {
	address string // with the base path, ending in a slash
	files   site.Files
	dir     string // where they are
	process *os.Process
	stop    func()
}

var (
	shared     *served
	sharedOnce sync.Once
)

// theSite returns the site at the root of its host, generated once.
func theSite(t testing.TB) *served {
	t.Helper()
	sharedOnce.Do(func() { shared = serve(t, "/") })
	if shared == nil {
		t.Fatal("the site could not be served")
	}
	return shared
}

// serve generates the project's own site under a base path and serves it until
// the tests end.
func serve(t testing.TB, base string) *served {
	t.Helper()
	return serveContent(t, os.DirFS(".."), base)
}

// serveContent does the same for another collection.
func serveContent(t testing.TB, content fs.FS, base string) *served {
	t.Helper()
	return serveWith(t, content, site.Config{BasePath: base, GitHubAPIURL: "https://api.github.com"})
}

// serveWith does the same for other hosts, and with an environment for the
// program that serves it.
func serveWith(t testing.TB, content fs.FS, config site.Config, env ...string) *served {
	t.Helper()
	c, _, err := collection.Load(content)
	if err != nil {
		t.Fatal(err)
	}
	address := freeAddress(t)
	config.SiteURL = "http://" + address
	files, err := site.Build(c, content, config, os.DirFS("../web"), programs)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(scratch, "site-")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		target := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, data, fs.FileMode(0o644)); err != nil {
			t.Fatal(err)
		}
	}
	process, stop := startProxy(t, address, env, "--dir", dir, "--base", config.BasePath)
	return &served{address: config.SiteURL + config.BasePath, files: files, dir: dir, process: process, stop: stop}
}

// freeAddress is an address of this machine at which nothing listens.
func freeAddress(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// startProxy starts verify-proxy and returns once it answers.
func startProxy(t testing.TB, address string, env []string, arguments ...string) (process *os.Process, stop func()) {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command(proxy, append(arguments, "--addr", address)...)
	cmd.Stderr = &stderr
	cmd.Env = append(os.Environ(), env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop = func() {
		cmd.Process.Kill()
		cmd.Wait()
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		response, err := http.Get("http://" + address + "/healthz")
		if err == nil {
			response.Body.Close()
			return cmd.Process, stop
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server did not come up: %v\n%s", err, stderr.String())
		}
	}
}

// tab is one browser tab with a profile of its own. A script error, a refused
// request or a policy violation in it fails the test.
type tab struct {
	t        testing.TB
	ctx      context.Context
	mu       sync.Mutex
	tolerate []string
}

func open(t testing.TB) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx}
	err := chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			b.complain("script error: " + (&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error())
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError {
				b.complain("the browser reports: " + e.Entry.Text + " " + e.Entry.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	var stop context.CancelFunc
	b.ctx, stop = context.WithTimeout(ctx, 3*patience)
	t.Cleanup(stop)
	tell(b, log.Enable, cdp.Empty{})
	tell(b, runtime.Enable, cdp.Empty{})
	b.size(1280, 900)
	return b
}

// listen calls do for each event of one type.
func listen[E any](b *tab, do func(*E)) {
	b.t.Helper()
	err := chromedp.Listen(b.ctx, func(event any) {
		if e, ok := event.(*E); ok {
			do(e)
		}
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) complain(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, fine := range b.tolerate {
		if strings.Contains(what, fine) {
			return
		}
	}
	b.t.Error(what)
}

// tolerates names errors a story brings about on purpose.
func (b *tab) tolerates(part string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tolerate = append(b.tolerate, part)
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// tell sends one protocol command.
func tell[P, R any](b *tab, command cdp.Command[P, R], params P) R {
	b.t.Helper()
	result, err := chromedp.Call(b.ctx, command, params)
	if err != nil {
		b.t.Fatal(err)
	}
	return result
}

func (b *tab) size(width, height int64) {
	b.t.Helper()
	tell(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1})
}

func (b *tab) visit(address string) {
	b.t.Helper()
	b.do(chromedp.Navigate(address))
}

// opened is a new tab at an address.
func opened(t testing.TB, address string) *tab {
	t.Helper()
	b := open(t)
	b.visit(address)
	return b
}

// eval runs a script and returns its value; a promise is waited for.
func eval[T any](b *tab, script string) T {
	b.t.Helper()
	value, err := try[T](b, script)
	if err != nil {
		b.t.Fatalf("%.300s: %v", script, err)
	}
	return value
}

func try[T any](b *tab, script string) (T, error) {
	return chromedp.Run(b.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
}

// run runs a script for what it does.
func (b *tab) run(script string) {
	b.t.Helper()
	eval[chromedp.Void](b, script+"; undefined")
}

// until waits for a script to be true, or to promise something that is. A page
// that gives way to another while it is asked has not answered yet.
func (b *tab) until(what, script string) {
	b.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(25 * time.Millisecond) {
		is, err := try[bool](b, "(is => is instanceof Promise ? is.then(Boolean) : Boolean(is))("+script+")")
		if err != nil && !strings.Contains(err.Error(), "navigated or closed") {
			b.t.Fatalf("%.300s: %v", script, err)
		}
		if is {
			return
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("waited in vain: %s (%s)\nthe page says: %.1500s", what, script, eval[string](b, "document.querySelector('main')?.innerText ?? ''"))
		}
	}
}

const taken = `document.documentElement.dataset.application === "running"`

// takenOver makes sure that the application runs.
func (b *tab) takenOver() {
	b.t.Helper()
	b.run(`document.querySelector(".Header-nav a").dispatchEvent(new Event("pointerover", {bubbles: true}))`)
	b.until("the application takes over", taken)
}

// indexed makes sure that the search index has arrived as well.
func (b *tab) indexed() {
	b.t.Helper()
	b.takenOver()
	b.until("the search index arrives", `performance.getEntriesByType("resource").some(e => /\/search[.-]/.test(e.name) && e.responseEnd > 0)`)
	time.Sleep(100 * time.Millisecond)
}

// rows returns the folders listed, in order.
func (b *tab) rows() []string {
	b.t.Helper()
	return eval[[]string](b, `[...document.querySelectorAll(".Row")].filter(r => r.checkVisibility({visibilityProperty: true})).map(r => r.dataset.name)`)
}

func (b *tab) text(selector string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? "(none)"`, selector))
}

func (b *tab) address() string {
	b.t.Helper()
	return eval[string](b, "location.href")
}

// click clicks as a person would; when taking over replaced the element just
// then, on its successor.
func (b *tab) click(selector string) {
	b.t.Helper()
	var err error
	for range 5 {
		if err = chromedp.Do(b.ctx, chromedp.Click(chromedp.CSS(selector))); err == nil || !strings.Contains(err.Error(), "node") {
			break
		}
	}
	if err != nil {
		b.t.Fatalf("clicking %s: %v", selector, err)
	}
}

// typing puts words into the search box as a person would.
func (b *tab) typing(words string) {
	b.t.Helper()
	b.run(`document.getElementById("find").focus()`)
	b.do(chromedp.KeyEvent(words))
}
