#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: examples_cdsspec.sh [--cc gcc|clang] [-k TEXT] PLUMB
# The annotated programs of examples/cdsspec, as its LIST has them: under rc11 what is expected; what holds there holds under sc
# and tso, and with --histories every unless the options say otherwise. Annotations add no execution and take none away.
set -uo pipefail

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
zoo=$tests/../examples/cdsspec
usage() {
    echo "usage: examples_cdsspec.sh [--cc gcc|clang] [-k TEXT] PLUMB" >&2
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
run() { # ANSWER FILE FLAGS OPTIONS...: its exit code
    local answer=$1 file=$2 flags=()
    [ "$3" = - ] || read -ra flags <<<"$3"
    shift 3
    rm -f "$answer"
    "$plumb" check "$zoo/$file" "$@" --json "$answer" --trace trace.plr -- -Wall -Wextra -Werror "${flags[@]}" >out 2>&1
}

fail() { # WHAT
    failures=$((failures + 1))
    echo "FAILED $1"
    head -n 12 out
}

executions() { # ANSWER
    grep -o '"executions":[0-9]*' "$1" | head -n 1
}

check_row() { # NAME FILE CFLAGS OPTIONS EXPECTED ERROR
    local options=() status code=0 memory
    [ "$4" = - ] || read -ra options <<<"$4"
    [ "$5" = holds ] || code=1
    checks=$((checks + 1))
    run rc11.json "$2" "$3" "${options[@]}"
    status=$?
    if [ $status -ne $code ] || ! grep -q "\"verdict\":\"$5\"" rc11.json || { [ "$6" != - ] && ! grep -q "\"error\":\"$6\"" rc11.json; }; then
        fail "$1: expected $5 $6, got exit $status"
        return
    fi
    [ "$5" = holds ] || return
    for memory in sc tso; do
        checks=$((checks + 1))
        run "$memory.json" "$2" "$3" "${options[@]}" --memory "$memory" || fail "$1 under $memory"
    done
    checks=$((checks + 1))
    run plain.json "$2" "$3" --no-annotations || fail "$1 with --no-annotations"
    [ "$(executions plain.json)" = "$(executions rc11.json)" ] || fail "$1: $(executions rc11.json) with annotations, $(executions plain.json) without"
}

while IFS=$'\t' read -r name file cflags options expected error; do
    case $name in '#'* | '') continue ;; esac
    [[ $name == *"$text"* ]] || continue
    check_row "$name" "$file" "$cflags" "$options" "$expected" "$error"
done <"$zoo/LIST"

echo "$checks checks, $failures failures"
[ $checks -gt 0 ] && [ $failures -eq 0 ]
