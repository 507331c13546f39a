#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: examples_lineup.sh [--cc clang|gcc] [-k TEXT] [--every N] PLUMB
# The classes of examples/lineup, as its LIST has them, with both compilers or the one given: each builds without warnings
# and passes a test of one operation in one thread; a broken one fails its test, which the comment in its file names, and
# the right version passes the same test.
set -uo pipefail

# shellcheck source=tests/scripts/examples/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"
zoo=$tests/../examples/lineup
read -ra compilers <<<"${given[--cc]-gcc clang}"

expect() { # CODE NAME TEST FILE [CFLAGS]
    local code=$1 name=$2 test=$3 file=$4
    shift 4
    checks=$((checks + 1))
    "$plumb" check "$zoo/$file" --test "$test" --trace t.plr --time 60 -- -Wall -Wextra -Werror "$@" >out 2>&1
    local status=$?
    [ $status -eq "$code" ] || fail "$name: '$test' answers $status, not $code"
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
    grep -qF -- "--test '$4'" "$zoo/$2" || fail "$1: the comment in $2 does not show its test"
    expect 1 "$1" "$4" "$2" ${flags[@]+"${flags[@]}"}
    [ "$3" = - ] || expect 0 "right version for $1" "$4" "$2"
}

for compiler in "${compilers[@]}"; do
    use_compiler "$compiler"
    while IFS=$'\t' read -r name file cflags _ test expected; do
        case $name in '#'* | '') continue ;; esac
        is_chosen "$name" || continue
        check_row "$name" "$file" "$cflags" "$test" "$expected"
    done <"$zoo/LIST"
done

# Clients that a replay once did not find again, or whose orders no history tells.
if [ -z "$text" ]; then
    use_compiler "${compilers[0]}"
    expect 1 clients 'count | remove_last count | add_last(30)' linked_list.c -DBUG_C
    expect 1 clients 'to_array | add(10) | to_array add(20)' bag.c -DBUG_E
    expect 1 clients 'enqueue(400) | try_dequeue | count enqueue(400)' queue.c -DBUG_B
    expect 1 clients 'try_set_result(20) | set_exception(3) try_set_canceled | exception' task_completion.c -DBUG_G
    # No serial run gets to cancel_token.
    expect 1 clients 'signal_and_wait cancel_token | signal_and_wait' barrier.c
fi

conclude
