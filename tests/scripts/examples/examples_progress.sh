#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: examples_progress.sh [--cc clang|gcc] [-k TEXT] [--some] PLUMB
# The harnesses of examples/progress, as its LIST has them: `plumb check --progress` says which are non-blocking, and names the operation that
# is not; what it finds is the same when its trace is replayed. --some: every fifth of them (`./dev bench progress` has all).
set -uo pipefail

takes=--some
# shellcheck source=tests/scripts/examples/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"
zoo=$tests/../examples/progress
step=1 row=0
[ ! "${given[--some]-}" ] || step=5

check_row() { # FILE CFLAGS EXPECTED OPERATIONS
    local flags=() status code=0
    [ "$2" = - ] || read -ra flags <<<"$2"
    [ "$3" = holds ] || code=1
    checks=$((checks + 1))
    rm -f t.plr
    "$plumb" check "$zoo/$1" --progress --no-repair --trace t.plr --json answer.json -- -Wall -Wextra -Werror "${flags[@]}" >out 2>&1
    status=$?
    if [ $status -ne $code ] || ! grep -q "\"verdict\":\"$3\"" answer.json; then
        fail "$1 $2: expected $3, got exit $status"
    elif [ $code -eq 1 ] && ! { grep -q '"error":"not-non-blocking"' answer.json && grep -Eq "($4) is not non-blocking" out; }; then
        fail "$1 $2: not what was expected of $4"
    elif [ $code -eq 1 ] && { "$plumb" replay t.plr >out 2>&1; ! grep -Eq "($4) is not non-blocking" out; }; then
        fail "$1 $2: not the same when replayed"
    fi
}

while IFS=$'\t' read -r file cflags expected operations; do
    case $file in '#'* | '') continue ;; esac
    row=$((row + 1))
    if [ $((row % step)) -ne 0 ] || [[ $file != *"$text"* ]]; then continue; fi
    check_row "$file" "$cflags" "$expected" "$operations"
done <"$zoo/LIST"

conclude
