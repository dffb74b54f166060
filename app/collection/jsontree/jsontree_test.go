package jsontree

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	const source = "{\r\n\t\"a\" : \"x\\\"y\" ,\n  \"b\":[ 1, {\"c\": null}\n, true ],\n\"a\": {}, \"é\": \"\"}\n"
	v, err := Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		keys  []string
		kind  Kind
		text  string
		line  int
		value string // as written
		from  string // what From begins with
	}{
		{nil, Object, "", 1, strings.TrimSpace(source), "{"},
		{[]string{"a"}, Object, "", 5, "{}", `"a": {`}, // the last of two
		{[]string{"b"}, Array, "", 3, "[ 1, {\"c\": null}\n, true ]", `"b":[`},
		{[]string{"b", "0"}, Other, "", 3, "1", "1,"},
		{[]string{"b", "1", "c"}, Other, "", 3, "null", `"c":`},
		{[]string{"b", "2"}, Other, "", 4, "true", "true"},
		{[]string{"é"}, Text, "", 5, `""`, `"é"`},
	} {
		got := v.At(c.keys...)
		if got == nil || got.Kind != c.kind || got.Text != c.text || got.Line != c.line ||
			source[got.Start:got.End] != c.value || !strings.HasPrefix(source[got.KeyStart:], c.from) {
			t.Errorf("%v: got %+v", c.keys, got)
		}
	}
	if first := v.Children[0]; first.Kind != Text || first.Text != `x"y` || source[first.Start:first.End] != `"x\"y"` {
		t.Errorf("got %+v", first)
	}
	for _, keys := range [][]string{{"x"}, {"b", "3"}, {"b", "-1"}, {"a", "b", "c"}} {
		if got := v.At(keys...); got != nil {
			t.Errorf("%v: got %+v", keys, got)
		}
	}
}

func TestParseFails(t *testing.T) {
	for source, line := range map[string]int{"": 1, "{\n\"a\": 1,\n}": 3, "[1 2]": 1, "{} {}": 1, "{\"a\"}": 1, "nul": 1, "\n\n'x'": 3} {
		_, err := Parse([]byte(source))
		if syntax, ok := errors.AsType[*SyntaxError](err); !ok || syntax.Line != line || syntax.What == "" {
			t.Errorf("%q: got %v", source, err)
		}
	}
}

func TestApply(t *testing.T) {
	got := Apply([]byte("abcdef"), Edit{4, 5, ""}, Edit{1, 3, "XYZ"}, Edit{6, 6, "!"})
	if string(got) != "aXYZdf!" {
		t.Errorf("got %s", got)
	}
	if got := Apply([]byte("abc")); string(got) != "abc" {
		t.Errorf("got %s", got)
	}
}

// FuzzParse: a file is read as the standard library reads it, every value
// stands where it says, and writing all texts anew changes no value.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"{\n  \"name\": \"a\",\n  \"owner\": {\"name\": \"A\"}\n}\n", `{"a": [1, "\u00e9\n", {"b": {}}], "a": ""}`, `"x"`, " [ ] ", "\r\n{\t}", "[[[]]]", "1e9", `{"":{"":""}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		v, err := Parse([]byte(source))
		if err != nil {
			if json.Valid([]byte(source)) {
				t.Fatalf("%v", err)
			}
			return
		}
		want := decoded(t, []byte(source))
		var edits []Edit
		if got := read(t, source, v, &edits); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		if again := decoded(t, Apply([]byte(source), edits...)); !reflect.DeepEqual(again, want) {
			t.Fatalf("written anew: %v", again)
		}
	})
}

// TestParseBroken: what stands above the mistake is read, and every value says
// which member above has its key.
func TestParseBroken(t *testing.T) {
	v, err := Parse([]byte("{\n\"a\": 1,\n\"b\": {\"c\": 1, \"c\": [2, {\"c\": 3}],\n\"c\": 4, 'x'}}"))
	if err == nil {
		t.Fatal("it was taken for JSON")
	}
	var keys []string
	repeats := 0
	for member := range v.All() {
		keys = append(keys, member.Key)
		if member.Repeats != nil {
			repeats++
			if member.Key != "c" || member.Repeats != v.At("b").Children[0] {
				t.Errorf("%+v repeats %+v", member, member.Repeats)
			}
		}
	}
	if got, want := strings.Join(keys, " "), " a b c c 0 1 c c"; got != want || repeats != 2 {
		t.Errorf("got %q, want %q, %d repeats", got, want, repeats)
	}
}

// read makes of a value what the standard library does, and edits that write
// its texts anew.
func read(t *testing.T, source string, v *Value, edits *[]Edit) any {
	if v.Line != 1+strings.Count(source[:v.KeyStart], "\n") || v.KeyStart > v.Start || v.Start >= v.End {
		t.Fatalf("%+v", v)
	}
	switch v.Kind {
	case Text:
		written, err := json.Marshal(v.Text)
		if err != nil {
			t.Fatal(err)
		}
		*edits = append(*edits, Edit{v.Start, v.End, string(written)})
		return v.Text
	case Array:
		all := []any{}
		for i, e := range v.Children {
			if e.Key != strconv.Itoa(i) || e.KeyStart != e.Start {
				t.Fatalf("%+v", e)
			}
			all = append(all, read(t, source, e, edits))
		}
		return all
	case Object:
		all := map[string]any{}
		for _, e := range v.Children {
			all[e.Key] = read(t, source, e, edits)
		}
		return all
	}
	return decoded(t, []byte(source[v.Start:v.End]))
}

// decoded is a value as the standard library reads it, numbers as they are
// written.
func decoded(t *testing.T, source []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(source))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}
