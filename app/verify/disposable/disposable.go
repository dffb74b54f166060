// Package disposable is a list of domains of throwaway mailboxes. The head of
// domains.txt says where it comes from and of when it is.
package disposable

import (
	_ "embed"

	"marketingskills/app/verify"
)

//go:embed domains.txt
var domains string

// Domains returns the list.
func Domains() verify.Domains { return verify.Domains(domains) }
