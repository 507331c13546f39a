#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/formats.sh [--quick]        (through ./dev bench formats)
# How fast histories are read in each format: a million operations on a map (--quick: a hundred thousand), eight
# threads; the time of reading as `plumb monitor -v` tells it, and the size of the file. BENCH_OPS overrides.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

plumb=build/bin/plumb
ops=1000000
case ${1:-} in
--quick) ops=100000 ;;
"") ;;
*) echo "usage: bench/formats.sh [--quick]" >&2 && exit 2 ;;
esac
ops=${BENCH_OPS:-$ops}
repeat=${BENCH_REPEAT:-3}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Seconds of the fastest reading.
read_seconds() { # FILE
    local i
    for ((i = 0; i < repeat; i++)); do
        "$plumb" monitor -q -v --spec "$spec" "$1" 2>&1 >/dev/null | sed -n 's/^ *\([0-9.]*\) s reading.*/\1/p'
    done | sort -g | sed 1q
}

printf '%-6s %-9s %10s %8s %9s %8s %12s\n' format spec operations MB 'read s' MB/s 'operations/s'
for format in jsonl bin edn log kv; do
    spec=map
    [ $format != log ] || spec=queue # each in words that the format has
    [ $format != kv ] || spec=kv
    "$plumb" generate $spec --ops "$ops" --threads 8 --seed 1 -o "$work/made.jsonl"
    "$plumb" convert "$work/made.jsonl" --to $format -o "$work/history" 2>/dev/null
    size=$(stat -c %s "$work/history")
    seconds=$(read_seconds "$work/history")
    awk -v f=$format -v s=$spec -v n="$ops" -v size="$size" -v t="$seconds" 'BEGIN {
        printf "%-6s %-9s %10d %8.1f %9.3f %8.0f %12.0f\n", f, s, n, size / 1e6, t, size / 1e6 / t, n / t }'
done
