package listing

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// freezing are texts that were made to freeze the page.
func freezing(n int) map[string]string {
	var names, tree, find strings.Builder
	deep := "a" + strings.Repeat("/a", 2000)
	real := "a" + strings.Repeat("/a-long-name-of-a-folder", 30)
	names.WriteString(deep + ":\n")
	tree.WriteString(strings.Repeat("d", 4000) + "/\n")
	for i := range n {
		fmt.Fprintf(&names, "n%d\n", i)
		fmt.Fprintf(&tree, "├── n%d\n", i)
	}
	for i := range min(n, 8<<20/4500) {
		fmt.Fprintf(&find, "%s/n%d\n", deep, i)
	}
	return map[string]string{
		"tabs":          strings.Repeat("a\t", n*10),
		"two spaces":    strings.Repeat("a  ", n*10),
		"quotes":        strings.Repeat(`'a'"b" `, n*2),
		"open quotes":   strings.Repeat("'a\t\"b\t", n*2),
		"deep ls -R":    names.String(),
		"deep ls -lR":   strings.ReplaceAll(names.String(), "\nn", "\ndrwxr-xr-x 2 me me 4096 Nov 20 07:26 n"),
		"deep tree":     tree.String(),
		"long ls -R":    real + ":\n" + strings.TrimPrefix(names.String(), deep+":\n"),
		"files ls -R":   real + ":\n" + strings.ReplaceAll(strings.TrimPrefix(names.String(), deep+":\n"), "\n", ".md\n"),
		"skills ls -R":  "skills/" + real + ":\nSKILL.md\n" + strings.ReplaceAll(strings.TrimPrefix(names.String(), deep+":\n"), "\n", ".md\n"),
		"wide ls -R":    "skills/" + strings.Repeat(strings.Repeat("w", 80)+"/", 11) + "w:\n" + strings.ReplaceAll(strings.TrimPrefix(names.String(), deep+":\n"), "\n", ".md\n"),
		"escaped":       strings.Repeat(`'a\'\"b`+"\t", n),
		"deep tree -L2": strings.Repeat(strings.Repeat("d", 200)+"/", 4) + "\n" + strings.ReplaceAll(tree.String(), "\n", "\n│   └── SKILL.md\n"),
		"deep find":     find.String(),
		"deep prompt":   "me@host:~/" + deep + "$ ls\n" + strings.TrimPrefix(names.String(), deep+":\n"),
		"arrows":        strings.Repeat(" -> a", n*2),
		"drives":        " " + strings.Repeat(`C:\ `, n*2),
		"one long line": strings.Repeat("x", n*20),
	}
}

func BenchmarkFreezing(b *testing.B) {
	for name, pasted := range freezing(100_000) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(pasted)))
			b.ReportAllocs()
			for b.Loop() {
				Parse(pasted)
			}
		})
	}
}

// TestFreezing: none of them takes minutes or gigabytes, as they did. The
// limits are far off, for machines that are busy; the benchmark measures.
func TestFreezing(t *testing.T) {
	for name, pasted := range freezing(100_000) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		begin := time.Now()
		got := Parse(pasted)
		took := time.Since(begin)
		runtime.ReadMemStats(&after)
		if kept := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 10*time.Second || kept > 500 {
			t.Errorf("%s: %v, %d MiB", name, took, kept)
		}
		files := 0
		for _, p := range got.Places {
			for _, f := range p.Folders {
				files += len(strings.Join(f.Files, ""))
			}
		}
		if files > maxListing+maxPath {
			t.Errorf("%s: the paths of files take %d MiB", name, files>>20)
		}
	}
}
