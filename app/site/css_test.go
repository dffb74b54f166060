package site

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/pages"
)

// The house rules for style sheets: every colour is a variable, so that light
// and dark differ in one place; no IDs and no !important, so that layers alone
// decide who wins; sizes follow the reader's font, but for hairlines.

var (
	cssComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	cssString  = regexp.MustCompile(`"[^"]*"|'[^']*'|url\([^)]*\)`)
	cssPrelude = regexp.MustCompile(`([^{};]*)\{`)
	cssValue   = regexp.MustCompile(`([-\w]+)\s*:\s*([^;{}]*)[;}]`)
	cssColour  = regexp.MustCompile(`(?i)#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\(`)
	cssWord    = regexp.MustCompile(`[-\w]+`)
	cssPixels  = regexp.MustCompile(`[\d.]+px`)
)

// named are the colours CSS has names for (CSS Color 4, section 6.1).
var named = strings.Fields(`aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown
burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen
darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray
darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia
gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush
lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon
lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon
mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise
mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red
rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey snow
springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen`)

// cssProblems lists what in a style sheet breaks the rules. Only where colours
// are made may they be named.
func cssProblems(sheet string, makesColours bool) []string {
	var problems []string
	sheet = cssComment.ReplaceAllString(sheet, " ")
	sheet = cssString.ReplaceAllString(sheet, `""`)
	if strings.Contains(strings.ReplaceAll(sheet, " ", ""), "!important") {
		problems = append(problems, "!important: put the rule into a later layer")
	}
	for _, m := range cssPrelude.FindAllStringSubmatch(sheet, -1) {
		if prelude := strings.TrimSpace(m[1]); strings.Contains(prelude, "#") {
			problems = append(problems, prelude+": an ID; use a class")
		} else if strings.HasPrefix(prelude, "@") && cssPixels.MatchString(prelude) {
			problems = append(problems, prelude+": pixels; use rem, which follows the reader's font")
		}
	}
	for _, m := range cssValue.FindAllStringSubmatch(sheet, -1) {
		property, value := m[1], strings.TrimSpace(m[2])
		if cssColour.MatchString(value) && !makesColours {
			problems = append(problems, property+": "+value+": a colour; use a variable of tokens.css")
		}
		for _, word := range cssWord.FindAllString(value, -1) {
			if slices.Contains(named, strings.ToLower(word)) && !makesColours {
				problems = append(problems, property+": "+word+": a colour; use a variable of tokens.css")
			}
		}
		if strings.HasPrefix(property, "border") || strings.HasPrefix(property, "outline") {
			continue
		}
		for _, size := range cssPixels.FindAllString(value, -1) {
			if size != "1px" && size != "2px" {
				problems = append(problems, property+": "+size+": pixels; use rem, but for borders and hairlines")
			}
		}
	}
	return problems
}

func TestStyleSheetsKeepTheHouseRules(t *testing.T) {
	sheets, err := fs.Glob(web, "css/*.css")
	used := slices.Clone(commonStyles)
	for _, e := range pages.Registry() {
		used = append(used, e.Styles...)
	}
	slices.Sort(used)
	if n := len(slices.Compact(used)); err != nil || len(sheets) != n {
		t.Fatalf("%d style sheets are there and %d are used: %v", len(sheets), n, err)
	}
	for _, name := range sheets {
		data, err := fs.ReadFile(web, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range cssProblems(string(data), path.Base(name) == "tokens.css") {
			t.Errorf("web/%s: %s", name, problem)
		}
	}
}

// TestSheetsShareNoBlock: what a common style sheet draws, no page's own one draws
// anew. That of fingertips is about the blocks of all.
func TestSheetsShareNoBlock(t *testing.T) {
	begins := regexp.MustCompile(`(?m)^\s*\.([A-Z][A-Za-z]*)[ ,{]`)
	blocks := func(name string) map[string]bool {
		data, err := fs.ReadFile(web, "css/"+name+".css")
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, m := range begins.FindAllStringSubmatch(string(data), -1) {
			found[m[1]] = true
		}
		return found
	}
	for _, common := range slices.DeleteFunc(slices.Clone(commonStyles), func(name string) bool { return name == "touch" }) {
		shared := blocks(common)
		for _, e := range pages.Registry() {
			for _, own := range e.Styles {
				for block := range blocks(own) {
					if shared[block] {
						t.Errorf("web/css/%s.css draws .%s, which web/css/%s.css draws for all pages; give one another name", own, block, common)
					}
				}
			}
		}
	}
}

func TestCSSProblems(t *testing.T) {
	for sheet, want := range map[string]string{
		"a{color:#fff}": "color: #fff",
		"a { background: linear-gradient(#abcdef, var(--a)) }":             "background: linear-gradient",
		".a { color: RGBA(1,2,3,.5) }":                                     "color: RGBA",
		".a { color: oklch(1 2 3); }":                                      "oklch",
		".a { border: 1px solid Red }":                                     "border: Red",
		"@media print { .a { fill: black } }":                              "fill: black",
		"#a .b { color: var(--text) }":                                     "#a .b: an ID",
		".a { .b#c { color: var(--text) } }":                               ".b#c: an ID",
		".a { color: var(--text) ! important }":                            "!important",
		".a { padding: 12px 0 }":                                           "padding: 12px",
		"@media (max-width: 640px) { .a { margin: 0 } }":                   "@media (max-width: 640px): pixels",
		".a { border: 3px solid var(--line); outline-offset: 3px }":        "",
		".a { inline-size: 1px; margin: -1px; color: transparent }":        "",
		`.a::before { content: "#fff red 12px"; background: url(#a.svg) }`: "",
		"/* red #fff !important 12px */ .a:hover { color: currentColor }":  "",
		".a { color: var(--red); grid-area: tan-line }":                    "",
	} {
		got := strings.Join(cssProblems(sheet, false), "\n")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", sheet, got, want)
		}
	}
}
