#!/bin/sh
# Runs every test, and lists what was skipped and why. What does much at once
# runs under the race detector where that works: it needs a C compiler, and some
# machines have none.
set -u

run() { go tool gotestsum --format standard-quiet -- -timeout 20m "$@"; }

build/programs.sh || exit 1
packages=$(go list ./...) || exit 1

if ! why=$(go test -race -run '^$' ./app/text 2>&1); then
	run $packages
	status=$?
	echo "NOT CHECKED: races, since the race detector does not work here: $why" >&2
	exit $status
fi

raced="" rest=""
for package in $packages; do
	case $package in
	*/app/upgrade/listing | */app/verify/csvfile) # parsers: nothing at once, and many times slower
		rest="$rest $package" ;;
	*/app/pages* | */app/prospect* | */app/search* | */app/upgrade* | */app/verify* | */build/site | \
		*/tools/clis/* | */tools/internal/* | */tools/verify-proxy)
		raced="$raced $package" ;;
	*)
		rest="$rest $package" ;;
	esac
done
status=0
run -race $raced || status=1
run $rest || status=1
exit $status
