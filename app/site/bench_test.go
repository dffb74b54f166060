package site

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"marketingskills/app/collection"
)

// BenchmarkGenerate42 and BenchmarkGenerate420 read a collection of so many
// skills and generate its site, without compiling and compressing. The second
// may cost ten times the first, the first three seconds.
func BenchmarkGenerate42(b *testing.B)  { generate(b, 42) }
func BenchmarkGenerate420(b *testing.B) { generate(b, 420) }

func generate(b *testing.B, n int) {
	dir := b.TempDir()
	if err := os.CopyFS(dir, multiplied(b, n)); err != nil {
		b.Fatal(err)
	}
	files := os.DirFS(dir)
	b.ReportAllocs()
	for b.Loop() {
		c, findings, err := collection.Load(files)
		if err != nil {
			b.Fatal(err)
		}
		for _, f := range findings {
			// So many descriptions are too long together, and copies have the
			// keywords of their originals; only that.
			if f.Rule != "descriptions-total" && f.Rule != "keyword-repeated" {
				b.Fatal(f)
			}
		}
		out, err := Build(c, files, testConfig("/"), web, wasm)
		if err != nil {
			b.Fatal(err)
		}
		if got := strings.Count(string(out["sitemap.xml"]), "<loc>"); got < n {
			b.Fatalf("%d pages for %d skills", got, n)
		}
	}
}

// multiplied is the real collection with copies of its skills under other
// names, n skills in all.
func multiplied(b *testing.B, n int) fstest.MapFS {
	files := copied(b)
	own := []string{"ads", "emails", "prospecting", "sms"} // of these names alone, more is allowed
	originals := slices.DeleteFunc(slices.Clone(load(b, content).Skills), func(s *collection.Skill) bool { return slices.Contains(own, s.Dir) })
	for i := range n - len(originals) - len(own) {
		s := originals[i%len(originals)]
		suffix := invented(i / len(originals))
		name := s.Dir + "-" + suffix
		for _, file := range s.Files {
			files["skills/"+name+"/"+file] = files["skills/"+s.Dir+"/"+file]
		}
		replace(b, files, "skills/"+name+"/SKILL.md", "\nname: "+s.Dir+"\n", "\nname: "+name+"\n")
		replace(b, files, "skills/"+name+"/SKILL.md", "\n  title: "+s.Title+"\n", "\n  title: "+s.Title+" "+suffix+"\n")
		replace(b, files, "skills/"+name+"/evals/evals.json", `"skill_name": "`+s.Dir+`"`, `"skill_name": "`+name+`"`)
	}
	m := load(b, content).Manifest
	var rows []string
	for name := range files {
		skill, ok := strings.CutSuffix(strings.TrimPrefix(name, "skills/"), "/SKILL.md")
		if _, exists := m.Row(skill); !ok || exists {
			continue
		}
		original := slices.IndexFunc(originals, func(s *collection.Skill) bool { return strings.HasPrefix(skill, s.Dir+"-") })
		row, _ := m.Row(originals[original].Dir)
		rows = append(rows, fmt.Sprintf("| %s | %s | %s |", skill, row.Version, row.Updated))
	}
	total := fmt.Sprintf("Total: %d skills", len(m.Rows))
	text := strings.Replace(string(files["VERSIONS.md"].Data), total, fmt.Sprintf("Total: %d skills", len(m.Rows)+len(rows)), 1)
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "| ") && strings.Count(line, "|") == 4 && strings.Contains(line, " | 2026-") {
			rows = append(rows, strings.TrimSpace(line))
			text = strings.Replace(text, line, "", 1)
		}
	}
	slices.SortFunc(rows, func(a, b string) int { return strings.Compare(strings.Fields(a)[1], strings.Fields(b)[1]) })
	const delimiter = " | ------------ |\n"
	at := strings.Index(text, delimiter) + len(delimiter)
	files["VERSIONS.md"] = &fstest.MapFile{Data: []byte(text[:at] + strings.Join(rows, "\n") + "\n" + text[at:])}
	return files
}

// invented is a name that resembles no other.
func invented(i int) string {
	return fmt.Sprintf("%s%s", []string{"quokka", "zymurgy", "fjordic", "bivouac", "wombat", "oxalate", "junket", "haiku", "pylon"}[i%9], strings.Repeat("x", i/9+1))
}
