#!/bin/sh
# Looks for known vulnerabilities in the code that this project calls. The list
# of them is on the network; where it cannot be reached, that is said, and
# nothing fails.
set -u
exec 3>&1

errors=$(go tool govulncheck ./... 2>&1 >&3)
status=$?
case "$status $errors" in
"0 "*) exit 0 ;;
"3 "*) echo "Update what is named above, or call it no more." >&2 ;;
*"fetching vulnerabilities"*)
	echo "NOT CHECKED: known vulnerabilities, since the list of them cannot be reached: $errors" >&2
	exit 0
	;;
*) echo "go tool govulncheck ./... failed: $errors" >&2 ;;
esac
exit 1
