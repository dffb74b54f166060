package collection

import (
	"bytes"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"testing"

	"marketingskills"
)

const root = "../.."

// TestRepository holds the real collection to its own rules: what breaks one
// cannot be merged.
func TestRepository(t *testing.T) {
	c, found, err := Load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Errorf("%v", f)
	}
	for _, name := range []string{"prospecting", "sms", "ads", "cro", "product-marketing"} {
		if c.Skill(name) == nil {
			t.Errorf("there is no skill %s", name)
		}
	}
	for name := range outlines {
		if c.Skill(name) == nil {
			t.Errorf("the outline of %s is for no skill", name)
		}
	}
}

// TestEmbedded: the commands carry the collection exactly as it is on disk,
// hidden files included, and nothing else.
func TestEmbedded(t *testing.T) {
	disk := os.DirFS(root)
	var want []string
	for _, top := range []string{skillsDir, manifestFile} {
		err := fs.WalkDir(disk, top, func(name string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				want = append(want, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	err := fs.WalkDir(marketingskills.Content, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			got = append(got, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Fatalf("embedded %q\non disk %q", got, want)
	}
	for _, name := range want {
		a, err := fs.ReadFile(disk, name)
		if err != nil {
			t.Fatal(err)
		}
		b, err := marketingskills.Content.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s is embedded with other content", name)
		}
	}
}

// TestEmbeddedReadsAlike: a collection is the same from either place.
func TestEmbeddedReadsAlike(t *testing.T) {
	a, foundA, err := Load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	b, foundB, err := Load(marketingskills.Content)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(foundA, foundB) || !reflect.DeepEqual(a.Related(), b.Related()) ||
		!reflect.DeepEqual(a.Manifest, b.Manifest) || a.DescriptionCharacters() != b.DescriptionCharacters() {
		t.Error("the two differ")
	}
}
