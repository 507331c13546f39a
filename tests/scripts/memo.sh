#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: memo.sh PLUMB
# Executions that need not be run, because every thread does what it did before: with PLUMB_MEMO=compare they are run all the
# same and must come to the same end, with PLUMB_MEMO=off nothing is remembered. Verdict and counts are the same.
set -uo pipefail

# shellcheck source=tests/scripts/examples/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/examples/begin.sh"
bench=$tests/../bench/explore

build() { # SOURCE FLAG...
    PLUMB_LIB_DIR=$(dirname "$plumb")/../lib "$tests/../build/bin/plumb-cc" -pthread "$@" -o program || exit 2
}

# "exit code, executions, blocked"; `memo` is empty, compare or off.
run() { # MEMO OPTION...
    local memo=$1
    shift
    rm -f result.json
    env -u PLUMB_MEMO ${memo:+PLUMB_MEMO=$memo} "$plumb" check -q --no-fold --json result.json ./program "$@" \
        >verdict 2>errors </dev/null
    echo "$? $(number executions) $(number blocked)"
}

same() { # MEMORY SOURCE FLAG...
    local memory=$1 all memo
    shift
    build "$@"
    all=$(run off --memory "$memory")
    case $all in 0*) ;; *) expect_same "$1 under $memory" "0 ..." "$all $(cat errors verdict)" ;; esac
    for memo in compare ''; do
        expect_same "$* under $memory, ${memo:-not run}" "$all" "$(run "$memo" --memory "$memory")"
    done
    expect_same "$* under $memory, two workers" "$all" "$(run compare --memory "$memory" --jobs 2)"
}

# Only one way to come to it, and all threads find the same there as elsewhere.
violated() { # SOURCE
    local first
    for first in 0 1 2; do
        build "$1" -DFIRST=$first
        expect_same "$1 $first" 1 "$(run '' --memory rc11 | cut -d' ' -f1)"
    done
}

same rc11 "$bench/ms_queue.c" -DWRITERS=1 -DREADERS=2
same tso "$bench/ms_queue.c" -DBOTH=2
same rc11 "$bench/treiber.c" -DN=2
same sc "$bench/treiber.c" -DN=2
same rc11 "$bench/ticket_lock.c" -DN=4
same rc11 "$bench/mcs_lock.c" -DN=3
same rc11 "$bench/mpmc_ring.c" -DWRITERS=2 -DREADERS=2
same rc11 "$bench/chase_lev.c" -DTHIEVES=1
same rc11 "$bench/seqlock.c" -DREADERS=1 -DWRITERS=1
# Each thread creates the next one and joins it.
same rc11 "$bench/../endings/passing.c" -DN=4 -DENDING=3
same rc11 "$bench/../endings/stack.c" -DN=2 -DENDING=3
violated "$tests/programs/wrong/race/plain/memo_same_value.c"
violated "$tests/programs/wrong/race/plain/memo_same_block.c"
# The last thread ends the process, wherever the others are.
build "$bench/../endings/queue.c" -DN=3 -DENDING=13
run '' --executions 3000 --jobs 1 >/dev/null
expect_same "exit of the last thread" '' "$(grep -o nondeterministic result.json | head -n 1)"

# Samples, which come after 2,000 executions, leave what is remembered as it is.
build "$bench/ms_queue.c" -DWRITERS=2 -DREADERS=2
run '' --jobs 1 >/dev/null
expect_same "not run, of 11198" most "$([ "$(number not_run)" -gt 10000 ] && echo most)"

conclude
