#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --count-histories: what is enumerated from the graphs of sc has to be what all interleavings show, one by one.
# tests/scripts/count_histories.sh [-v] [--all] PLUMB
# Without --all (`./dev bench campaigns`) the interleavings of three threads, half a million, are not counted again.
set -euo pipefail
verbose='' all=''
[ "$1" != -v ] || { verbose=1 && shift; }
[ "$1" != --all ] || { all=1 && shift; }
plumb=$(realpath "$1")
examples=$(realpath "$(dirname "$0")/../../examples")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

rows=0 failed=0 wrong=0

counted() { # OPTION...: prints the histories' line, or what went wrong
    local status=0
    "$plumb" check --count-histories --time 200 -q -v "$@" >output 2>&1 || status=$?
    case $status in 0 | 1) ;; *) echo "status $status" ;; esac
    sed -n '/^histories/s/^/'$status' /p' output
}

known='' # what all interleavings show, if it was found out before
same() { # FILE TEST [OPTION...] [-- CFLAGS]
    local file=$1 test=$2 graphs schedules=$known
    [ -e "$file" ] || file=$examples/$1
    shift 2
    graphs=$(counted "$file" --test "$test" --memory sc "$@")
    [ -n "$schedules" ] || schedules=$(counted "$file" --test "$test" --mode dfs "$@")
    rows=$((rows + 1))
    case $graphs in
    "0 histories: "[1-9]*" (0 "*) ;;
    "1 histories: "[1-9]*" ("[1-9]*) wrong=$((wrong + 1)) ;;
    *) schedules+=" (any)" ;; # the status says otherwise: never equal
    esac
    if [ "$graphs" != "$schedules" ]; then
        failed=$((failed + 1))
        printf '%s\n' "$file $test $*: graphs: $graphs" "interleavings: $schedules"
    elif [ -n "$verbose" ]; then
        echo "$file $test $*: $graphs"
    fi
}

for test in 'enq(1) | deq' 'enq(1) deq | enq(2) deq' 'enq(1) => enq(2) | deq => deq'; do
    same roundup/iqueue.c "$test" --spec queue
done
# Three threads: a return that comes late makes a difference.
cat >counter.c <<'PROGRAM'
#include <plumb.h>
#include <stdatomic.h>
static atomic_int sum;
PLUMB_OBJECT(counter)
PLUMB_OP(add, int, n)
{
#ifdef WRONG
    atomic_store(&sum, atomic_load(&sum) + n);
#else
    atomic_fetch_add(&sum, n);
#endif
    return PLUMB_OK;
}
PLUMB_OP(get)
{
    return PLUMB_INT(atomic_load(&sum));
}
PROGRAM
[ -n "$all" ] || known='0 histories: 34 (0 not linearizable), 92 sequentializations'
same "$work/counter.c" 'add(1) | add(2) | get' --spec counter
known=
same "$work/counter.c" 'add(1) get | add(2) get' --spec counter -- -DWRONG
same roundup/herlihy_wing.c 'enq(1) | deq' --spec queue
same roundup/segmented_queue.c 'enq(1) enq(2) => deq | deq' --spec queue
same roundup/segmented_queue.c 'enq(1) enq(2) => deq | deq' --spec queue --quasi 1
same roundup/segmented_queue.c 'enq(1) enq(2) enq(3) => deq | deq => deq' --spec queue --quasi 1 -- -DTOO_FAR
same roundup/quasi_stack.c 'push(1) => push(2) | pop => pop' --spec stack
same roundup/quasi_stack.c 'push(1) => push(2) | pop => pop' --spec stack -- -DGIVE_UP
same roundup/treiber.c 'push(1) pop | push(2)' --spec stack
same roundup/sl_queue.c 'enq(1) => enq(2) | enq(3) => deq deq deq' --spec queue
# By the test's own serial executions, with operations that wait forever.
same lineup/event.c 'wait | set'
same lineup/event.c 'wait | reset'
same lineup/event.c 'set => wait | reset'
echo "$rows tests, $wrong of them not linearizable, $failed failed"
[ "$failed" -eq 0 ] && [ "$wrong" -gt 0 ]
