package second_test

import (
	"testing"

	"marketingskills/app/verify/verifytest"
	"marketingskills/app/verify/verifytest/second"
)

func TestContract(t *testing.T) {
	if err := verifytest.TestVerifier(second.Service); err != nil {
		t.Error(err)
	}
}
