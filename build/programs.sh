#!/bin/sh
# Makes sure that the programs which tests drive are there: a Chromium, which
# they cannot do without, and a Redis, without which some are skipped. As root
# they are installed through the system's package manager; otherwise the one
# command to type is printed.
set -eu
exec >&2

has() { command -v "$1" >/dev/null; }

has_browser() {
	if [ -n "${CHROME:-}" ]; then
		has "$CHROME"
		return
	fi
	for name in chromium chromium-browser google-chrome google-chrome-stable; do
		if has "$name"; then return 0; fi
	done
	[ -x "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" ] ||
		[ -x "/Applications/Chromium.app/Contents/MacOS/Chromium" ]
}

if [ -n "${CHROME:-}" ] && ! has_browser; then
	echo "CHROME is $CHROME, which cannot be run. Name a Chromium, or unset CHROME to have one found"
	exit 1
fi

chromium=chromium
redis=redis
if has apt-get; then
	install="apt-get update && apt-get install -y --no-install-recommends"
	redis=redis-server
elif has dnf; then
	install="dnf install -y"
elif has apk; then
	install="apk add"
elif has pacman; then
	install="pacman -Syu --noconfirm"
elif has brew; then
	install="brew install"
	chromium=google-chrome
else
	install=""
fi

missing=""
has_browser || missing=" $chromium"
has redis-server || missing="$missing $redis"
[ -n "$missing" ] || exit 0

needed="The tests need programs that are not here"
install="$install$missing"
case $install in
" "*) echo "$needed:$missing" ;;
brew*) echo "$needed. Install them with: $install" ;; # refuses to run as root
*)
	if [ "$(id -u)" -eq 0 ]; then
		echo "Installing what the tests need: $install"
		export DEBIAN_FRONTEND=noninteractive
		eval "$install" || echo "That failed: the lines above say why."
	elif has sudo; then
		echo "$needed. Install them with: sudo sh -c '$install'"
	else
		echo "$needed. Install them with: su -c '$install'"
	fi
	;;
esac
if ! has_browser; then
	echo "The browser tests need a Chromium. One that is elsewhere can be named: CHROME=/path/to/chromium make test"
	exit 1
fi
