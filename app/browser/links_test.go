package browser_test

import (
	"net/url"
	"testing"

	"marketingskills/app/browser"
)

// TestAddressesStayOnTheHost: wherever an address came from, the browser is
// never sent to another host with it.
func TestAddressesStayOnTheHost(t *testing.T) {
	here, err := url.Parse("https://skills.example/catalog/")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []browser.Address{
		{Path: "/"}, {Path: "/skills/sms/", Query: "q=a", Fragment: "b"},
		{Path: "//evil.example/"}, {Path: "///evil.example/"}, {Path: "//evil.example", Query: "q=//x"}, {Path: "//"},
	} {
		to, err := here.Parse(a.String())
		if err != nil || to.Host != here.Host || to.Scheme != here.Scheme {
			t.Errorf("%+v leads to %s, %v", a, to, err)
		}
	}
}
