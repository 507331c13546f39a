#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh [--cc clang|gcc|gcc-11|...] [-k TEXT] [--every N] [--binaries DIR] PLUMB FILE...
# Two threads use one object of the C++ library, in every case of the FILES (of this folder): without a lock that is a
# race, with one it is not, in one execution or two. One of N cases only. Compiled FILES are kept in DIR and used again.
# Exit code: 0 all as expected, 1 some not, 2 wrong usage.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tools=$(cd "$here/../../build/bin" && pwd)
# shellcheck source=tests/support/compiled.sh
source "$here/../support/compiled.sh"
cc=clang filter='' every=1 binaries=''
while [[ ${1-} == -* ]]; do
    case $1 in
    --cc) cc=${2-} ;;
    -k) filter=${2-} ;;
    --every) every=${2-} ;;
    --binaries) binaries=$(realpath -m "${2-}") ;;
    *) set -- ;;
    esac
    shift 2 || exit 2
done
[ $# -ge 2 ] || { sed -n '3,6s/^# //p' "$0" >&2; exit 2; }
plumb=$(realpath "$1")
shift
choose_compiler "$cc" || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
binaries=${binaries:-$work}/$cc-$every
count=0 failed=0

expect() { # PATTERN CASE [LOCKED]: how the answer begins, and nothing is named but classes of gcc
    local output
    count=$((count + 1))
    output=$(CASE=$2 ${3:+env LOCKED=1} "$plumb" check "$program" 2>&1 </dev/null | head -n 12)
    # shellcheck disable=SC2053 # it is a pattern
    [[ $output == $1 && $output != *"not examined:"* ]] && return 0
    failed=$((failed + 1))
    printf 'FAILED %s%s with %s:\n%s\n' "$2" "${3:+, locked}" "$cc" "$(sed 's/^/    /' <<<"$output")"
}

for file in "$@"; do
    program=$binaries/$file.out
    compile "$here/$file" "$program" -std=c++20 -DEVERY="$every" || exit 1
    while read -r name; do
        [[ $name == *"$filter"* ]] || continue
        expect '*: violated*error: data race*' "$name"
        expect '*: holds (all [12] execution*' "$name" locked
    done < <("$program")
done
echo "$count answers with $cc, $failed not as expected"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
