#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: races.sh PLUMB
# Where races are allowed, plain accesses have exactly the executions that atomic relaxed ones have, under every memory model
# and with both compilers; and programs without races have those that they have anyway.
# Exit code: 0 all as expected, 1 some not, 2 wrong usage.
set -uo pipefail

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tests/support/skips.sh
source "$tests"/support/skips.sh
[ $# -eq 1 ] && plumb=$(command -v -- "$1") || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
plumb=$(realpath "$plumb")
work=$(mktemp -d "${TMPDIR:-/tmp}/races.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export PLUMB_LIB_DIR
PLUMB_LIB_DIR=$(dirname "$plumb")/../lib
count=0 failed=0

answer() { # ARGUMENTS of plumb check
    "$plumb" check --quiet --no-fold --time 60 "$@" 2>&1 </dev/null | sed 's/^[^ ]*: //'
}

same() { # WHAT FIRST SECOND
    count=$((count + 1))
    [[ $2 == "$3" && $2 == holds* ]] && return
    failed=$((failed + 1))
    printf 'FAILED %s: %s, but %s\n' "$1" "$2" "$3"
}

for cc in gcc clang; do
    has_tool $cc 18 || continue
    export PLUMB_CC=$cc
    for shape in 0 1 2 3 4 5; do
        "$tests/../build/bin/plumb-cc" "$tests/support/race_shapes.c" -DSHAPE=$shape -o plain.out || exit 1
        "$tests/../build/bin/plumb-cc" "$tests/support/race_shapes.c" -DSHAPE=$shape -DATOMIC -o atomic.out || exit 1
        for memory in rc11 sc tso; do
            options=(--races allow --memory "$memory")
            same "shape $shape, $cc, $memory" "$(answer plain.out "${options[@]}")" "$(answer atomic.out "${options[@]}")"
        done
    done
done

export PLUMB_CC=clang
while read -r program flags; do
    options=("$tests/../bench/explore/$program.c")
    read -ra flags <<<"$flags"
    plain=$(answer "${options[@]}" -- "${flags[@]}")
    same "$program" "$plain" "$(answer "${options[@]}" --races allow -- "${flags[@]}")"
    same "$program, two workers" "$plain" "$(answer "${options[@]}" --races allow --jobs 2 -- "${flags[@]}")"
done <<'PROGRAMS'
ms_queue -DBOTH=2
treiber -DN=2
mcs_lock -DN=3
seqlock -DWRITERS=1 -DREADERS=1
PROGRAMS
summary "comparisons" $count $failed
[ $failed -eq 0 ]
