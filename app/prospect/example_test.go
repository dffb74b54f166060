package prospect_test

import (
	"context"
	"fmt"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/rest"
)

// The first two people with an email among those who forked a repository. The
// host is one of tests; with https://api.github.com as Base and an
// *http.Client as Doer it is the real one.
func Example() {
	host := &fakehost.Host{People: fakehost.Crowd(50)}
	client, err := codehost.New(codehost.Config{Base: fakehost.Base, Doer: host, Token: rest.NewSecret(fakehost.Token)})
	if err != nil {
		fmt.Println(err)
		return
	}
	query := prospect.Query{Source: codehost.Forks, Repo: codehost.Repo{Owner: "octo", Name: "tool"}, WithEmail: true, Target: 2}
	job, err := prospect.NewJob(client, query, prospect.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := job.Run(context.Background(), func(e prospect.Event) error {
		if e.Outcome != nil && e.Outcome.Record != nil {
			fmt.Println(e.Outcome.Record.Login, e.Outcome.Record.Email)
		}
		return nil
	})
	fmt.Println(report.Counts.Matches, err)
	// Output:
	// person-00004 p4@mail.example
	// person-00009 p9@mail.example
	// 2 <nil>
}
