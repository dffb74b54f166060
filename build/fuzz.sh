#!/bin/sh
# Fuzzes every target of the project for the time given, one after the other.
# Making interesting inputs smaller is cut short: it does not end in time with
# the fuzzing, which the Go tool then reports as a failure.
set -eu

packages=$(go list ./...)
for package in $packages; do
	listed=$(go test -list '^Fuzz' "$package")
	for target in $(echo "$listed" | grep '^Fuzz' || true); do
		echo "$package $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$1" -fuzzminimizetime 10x "$package"
	done
done
