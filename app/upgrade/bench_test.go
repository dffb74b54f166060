package upgrade

import (
	"fmt"
	"strings"
	"testing"
)

// crowded is an installation of so many folders in three places: a fifth is
// ours, in every state; the rest has names of other people's skills, of which
// some are near ours, all different.
func crowded(n int) Installation {
	in := Installation{Places: []Place{{Path: ".agents/skills"}, {Path: ".claude/skills"}, {Path: "~/.claude/skills"}}}
	others := strings.Fields(foreign)
	var ours []Folder
	for old := range renames {
		ours = append(ours, skillFolder(old, "1.1.0"))
	}
	for _, name := range unchanged {
		ours = append(ours, skillFolder(name, "2.0.0"), skillFolder(name, "1.0.0"), skillFolder(name, ""))
	}
	for i := range n {
		p := &in.Places[i%3]
		if i%5 == 0 {
			p.Folders = append(p.Folders, ours[i/5%len(ours)])
			continue
		}
		name := fmt.Sprintf("%s-%s-%d", others[i%len(others)], others[i*7%len(others)], i)
		if i%5 == 1 {
			name = fmt.Sprintf("prospect%c%cng", 'a'+i%26, 'a'+i/26%26)
		}
		if i%5 == 2 {
			name = fmt.Sprintf("content-strat%c%cgy", 'a'+i%26, 'a'+i/26%26)
		}
		p.Folders = append(p.Folders, skillFolder(name, fmt.Sprintf("1.%d.0", i)))
	}
	return in
}

// BenchmarkAnalyze: 10,000 folders. The limit is 100 ms; in a browser it takes
// about five times as long as here.
func BenchmarkAnalyze(b *testing.B) {
	m, in := repository(b), crowded(10_000)
	b.ReportAllocs()
	for b.Loop() {
		if r := Analyze(in, m); len(r.Rows) != 10_000 {
			b.Fatal("rows are missing")
		}
	}
}

func BenchmarkReadFrontmatter(b *testing.B) {
	data := []byte(sampleFront + strings.Repeat("text\n", 4000))
	for b.Loop() {
		if _, err := ReadFrontmatter(data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHostile: what was made to be slow is not.
func BenchmarkHostile(b *testing.B) {
	m := repository(b)
	same := make([]Folder, 10_000)
	for i := range same {
		same[i] = Folder{Name: fmt.Sprintf("copy-%d", i), Front: &Frontmatter{Name: "cro", Version: "1.0.0"}}
	}
	long := strings.Repeat("prospecting-", 1000)
	for name, do := range map[string]func(){
		"one name": func() { Analyze(Installation{Places: []Place{{Folders: same}}}, m) },
		"brackets": func() {
			Analyze(Installation{Locks: []LockFile{{Data: []byte(strings.Repeat(`["page-cro",`, 200_000))}}}, m)
		},
		"quotes":        func() { Analyze(Installation{Locks: []LockFile{{Data: []byte(strings.Repeat(`"`, 2_000_000))}}}, m) },
		"long name":     func() { Analyze(with(skillFolder(long, long)), m) },
		"front quotes":  func() { ReadFrontmatter([]byte("---\n" + strings.Repeat("a: \"\n", HeadSize/5-10) + "---\n")) },
		"front depth":   func() { ReadFrontmatter([]byte("---\n" + strings.Repeat("- ", HeadSize/2-10) + "\n---\n")) },
		"front anchors": func() { ReadFrontmatter([]byte("---\na: " + strings.Repeat("&a ", HeadSize/3-10) + "\n---\n")) },
		"front empties": func() { ReadFrontmatter([]byte("---\n" + strings.Repeat("a:\n\n\n", HeadSize/5-10) + "---\n")) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				do()
			}
		})
	}
}
