package browser

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Folder is a folder the visitor let the page read, as a file system. Reading
// waits for the browser, so it belongs into a goroutine of its own. Nothing of
// it leaves the page.
type Folder struct{ root *node }

// node is a file or folder in any of the three forms in which browsers hand
// them out. Name and kind are kept, and what a folder holds: asking JavaScript
// for them again and again would make large folders slow.
type node struct {
	name  string
	isDir bool
	size  int64 // of an opened file, -1 before
	// file gives a file's JavaScript File. list gives what a folder holds; it is
	// nil where that is known from the beginning.
	file func() (app.Value, error)
	list func() ([]*node, error)

	isRead   bool
	children []*node // in the order of names, once read
	err      error
}

func (n *node) Name() string       { return n.name }
func (n *node) Size() int64        { return n.size }
func (n *node) IsDir() bool        { return n.isDir }
func (n *node) ModTime() time.Time { return time.Time{} }
func (n *node) Sys() any           { return nil }
func (n *node) Mode() fs.FileMode {
	if n.isDir {
		return fs.ModeDir | 0o755
	}
	return 0o644
}

// read returns what a folder holds, and asks for it once.
func (n *node) read() ([]*node, error) {
	if !n.isRead {
		n.isRead = true
		if n.list != nil {
			n.children, n.err = n.list()
		}
		slices.SortFunc(n.children, func(a, b *node) int { return strings.Compare(a.name, b.name) })
	}
	return n.children, n.err
}

func (n *node) child(name string) (*node, error) {
	if !n.isDir {
		return nil, fs.ErrNotExist
	}
	children, err := n.read()
	at, ok := slices.BinarySearchFunc(children, name, func(c *node, name string) int { return strings.Compare(c.name, name) })
	if !ok {
		return nil, cmp.Or(err, fs.ErrNotExist)
	}
	return children[at], nil
}

// Name is the folder's own name.
func (f *Folder) Name() string { return f.root.name }

// lookup walks to a node.
func (f *Folder) lookup(op, name string) (*node, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	n := f.root
	if name == "." {
		return n, nil
	}
	for part := range strings.SplitSeq(name, "/") {
		child, err := n.child(part)
		if err != nil {
			return nil, &fs.PathError{Op: op, Path: name, Err: err}
		}
		n = child
	}
	return n, nil
}

// Open opens a file or folder. A file's content is fetched as it is read.
func (f *Folder) Open(name string) (fs.File, error) {
	n, err := f.lookup("open", name)
	if err != nil {
		return nil, err
	}
	opened := &openFile{node: n}
	if !n.isDir {
		file, err := n.file()
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		n.size = int64(file.Get("size").Float())
		opened.blob = &blob{name: n.name, value: file, size: n.size}
	}
	return opened, nil
}

// ReadDir lists a folder in the order of names.
func (f *Folder) ReadDir(name string) ([]fs.DirEntry, error) {
	n, err := f.lookup("readdir", name)
	if err != nil {
		return nil, err
	}
	children, err := n.read()
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	entries := make([]fs.DirEntry, 0, len(children))
	for _, c := range children {
		entries = append(entries, fs.FileInfoToDirEntry(c))
	}
	return entries, nil
}

// Stat describes a file or folder without opening it.
func (f *Folder) Stat(name string) (fs.FileInfo, error) {
	n, err := f.lookup("stat", name)
	if err != nil {
		return nil, err
	}
	return n, nil
}

// openFile is a file of a folder, being read.
type openFile struct {
	node *node
	blob *blob
}

func (o *openFile) Stat() (fs.FileInfo, error) { return o.node, nil }
func (o *openFile) Close() error               { return nil }

func (o *openFile) Read(into []byte) (int, error) {
	if o.node.isDir {
		return 0, &fs.PathError{Op: "read", Path: o.node.name, Err: errors.New("it is a folder")}
	}
	return o.blob.Read(into)
}

// fromList builds a folder from the files of a plain directory input, in which
// empty folders are missing; nil when the list is empty.
func fromList(files app.Value) *Folder {
	root := &node{}
	known := map[string]*node{}
	for i := range files.Length() {
		file := files.Index(i)
		at, way := root, ""
		for part := range strings.SplitSeq(file.Get("webkitRelativePath").String(), "/") {
			at.isDir = true
			way += "/" + part
			if known[way] == nil {
				known[way] = &node{name: part, size: -1}
				at.children = append(at.children, known[way])
			}
			at = known[way]
		}
		at.file = func() (app.Value, error) { return file, nil }
	}
	if len(root.children) == 0 {
		return nil
	}
	return &Folder{root: root.children[0]}
}

