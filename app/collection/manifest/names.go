package manifest

import "strings"

// names finds what a skill is called today.
type names struct {
	rows    map[string]int // the first row of each skill
	renames map[string]int // the first rename of each old name
	all     []Rename
	today   map[string]string // answers so far; "" for a name that leads nowhere
}

func newNames(m *Manifest) *names {
	n := &names{
		rows:    make(map[string]int, len(m.Rows)),
		renames: make(map[string]int, len(m.Renames)),
		all:     m.Renames,
		today:   map[string]string{},
	}
	for i, row := range m.Rows {
		if _, ok := n.rows[row.Skill]; !ok {
			n.rows[row.Skill] = i
		}
	}
	for i, rename := range m.Renames {
		if _, ok := n.renames[rename.Old]; !ok {
			n.renames[rename.Old] = i
		}
	}
	return n
}

// current returns the skill that a name, of today or of old, stands for; ""
// when there is none. A name with a row is never an old name. It follows
// chains of renames and is not caught in a circle; each rename is followed
// once however often it is asked about.
func (n *names) current(name string) string {
	var path []string
	skill := ""
	for {
		if _, ok := n.rows[name]; ok {
			skill = name
			break
		}
		if known, ok := n.today[name]; ok {
			skill = known
			break
		}
		i, ok := n.renames[name]
		if !ok {
			break
		}
		n.today[name] = "" // a circle that comes back here leads nowhere
		path = append(path, name)
		name = n.all[i].New
	}
	for _, name := range path {
		n.today[name] = skill
	}
	return skill
}

// circles returns the old names from which renames lead back to themselves.
func (n *names) circles() map[string]bool {
	in := map[string]bool{}
	walk := map[string]int{} // which walk came by
	for start := range n.all {
		name := n.all[start].Old
		for walk[name] == 0 {
			i, isOld := n.renames[name]
			if _, isSkill := n.rows[name]; isSkill || !isOld {
				break
			}
			walk[name] = start + 1
			name = n.all[i].New
		}
		if walk[name] != start+1 {
			continue
		}
		for !in[name] {
			in[name] = true
			name = n.all[n.renames[name]].New
		}
	}
	return in
}

// attribute fills in which skills each change names.
func (m *Manifest) attribute(n *names) {
	for _, release := range m.Releases {
		for i := range release.Changes {
			c := &release.Changes[i]
			seen := map[string]bool{"": true}
			for _, span := range codeSpans(c.Text) {
				if skill := n.current(span); !seen[skill] {
					seen[skill] = true
					c.Skills = append(c.Skills, skill)
				}
			}
		}
	}
}

// codeSpans returns the content of the code spans of a text: what stands
// between two runs of equally many backticks.
func codeSpans(text string) []string {
	type run struct{ start, end int }
	var runs []run
	for i := 0; i < len(text); i++ {
		if text[i] != '`' {
			continue
		}
		start := i
		for i < len(text) && text[i] == '`' {
			i++
		}
		runs = append(runs, run{start, i})
	}
	// Where each run is closed, found from the end so that many runs without
	// a partner cost nothing.
	closing := make([]int, len(runs))
	next := map[int]int{}
	for i := len(runs) - 1; i >= 0; i-- {
		length := runs[i].end - runs[i].start
		closing[i] = next[length] // 0 for none: the first run closes nothing
		next[length] = i
	}
	var spans []string
	for i := 0; i < len(runs); i++ {
		if end := closing[i]; end > 0 {
			spans = append(spans, strings.TrimSpace(text[runs[i].end:runs[end].start]))
			i = end
		}
	}
	return spans
}
