package csvfile

import (
	"bytes"
	"strings"
	"testing"

	"marketingskills/app/text"
	"marketingskills/app/verify"
)

// With the appended cells cut off again, the bytes are those of the input; what
// was written reads back, and written again it does not change.
func FuzzFile(f *testing.F) {
	const answer = ",ok,email_ok,,2026-11-03T10:00:00Z\n"
	for _, data := range []string{"name,email\nAnn,a@x\n", "\xef\xbb\xbfe-mail;x\r\n\"a\n@b\";;\r\n\r\n", "a@b", "sep=\t\na@b\tc",
		"email\r\"\"\"\"x,\r,,,", "a@x" + answer + "b@x" + answer, "email," + strings.Join(Columns, ",") + "\na@x" + answer + "b@x\n", "\x00,@\n5\",\n"} {
		f.Add([]byte(data), "x@y")
	}
	f.Fuzz(func(t *testing.T, data []byte, meant string) {
		file, err := Read(data, "")
		if err != nil {
			if s := err.Error(); s != text.Line(s, 4000) {
				t.Errorf("the error is %q", s)
			}
			return
		}
		if file.width*file.Len() > 1e6 {
			t.Skip("slow")
		}
		answer := verify.Result{State: verify.OK, SubState: verify.EmailOK, DidYouMean: meant, VerifiedAt: "2026-11-03T10:00:00Z"}
		write := func(f *File) string {
			var b bytes.Buffer
			if err := f.Write(&b, func(int) verify.Result { return answer }); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		out := write(file)
		if got := cutOff(t, file, out, []string{"ok", "email_ok", text.CSVCell(meant), answer.VerifiedAt}); got != string(data) {
			t.Errorf("without the appended cells\n%q, was\n%q", got, data)
		}
		if strings.Trim(meant, "abc@") != "" {
			return // separators in the answers may outnumber those of the file
		}
		second, err := Read([]byte(out), "")
		if err != nil {
			t.Fatalf("what was written does not read: %v: %q", err, out)
		}
		if again := write(second); again != out {
			t.Errorf("written again\n%q, was\n%q", again, out)
		}
	})
}

// cutOff takes out of what was written what was appended, and puts back the
// answers of an earlier output that it replaced.
func cutOff(t *testing.T, f *File, out string, cells []string) string {
	t.Helper()
	separator := string(f.separator)
	var b strings.Builder
	done := 0
	row := func(r record, cells []string) {
		end, n := f.own(r)
		tail := strings.Repeat(separator, f.width-n) + separator + strings.Join(cells, separator)
		keep := min(end-done, len(out))
		if !strings.HasPrefix(out[keep:], tail) {
			t.Fatalf("%q does not go on with %q", out[keep:], tail)
		}
		b.WriteString(out[:keep])
		b.Write(f.data[end:r.end])
		out, done = out[keep+len(tail):], r.end
	}
	if f.header != nil {
		row(*f.header, Columns)
	}
	for _, r := range f.records {
		row(r, cells)
	}
	return b.String() + out
}