// fromHandle makes a node of a folder or file of the File System Access
// interface.
func fromHandle(value app.Value) *node {
	return &node{
		name: value.Get("name").String(), isDir: value.Get("kind").String() == "directory", size: -1,
		file: func() (app.Value, error) { return await(value.Call("getFile")) },
		list: func() ([]*node, error) {
			var nodes []*node
			for values := value.Call("values"); ; {
				next, err := await(values.Call("next"))
				if err != nil || next.Get("done").Bool() {
					return nodes, err
				}
				nodes = append(nodes, fromHandle(next.Get("value")))
			}
		},
	}
}

// fromEntry makes a node of a folder or file as it is dropped onto a page.
func fromEntry(value app.Value) *node {
	return &node{
		name: value.Get("name").String(), isDir: value.Get("isDirectory").Bool(), size: -1,
		file: func() (app.Value, error) { return callback(value, "file") },
		list: func() ([]*node, error) {
			var nodes []*node
			for reader := value.Call("createReader"); ; {
				// A reader gives a hundred or so at a time, and none at the end.
				some, err := callback(reader, "readEntries")
				if err != nil || some.Length() == 0 {
					return nodes, err
				}
				for i := range some.Length() {
					nodes = append(nodes, fromEntry(some.Index(i)))
				}
			}
		},
	}
}

// callback calls a method of the older style, with a function for success and
// one for failure, and waits.
func callback(on app.Value, method string) (app.Value, error) {
	executor := app.FuncOf(func(_ app.Value, args []app.Value) any {
		on.Call(method, args[0], args[1])
		return nil
	})
	defer executor.Release()
	return await(app.Window().Get("Promise").New(executor))
}

// PickFolder asks the visitor for a folder, in browsers that have a picker
// which reads on demand. It must be called while a click is handled; then gets
// nil when the visitor thought better of it.
func PickFolder(ctx app.Context, then func(ctx app.Context, f *Folder)) {
	if !app.Window().Get("showDirectoryPicker").Truthy() {
		return
	}
	asked := app.Window().Call("showDirectoryPicker")
	ctx.Async(func() {
		var f *Folder
		if value, err := await(asked); err == nil {
			f = &Folder{root: fromHandle(value)}
		}
		ctx.Dispatch(func(ctx app.Context) { then(ctx, f) })
	})
}

// Chosen returns the folder chosen in the directory input with that ID, nil
// when none is.
func Chosen(id string) *Folder {
	input := byID(id)
	if !input.Truthy() || !input.Get("files").Truthy() {
		return nil
	}
	return fromList(input.Get("files"))
}

// Dropped returns the folder in a drop event, nil when there is none: files
// are not folders, and of several folders the first counts.
func Dropped(e app.Event) *Folder {
	items := e.Get("dataTransfer").Get("items")
	if !items.Truthy() {
		return nil
	}
	for i := range items.Length() {
		value := items.Index(i).Call("webkitGetAsEntry")
		if value.Truthy() && value.Get("isDirectory").Bool() {
			return &Folder{root: fromEntry(value)}
		}
	}
	return nil
}

// Download gives the visitor a file to keep.
func Download(name, contentType string, data []byte) {
	bytes := app.Window().Get("Uint8Array").New(len(data))
	app.CopyBytesToJS(bytes, data)
	blob := app.Window().Get("Blob").New([]any{bytes}, map[string]any{"type": contentType})
	address := app.Window().Get("URL").Call("createObjectURL", blob)
	link := document().Call("createElement", "a")
	link.Set("href", address)
	link.Set("download", name)
	document().Get("body").Call("append", link)
	link.Call("click")
	link.Call("remove")
	// Some browsers read the address only after the click is over.
	time.AfterFunc(time.Minute, func() { app.Window().Get("URL").Call("revokeObjectURL", address) })
}

// WhenNear calls do each time the element with that ID comes near the
// visible part of the page, until stop is called. do runs outside the UI
// goroutine.
func WhenNear(id string, do func()) (stop func()) {
	element := byID(id)
	if !element.Truthy() {
		return func() {}
	}
	seen := app.FuncOf(func(_ app.Value, args []app.Value) any {
		for i := range args[0].Length() {
			if args[0].Index(i).Get("isIntersecting").Bool() {
				do()
			}
		}
		return nil
	})
	observer := app.Window().Get("IntersectionObserver").New(seen, map[string]any{"rootMargin": "600px"})
	observer.Call("observe", element)
	return func() {
		observer.Call("disconnect")
		seen.Release()
	}
}
