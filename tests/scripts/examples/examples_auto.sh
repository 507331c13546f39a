#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: examples_auto.sh [--cc gcc|clang] [-k TEXT] PLUMB
# The harnesses of examples/auto, as its LIST has them: plain `plumb auto` finds what is wrong, and nothing where nothing is
# (there with a fixed number of larger tests, so that it does not use all its time).
set -uo pipefail

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
zoo=$tests/../examples/auto
usage() {
    echo "usage: examples_auto.sh [--cc gcc|clang] [-k TEXT] PLUMB" >&2
    exit 2
}

compiler=gcc text='' plumb=''
while [ $# -gt 0 ]; do
    case $1 in
    --cc) compiler=${2-} && shift; shift ;;
    -k) text=${2-} && shift; shift ;;
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
check_row() { # FILE CFLAGS EXPECTED ERROR
    local flags=() options=() status code=1
    [ "$2" = - ] || read -ra flags <<<"$2"
    [ "$3" = violated ] || options=(--samples 24) code=0
    checks=$((checks + 1))
    "$plumb" auto "$zoo/$1" "${options[@]}" --json answer.json -- -Wall -Wextra -Werror "${flags[@]}" >out 2>&1
    status=$?
    if [ $status -ne $code ] || ! grep -q "\"verdict\":\"$3\"" answer.json ||
        { [ "$4" != - ] && ! grep -q "\"error\":\"$4\"" answer.json; }; then
        failures=$((failures + 1))
        echo "FAILED $1 $2: expected $3 $4, got exit $status"
        head -n 12 out
    fi
}

while IFS=$'\t' read -r file cflags expected error; do
    case $file in '#'* | '') continue ;; esac
    [[ $file == *"$text"* ]] || continue
    check_row "$file" "$cflags" "$expected" "$error"
done <"$zoo/LIST"

echo "$checks checks, $failures failures"
[ $checks -gt 0 ] && [ $failures -eq 0 ]
