package codehost

import "marketingskills/app/rest"

// What only tests tell apart: for everybody else these failures are their text.
var (
	ErrForbidden = errForbidden
	ErrGone      = errGone
	ErrMalformed = errMalformed
	ErrRedirects = errRedirects
	ErrSAML      = errSAML
	ErrTooLarge  = rest.ErrTooLarge

	Links = links
)
