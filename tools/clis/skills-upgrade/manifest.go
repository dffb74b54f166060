package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"marketingskills"
	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/manifest/versionsfile"
	"marketingskills/app/text"
	"marketingskills/app/upgrade/scan"
)

// Limits of a manifest that is not compiled in.
const (
	maxManifest = 4 << 20
	deadline    = 30 * time.Second
)

// known is a manifest and where it comes from.
type known struct {
	*manifest.Manifest
	source string
	// doubts says what is not in order about it; empty for nothing.
	doubts string
	// from is the collection to install from; nil for none.
	from *collection
}

// String names the manifest, as in "VERSIONS.md 2.2.0 of 2026-05-26, built in".
func (k known) String() string {
	name := manifest.File
	if release, ok := k.Latest(); ok {
		name += " " + release.Name()
		if release.Version != "" {
			name += " of " + release.Date
		}
	}
	return text.Printable(name + ", " + k.source)
}

func compiledIn() (known, error) {
	data, err := marketingskills.Content.ReadFile(manifest.File)
	if err != nil {
		return known{}, err
	}
	return parseManifest(data, "built in")
}

func parseManifest(data []byte, source string) (known, error) {
	if len(data) > maxManifest {
		return known{}, errors.New("it is larger than 4 MiB, which no VERSIONS.md is")
	}
	m, findings := versionsfile.Parse(data)
	if len(m.Rows) == 0 {
		return known{}, errors.New("this is not a VERSIONS.md: it has no table of skills and versions")
	}
	k := known{Manifest: m, source: source}
	if len(findings) > 0 {
		k.doubts = fmt.Sprintf("VERSIONS.md has %s; the first: %s.",
			text.Count(len(findings), "problem"), strings.TrimSuffix(text.Printable(findings[0].String()), "."))
	}
	return k, nil
}

// otherManifest reads the manifest that --manifest names.
func otherManifest(ctx context.Context, name string) (k known, err error) {
	var data []byte
	if strings.Contains(name, "://") {
		data, err = fetch(ctx, name)
	} else {
		data, err = readManifest(name)
	}
	if err == nil {
		k, err = parseManifest(data, "from "+text.Name(name))
	}
	if err != nil {
		return known{}, fmt.Errorf("reading VERSIONS.md from %s: %w", text.Name(name), err)
	}
	return k, nil
}

func readManifest(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, scan.Reason(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.New("this is a folder; name the file VERSIONS.md in it")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	return data, scan.Reason(err)
}

// fetch gets a manifest over https, or over http from this machine. It sends
// nothing but the request.
func fetch(ctx context.Context, address string) ([]byte, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("not a valid URL")
	}
	if err := allowed(u); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, deadline, errors.New("no response within 30 seconds"))
	defer cancel()
	client := http.Client{CheckRedirect: func(next *http.Request, via []*http.Request) error {
		if err := allowed(next.URL); err != nil {
			return fmt.Errorf("redirected to a URL that is not allowed: %w", err)
		}
		if next.URL.Scheme != u.Scheme {
			return errors.New("redirected from " + u.Scheme + " to " + next.URL.Scheme)
		}
		if len(via) >= 10 {
			return errors.New("too many redirects")
		}
		return nil
	}}
	data, err := get(ctx, &client, u)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, cause
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		return nil, e.Err // the message has the address already
	}
	return data, err
}

func get(ctx context.Context, client *http.Client, u *url.URL) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server responded with %s", response.Status)
	}
	return io.ReadAll(io.LimitReader(response.Body, maxManifest+1))
}

// allowed tells which addresses a manifest may come from.
func allowed(u *url.URL) error {
	switch {
	case u.User != nil:
		return errors.New("a URL with a username or password is not allowed")
	case u.Host == "":
		return errors.New("the URL has no host")
	case u.Scheme == "https":
		return nil
	case u.Scheme == "http" && loopback(u.Hostname()):
		return nil
	}
	return errors.New("only https URLs are allowed, or http on this machine")
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
