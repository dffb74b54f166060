//go:build !js

package main_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"

	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/verify/fakeverifier"
	"marketingskills/build/npmtest"
)

// every is one page of each kind, the missing one included.
var every = []string{"", "skills/prospecting/", "skills/sms/sequence-templates/", "tools/", "tools/truelist/", "news/", "changelog/", "tryouts/", "map/", "upgrade/", "prospects/", "prospects/verify/", "no/such/page/"}

func dark(b *tab, on bool) {
	b.t.Helper()
	value := "light"
	if on {
		value = "dark"
	}
	tell(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}},
	})
}

// smallTargets lists what is lower than a fingertip, 44 px, and no link within a
// sentence or a table. A field that is out of sight is touched by its label, a
// link that covers its row by the row.
const smallTargets = `[...document.querySelectorAll("a, button, select, input, textarea, summary")].filter(e => {
	const touched = e.matches(".Row-title") ? e.closest(".Row") : e.labels?.length && e.matches("[type=radio], [type=checkbox]") ? e.labels[0] : e;
	const box = touched.getBoundingClientRect(), within = e.closest("p, li, td, h2, h3, figcaption");
	return box.width && box.bottom > 0 && box.height < 43.5 && !e.closest(".Hidden") &&
		!(getComputedStyle(e).display === "inline" && within && (e.closest("td, h3") || within.textContent.trim().length > e.textContent.trim().length + 4));
}).map(e => e.outerHTML.slice(0, 120))`

// TestFingers: on a phone everything can be hit.
func TestFingers(t *testing.T) {
	s := theSite(t)
	b := open(t)
	b.tolerates("404")
	tell(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 375, Height: 800, DeviceScaleFactor: 2, Mobile: true})
	tell(b, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	for _, page := range every {
		b.visit(s.address + page)
		if small := eval[[]string](b, smallTargets); len(small) > 0 {
			t.Errorf("too low on /%s: %s", page, strings.Join(small, "\n"))
		}
	}
}

const background = `getComputedStyle(document.body).backgroundColor`

func TestThemeFollowsTheSystemUntilChosen(t *testing.T) {
	s := theSite(t)
	b := open(t)
	dark(b, true)
	b.visit(s.address)
	night := eval[string](b, background)
	dark(b, false)
	paper := eval[string](b, background)
	if night == paper {
		t.Fatalf("both themes have the background %s", paper)
	}
	b.click(".Theme")
	b.click(".Theme")
	if got := eval[string](b, background); got != night {
		t.Errorf("after choosing dark the background is %s, want %s", got, night)
	}
	b.visit(s.address + "skills/sms/")
	if got := eval[string](b, background); got != night {
		t.Error("the choice is forgotten on the next page")
	}
	if got := b.text(".Theme"); !strings.Contains(got, "Dark") {
		t.Errorf("the switch reads %q", got)
	}
	b.takenOver()
	b.click(".Theme")
	if got := eval[string](b, background); got != paper {
		t.Error("back to the system's colours does not work under the application")
	}
}

// At 320 pixels nothing sticks out sideways; wide tables and long lines
// scroll inside themselves.
func TestNarrowScreen(t *testing.T) {
	s := theSite(t)
	b := open(t)
	b.tolerates("404")
	b.size(320, 700)
	for _, page := range every {
		b.visit(s.address + page)
		if width := eval[float64](b, "document.scrollingElement.scrollWidth"); width > 320 {
			wide := eval[[]string](b, `[...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().right > 321 && !e.closest(".Table, pre, .Command, .Links, ol, ul")).slice(0, 5).map(e => e.tagName + "." + e.className)`)
			t.Errorf("/%s is %v pixels wide at 320: %v", page, width, wide)
		}
	}
}

// A tablet held upright shows the header in one line.
func TestHeaderOnATablet(t *testing.T) {
	s := theSite(t)
	b := open(t)
	b.size(768, 1024)
	for _, page := range []string{"", "skills/sms/"} {
		b.visit(s.address + page)
		if height := eval[float64](b, `document.querySelector(".Header").offsetHeight`); height > 60 {
			t.Errorf("on /%s the header is %v pixels high", page, height)
		}
	}
}

// axe-core finds nothing, on any kind of page, light or dark, wide or narrow,
// with results open and after take-over; and nothing sticks out sideways.
func TestAccessibility(t *testing.T) {
	axe := axeCore(t)
	s := theSite(t)
	for _, night := range []bool{false, true} {
		for _, width := range []int64{1280, 320} {
			t.Run(fmt.Sprintf("dark %t, %d pixels", night, width), func(t *testing.T) {
				t.Parallel()
				b := open(t)
				dark(b, night)
				b.size(width, 900)
				everythingIsAccessible(b, s, axe, float64(width))
			})
		}
	}
}

func everythingIsAccessible(b *tab, s *served, axe string, width float64) {
	b.t.Helper()
	check := func(what string) {
		b.t.Helper()
		b.run(axe)
		var found []struct {
			ID    string `json:"id"`
			Help  string `json:"help"`
			Nodes []struct {
				HTML string `json:"html"`
			} `json:"nodes"`
		}
		raw := eval[string](b, `axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations))`)
		if err := json.Unmarshal([]byte(raw), &found); err != nil {
			b.t.Fatal(err)
		}
		for _, v := range found {
			b.t.Errorf("%s: %s: %s: %v", what, v.ID, v.Help, v.Nodes[:min(3, len(v.Nodes))])
		}
		if wide := eval[float64](b, "document.scrollingElement.scrollWidth"); wide > width {
			b.t.Errorf("%s is %v pixels wide", what, wide)
		}
	}
	b.tolerates("404")
	for _, page := range every {
		b.visit(s.address + page)
		check("/" + page)
	}
	b.visit(s.address + "?q=cart")
	b.indexed()
	b.typing("s")
	check("results")
	b.visit(s.address + "upgrade/")
	b.takenOver()
	b.paste("page-cro\ncro\npaid-ads\npdf\n")
	b.until("the result shows", `document.querySelectorAll(".Finding").length === 4`)
	check("the result of an upgrade check")
	b.visit(s.address + "skills/sms/")
	b.takenOver()
	b.run(`document.querySelectorAll("details").forEach(d => d.open = true)`)
	check("a skill under the application, evals open")
	host := httptest.NewServer(&fakehost.Host{People: fakehost.Crowd(90), Latency: 30 * time.Millisecond})
	b.t.Cleanup(host.Close)
	b.tolerates("beforeunload") // results are left undownloaded
	extractionSteps(&marketer{tab: b, site: withVerifier(b.t, &fakeverifier.Verifier{}, host.URL)}, func(step string) {
		check("the extraction, " + step)
	})
}

// axeCore returns the source of axe-core.
func axeCore(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(npmtest.Modules(t), "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The whole site works below a path, application included.
func TestBelowAPath(t *testing.T) {
	s := serve(t, "/marketing/skills-site/")
	t.Cleanup(s.stop)
	b := open(t)
	b.visit(s.address)
	b.indexed()
	b.typing("10dlc")
	b.until("sms is first", `document.querySelector(".Row")?.dataset.name === "sms"`)
	b.run(`document.querySelector(".Row-title").click()`)
	b.until("the skill shows", `location.pathname === "/marketing/skills-site/skills/sms/" && document.querySelector("h1").innerText === "SMS & MMS"`)
	b.visit(s.address + "changelog/?since=2.1.0")
	m, _ := versions(t)
	if got, want := b.text("#summary"), summary(m, m.Since("2.1.0"), "newer than 2.1.0"); got != want {
		t.Errorf("the changelog below a path says %q, want %q", got, want)
	}
}
