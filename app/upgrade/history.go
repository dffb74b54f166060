package upgrade

import (
	"slices"
	"strings"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/text"
)

// since returns what the releases brought to someone who has a skill in a
// version: the changes that name the skill, and all breaking ones.
//
// Skills have versions of their own, and releases have theirs. Where a release
// says which version of the skill it brought, that decides; otherwise the
// skill's version is taken for that of the release it came with, which holds
// for all skills but those that began at 1.0.0 after 2.0.0, whose releases say
// so. Without a valid version nothing can be told.
func (c *catalog) since(skill string, v manifest.Version) []Change {
	key := skillVersion{skill, v}
	if found, ok := c.changes[key]; ok {
		return found
	}
	found := []Change{}
	if v.Valid() {
		newer := len(c.manifest.Since(v))
		for i, r := range c.history {
			if has := brought(r, skill); has != "" && manifest.Compare(has, v) <= 0 {
				newer = i
				break
			}
		}
		for _, r := range c.history[:newer] {
			found = append(found, changesOf(r, skill)...)
		}
	}
	c.changes[key] = found
	return found
}

func changesOf(r manifest.Release, skill string) []Change {
	var found []Change
	for _, change := range r.Changes {
		about := change.Breaking
		for _, s := range change.Skills {
			about = about || s == skill
		}
		if about {
			found = append(found, Change{r.Name(), r.Date, change.Breaking, text.Printable(change.Text)})
		}
	}
	return found
}

// brought returns the version of a skill that a release says it brought: the
// last one in a change that names the skill, written "(1.0.0)" or "to 2.0.1".
// It is empty when no change says one.
func brought(r manifest.Release, skill string) manifest.Version {
	var newest manifest.Version
	for _, change := range r.Changes {
		for _, s := range change.Skills {
			if s != skill {
				continue
			}
			if v := lastVersion(change.Text); v != "" && manifest.Compare(v, newest) > 0 {
				newest = v
			}
		}
	}
	return newest
}

func lastVersion(text string) manifest.Version {
	var last manifest.Version
	words := strings.Fields(text)
	for i, word := range words {
		inside, opened := strings.CutPrefix(word, "(")
		if opened || i > 0 && words[i-1] == "to" {
			if v := manifest.Version(strings.TrimRight(inside, "),.;:")); v.Valid() {
				last = v
			}
		}
	}
	return last
}

// oneX tells whether a name is one of those the skills had in 1.x.
func (c *catalog) oneX(name string) bool {
	k, ok := c.names[name]
	switch {
	case !ok:
		return false
	case k.old():
		return k.rename.Release.Valid() && manifest.Compare(k.rename.Release, firstNamed) <= 0
	case c.firstNames[name]:
		return false // a name that 2.0.0 gave
	}
	// With 2.0.0 every skill there was got that version. One whose version is
	// still below, or was when a later release brought it, came after.
	if v := c.rows[name].Version; !v.Valid() || manifest.Compare(v, firstNamed) < 0 {
		return false
	}
	return !slices.ContainsFunc(c.history[:c.sinceNames], func(r manifest.Release) bool {
		v := brought(r, name)
		return v != "" && manifest.Compare(v, firstNamed) < 0
	})
}
