package disposable

import (
	"slices"
	"strings"
	"testing"
)

func TestDomains(t *testing.T) {
	var list []string
	for line := range strings.Lines(domains) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		line, ended := strings.CutSuffix(line, "\n")
		if !ended || strings.Trim(line, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" {
			t.Errorf("%q is not one domain in small letters", line)
		}
		list = append(list, line)
		if !Domains().Contain(line) || !Domains().Contain("sub."+line) {
			t.Errorf("%s is not found", line)
		}
	}
	if !slices.IsSorted(list) {
		t.Error("the list is not sorted")
	}
	if len(list) < 8000 || len(slices.Compact(slices.Clone(list))) != len(list) {
		t.Errorf("the list has %d domains, or some twice", len(list))
	}
	for _, usual := range []string{"gmail.com", "gmx.net", "proton.me", "example.com", "com", ""} {
		if Domains().Contain(usual) {
			t.Errorf("%q is said to offer throwaway mailboxes", usual)
		}
	}
	if !strings.HasPrefix(domains, "# ") || !strings.Contains(domains, "# As of: ") {
		t.Error("the head of the list does not say where and when it comes from")
	}
}
