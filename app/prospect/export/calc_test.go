package export_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/export"
)

// A formula that LibreOffice Calc computes, and what comes out.
const (
	formula  = "=1234*1000+567"
	computed = "1234567"
)

// calc imports CSV files into LibreOffice Calc, formulas evaluated, with a list
// of separators (ASCII numbers), and returns what each sheet shows.
func calc(t *testing.T, files map[string][]byte, separators string) map[string]string {
	t.Helper()
	office, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("NOT CHECKED: soffice (Debian's libreoffice-calc) is not in PATH")
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	const csv = "Text - txt - csv (StarCalc):"
	args := []string{"--headless", "-env:UserInstallation=file://" + filepath.ToSlash(dir) + "/profile",
		"--infilter=" + csv + separators + ",34,76,1,,0,false,true,false,false,false,-1,true", "--convert-to", "csv:" + csv + "9,34,76,1", "--outdir", out}
	for name, content := range files {
		path := filepath.Join(dir, name+".csv")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	if words, err := exec.Command(office, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, words)
	}
	sheets := map[string]string{}
	for name := range files {
		sheet, err := os.ReadFile(filepath.Join(out, name+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		sheets[name] = string(sheet)
	}
	return sheets
}

// TestSpreadsheetRunsNoFormula opens exports as spreadsheets of different
// countries do. First it makes sure that formulas would be seen.
func TestSpreadsheetRunsNoFormula(t *testing.T) {
	hostile := []string{formula, "x;" + formula, "x;" + formula + ";y", "x; " + formula + ";", `x;"` + formula + `";y`, `x;""` + formula + `"";y`,
		`x";` + formula + `;"`, "x\t" + formula, "x\r\n" + formula, ";" + formula + ";", `";` + formula + `;`, "x,;" + formula + ";,y"}
	files := map[string][]byte{"raw": []byte("login,name\r\na," + formula + "\r\nb,x;" + formula + ";y\r\n")}
	for _, preset := range append(export.Presets(), "csv") {
		var file bytes.Buffer
		w := export.New(&file, prospect.Query{Purpose: "x;" + formula + ";y"}, named(t, preset))
		for i, text := range hostile {
			r := prospect.Record{User: codehost.User{Login: fmt.Sprint("p", i), Name: text, Company: text, Bio: text, Location: text, Blog: text, Email: text}}
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		files["preset-"+preset] = file.Bytes()
	}
	for _, separators := range []string{"44", "59", "44/59", "59/9"} {
		for name, sheet := range calc(t, files, separators) {
			ran := strings.Contains(sheet, computed) || strings.Contains(sheet, "Err:")
			if ran != (name == "raw") || !strings.Contains(sheet, formula) && name != "raw" {
				t.Errorf("separators %s, %s: a formula ran: %v\n%s", separators, name, ran, sheet)
			}
		}
	}
}
