#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/instructions.sh [FOLDER]        (through ./dev bench instructions -- FOLDER)
# Instructions that the workers execute to explore programs of bench/explore and examples completely, counted by valgrind: not a
# matter of how busy the machine is. FOLDER: the sources of another version, built, to compare with. Both compile with their own
# plumb-cc, by default without options. BENCH_FLAGS: options for both, such as -O1; BENCH_CC: the compiler.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2

other=${1:-}
trees=("$PWD")
[ -z "$other" ] || trees=("$(cd "$other" && pwd)" "$PWD")
export PLUMB_CC=${BENCH_CC:-gcc}
mark=1.25
for tree in "${trees[@]}"; do
    [ -x "$tree/build/bin/plumb" ] || { echo "bench: $tree is not built" >&2 && exit 2; }
done
command -v valgrind >/dev/null || { echo "bench: no valgrind" >&2 && exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# "executions instructions"; all processes that run the program count, starting them included.
count() { # TREE SOURCE TEST FLAGS...
    local tree=$1 source=$2 test=$3 flags=${BENCH_FLAGS:-}
    shift 3
    rm -f "$work"/log.* "$work/program"
    # shellcheck disable=SC2086 # several words
    local wrapper=$tree/build/bin/plumb-cc
    [ -x "$wrapper" ] || wrapper=$tree/tools/plumb-cc # of an older version
    PLUMB_LIB_DIR=$tree/build/lib "$wrapper" $flags "$@" "$source" -pthread -o "$work/program" || return 1
    valgrind --tool=callgrind --trace-children=yes --callgrind-out-file=/dev/null --log-file="$work/log.%p" \
        "$tree/build/bin/plumb" check "$work/program" ${test:+--test "$test"} >"$work/output" 2>&1
    grep -q 'holds (all' "$work/output" || { cat "$work/output" >&2 && return 1; }
    cat "$work"/log.* | awk -v program="$work/program" -v executions="$(grep -o 'all [0-9]* executions' "$work/output" | head -n 1)" '
        /Command: / { counts = $3 == program }
        /Collected/ && counts { sum += $4 }
        END { split(executions, words); print words[2], sum }'
}

row() { # TEXT SOURCE TEST FLAGS...
    local text=$1 tree line=''
    shift
    for tree in "${trees[@]}"; do
        line+=" $(count "$tree" "$@")"
    done
    printf "%s\t%s\n" "$text" "$line" >>"$work/rows"
    awk -v text="$text" '{
        printf "%-44s %9d %12.1f", text, $1, $2 / 1e6
        if (NF > 2) printf " %9d %12.1f %7.2f", $3, $4 / 1e6, $4 / $2
        print ""
    }' <<<"$line"
}

printf '%-44s %9s %12s' program executions millions
[ -z "$other" ] && echo || printf ' %9s %12s %7s\n' executions millions ratio
explore() { # TEXT NAME FLAGS...
    row "$1" "bench/explore/$2.c" "" "${@:3}"
}
explore "readers(12)" readers -DN=12
explore "lastzero(10)" lastzero -DN=10
explore "ainc(6)" ainc -DN=6
explore "fib_bench(5)" fib_bench -DN=5
explore "indexer(14)" indexer -DN=14
explore "ticket lock, 6 threads" ticket_lock -DN=6
explore "MCS lock, 4 threads" mcs_lock -DN=4
explore "Treiber stack, 2 x push+pop" treiber -DN=2
explore "Michael-Scott, 2 enq, 2 deq" ms_queue -DWRITERS=2 -DREADERS=2
explore "MPMC ring, 3 put, 2 take" mpmc_ring -DWRITERS=3 -DREADERS=2
explore "Chase-Lev, 2 thieves" chase_lev -DTHIEVES=2
explore "rwlock, 2 readers, 1 writer" rwlock -DREADERS=2 -DWRITERS=1
explore "seqlock, 2 readers, 1 writer" seqlock -DREADERS=2 -DWRITERS=1
row "locked queue, enq | deq" examples/harness/locked_queue.c "enq(1) deq | enq(2) deq | enq(3) deq"
row "Michael-Scott queue, enq | deq" examples/harness/michael_scott.c "enq(1) | enq(2) | deq"
row "line-up: stack" examples/lineup/stack.c "push(1) try_pop | push(2) | try_pop"
row "line-up: dictionary" examples/lineup/dictionary.c "try_add(1) count | try_remove(1) count | try_add(1)"
row "line-up: event" examples/lineup/event.c "set is_set | reset is_set | set wait"
row "line-up: semaphore" examples/lineup/semaphore.c "release(1) | wait current_count | release(1) wait"
row "round-up: Herlihy-Wing" examples/roundup/herlihy_wing.c "enq(1) deq | enq(2) deq"
row "round-up: Treiber" examples/roundup/treiber.c "push(1) pop | push(2) pop | push(3)"

[ -z "$other" ] || awk -F '\t' -v mark="$mark" '{
    split($2, c, " ")
    before += c[2]; now += c[4]; logs += log(c[4] / c[2])
} END {
    printf "all of it: %.0f -> %.0f million instructions, ratio %.2f; geometric mean of the ratios %.2f   %s %s\n", before / 1e6,
        now / 1e6, now / before, exp(logs / NR), now / before <= mark ? "met   " : "missed", mark
}' "$work/rows"
