#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/quasi.sh        (through ./dev bench quasi)
# How long `plumb monitor --quasi` takes on relaxed queues, priority queues and stacks of 10,000 operations, end to end.
# BENCH_OPS, BENCH_THREADS, BENCH_FACTORS, BENCH_LIMIT (seconds per run) override.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

plumb=build/bin/plumb
relaxed=build/release/bench/relaxed
ops=${BENCH_OPS:-10000}
factors=${BENCH_FACTORS:-0 1 2 4}
limit=${BENCH_LIMIT:-20}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

removal_of() {
    case $1 in
    queue) echo deq ;;
    stack) echo pop ;;
    pqueue) echo delete_min ;;
    esac
}

# Threads up to which there is a mark, and its seconds: beyond, an honest "inconclusive" is right.
mark_of() {
    case $1 in
    queue | pqueue) echo "8 1" ;;
    stack) echo "5 $limit" ;;
    esac
}

run() { # SPEC THREADS FACTOR
    local file=$work/history.jsonl start end verdict mark most
    read -r most mark < <(mark_of "$1")
    "$relaxed" "$1" "$ops" "$2" "$3" >"$file"
    start=$EPOCHREALTIME
    verdict=$("$plumb" monitor -q --time "$limit" --quasi "$(removal_of "$1")=$3" "$file") || true
    end=$EPOCHREALTIME
    awk -v spec="$1" -v threads="$2" -v factor="$3" -v verdict="${verdict#*: }" -v most="$most" -v mark="$mark" \
        -v spent="$(bc <<<"$end - $start")" 'BEGIN {
            note = threads > most ? "-" : verdict == "holds" && spent <= mark ? "met" : "MISSED"
            printf "%-7s %7d %6d %8.2f  %-6s %s\n", spec, threads, factor, spent, note, verdict
        }'
}

echo "spec    threads factor  seconds  mark   verdict"
for spec in queue pqueue stack; do
    for threads in ${BENCH_THREADS:-2 5 8}; do
        for factor in $factors; do
            run "$spec" "$threads" "$factor"
        done
    done
done
