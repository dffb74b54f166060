package site

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"marketingskills/app/collection"
	"marketingskills/app/collection/facts"
	"marketingskills/app/collection/registry"
	"marketingskills/app/pages"
	"marketingskills/app/pages/changelog"
	"marketingskills/app/search"
)

// addMachineFiles adds the files for programs: the texts as they are, archives,
// and lists in several formats.
func (g *generator) addMachineFiles() error {
	for _, s := range g.collection.Skills {
		if err := g.addSkillFiles(s); err != nil {
			return err
		}
	}
	for _, t := range g.collection.Tools.Texts {
		g.files[t.File] = []byte(t.Body)
	}
	versions, err := fs.ReadFile(g.content, "VERSIONS.md")
	if err != nil {
		return fmt.Errorf("copying the manifest: %w", err)
	}
	g.files["VERSIONS.md"] = versions
	for name, write := range map[string]func() ([]byte, error){
		"catalog.json":  g.catalogJSON,
		"tools.json":    g.toolsJSON,
		"versions.json": func() ([]byte, error) { return json.Marshal(g.collection.Manifest) },
		"feed.xml":      g.releaseFeed,
		newsFeedPath:    g.newsFeed,
		"facts.json":    g.factsJSON,
		"sitemap.xml":   g.sitemap,
		discoveryFile:   g.discovery,
	} {
		if g.files[name], err = write(); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
	}
	g.files["robots.txt"] = fmt.Appendf(nil, "User-agent: *\nAllow: /\n\nSitemap: %s\n", g.absolute("sitemap.xml"))
	g.files["llms.txt"] = g.llmsText()
	return nil
}

// addSkillFiles adds a skill's files, in the layout of its folder so that their
// links work, and an archive of them.
func (g *generator) addSkillFiles(s *collection.Skill) error {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, file := range s.Files {
		data, err := fs.ReadFile(g.content, path.Join("skills", s.Dir, file))
		if err != nil {
			return fmt.Errorf("copying the skill %s: %w", s.Dir, err)
		}
		g.files[skillPath(s.Dir)+file] = data
		if strings.ContainsAny(file, `\:`) {
			return fmt.Errorf("packing the skill %s: %q would be unpacked elsewhere on Windows; rename it", s.Dir, file)
		}
		// The time is fixed and there are no other attributes, so that the same skill
		// gives the same archive on every machine.
		entry, err := w.CreateHeader(&zip.FileHeader{
			Name:     file,
			Method:   zip.Deflate,
			Modified: time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC),
		})
		if err == nil {
			_, err = entry.Write(data)
		}
		if err != nil {
			return fmt.Errorf("packing the skill %s: %w", s.Dir, err)
		}
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("packing the skill %s: %w", s.Dir, err)
	}
	g.files[archivePath(s.Dir)] = packed.Bytes()
	return nil
}

// addSearchIndex adds the search index of some documents and returns its URL.
func (g *generator) addSearchIndex(file string, documents []search.Document) (string, error) {
	data, err := search.Compile(documents)
	if err != nil {
		return "", fmt.Errorf("compiling %s: %w", file, err)
	}
	return g.addVersioned(file, data), nil
}

func (g *generator) skillDocuments() []search.Document {
	var documents []search.Document
	for _, s := range g.collection.Skills {
		d := search.Document{
			Name: s.Dir, Title: s.Title, Category: s.Category,
			Description: s.Description, Summary: s.Summary, Keywords: s.Keywords,
		}
		for _, r := range g.collection.Manifest.Renames {
			if r.New == s.Dir {
				d.OldNames = append(d.OldNames, search.OldName{Name: r.Old, Kind: string(r.Kind), Release: string(r.Release)})
			}
		}
		for _, t := range s.Texts {
			if t.File == facts.Reference { // several skills share a fact, and the news have it
				continue
			}
			for _, h := range t.Doc.Headings {
				if !slices.Contains(collection.CommonSections, h.Text) {
					d.Headings = append(d.Headings, h.Text)
				}
			}
			d.Body += t.Doc.Text()
		}
		documents = append(documents, d)
	}
	return documents
}

