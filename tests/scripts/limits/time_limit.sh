#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: time_limit.sh PLUMB
# --time S ends a command within a second more, whatever it is doing: compiling, shrinking, writing the file that fails by itself, reading.
set -uo pipefail

plumb=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failures=0 count=0

# Far less than what it would take otherwise, and more than a loaded machine needs.
SLACK=8

expect() { # PATTERN EXIT SECONDS COMMAND...
    local pattern=$1 status=$2 seconds=$3 begun=$EPOCHREALTIME output got
    shift 3
    count=$((count + 1))
    output=$(timeout 100 "$plumb" "$@" 2>&1)
    got=$?
    local took=$(((${EPOCHREALTIME/./} - ${begun/./}) / 1000))
    # shellcheck disable=SC2053 # it is a pattern
    if [[ $got -ne $status || $output != $pattern || $took -gt $(((seconds + SLACK) * 1000)) ]]; then
        printf 'plumb %s: exit %s after %s ms, expected %s and %s, got\n%s\n' "$*" "$got" "$took" "$status" "$pattern" "$output"
        failures=$((failures + 1))
    fi
}

cat >queue.c <<'END'
#include <plumb.h>
#include <stdatomic.h>
static atomic_int items[64];
static atomic_int head, tail;
PLUMB_OBJECT(queue)
PLUMB_OP(enq, int, v)
{
    int at = atomic_load(&tail); /* two threads may find the same place */
    atomic_store(&items[at], v);
    atomic_store(&tail, at + 1);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    int at = atomic_load(&head);
    if (at == atomic_load(&tail))
        return PLUMB_NONE;
    atomic_store(&head, at + 1);
    return PLUMB_INT(atomic_load(&items[at]));
}
END
cp "$(dirname "$plumb")/../../examples/own_specs/"*.c . 2>/dev/null
# What compiles a text that the name of the wrapper is followed by takes a minute.
printf '#!/bin/sh\ncase "$*" in *"$SLOW_ON"*) sleep 60;; esac\nexec gcc "$@"\n' >slow-cc
chmod +x slow-cc
export PLUMB_CC=$PWD/slow-cc

# --- compiling
export SLOW_ON=queue.c
slow='queue.c: inconclusive (time limit met while the compiler ran)'
expect "$slow" 3 1 check queue.c --test 'enq(1) | deq' --time 1
expect "$slow" 3 1 auto queue.c --time 1
expect "$slow" 3 1 orders queue.c --test 'enq(1) | deq' --time 1
expect "$slow" 3 1 prove queue.c --time 1
expect '*"verdict":"inconclusive"*"limits":\["time limit met while the compiler ran"\]*' 3 1 check queue.c --test 'enq(1) | deq' --time 1 --json -
SLOW_ON=spec.c
echo 'int nothing;' >spec.c
expect '*inconclusive (time limit met while the compiler ran)' 3 1 check queue.c --test 'enq(1) | deq' --spec ./spec.c --time 1

# --- the file that fails by itself: the report comes first, and is the answer
SLOW_ON=.repro.c
expect '*violated*failing test: *no file that fails by itself: time limit met*' 1 6 auto queue.c --time 6

# --- shrinking a large test
SLOW_ON=nothing
expect '*failing test: *' 1 6 auto queue.c --random 4x3 --samples 3 --time 6

# --- what looks at no clock
mkfifo endless.jsonl
sleep 30 >endless.jsonl &
holder=$!
expect 'endless.jsonl: inconclusive (time limit met)' 3 1 monitor endless.jsonl --spec queue --time 1
expect '*"verdict":"inconclusive"*"limits":\["time limit met"\]*' 3 1 monitor endless.jsonl --spec queue --time 1 --json -
kill "$holder"

echo "$count runs, $failures failures"
[ "$failures" -eq 0 ]
