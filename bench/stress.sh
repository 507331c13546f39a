#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/stress.sh        (through ./dev bench stress)
# What recording adds to a call on real threads (docs/internals/stress.md): nanoseconds of the call alone, with the choice of calls and
# arguments, and recorded, with each kind of stamps. Mark: at most 120 ns added by stamps with fences, on an idle machine.
# The best of BENCH_REPEAT runs of BENCH_CALLS calls; BENCH_CC names the compilers, BENCH_THREADS the numbers of threads.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

mark=120
repeat=${BENCH_REPEAT:-50} calls=${BENCH_CALLS:-20000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

for compiler in ${BENCH_CC:-gcc clang}; do
    command -v "$compiler" >/dev/null || { echo "bench: no $compiler" >&2 && continue; }
    "$compiler" -std=gnu17 -O2 -w -D_GNU_SOURCE -Isrc -Iinclude bench/stress_costs.c src/native/*.c src/record/*.c -lpthread -o "$work/costs"
    echo "$compiler, $(nproc) processors, load $(cut -d ' ' -f 1 /proc/loadavg):"
    for threads in ${BENCH_THREADS:-1 2}; do
        "$work/costs" "$threads" "$calls" "$repeat" | tee -a "$work/rows"
    done
done
awk -v mark=$mark '$NF ~ /^-?[0-9.]+$/ && NF > 7 && $NF > most { most = $NF }
    END { printf "most added: %.0f ns; mark %d: %s\n", most, mark, most <= mark ? "met" : "MISSED" }' "$work/rows"
