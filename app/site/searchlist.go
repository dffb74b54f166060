package site

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"marketingskills/app/collection"
	"marketingskills/app/collection/facts"
	"marketingskills/app/collection/skill"
	"marketingskills/app/pages"
	"marketingskills/app/search"
	"marketingskills/app/text"
)

// searchList is what the search that opens over every page can find, by kind.
// Skills, tasks, references, news and tools are in the order of the documents in
// their indexes.
type searchList struct {
	Indexes map[string]string        `json:"indexes"`
	Entries map[string][]searchEntry `json:"entries"`
}

// searchEntry is a thing to find.
type searchEntry struct {
	Title string `json:"title"`
	// Path is below the site's base.
	Path string `json:"path"`
	// Where says what it belongs to, "" if to nothing.
	Where string `json:"where"`
	About string `json:"about"`
	// Words are other words by which it is looked for, separated by line feeds.
	Words string `json:"words"`
}

// ownPages are the pages of the site that are not made from a text.
var ownPages = []searchEntry{
	{Path: pages.PathCatalog, Title: "Catalog", Words: "all skills\nhome\nskill list", About: "All skills, with search and categories."},
	{
		Path: "#new", Title: "What is a skill?", Words: "what are skills\nnew to skills\nhow do skills work\ngetting started",
		About: "A folder of instructions that your AI agent opens when a task needs it. Install one, then ask as usual.",
	},
	{
		Path: pages.PathVerify, Title: "Verify email addresses", About: "Check a list of emails for typing errors and dead addresses.",
		Words: "email verification\nemail verifier\nemail checker\nemail validation\n" +
			"check emails\nvalidate emails\nemail bounces\nclean email list",
	},
	{
		Path: pages.PathUpgrade, Title: "Upgrade", About: "Find the skill folders of release 1.x that were renamed, and what to do about each.",
		Words: "upgrade checker\nrenamed skills\nold skill names\nmigrate from 1.x\nstale folders",
	},
	{
		Path: pages.PathProspects, Title: "Prospects", About: "Find people on GitHub by repository, place or company, and their public emails.",
		Words: "find prospects\ngithub prospects\nprospect extraction\nlead list\nstargazers\nfind leads",
	},
	{
		Path: pages.PathTools, Title: "Tools", About: "The right tool for each job, and how to connect it.",
		Words: "all tools\ntool registry\nintegration guides\nmcp servers",
	},
	{
		Path: pages.PathNews, Title: newsTitle, About: "Platform rules, law and ad prices, by month, each with its source.",
		Words: "news\nmarketing news\nnew rules\nnew laws\nplatform changes\nwhat agents get wrong\nfacts",
	},
	{
		Path: pages.PathTryouts, Title: "Do the skills help?", About: "How the skills were tried, and how sure that is.",
		Words: "tryouts\ntrials\nare skills any good\nevidence\nbenchmark\nevaluation results",
	},
	{
		Path: pages.PathMap, Title: mapTitle, About: "Which skill leads to which, by category.",
		Words: "skill map\noverview\nall skills at a glance\nrelated skills\nwhich skill",
	},
	{
		Path: pages.PathChangelog, Title: "Changelog", About: "What each release changed.",
		Words: "release notes\nwhat is new\nwhat's new\nversions\nreleases",
	},
}

// referenceDocuments are the references of all skills, without the two answers,
// which are about somebody's product.
func (g *generator) referenceDocuments() []search.Document {
	var documents []search.Document
	for _, s := range g.collection.Skills {
		when := openWhen(s)
		for _, t := range s.References() {
			if t.File == skill.TwoAnswers || t.File == facts.Reference { // the news have each fact once
				continue
			}
			d := search.Document{
				Name: s.Dir + "/" + path.Base(t.File), Title: t.Title, Category: s.Title,
				Description: when[t.File], Body: t.Doc.Text(),
			}
			for _, h := range t.Doc.Headings {
				d.Headings = append(d.Headings, h.Text)
			}
			documents = append(documents, d)
		}
	}
	return documents
}

// openWhen returns what SKILL.md says of each reference, by the target of its link.
func openWhen(s *collection.Skill) map[string]string {
	when := map[string]string{}
	main, _ := s.Text(skill.MainFile)
	for _, block := range main.Doc.Section("References") {
		if len(block.Links) > 0 {
			_, words, _ := strings.Cut(plainText(block.Text), ": ")
			when[block.Links[0].Target] = words
		}
	}
	return when
}

// addSearchList adds the list and the indexes that rank it, and returns the URL of
// the list.
func (g *generator) addSearchList(a assets) (string, error) {
	references := g.referenceDocuments()
	index, err := g.addSearchIndex("search-references.json", references)
	if err != nil {
		return "", err
	}
	newsDocuments := g.newsDocuments()
	news, err := g.addSearchIndex("search-news.json", newsDocuments)
	if err != nil {
		return "", err
	}
	list := searchList{
		Indexes: map[string]string{"skill": a.skills, "tool": a.tools, "task": a.tasks, "reference": index, "news": news},
		Entries: map[string][]searchEntry{"page": ownPages},
	}
	for _, d := range g.skillDocuments() {
		words := append([]string{d.Name}, d.Keywords...)
		for _, old := range d.OldNames {
			words = append(words, old.Name)
		}
		list.Entries["skill"] = append(list.Entries["skill"], searchEntry{
			Title: d.Title, Path: skillPath(d.Name), Where: d.Category, About: d.Shown(), Words: strings.Join(words, "\n"),
		})
	}
	for i, d := range g.taskDocuments() {
		list.Entries["task"] = append(list.Entries["task"], searchEntry{
			Title: d.Title, Path: taskPath(g.collection.Tools.Tasks[i]), Where: d.Category,
			About: d.Description, Words: strings.Join(d.Keywords, "\n"),
		})
	}
	for _, d := range references {
		of, file := path.Split(d.Name)
		list.Entries["reference"] = append(list.Entries["reference"], searchEntry{
			Title: d.Title, Path: referencePath(path.Clean(of), "references/"+file), Where: d.Category,
			About: text.Capital(d.Description),
		})
	}
	for _, d := range newsDocuments {
		list.Entries["news"] = append(list.Entries["news"], searchEntry{
			Title: d.Title, Path: pages.PathNews + "#" + d.Name, Where: d.Category, About: text.Clip(d.Description, 120),
		})
	}
	for _, d := range g.toolDocuments() {
		list.Entries["tool"] = append(list.Entries["tool"], searchEntry{
			Title: d.Title, Path: toolPath(d.Name), Where: d.Category, About: d.Description, Words: d.Name,
		})
	}
	data, err := json.Marshal(list)
	if err != nil {
		return "", fmt.Errorf("writing the list that is searched: %w", err)
	}
	return g.addVersioned("search-list.json", data), nil
}
