package browser

import (
	"io"
	"io/fs"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Value returns what stands in the field with that ID; ok is false when the
// document has no such field.
func Value(id string) (value string, ok bool) {
	field := byID(id)
	if !field.Truthy() {
		return "", false
	}
	return field.Get("value").String(), true
}

// Source is the field or button whose handler runs.
type Source struct {
	Name, Value string
	Ticked      bool // of a box or choice
}

// SourceOf reads the field or button whose handler runs.
func SourceOf(ctx app.Context) Source {
	field := ctx.JSSrc()
	return Source{field.Get("name").String(), field.Get("value").String(), field.Get("checked").Truthy()}
}

// SetValue puts a value into the field with that ID, unless it stands there
// already: setting it would move the cursor.
func SetValue(id, value string) {
	if present, ok := Value(id); ok && present != value {
		byID(id).Set("value", value)
	}
}

// Fields returns what stands in the fields of the form with that ID, by their
// names: of boxes and choices those that are ticked. It is nil when the
// document has no such form.
func Fields(id string) map[string]string {
	form := byID(id)
	if !form.Truthy() {
		return nil
	}
	values := map[string]string{}
	elements := form.Get("elements")
	for i := range elements.Length() {
		field := elements.Index(i)
		name, kind := field.Get("name").String(), field.Get("type").String()
		ticked := kind != "checkbox" && kind != "radio" || field.Get("checked").Bool()
		if name != "" && kind != "file" && ticked {
			values[name] = field.Get("value").String()
		}
	}
	return values
}

// SetFields makes the form with that ID say the given values, by the names of
// its fields, as Fields reads them. Fields that are not among them are emptied,
// choices take the first option.
func SetFields(id string, values map[string]string) {
	form := byID(id)
	if !form.Truthy() {
		return
	}
	elements := form.Get("elements")
	for i := range elements.Length() {
		field := elements.Index(i)
		value := values[field.Get("name").String()]
		switch kind := field.Get("type").String(); {
		case field.Get("name").String() == "" || kind == "file":
		case kind == "checkbox" || kind == "radio":
			field.Set("checked", field.Get("value").String() == value)
		case kind == "select-one" && value == "":
			field.Set("selectedIndex", 0)
		default:
			field.Set("value", value)
		}
	}
}

// ChosenFile returns the file chosen in the input with that ID, to be read in
// a goroutine of its own: reading waits for the browser. ok is false when none
// is chosen. The input is cleared, so that the same file can be chosen again.
func ChosenFile(id string) (name string, content io.Reader, ok bool) {
	input := byID(id)
	if !input.Truthy() || input.Get("files").Length() == 0 {
		return "", nil, false
	}
	name, content = readerOf(input.Get("files").Index(0))
	input.Set("value", "")
	return name, content, true
}

// DroppedFile returns the first file in a drop event as ChosenFile does.
func DroppedFile(e app.Event) (name string, content io.Reader, ok bool) {
	e.PreventDefault()
	files := e.Get("dataTransfer").Get("files")
	if files.Length() == 0 {
		return "", nil, false
	}
	name, content = readerOf(files.Index(0))
	return name, content, true
}

func readerOf(file app.Value) (name string, content io.Reader) {
	name = file.Get("name").String()
	return name, &blob{name: name, value: file, size: int64(file.Get("size").Float())}
}

// blob reads a JavaScript Blob piece by piece, so that the beginning of a
// large file costs no more than that of a small one.
type blob struct {
	name  string
	value app.Value
	size  int64
	at    int64
}

func (b *blob) Read(into []byte) (int, error) {
	if b.at >= b.size {
		return 0, io.EOF
	}
	end := min(b.at+int64(len(into)), b.size)
	buffer, err := await(b.value.Call("slice", float64(b.at), float64(end)).Call("arrayBuffer"))
	if err != nil {
		return 0, &fs.PathError{Op: "read", Path: b.name, Err: err}
	}
	n := app.CopyBytesToGo(into, app.Window().Get("Uint8Array").New(buffer))
	b.at += int64(n)
	return n, nil
}
