package browser

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// The places of a page's document that the generator fills and this package
// reads.
const (
	// DataID is the ID of the script element that holds a page's JSON.
	DataID = "page-data"
	// ArticleMark is the attribute of the element that is a page's article.
	ArticleMark = "data-article"
)

// Document is what a page's HTML document carries.
type Document struct {
	Title       string
	Description string
	Canonical   string
	// Data is the page's JSON, Article the HTML of its article's element.
	Data    string
	Article string
}

// Here returns the document the visitor is at.
func Here() Document {
	return read(document())
}

// FetchDocument gets another page of the site and hands it to then on the UI
// goroutine.
func FetchDocument(ctx app.Context, at Address, then func(ctx app.Context, d Document, err error)) {
	Fetch(ctx, Address{Path: at.Path, Query: at.Query}.String(), func(ctx app.Context, body []byte, err error) {
		if err != nil {
			then(ctx, Document{}, err)
			return
		}
		parsed := app.Window().Get("DOMParser").New().Call("parseFromString", string(body), "text/html")
		then(ctx, read(parsed), nil)
	})
}

func read(doc app.Value) Document {
	d := Document{
		Title:       doc.Get("title").String(),
		Description: attribute(doc, `meta[name="description"]`, "content"),
		Canonical:   attribute(doc, `link[rel="canonical"]`, "href"),
	}
	if data := doc.Call("getElementById", DataID); data.Truthy() {
		d.Data = data.Get("textContent").String()
	}
	if article := doc.Call("querySelector", "["+ArticleMark+"]"); article.Truthy() {
		d.Article = article.Get("outerHTML").String()
	}
	return d
}

func attribute(doc app.Value, selector, name string) string {
	if e := doc.Call("querySelector", selector); e.Truthy() {
		return e.Call("getAttribute", name).String()
	}
	return ""
}

// Adopt gives the present document another one's title and metadata.
func Adopt(d Document) {
	document().Set("title", d.Title)
	for selector, set := range map[string][2]string{
		`meta[name="description"]`: {"content", d.Description},
		`link[rel="canonical"]`:    {"href", d.Canonical},
	} {
		if e := document().Call("querySelector", selector); e.Truthy() {
			e.Call("setAttribute", set[0], set[1])
		}
	}
}

// Leave lets the browser itself go to an address.
func Leave(to Address) {
	app.Window().Get("location").Call("assign", to.String())
}
