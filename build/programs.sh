#!/bin/sh
# Makes sure that the programs which tests drive are there: a Chromium, which
# they cannot do without, and a Redis, without which some say that they did not
# run. As root they are installed through the system's package manager;
# otherwise the one command to type is printed.
set -eu

chromium() {
	[ -n "${CHROME:-}" ] && return 0
	for name in chromium chromium-browser google-chrome google-chrome-stable; do
		command -v "$name" >/dev/null 2>&1 && return 0
	done
	[ -x "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" ] ||
		[ -x "/Applications/Chromium.app/Contents/MacOS/Chromium" ]
}

packages=""
chromium || packages="chromium"
command -v redis-server >/dev/null 2>&1 || packages="$packages redis"
[ -n "$packages" ] || exit 0

if command -v apt-get >/dev/null 2>&1; then
	install="apt-get update && apt-get install -y --no-install-recommends $(echo "$packages" | sed 's/redis/redis-server/')"
elif command -v dnf >/dev/null 2>&1; then
	install="dnf install -y $packages"
elif command -v apk >/dev/null 2>&1; then
	install="apk add $packages"
elif command -v pacman >/dev/null 2>&1; then
	install="pacman -S --noconfirm $packages"
elif command -v brew >/dev/null 2>&1; then
	install="brew install $packages"
else
	install=""
fi

if [ -n "$install" ] && [ "$(id -u)" -eq 0 ]; then
	echo "Installing what the tests need: $install" >&2
	DEBIAN_FRONTEND=noninteractive sh -c "$install" >&2
	exit 0
fi
case $install in
"") echo "The tests need these programs, which are not here: $packages. (A Chromium elsewhere: CHROME=/path/to/chromium make test)" >&2 ;;
brew*) echo "The tests need programs that are not here. Install them with: $install" >&2 ;;
*) echo "The tests need programs that are not here. Install them with: sudo sh -c '$install'" >&2 ;;
esac
if ! chromium; then
	exit 1
fi
echo "NOT CHECKED: several proxies with one limit, since redis-server is not here" >&2
