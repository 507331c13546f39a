#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: choices.sh PLUMB
# What a result says about choices of the program that were not tried (the JSON member "limits"), and that executions
# with such choices can be run again.
set -uo pipefail

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tests/support/skips.sh
source "$tests"/support/skips.sh
[ $# -eq 1 ] && [ -x "$1" ] || { echo "usage: choices.sh PLUMB" >&2 && exit 2; }
plumb=$(readlink -f "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0 count=0

says() { # EXPECTED-LIMITS EXIT-CODE PROGRAM OPTIONS...
    local expected=$1 code=$2 program=$tests/programs/$3 limits status
    shift 3
    "$plumb" check "$program" --json - --trace t.plr "$@" >answer.json 2>&1
    status=$?
    limits=$(sed -n 's/.*"limits": *\[\([^]]*\)\].*/\1/p' answer.json)
    count=$((count + 1))
    [ "$limits" = "$expected" ] && [ "$status" -eq "$code" ] && return
    echo "FAILED ${program#"$tests"/} $*: limits [$limits], exit $status; expected [$expected], exit $code"
    failed=$((failed + 1))
}

replays() { # after a violation
    "$plumb" replay t.plr >replay.txt 2>&1
    local status=$?
    count=$((count + 1))
    [ "$status" -eq 1 ] && grep -q "$1" replay.txt && return
    echo "FAILED replay: exit $status, or no '$1' in it"
    failed=$((failed + 1))
}

row='"spurious wake-ups and failures not tried twice in a row at one place"'
says '' 0 right/pthread/mutex_static.c --mode random --runs 100
says '"spurious wake-ups not tried (--spurious)"' 0 right/choices/wait_with_if.c --mode dfs
says "$row" 0 right/choices/wait_in_a_loop.c --mode random --runs 100 --spurious
says '' 1 wrong/choices/wait_with_if_spurious.c --mode dfs --spurious
replays 'woken spuriously changed'
says '' 0 right/atomics/cas_strong_counter.c --mode random --runs 100
says '"reuse of freed memory not tried (--reuse)"' 0 wrong/choices/address_as_a_name.c --mode dfs
says '' 1 wrong/choices/address_as_a_name.c --mode dfs --reuse
replays 'malloc reuses'
says '"other orders of sleeps and looks at the clock not tried (--mode dfs)"' 0 wrong/choices/sleeps_before_look.c --mode all
says '' 0 right/loops/looks_and_sleeps.c --mode all
says '"other random numbers not tried"' 0 right/libc/random_in_threads.c --mode all
says '"not supported: pthread_cancel ('"$tests"'/programs/right/pthread/cancel.c:18)"' 3 right/pthread/cancel.c --mode random --runs 3
for cc in gcc clang; do
    has_tool $cc 4 || continue
    says '"failures of weak CAS not tried (--weak-cas)"' 0 right/choices/weak_cas_lock.c --mode dfs --cc $cc
    says "$row" 0 right/choices/weak_cas_lock.c --mode dfs --weak-cas --cc $cc
    says '' 1 wrong/choices/weak_cas_once.c --mode dfs --weak-cas --cc $cc
    replays 'fails spuriously owner'
done
summary "answers" $count $failed
[ "$failed" -eq 0 ]
