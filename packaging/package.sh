#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: packaging/package.sh [--no-lintian]        (through ./dev package)
# Builds the Debian packages plumbline, libplumb-dev and plumbline-doc from what git has, in build/packages, and runs lintian on them.
# The version is that of CMakeLists.txt, the date that of the last commit: the same commit gives the same packages, bit for bit.
set -euo pipefail
umask 022
cd "$(dirname "$0")/.."

version=$(sed -n 's/^project(plumbline VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[ -n "$version" ] || { echo "package: CMakeLists.txt names no version" >&2 && exit 1; }
place=$PWD/build/packages tree=$PWD/build/packages/plumbline-$version
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
rm -rf "$place"
mkdir -p "$tree"
git ls-files -z | xargs -0 cp --parents -t "$tree"
cp -r packaging/debian "$tree/debian"
cat >"$tree/debian/changelog" <<END
plumbline ($version) unstable; urgency=medium

  * CHANGELOG.md lists what is new.

 -- Plumbline maintainers <maintainers@plumbline.invalid>  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END
log=$place/build.log
if ! (cd "$tree" && DEB_BUILD_OPTIONS="nocheck noautodbgsym parallel=$(nproc) ${DEB_BUILD_OPTIONS:-}" dpkg-buildpackage -us -uc -b -d) >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    exit 1
fi
rm -rf "$tree"
if [ "${1:-}" != --no-lintian ] && command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error,warning "$place"/*.changes || exit 1
fi
ls "$place"/*.deb
