#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: ./dev bench libc
# A race through every function of the table of library functions, each found, and with a lock none; the share of the C
# library's exported functions that are in the table; then races through objects of the C++ library.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
plumb=${PLUMB:-$root/build/bin/plumb}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$root/tests/library/run.sh" --share "$plumb" "$scratch"
"$root/tests/library/run.sh" --list "$plumb" "$scratch"
for cc in gcc clang; do
    "$root/tests/cxx_library/run.sh" --cc $cc --binaries "$scratch" "$plumb" text.cpp containers.cpp objects.cpp
done
