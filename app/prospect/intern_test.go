package prospect

import (
	"reflect"
	"testing"

	"marketingskills/app/prospect/codehost"
)

// Interning changes no text.
func TestInterningChangesNothing(t *testing.T) {
	repos, followers := 3, 40
	entry := func() Entry {
		return Entry{Person: codehost.Person{Login: "ana", Type: "User", URL: "https://h.test/ana"}, Page: "https://h.test/p", Verdict: Matched, Record: &Record{User: codehost.User{Login: "ana", Name: "Ana", Company: "@acme", Email: "a@b.example", Bio: "Bio", Location: "Lyon", TwitterUsername: "x", Type: "User", PublicRepos: &repos, Followers: &followers, HTMLURL: "https://h.test/ana"}, Source: "forks", SourceRepo: "o/r", SourceURL: "https://h.test/p"}}
	}
	for _, change := range []func(*Entry){
		func(*Entry) {},
		func(e *Entry) { e.Record = nil },
		func(e *Entry) { e.Login, e.URL = "Ana", "" },
		func(e *Entry) { *e.Record = Record{} },
		func(e *Entry) { e.Record.Followers = nil },
	} {
		got, want := entry(), entry()
		change(&got)
		change(&want)
		if got.compact(sharedTexts{}); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v became %+v", want, got)
		}
	}
}
