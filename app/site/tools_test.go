package site

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"marketingskills/app/browser"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/collection/registry"
	"marketingskills/app/pages/catalog"
	"marketingskills/app/search"
)

func TestToolsPage(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		tools := load(t, content).Tools
		verify(t, files, "tools/index.html",
			count(".Row", len(tools.Tools)), in("#count", says(fmt.Sprintf("%d tasks, %d tools", len(tools.Tasks), len(tools.Tools)))),
			in("form[role=search]", attribute("action", base+"tools/")),
			each("#way option", "Any", "API", "MCP", "CLI", "SDK"),
			in("#elsewhere[hidden]"), in(`script[data-start=intent]`),
		)
		for _, c := range tools.Categories {
			verify(t, files, "tools/index.html", in("#shelf-"+markdown.Slug(c.Name),
				in("h2", says(c.Name)), in(".Group-advice summary", says("Use these to "+plainText(c.Advice[0]))),
				each(".Group-advice p", "Not when: "+plainText(c.Advice[1]), "Free way: "+plainText(c.Advice[2]), "Advice: "+plainText(c.Advice[3]))))
		}
	})
}

// TestTasksOnThePage: the page begins with the tasks, each with all of its tools,
// and tools lead back to their tasks.
func TestTasksOnThePage(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		tools := load(t, content).Tools
		page := []check{in("#tasks:not([hidden])"), in("#tasks + .Tasks-end:not([hidden])"), count(".Task", len(tools.Tasks))}
		guides := map[string][]check{}
		for _, task := range tools.Tasks {
			first := "First choice" + plainText(task.First)
			for i, tool := range tools.Under(task) {
				if i == len(task.Begins) {
					first += "Also: " + tool.Name
				} else if i > len(task.Begins) {
					first += " · " + tool.Name
				}
				back := ` a[href$="#task-` + task.ID() + `"]`
				page = append(page, has(`#task-`+task.ID()+` a[href="`+base+`tools/`+tool.ID+`/"]`), has(`.Row[data-name="`+tool.ID+`"] .Row-for`+back))
				guides[tool.ID] = append(guides[tool.ID], has(".Facts-column"+back))
			}
			page = append(page, in("#task-"+task.ID(), each("th", task.Name),
				each("td", first, "Free way"+plainText(task.Free), "Not when"+plainText(task.NotWhen))))
		}
		for command, path := range commandPages {
			if !tools.HasCommand(registry.CommandsDir + "/" + command) {
				t.Errorf("there is no command %s", command)
			}
			if strings.Contains(string(files[registry.File]), "](clis/"+command+"/)") {
				page = append(page, has(`.Task a[href="`+base+path+`"]`))
			}
		}
		verify(t, files, "tools/index.html", page...)
		for id, checks := range guides {
			verify(t, files, "tools/"+id+"/index.html", checks...)
		}
	})
}

func TestToolPages(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		c := load(t, content)
		for _, tool := range c.Tools.Tools {
			row := fmt.Sprintf(`.Row[data-name="%s"]`, tool.ID)
			ways := strings.Join(tool.Ways, " · ")
			if ways == "" {
				ways = "by hand"
			}
			verify(t, files, "tools/index.html", in(row, in(`.Row-title[href="`+base+`tools/`+tool.ID+`/"]`, says(tool.Name)),
				in(".Row-facts", mentions(ways))))
			verify(t, files, "tools/"+tool.ID+"/index.html",
				in("h1", says(tool.Name)), each(".Crumbs a", "Tools", tool.Category),
				in(`link[type="text/markdown"]`, attribute("href", base+tool.Guide.File)),
				fact("Category", tool.Category), fact("Checked", day(tool.Guide.Checked)))
			if page := string(files["tools/"+tool.ID+"/index.html"]); strings.Contains(page, ">JSON<") != strings.Contains(page, ">Response, shortened<") {
				t.Errorf("what %s answers is not labelled", tool.ID)
			}
			source, err := fs.ReadFile(content, tool.Guide.File)
			if err != nil || string(files[tool.Guide.File]) != string(source) {
				t.Errorf("%s is not published as it is: %v", tool.Guide.File, err)
			}
			for _, name := range tool.Guide.Skills {
				verify(t, files, "tools/"+tool.ID+"/index.html", has(`.Article a[href="`+base+`skills/`+name+`/"]`))
				verify(t, files, "skills/"+name+"/index.html", has(`.Facts-column a[href="`+base+`tools/`+tool.ID+`/"]`))
			}
		}
	})
}

// TestToolsAreFound: the index that the tools' page names finds each tool by
// its name, and the home page names the same index.
func TestToolsAreFound(t *testing.T) {
	files := build(t, testConfig("/"))
	indexOf := func(page string) string {
		var data struct{ Content catalog.Data }
		verify(t, files, page, in("script#"+browser.DataID, func(n *html.Node) error { return json.Unmarshal([]byte(textContent(n)), &data) }))
		if data.Content.Also != nil {
			return data.Content.Also.Index
		}
		return data.Content.Index
	}
	address := indexOf("tools/index.html")
	if home := indexOf("index.html"); home != address {
		t.Errorf("the home page names %s, the tools' page %s", home, address)
	}
	index, err := search.Decode(files[strings.TrimPrefix(address, "/")])
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range load(t, content).Tools.Tools {
		for _, words := range []string{tool.Name, tool.ID} {
			if hits := index.Search(words, "").Hits; len(hits) == 0 || hits[0].Name != tool.ID || index.Title(hits[0].Doc) != tool.Name {
				t.Errorf("%q does not find %s first: %v", words, tool.ID, hits[:min(3, len(hits))])
			}
		}
	}
}
