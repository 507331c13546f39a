#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: examples_progress.sh [--cc gcc|clang] [-k TEXT] [--some] PLUMB
# The harnesses of examples/progress, as its LIST has them: `plumb check --progress` says which are non-blocking, and names the operation that
# is not; what it finds is the same when its trace is replayed. --some: every fifth of them (`./dev bench progress` has all).
set -uo pipefail

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
zoo=$tests/../examples/progress
usage() {
    echo "usage: examples_progress.sh [--cc gcc|clang] [-k TEXT] [--some] PLUMB" >&2
    exit 2
}

compiler=gcc text='' plumb='' step=1 row=0
while [ $# -gt 0 ]; do
    case $1 in
    --cc) compiler=${2-} && shift; shift ;;
    -k) text=${2-} && shift; shift ;;
    --some) step=5 && shift ;;
    -*) usage ;;
    *) plumb=$(readlink -f "$1") && shift ;;
    esac
done
[ -x "$plumb" ] || usage
case $compiler in
gcc) export PLUMB_CC=gcc PLUMB_CXX=g++ ;;
clang) export PLUMB_CC=clang PLUMB_CXX=clang++ ;;
*) usage ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2

checks=0 failures=0
fail() { # MESSAGE
    failures=$((failures + 1))
    echo "FAILED $1"
    head -n 12 out
}

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

echo "$checks checks, $failures failures"
[ $checks -gt 0 ] && [ $failures -eq 0 ]
