package verify_test

import (
	"context"
	"fmt"

	"marketingskills/app/verify"
)

// The free checks send nothing, and say no more than is certain: what may be a
// good address stays unknown.
func ExampleChecker_Check() {
	checker := verify.Checker{Disposable: "throwaway.example"}
	for _, address := range []string{"ann@acme.example", "info@acme.example", "ann@gmial.com", "x@throwaway.example", "ann@"} {
		r := checker.Check(context.Background(), address)
		fmt.Printf("%s: %s, %s, %q\n", r.Address, r.State, r.SubState, r.DidYouMean)
	}
	// Output:
	// ann@acme.example: unknown, unknown_error, ""
	// info@acme.example: unknown, is_role, ""
	// ann@gmial.com: unknown, unknown_error, "ann@gmail.com"
	// x@throwaway.example: risky, is_disposable, ""
	// ann@: email_invalid, failed_smtp_check, ""
}
