#!/bin/sh
# Builds the commands of a release for every system, or for those named, into
# build/release: an archive for each, their checksums, and what the release
# changed. The tag is that of the newest release in VERSIONS.md.
#
#   build/release.sh v2.3.0 [linux/amd64 ...]
set -eu

tag=${1:-}
newest=v$(awk '/^### / { print tolower($2); exit }' VERSIONS.md)
if [ "$tag" != "$newest" ]; then
	echo "build/release.sh ${tag:-(no tag)}: VERSIONS.md begins with $newest; tag the commit that make release prepared" >&2
	exit 1
fi
shift
[ $# -gt 0 ] || set -- linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

out=build/release
rm -rf "$out"
mkdir -p "$out"
for system; do
	name=marketing-skills-$tag-$(echo "$system" | tr / -)
	mkdir "$out/$name"
	# The version that commands print is the commit, which the Go tool reads
	# from the repository; it fails where it cannot.
	CGO_ENABLED=0 GOOS=${system%/*} GOARCH=${system#*/} \
		go build -buildvcs=true -trimpath -ldflags='-s -w' -o "$out/$name/" ./tools/clis/... ./tools/verify-proxy
	cp LICENSE "$out/$name"
	tar -C "$out" -czf "$out/$name.tar.gz" "$name"
	rm -r "${out:?}/$name"
done
cd "$out"
if command -v sha256sum >/dev/null; then sha256sum -- *.tar.gz; else shasum -a 256 -- *.tar.gz; fi >SHA256SUMS
awk '/^### / { n++; next } n == 1 { print }' ../../VERSIONS.md >notes.md
