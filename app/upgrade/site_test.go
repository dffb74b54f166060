package upgrade

import (
	"archive/zip"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path"
	"strings"
	"sync/atomic"
	"testing"
)

// TestPlanFromSite fetches zips as the site serves them, below a path, one of
// them missing the first time.
func TestPlanFromSite(t *testing.T) {
	for _, tool := range []string{"curl", "unzip"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("the plan needs " + tool)
		}
	}
	m := repository(t)
	var missing atomic.Value
	missing.Store("video")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimSuffix(path.Base(r.URL.Path), ".zip")
		row, ok := m.Row(name)
		if !ok || name == missing.Load() || r.URL.Path != "/m/skills/"+name+"/"+name+".zip" {
			http.NotFound(w, r)
			return
		}
		z := zip.NewWriter(w)
		f, err := z.Create("SKILL.md")
		if err == nil {
			_, err = f.Write([]byte(skillFile(name, string(row.Version))))
		}
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			t.Error(err)
		}
	}))
	defer site.Close()
	t.Setenv("NO_PROXY", "*")
	t.Setenv("no_proxy", "*")

	root := t.TempDir()
	write(t, root, Installation{Places: []Place{{Path: here, Folders: []Folder{
		skillFolder("page-cro", "1.0.0"), skillFolder("form-cro", "1.0.0"), skillFolder("popup-cro", "1.0.0"), skillFolder("video", "1.0.0"),
	}}}})
	before := snapshot(t, root+"/"+here)
	text := acting(planOf(t, read(t, root, here), PlanOptions{Source: Source{Site: site.URL + "/m/"}}).POSIX())
	if out, ok := run(t, "sh", root, text); ok || snapshot(t, root+"/"+here) != before || !strings.Contains(out, "Stopped at the first error") {
		t.Fatalf("with a zip missing: %v\n%s", ok, out)
	}
	missing.Store("")
	out, ok := run(t, "sh", root, text)
	r := Analyze(read(t, root, here), m)
	if !ok || r.Attention != 0 || r.Counts[Current] != 3 {
		t.Errorf("%v, %s\n%s", ok, r.Summary, out)
	}
	if strings.Contains(snapshot(t, root), ".zip") {
		t.Error("a zip is left behind")
	}
}
