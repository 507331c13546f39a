#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: examples_cdsspec.sh [--cc clang|gcc] [-k TEXT] PLUMB
# The annotated programs of examples/cdsspec, as its LIST has them: under rc11 what is expected; what holds there holds under sc and
# tso. Annotations add no execution and take none away. What UNNEEDED names is unneeded.
set -uo pipefail

# shellcheck source=tests/scripts/examples/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"
zoo=$tests/../examples/cdsspec

export PLUMB_LIB_DIR
PLUMB_LIB_DIR=$(dirname "$plumb")/../lib

build() { # FILE CFLAGS: leaves program.out
    local flags=() compiler=plumb-cc
    [ "$2" = - ] || read -ra flags <<<"$2"
    case $1 in *.cpp) compiler='plumb-c++' ;; esac
    "$tests/../build/bin/$compiler" -Wall -Wextra -Werror "${flags[@]}" -pthread "$zoo/$1" -o program.out >out 2>&1
}

run() { # ANSWER OPTIONS...: its exit code
    rm -f "$1"
    "$plumb" check program.out "${@:2}" --json "$1" --trace trace.plr >out 2>&1
}

executions() { # ANSWER
    grep -o '"executions":[0-9]*' "$1" | head -n 1
}

check_row() { # NAME FILE CFLAGS OPTIONS EXPECTED ERROR
    local options=() status code=0 memory
    [ "$4" = - ] || read -ra options <<<"$4"
    [ "$5" = holds ] || code=1
    checks=$((checks + 1))
    build "$2" "$3" || { fail "$1: does not build" && return; }
    run rc11.json "${options[@]}"
    status=$?
    if [ $status -ne $code ] || ! grep -q "\"verdict\":\"$5\"" rc11.json ||
        { [ "$6" != - ] && ! grep -q "\"error\":\"$6\"" rc11.json; }; then
        fail "$1: expected $5 $6, got exit $status"
        return
    fi
    grep -q 'annotated functions judged' out || [ "$5" = violated ] || fail "$1: nothing was judged"
    [ "$5" = holds ] || return
    for memory in sc tso; do
        checks=$((checks + 1))
        run "$memory.json" "${options[@]}" --memory "$memory" || fail "$1 under $memory"
    done
    checks=$((checks + 1))
    run plain.json --no-annotations --no-fold || fail "$1 with --no-annotations"
    [ "$(executions plain.json)" = "$(executions rc11.json)" ] ||
        fail "$1: $(executions rc11.json) with annotations, $(executions plain.json) without"
}

while IFS=$'\t' read -r name file cflags options expected error; do
    case $name in '#'* | '') continue ;; esac
    [[ $name == *"$text"* ]] || continue
    check_row "$name" "$file" "$cflags" "$options" "$expected" "$error"
done <"$zoo/LIST"

while IFS=$'\t' read -r site order _; do
    case $site in '#'* | '') continue ;; esac
    [[ $site == *"$text"* ]] || continue
    checks=$((checks + 1))
    build "${site%:*}" -DEXTENDED || fail "$site: does not build"
    run answer.json --order "$site=relaxed" || fail "$site is needed"
    grep -q "relaxed instead of $order" answer.json || fail "$site is not $order"
done <"$zoo/UNNEEDED"

conclude