// catalogEntry is one skill in catalog.json.
type catalogEntry struct {
	Name        string   `json:"name"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Category    string   `json:"category"`
	Version     string   `json:"version"`
	Updated     string   `json:"updated"`
	Page        string   `json:"page"`
	Markdown    string   `json:"markdown"`
	Archive     string   `json:"archive"`
	SHA256      string   `json:"sha256"`
	References  []string `json:"references"`
	Evals       int      `json:"evals"`
	OldNames    []string `json:"old_names"`
	Related     []string `json:"related"`
}

func (g *generator) catalogJSON() ([]byte, error) {
	entries := make([]catalogEntry, 0, len(g.collection.Skills))
	for _, s := range g.collection.Skills {
		row, _ := g.collection.Manifest.Row(s.Dir)
		e := catalogEntry{
			Name: s.Dir, Title: s.Title, Description: s.Description, Category: s.Category,
			Version: s.Version, Updated: row.Updated,
			Page:       g.absolute(skillPath(s.Dir)),
			Markdown:   g.absolute(skillPath(s.Dir) + "SKILL.md"),
			Archive:    g.absolute(archivePath(s.Dir)),
			SHA256:     g.archiveSum(s.Dir),
			References: []string{}, OldNames: []string{}, Related: []string{},
			Evals: len(s.Evals),
		}
		for _, t := range s.References() {
			e.References = append(e.References, g.absolute(skillPath(s.Dir)+t.File))
		}
		e.OldNames = append(e.OldNames, g.collection.Manifest.OldNames(s.Dir)...)
		e.Related = append(e.Related, g.related[s.Dir]...)
		entries = append(entries, e)
	}
	return readableJSON(struct {
		Release  string         `json:"release"`
		Versions string         `json:"versions"`
		Skills   []catalogEntry `json:"skills"`
	}{g.release.Version, g.absolute("VERSIONS.md"), entries})
}

// readableJSON writes JSON that people can read, too: indented, with < and & as
// they are.
func readableJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	err := out.Encode(v)
	return b.Bytes(), err
}

// archiveSum returns the SHA-256 of a skill's archive, in hexadecimal.
func (g *generator) archiveSum(dir string) string {
	sum := sha256.Sum256(g.files[archivePath(dir)])
	return hex.EncodeToString(sum[:])
}

// The elements of an Atom feed (RFC 4287) that a list of releases needs.
type (
	atomFeed struct {
		XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		Title   string      `xml:"title"`
		ID      string      `xml:"id"`
		Updated string      `xml:"updated"`
		Author  string      `xml:"author>name"`
		Links   []atomLink  `xml:"link"`
		Entries []atomEntry `xml:"entry"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr"`
		Href string `xml:"href,attr"`
	}
	atomEntry struct {
		Title   string      `xml:"title"`
		ID      string      `xml:"id"`
		Updated string      `xml:"updated"`
		Link    atomLink    `xml:"link"`
		Content atomContent `xml:"content"`
	}
	atomContent struct {
		Type string `xml:"type,attr"`
		Text string `xml:",chardata"`
	}
)

func (g *generator) releaseFeed() ([]byte, error) {
	f := atomFeed{
		Title:  "Marketing Skills: releases",
		ID:     g.absolute(""),
		Author: "Marketing Skills",
		Links: []atomLink{
			{Rel: "self", Href: g.absolute("feed.xml")},
			{Rel: "alternate", Href: g.absolute(pages.PathChangelog)},
		},
	}
	for _, r := range g.collection.Manifest.History() {
		at := r.Date + "T00:00:00Z"
		f.Updated = max(f.Updated, at)
		var text strings.Builder
		for _, change := range r.Changes {
			if label := change.Label(); label != "" {
				text.WriteString(label + ": ")
			}
			text.WriteString(plainText(change.Text) + "\n")
		}
		address := g.absolute(pages.PathChangelog) + "#" + changelog.ReleaseID(r.Name())
		f.Entries = append(f.Entries, atomEntry{
			Title: r.Name(), ID: address, Updated: at,
			Link:    atomLink{Rel: "alternate", Href: address},
			Content: atomContent{Type: "text", Text: text.String()},
		})
	}
	return marshalXML(f)
}

type sitemapURL struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod,omitempty"`
}

func (g *generator) sitemap() ([]byte, error) {
	var urls struct {
		XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		URLs    []sitemapURL `xml:"url"`
	}
	for _, p := range g.pages {
		if p.Kind == pages.KindMissing {
			continue
		}
		u := sitemapURL{Loc: g.absolute(p.Path)}
		if name, _, ok := strings.Cut(strings.TrimPrefix(p.Path, "skills/"), "/"); ok {
			if row, ok := g.collection.Manifest.Row(name); ok {
				u.LastMod = row.Updated
			}
		}
		urls.URLs = append(urls.URLs, u)
	}
	return marshalXML(urls)
}

func marshalXML(v any) ([]byte, error) {
	body, err := xml.MarshalIndent(v, "", "  ")
	return append([]byte(xml.Header), append(body, '\n')...), err
}

// llmsText writes llms.txt, which tells language models what is on the site and
// where its texts are (llmstxt.org).
func (g *generator) llmsText() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Marketing Skills\n\n> %s for AI agents. Each is a folder with SKILL.md, references and evals. Release %s.\n\n",
		countInWords(len(g.collection.Skills), "marketing skill"), g.release.Version)
	fmt.Fprintf(&b, "Compare your versions with [VERSIONS.md](%s) to see whether an update is there; "+
		"[catalog.json](%s) lists every skill with its archive and checksum.\n\n## Skills\n\n",
		g.absolute("VERSIONS.md"), g.absolute("catalog.json"))
	for _, s := range g.collection.Skills {
		fmt.Fprintf(&b, "- [%s](%s): %s\n", s.Title, g.absolute(skillPath(s.Dir)+"SKILL.md"), s.Description)
	}
	if n := len(g.collection.Tools.Tools); n > 0 {
		fmt.Fprintf(&b, "\n## Tools\n\n- [%s](%s): which of %d tools to use for which task, with a guide for each.\n"+
			"- [tools.json](%s): the same for programs.\n",
			path.Base(registry.File), g.absolute(registry.File), n, g.absolute("tools.json"))
	}
	return []byte(b.String())
}
