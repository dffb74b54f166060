package browser

import (
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
type Folder struct{ root node }

// node is a file or folder in one of the three forms browsers hand them out.
// Names and kinds are kept: asking JavaScript for them again and again would
// make large folders slow.
type node interface {
	name() string
	isDir() bool
	children() ([]node, error)
	child(name string) (node, error)
	file() (app.Value, error) // a JavaScript File
}

// lookup walks to a node and remembers nothing: folders are read once each.
func (f *Folder) lookup(op, name string) (node, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	n := f.root
	if name == "." {
		return n, nil
	}
	for part := range strings.SplitSeq(name, "/") {
		if !n.isDir() {
			return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
		}
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
	opened := &openFile{info: info{node: n}}
	if !n.isDir() {
		file, err := n.file()
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		opened.info.size = int64(file.Get("size").Float())
		opened.blob = &blob{name: n.name(), value: file, size: opened.info.size}
	}
	return opened, nil
}

// ReadDir lists a folder in the order of names.
func (f *Folder) ReadDir(name string) ([]fs.DirEntry, error) {
	n, err := f.lookup("readdir", name)
	if err != nil {
		return nil, err
	}
	children, err := n.children()
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	entries := make([]fs.DirEntry, 0, len(children))
	for _, c := range children {
		entries = append(entries, fs.FileInfoToDirEntry(info{node: c, size: -1}))
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// Stat describes a file or folder without opening it; sizes are not known.
func (f *Folder) Stat(name string) (fs.FileInfo, error) {
	n, err := f.lookup("stat", name)
	if err != nil {
		return nil, err
	}
	return info{node: n, size: -1}, nil
}

type info struct {
	node node
	size int64
}

func (i info) Name() string       { return i.node.name() }
func (i info) Size() int64        { return i.size }
func (i info) IsDir() bool        { return i.node.isDir() }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) Sys() any           { return nil }
func (i info) Mode() fs.FileMode {
	if i.node.isDir() {
		return fs.ModeDir | 0o755
	}
	return 0o644
}

// openFile is a file of a folder, being read.
type openFile struct {
	info info
	blob *blob
}

func (o *openFile) Stat() (fs.FileInfo, error) { return o.info, nil }
func (o *openFile) Close() error               { return nil }

func (o *openFile) Read(into []byte) (int, error) {
	if o.info.IsDir() {
		return 0, &fs.PathError{Op: "read", Path: o.info.Name(), Err: errors.New("it is a folder")}
	}
	return o.blob.Read(into)
}

// listed is a folder made of a flat list of files, as a plain directory input
// gives it. Empty folders are not in such a list.
type listed struct {
	own    string
	parts  []node
	byName map[string]*listed
	leaf   app.Value
}

func (l *listed) name() string              { return l.own }
func (l *listed) isDir() bool               { return l.leaf == nil }
func (l *listed) children() ([]node, error) { return l.parts, nil }
func (l *listed) file() (app.Value, error)  { return l.leaf, nil }

func (l *listed) child(name string) (node, error) {
	if c, ok := l.byName[name]; ok {
		return c, nil
	}
	return nil, fs.ErrNotExist
}

func (l *listed) grow(name string) *listed {
	if c, ok := l.byName[name]; ok {
		return c
	}
	c := &listed{own: name, byName: map[string]*listed{}}
	l.byName[name] = c
	l.parts = append(l.parts, c)
	return c
}

// fromList builds a folder from the files of a directory input; nil when the
// list is empty.
func fromList(files app.Value) *Folder {
	root := &listed{byName: map[string]*listed{}}
	for i := range files.Length() {
		file := files.Index(i)
		at := root
		for part := range strings.SplitSeq(file.Get("webkitRelativePath").String(), "/") {
			at = at.grow(part)
		}
		at.leaf = file
	}
	if len(root.parts) == 0 {
		return nil
	}
	return &Folder{root: root.parts[0]}
}

// asked is what handles and entries have in common: a name, a kind, and for a
// folder its content, asked for once.
type asked struct {
	own    string
	dir    bool
	read   bool
	nodes  []node
	byName map[string]node
	err    error
}

func (a *asked) name() string { return a.own }
func (a *asked) isDir() bool  { return a.dir }

func (a *asked) once(list func() ([]node, error)) ([]node, error) {
	if !a.read {
		a.read = true
		a.nodes, a.err = list()
		a.byName = make(map[string]node, len(a.nodes))
		for _, n := range a.nodes {
			a.byName[n.name()] = n
		}
	}
	return a.nodes, a.err
}

func (a *asked) find(name string, err error) (node, error) {
	if n, ok := a.byName[name]; ok {
		return n, nil
	}
	if err == nil {
		err = fs.ErrNotExist
	}
	return nil, err
}

// handle is a folder or file of the newer File System Access interface.
type handle struct {
	asked
	value app.Value
}

func newHandle(value app.Value) *handle {
	return &handle{
		asked: asked{own: value.Get("name").String(), dir: value.Get("kind").String() == "directory"},
		value: value,
	}
}

func (h *handle) file() (app.Value, error) { return await(h.value.Call("getFile")) }

func (h *handle) child(name string) (node, error) {
	_, err := h.children()
	return h.find(name, err)
}

func (h *handle) children() ([]node, error) {
	return h.once(func() ([]node, error) {
		var nodes []node
		for values := h.value.Call("values"); ; {
			next, err := await(values.Call("next"))
			if err != nil || next.Get("done").Bool() {
				return nodes, err
			}
			nodes = append(nodes, newHandle(next.Get("value")))
		}
	})
}

// entry is a folder or file as it is dropped onto a page.
type entry struct {
	asked
	value app.Value
}

func newEntry(value app.Value) *entry {
	return &entry{
		asked: asked{own: value.Get("name").String(), dir: value.Get("isDirectory").Bool()},
		value: value,
	}
}

func (e *entry) file() (app.Value, error) { return callback(e.value, "file") }

func (e *entry) child(name string) (node, error) {
	_, err := e.children()
	return e.find(name, err)
}

func (e *entry) children() ([]node, error) {
	return e.once(func() ([]node, error) {
		var nodes []node
		for reader := e.value.Call("createReader"); ; {
			// A reader gives a hundred or so at a time, and none at the end.
			some, err := callback(reader, "readEntries")
			if err != nil || some.Length() == 0 {
				return nodes, err
			}
			for i := range some.Length() {
				nodes = append(nodes, newEntry(some.Index(i)))
			}
		}
	})
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
	if app.IsServer || !app.Window().Get("showDirectoryPicker").Truthy() {
		return
	}
	asked := app.Window().Call("showDirectoryPicker")
	ctx.Async(func() {
		var f *Folder
		if value, err := await(asked); err == nil {
			f = &Folder{root: newHandle(value)}
		}
		ctx.Dispatch(func(ctx app.Context) { then(ctx, f) })
	})
}

// Chosen returns the folder chosen in the directory input with that ID, nil
// when none is.
func Chosen(id string) *Folder {
	if app.IsServer {
		return nil
	}
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
			return &Folder{root: newEntry(value)}
		}
	}
	return nil
}

// Download gives the visitor a file to keep.
func Download(name, contentType string, data []byte) {
	if app.IsServer {
		return
	}
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
	if app.IsServer || !element.Truthy() {
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
