#!/bin/sh
# Fuzzes every target of the project for the time given, one after the other.
set -eu

for package in $(go list ./...); do
	for target in $(go test -list '^Fuzz' "$package" 2>/dev/null | grep '^Fuzz' || true); do
		echo "$package $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$1" "$package"
	done
done
