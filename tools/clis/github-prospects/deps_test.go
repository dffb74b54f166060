package main

import (
	"testing"

	"marketingskills/tools/internal/depstest"
)

// TestDependencies keeps the promise of what the command is made of.
func TestDependencies(t *testing.T) { depstest.OwnOnly(t, "a token") }
