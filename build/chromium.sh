#!/bin/sh
# Makes sure that a Chromium is there for the browser tests. As root it is
# installed through the system's package manager; otherwise the one command to
# type is printed.
set -eu

[ -n "${CHROME:-}" ] && exit 0
for name in chromium chromium-browser google-chrome google-chrome-stable; do
	command -v "$name" >/dev/null 2>&1 && exit 0
done
[ -x "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" ] && exit 0
[ -x "/Applications/Chromium.app/Contents/MacOS/Chromium" ] && exit 0

if command -v apt-get >/dev/null 2>&1; then
	install="apt-get update && apt-get install -y --no-install-recommends chromium"
elif command -v dnf >/dev/null 2>&1; then
	install="dnf install -y chromium"
elif command -v apk >/dev/null 2>&1; then
	install="apk add chromium"
elif command -v pacman >/dev/null 2>&1; then
	install="pacman -S --noconfirm chromium"
elif command -v brew >/dev/null 2>&1; then
	echo "The browser tests need a Chromium. Install it with: brew install --cask chromium" >&2
	exit 1
else
	echo "The browser tests need a Chromium. Install one, or name it: CHROME=/path/to/chromium make test" >&2
	exit 1
fi

if [ "$(id -u)" -ne 0 ]; then
	echo "The browser tests need a Chromium. Install it with: sudo sh -c '$install'" >&2
	exit 1
fi
echo "Installing Chromium for the browser tests: $install" >&2
DEBIAN_FRONTEND=noninteractive sh -c "$install" >&2
