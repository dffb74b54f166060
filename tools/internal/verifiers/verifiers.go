// Package verifiers lists the services that can verify emails.
package verifiers

import (
	"maps"
	"slices"

	"marketingskills/app/rest"
	"marketingskills/app/text"
	"marketingskills/app/verify"
	"marketingskills/app/verify/truelist"
	"marketingskills/tools/internal/console"
)

// Known are all of them, by the names that VERIFY_SERVICE may have.
var Known = map[string]func(rest.Config) (verify.Verifier, error){
	Default: func(c rest.Config) (verify.Verifier, error) { return truelist.New(c) },
}

// Default is the service if none is named. A verify-proxy speaks its interface.
const Default = "truelist"

// New returns the verifier with a name; "" is [Default]. It sends nothing.
func New(name string, c rest.Config) (verify.Verifier, error) {
	if name == "" {
		name = Default
	}
	make, ok := Known[name]
	if !ok {
		return nil, console.Refuse("VERIFY_SERVICE is %s; use %s", text.Quote(name), text.List(slices.Sorted(maps.Keys(Known))))
	}
	v, err := make(c)
	if err != nil {
		return nil, console.Usage(err)
	}
	return v, nil
}
