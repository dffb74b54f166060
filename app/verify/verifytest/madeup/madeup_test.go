package madeup_test

import (
	"testing"

	"marketingskills/app/verify/verifytest"
	"marketingskills/app/verify/verifytest/madeup"
)

func TestContract(t *testing.T) {
	if err := verifytest.TestVerifier(madeup.Dialect); err != nil {
		t.Error(err)
	}
}
