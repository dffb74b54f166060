package aside

import (
	"os"
	"path/filepath"
	"testing"
)

// TestDigestStays: what an earlier release wrote into a journal is understood.
func TestDigestStays(t *testing.T) {
	top := t.TempDir()
	for name, text := range map[string]string{"SKILL.md": "a skill", "references/it's “this”.md": "more", ".DS_Store": "litter", ".localized/x": "litter"} {
		name = filepath.Join(top, "cro", name)
		must("", os.MkdirAll(filepath.Dir(name), 0o755))
		must("", os.WriteFile(name, []byte(text), 0o644))
	}
	must("", os.Symlink("../SKILL.md", filepath.Join(top, "cro", "references", "link")))
	d := &disk{root: must(os.OpenRoot(top))}
	const want = "63cec031fedca7c9547c25931ae1383519bf4129bd2e74e75c27f7d4401f10b0"
	if got := must(d.digest("cro")); got != want {
		t.Errorf("the fingerprint is %s, was %s", got, want)
	}
}
