#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/engine.sh                            (through ./dev bench engine)
# Executions per second of a Michael-Scott queue, and what an event, a switch and a reset cost, in
# processor time.
# The best of BENCH_REPEAT runs. BENCH_CC names the compilers; PLUMB_LIB_DIR the folder of libplumb-rt.so.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

repeat=${BENCH_REPEAT:-3}
compilers=${BENCH_CC:-gcc clang}
mark=600000 # executions per second with gcc, on a quiet core
# shellcheck source=bench/engine/begin.sh
source bench/engine/begin.sh

build() { # NAME SOURCE MACROS...
    local name=$1 source=$2
    shift 2
    PLUMB_CC=$compiler build/bin/plumb-cc "$source" "$@" -pthread -o "$work/$name"
}

# Nanoseconds of one execution.
measure() { # RUNS NAME
    local best='' line
    for _ in $(seq "$repeat"); do
        line=$("$work/launch" "$1" "$work/$2" | awk '{ print $3 / $1 }')
        best=$(awk -v a="${best:-$line}" -v b="$line" 'BEGIN { print a < b ? a : b }')
    done
    echo "$best"
}

# Difference of two executions, spread over so many pieces of work.
difference() { # TIME LESS-TIME PIECES
    awk -v a="$1" -v b="$2" -v n="$3" 'BEGIN { printf "%.1f", (a - b) / n }'
}

row() { # COMPILER WHAT VALUE UNIT
    printf '%-8s %-52s %12s %s\n' "$@"
}

for compiler in $compilers; do
    command -v "$compiler" >/dev/null || continue
    build queue bench/engine/engine_msq.c
    queue=$(measure 300000 queue)
    rate=$(awk -v t="$queue" 'BEGIN { printf "%d", 1e9 / t }')
    row "$compiler" "Michael-Scott queue, 2 threads (mark $mark)" "$rate" "executions/s"

    build nothing bench/engine/engine_costs.c
    build plain bench/engine/engine_costs.c -DPLAINS=1000
    build atomic bench/engine/engine_costs.c -DATOMICS=1000
    build one bench/engine/engine_costs.c -DATOMICS=1000 -DTHREADS=1
    build two bench/engine/engine_costs.c -DATOMICS=500 -DTHREADS=2
    build few bench/engine/engine_costs.c -DTHREADS=2
    nothing=$(measure 300000 nothing)
    row "$compiler" "an execution of one thread that does nothing" "$(difference "$nothing" 0 1)" ns
    row "$compiler" "two threads that do nothing" "$(difference "$(measure 100000 few)" "$nothing" 1)" ns
    row "$compiler" "a plain write" "$(difference "$(measure 10000 plain)" "$nothing" 1000)" ns
    row "$compiler" "an atomic update" "$(difference "$(measure 10000 atomic)" "$nothing" 1000)" ns
    # of 1000 steps with a choice between two threads, half are switches
    row "$compiler" "a switch, with the choices that lead to it" \
        "$(difference "$(measure 10000 two)" "$(measure 10000 one)" 500)" ns

    # What is restored is written before; only beyond 1 KiB the restoring is most of it.
    for touched in 1 16; do
        build globals bench/engine/engine_costs.c -DGLOBALS=1024 "-DTOUCHED=$touched"
        small=$(measure 100000 globals)
        row "$compiler" "1 KiB of globals: writing and restoring $touched" "$(difference "$small" "$nothing" 1)" ns
        for size in 100K 10240K; do
            build globals bench/engine/engine_costs.c "-DGLOBALS=$((${size%K} * 1024))" "-DTOUCHED=$touched"
            row "$compiler" "the same, of ${size}iB: more" "$(difference "$(measure 20000 globals)" "$small" 1)" ns
        done
    done
done
