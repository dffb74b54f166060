package site

import (
	"bytes"
	"fmt"
	"image/png"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/skill"
)

// TestMapOfTheCollection: the picture and the lists have each skill and each line
// once, and both say the same.
func TestMapOfTheCollection(t *testing.T) {
	files := build(t, testConfig("/"))
	page := string(files["map/index.html"])
	c := load(t, content)
	related := c.Related()
	lines := 0
	for _, s := range c.Skills {
		lines += len(related[s.Dir])
		if n := strings.Count(page, fmt.Sprintf(` id="map-%s"`, s.Dir)); n != 1 {
			t.Errorf("%s is drawn %d times", s.Dir, n)
		}
		for _, next := range related[s.Dir] {
			item := regexp.MustCompile(`<li><a href="/skills/` + s.Dir + `/">[^<]*</a> <span class="Soft">leads to</span> .*?</li>`).FindString(page)
			if !strings.Contains(item, `"/skills/`+next+`/"`) {
				t.Errorf("the list does not say that %s leads to %s: %q", s.Dir, next, item)
			}
		}
		if own := string(files["skills/"+s.Dir+"/index.html"]); !strings.Contains(own, `href="/map/#map-`+s.Dir+`"`) {
			t.Errorf("the page of %s does not lead to the map", s.Dir)
		}
	}
	// Each line stands once for all, once with either of its skills.
	if n := strings.Count(page, `marker-end=`); n != 3*lines || lines < len(c.Skills) {
		t.Errorf("%d ends of %d lines", n, lines)
	}
}

func TestCurve(t *testing.T) {
	for _, c := range []struct {
		from, to dot
		want     string
	}{
		{dot{x: 210, y: 10}, dot{x: 430, y: 90, right: true}, "M210 10C320 10 320 90 430 90"},
		{dot{x: 210, y: 10}, dot{x: 210, y: 40}, "M210 10C234 10 234 40 210 40"},
		{dot{x: 430, y: 400, right: true}, dot{x: 430, y: 10, right: true}, "M430 400C320 400 320 10 430 10"},
	} {
		if got := curve(c.from, c.to); got != c.want {
			t.Errorf("from %v to %v: %s, want %s", c.from, c.to, got, c.want)
		}
	}
}

// TestPictures: each category has a picture of its own.
func TestPictures(t *testing.T) {
	if got, want := slices.Sorted(maps.Keys(pictures)), slices.Sorted(slices.Values(skill.Categories)); !slices.Equal(got, want) {
		t.Errorf("there are pictures of %v, want %v", got, want)
	}
	seen := map[string]bool{}
	for category, path := range pictures {
		if seen[path] || !regexp.MustCompile(`^M[-0-9. MLHVCASQZmlhvcasqz]+$`).MatchString(path) {
			t.Errorf("%s is drawn by %q", category, path)
		}
		seen[path] = true
	}
}

// TestSocialCards: each page names a card of the size it says.
func TestSocialCards(t *testing.T) {
	withSite(t, func(t *testing.T, base string, files Files) {
		image := regexp.MustCompile(`<meta property="og:image" content="https://skills\.example` + base + `([^"]+)">`)
		for file, data := range files {
			if !strings.HasSuffix(file, ".html") || file == "404.html" {
				continue
			}
			named := image.FindSubmatch(data)
			if named == nil {
				t.Errorf("%s names no card", file)
				continue
			}
			config, err := png.DecodeConfig(bytes.NewReader(files[string(named[1])]))
			if err != nil || config.Width != cardWidth || config.Height != cardHeight {
				t.Errorf("%s names %s: %v, %d × %d", file, named[1], err, config.Width, config.Height)
			}
		}
	})
}

func TestWrap(t *testing.T) {
	for words, want := range map[string][]string{
		"":                         {""},
		"one":                      {"one"},
		"one two three":            {"one two", "three"},
		"one two three four, five": {"one two", "three …"},
		"unbreakable word":         {"unbreakable", "word"},
		"a unbreakable word":       {"a", "unbreakable …"},
	} {
		got := wrap(words, 2, func(line string) bool { return len([]rune(line)) <= 9 })
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q becomes %q, want %q", words, got, want)
		}
	}
}
