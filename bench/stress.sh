#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/stress.sh        (through ./dev bench stress)
# What recording adds to a call on real threads (docs/internals/native/stress.md): nanoseconds of the call alone, with the choice of calls and
# arguments, and recorded, with each kind of stamps. Mark: at most 120 ns added by stamps with fences, on an idle machine.
# Then `plumb stress` as a whole: operations a second, while threads run and while they are judged, and the largest size of the tool.
# The best of BENCH_REPEAT runs of BENCH_CALLS calls; BENCH_CC names the compilers, BENCH_THREADS the numbers of threads. BENCH_TIME: seconds of each
# run of the tool, BENCH_TOOL_THREADS: its numbers of threads, BENCH_FILES: harnesses.
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
    "$compiler" -std=gnu17 -O2 -w -D_GNU_SOURCE -DPLUMB_WORD_VALUES -Isrc -Iinclude bench/native/stress_costs.c src/native/*.c src/record/*.c src/seal/*.c -lpthread -o "$work/costs"
    echo "$compiler, $(nproc) processors, load $(cut -d ' ' -f 1 /proc/loadavg):"
    for threads in ${BENCH_THREADS:-1 2}; do
        "$work/costs" "$threads" "$calls" "$repeat" | tee -a "$work/rows"
    done
done
awk -v mark=$mark '$NF ~ /^-?[0-9.]+$/ && NF > 7 && $NF > most { most = $NF }
    END { printf "most added: %.0f ns; mark %d: %s\n", most, mark, most <= mark ? "met" : "MISSED" }' "$work/rows"

# ---- the tool ----

plumb=$PWD/build/bin/plumb
read -ra files <<<"${BENCH_FILES:-examples/harness/michael_scott.c examples/harness/locked_queue.c}"

# threads, operations, operations a second: in all, while recording, while judging; MiB; verdict
row() { # NAME OPTIONS...
    local name=$1
    { cd "$work"; timeout 300 "$plumb" stress "${@:2}" --json - 2>/dev/null; true; } | python3 -c '
import json, sys
d = json.load(sys.stdin)
s = d["stats"]
part = lambda percent: d["operations"] / max(s["seconds"] * s[percent] / 100, 1e-9)
print("%-16s %7d %11d %9.0f %9.0f %9.0f %6.0f  %s" % (sys.argv[1], d["threads"], d["operations"], s["recorded_per_second"] / 1e3,
    part("recording_percent") / 1e3, s["judged_per_second"] / 1e3, s["peak_kib"] / 1024, d["verdict"]))' "$name"
}

if [ -x "$plumb" ] && "$plumb" help stress >/dev/null 2>&1; then
    printf '\n%-16s %7s %11s %9s %9s %9s %6s\n' 'plumb stress' threads operations k/s recording judging MiB
    for file in "${files[@]}"; do
        for threads in ${BENCH_TOOL_THREADS:-1 2 4 8 16 32}; do
            row "$(basename "$file" .c)" "$PWD/$file" --time "${BENCH_TIME:-3}" --threads "$threads"
        done
    done
    # Mark: ten million operations in less than 400 MB.
    row "10 M operations" "$PWD/${files[0]}" --rounds 1 --ops 5000000 --threads 2
fi
