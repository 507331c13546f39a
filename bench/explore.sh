#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/explore.sh [--full | --quick]        (through ./dev bench explore)
# Exploring the execution graphs of bench/explore/*.c in one process: executions per second of processor time, the best
# of BENCH_REPEAT runs, building not included; and how the peak of memory grows with the number of executions.
# At most BENCH_MOST executions of each program; --full has no such limit and goes to ten million for memory.
# BENCH_MEMORY: the memory model; BENCH_CC: the compiler; PLUMB_LIB_DIR: the folder of libplumb-rt.so.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

repeat=${BENCH_REPEAT:-3}
most=${BENCH_MOST:-200000}
memory_runs=1000000
case ${1:-} in
--full) most=0 memory_runs=10000000 ;;
--quick) most=20000 memory_runs=100000 ;;
"") ;;
*) echo "usage: bench/explore.sh [--full | --quick]" >&2 && exit 2 ;;
esac
model=${BENCH_MEMORY:-rc11}
export PLUMB_CC=${BENCH_CC:-gcc}
# shellcheck source=bench/engine/begin.sh
source bench/engine/begin.sh

build() { # SOURCE MACROS...
    local source=bench/explore/$1.c
    shift
    build/bin/plumb-cc "$source" "$@" -pthread -o "$work/program"
}

# The fastest of some runs: "executions steps nanoseconds complete blocked peak-KiB".
measure() {
    for _ in $(seq "$repeat"); do
        "$work/launch" "$most" "$work/program" "$model"
    done | sort -n -k 3 | head -n 1
}

# Marks are executions per second and, for all executions, seconds ("-": none).
row() { # TEXT RATE SECONDS SOURCE MACROS...
    local text=$1 rate=$2 seconds=$3
    shift 3
    build "$@"
    measure | awk -v text="$text" -v rate="$rate" -v seconds="$seconds" -v most="$most" '{
        r = $1 / $3 * 1e9
        time_counts = seconds != "-" && $1 != most
        met = r >= rate && (!time_counts || $3 / 1e9 <= seconds)
        printf "%-34s %9d %8d %8.3f %9d   %s %d/s%s\n", text, $4, $5, $3 / 1e9, r, met ? "met   " : "missed",
            rate, time_counts ? ", " seconds " s" : ""
    }'
}

printf '%-34s %9s %8s %8s %9s   %s\n' "program ($model, $PLUMB_CC)" complete blocked seconds per/s mark
row "readers(15)" 300000 0.15 readers -DN=15
row "lastzero(15)" 300000 0.7 lastzero -DN=15
row "ainc(8)" 300000 - ainc -DN=8
row "fib_bench(6)" 300000 - fib_bench -DN=6
row "indexer(15)" 300000 - indexer -DN=15
row "ticket lock, 8 threads" 300000 - ticket_lock -DN=8
row "MCS lock, 5 threads" 150000 - mcs_lock -DN=5
row "Treiber stack, 3 x push+pop" 1000000 - treiber -DN=3
row "Michael-Scott, 2 enq, 2 deq" 1000000 - ms_queue -DWRITERS=2 -DREADERS=2
row "Michael-Scott, 3 x enq+deq" 150000 15 ms_queue -DBOTH=3
row "MPMC ring, 3 put, 3 take" 150000 - mpmc_ring -DWRITERS=3 -DREADERS=3
row "Chase-Lev, 3 thieves" 1000000 - chase_lev -DTHIEVES=3
row "rwlock, 3 readers, 2 writers" 150000 - rwlock -DREADERS=3 -DWRITERS=2
row "seqlock, 2 readers, 2 writers" 150000 - seqlock -DREADERS=2 -DWRITERS=2

# With --fold, by the tool, since it reads the machine code; building included.
fold_row() { # TEXT SECONDS SOURCE MACROS...
    local text=$1 seconds=$2 source=bench/explore/$3.c
    shift 3
    "$plumb" check "$source" --fold --memory "$model" --json "$work/fold.json" -q -- "$@" >/dev/null
    tr ',{}' '\n' <"$work/fold.json" | awk -F : -v text="$text" -v mark="$seconds" '
        { gsub(/[ "]/, ""); if (!($1 in value)) value[$1] = $2 }
        END {
            printf "%-34s %9d %8d %8.3f %9d   %s %d s\n", text,
                value["executions"] - value["blocked"] - value["folded"], value["folded"], value["seconds"],
                value["executions"] / value["seconds"], value["seconds"] <= mark ? "met   " : "missed", mark
        }'
}

plumb=${PLUMB:-$PLUMB_LIB_DIR/../bin/plumb}
if [ -x "$plumb" ]; then
    printf '%-34s %9s %8s %8s %9s   %s\n' "with --fold" complete folded seconds per/s mark
    fold_row "Michael-Scott, 3 x enq+deq" 5 ms_queue -DBOTH=3
fi

peak() { # EXECUTIONS
    "$work/launch" "$1" "$work/program" "$model" | awk '{ print $1, $6 }'
}

# What grows is the memo, which has an upper bound (docs/internals/explore/memo.md); the search itself does not.
peaks() { # TEXT
    read -r few few_peak < <(peak 10000)
    read -r many many_peak < <(peak "$memory_runs")
    awk -v text="$1" -v few="$few" -v a="$few_peak" -v many="$many" -v b="$many_peak" 'BEGIN {
        printf "peak memory, Treiber stack, 4 x push+pop%s: %d KiB after %d executions, %d KiB after %d   %s flat within 10 %%\n",
            text, a, few, b, many, b <= 1.1 * a ? "met   " : "missed"
    }'
}

build treiber -DN=4
peaks ""
PLUMB_MEMO=off peaks ", nothing remembered"
