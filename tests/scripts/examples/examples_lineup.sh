#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: examples_lineup.sh [--cc gcc|clang] [-k TEXT] PLUMB
# The classes of examples/lineup, as its LIST has them, with both compilers or the one given: each builds without warnings
# and passes a test of one operation in one thread; a broken one fails its test, which the comment in its file names, and
# the right version passes the same test.
set -uo pipefail

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
zoo=$tests/../examples/lineup
usage() {
    echo "usage: examples_lineup.sh [--cc gcc|clang] [-k TEXT] PLUMB" >&2
    exit 2
}

compilers=(gcc clang) text='' plumb=''
while [ $# -gt 0 ]; do
    case $1 in
    --cc) compilers=("${2-}") && shift; shift ;;
    -k) text=${2-} && shift; shift ;;
    -*) usage ;;
    *) plumb=$(readlink -f "$1") && shift ;;
    esac
done
[ -x "$plumb" ] || usage

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2

checks=0 failures=0
failed() { # WHAT, output in out
    failures=$((failures + 1))
    echo "FAILED $1 ($PLUMB_CC)"
    head -n 12 out
}

expect() { # CODE NAME TEST FILE [CFLAGS]
    local code=$1 name=$2 test=$3 file=$4
    shift 4
    checks=$((checks + 1))
    "$plumb" check "$zoo/$file" --test "$test" --trace t.plr --time 60 -- -Wall -Wextra -Werror "$@" >out 2>&1
    local status=$?
    [ $status -eq "$code" ] || failed "$name: '$test' answers $status, not $code"
}

first_operation() { # FILE: one without arguments
    sed -n 's/^PLUMB_OP(\([a-z0-9_]*\))$/\1/p' "$zoo/$1" | head -n 1
}

check_row() { # NAME FILE CFLAGS TEST EXPECTED
    local flags=()
    [ "$3" = - ] || read -ra flags <<<"$3"
    expect 0 "$1" "$(first_operation "$2")" "$2" ${flags[@]+"${flags[@]}"}
    [ "$5" != pass ] || return
    : >out
    grep -qF -- "--test '$4'" "$zoo/$2" || failed "$1: the comment in $2 does not show its test"
    expect 1 "$1" "$4" "$2" ${flags[@]+"${flags[@]}"}
    [ "$3" = - ] || expect 0 "right version for $1" "$4" "$2"
}

for PLUMB_CC in "${compilers[@]}"; do
    export PLUMB_CC
    while IFS=$'\t' read -r name file cflags _ test expected; do
        case $name in '#'* | '') continue ;; esac
        [[ $name == *"$text"* ]] || continue
        check_row "$name" "$file" "$cflags" "$test" "$expected"
    done <"$zoo/LIST"
done

# Clients that a replay once did not find again, or whose orders no history tells.
if [ -z "$text" ]; then
    export PLUMB_CC=${compilers[0]}
    expect 1 clients 'count | remove_last count | add_last(30)' linked_list.c -DBUG_C
    expect 1 clients 'to_array | add(10) | to_array add(20)' bag.c -DBUG_E
    expect 1 clients 'enqueue(400) | try_dequeue | count enqueue(400)' queue.c -DBUG_B
    expect 1 clients 'try_set_result(20) | set_exception(3) try_set_canceled | exception' task_completion.c -DBUG_G
    # No serial run gets to cancel_token.
    expect 1 clients 'signal_and_wait cancel_token | signal_and_wait' barrier.c
fi

echo "$checks checks, $failures failures"
[ $checks -gt 0 ] && [ $failures -eq 0 ]
