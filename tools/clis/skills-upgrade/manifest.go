package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"marketingskills"
	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/manifest/versionsfile"
	"marketingskills/app/text"
	"marketingskills/app/upgrade/scan"
)

// maxManifest is the most bytes of a manifest that is not compiled in.
const maxManifest = 4 << 20

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
func otherManifest(name string) (k known, err error) {
	data, err := readManifest(name)
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
