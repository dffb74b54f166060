package plan

import (
	"archive/zip"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path"
	"strings"
	"sync/atomic"
	"testing"

	"marketingskills/app/upgrade"
)

// TestPlanFromSite fetches zips as the site serves them, below a path, one of
// them missing the first time.
func TestPlanFromSite(t *testing.T) {
	for _, tool := range []string{"curl", "unzip"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("NOT CHECKED: the plan needs " + tool + ", which is not here")
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
	write(t, root, upgrade.Installation{Places: []upgrade.Place{{Path: here, Folders: []upgrade.Folder{
		skillFolder("page-cro", "1.0.0"), skillFolder("form-cro", "1.0.0"), skillFolder("popup-cro", "1.0.0"), skillFolder("video", "1.0.0"),
	}}}})
	before := snapshot(t, root+"/"+here)
	commands := POSIX.Script(planOf(t, read(t, root, here), Options{Source: Source{Site: site.URL + "/m/"}}))
	sh := shells(t)[0]
	out, _ := sh.run(t, root, commands)
	if r := upgrade.Analyze(read(t, root, here), m); r.Attention != 1 || r.Rows[0].Folder != "video" {
		t.Fatalf("with a zip missing: %s\n%s", r.Summary, out)
	}
	missing.Store("")
	out, _ = sh.run(t, root, commands)
	if r := upgrade.Analyze(read(t, root, here), m); r.Attention != 0 || r.Counts[upgrade.Current] != 3 {
		t.Errorf("%s\n%s", r.Summary, out)
	}
	if undo(t, root, here); snapshot(t, root+"/"+here) != before {
		t.Error("renaming back does not restore the folder")
	}
}
