package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"marketingskills/app/verify/fakeverifier"
)

// TestVendorsClient: the npm client of the vendor verifies a list with the proxy
// as its baseUrl. It loses nothing and pays for nothing twice, neither when the
// verifier wants a pause, nor when it takes longer than the client waits, which
// then asks again. testdata/truelist has its version and hash.
func TestVendorsClient(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/truelist")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	install := exec.CommandContext(ctx, "npm", "ci", "--loglevel=error", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=0")
	install.Dir, install.WaitDelay = dir, time.Second
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("NOT CHECKED: the vendor's client, since the package truelist could not be fetched: %v\n%s", err, out)
	}
	pause := func(n int, _ *http.Request) fakeverifier.Fault {
		if n == 5 {
			return fakeverifier.Pause
		}
		return fakeverifier.None
	}
	for name, c := range map[string]struct {
		v        *fakeverifier.Verifier
		emails   int
		patience time.Duration
	}{
		"a pause":     {&fakeverifier.Verifier{Fault: pause}, 25, 30 * time.Second},
		"no patience": {&fakeverifier.Verifier{Latency: 2500 * time.Millisecond}, limit - 1, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			p := withVerifier(t, c.v, map[string]string{"PROXY_TOKEN": proxyToken})
			var emails []string
			for i := range c.emails {
				emails = append(emails, fmt.Sprintf("a%d+tag@mail.example", i))
			}
			node := exec.Command("node", append([]string{"verify.mjs", p.url, proxyToken, fmt.Sprint(c.patience.Milliseconds())}, emails...)...)
			node.Dir, node.Stderr = dir, os.Stderr
			out, err := node.Output()
			if err != nil {
				t.Fatal(err)
			}
			checkVendorsResults(t, out, emails)
			if at := c.v.Arrivals(pathInline); len(c.v.Asked()) != c.emails || fakeverifier.Densest(at) > limit {
				t.Errorf("%d credits for %d emails, %d in a second", len(c.v.Asked()), c.emails, fakeverifier.Densest(at))
			}
		})
	}
}

// checkVendorsResults reads what testdata/truelist/verify.mjs prints.
func checkVendorsResults(t *testing.T, out []byte, emails []string) {
	t.Helper()
	var got struct {
		Results []struct{ Email, State string }
		Account struct {
			Email, UUID, TimeZone string
			IsAdminRole           *bool
			Account               struct{ PaymentPlan string }
		}
	}
	if err := json.Unmarshal(out, &got); err != nil || len(got.Results) != len(emails) {
		t.Fatalf("%v, %d results\n%s", err, len(got.Results), out)
	}
	for i, r := range got.Results {
		if r.Email != emails[i] || r.State != "ok" {
			t.Errorf("%s: %+v", emails[i], r)
		}
	}
	if a := got.Account; a.Email == "" || a.UUID == "" || a.TimeZone == "" || a.IsAdminRole == nil || a.Account.PaymentPlan == "" {
		t.Errorf("something is missing of the account: %+v", a)
	}
}
