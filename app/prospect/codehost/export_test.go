package codehost

// What only tests tell apart: for everybody else these failures are their text.
var (
	ErrForbidden = errForbidden
	ErrGone      = errGone
	ErrMalformed = errMalformed
	ErrRedirects = errRedirects
	ErrSAML      = errSAML
	ErrTooLarge  = errTooLarge

	Links = links
)
