#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/limo.sh [--quick] [OBJECT...]        (through ./dev bench limo)
# Figures 9 and 10 of the LiMo paper (docs/internals/native/limo.md): stacks and queues on 8, 16 and 32 real threads, 100 to 10,000 operations by
# 100, ten histories each, and beyond the paper up to ten million operations. Each history is recorded, then judged by `plumb monitor`;
# its time is that of the processor, for reading, deciding and certifying. Prints how many were solved and how the time grows, and draws docs/figures/limo*.svg.
# --quick: every tenth size, three histories, up to 100,000 operations, no pictures.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

plumb=build/bin/plumb
programs=build/release/bench/limo
quick=
if [ "${1:-}" = --quick ]; then
    quick=1
    shift
fi
objects=("$@")
[ $# -gt 0 ] || objects=(coarse_stack treiber ts_stack ts_stack_unlin coarse_queue ms_queue)
threads="8 16 32" repeats=10 step=100 beyond="100000:10 1000000:3 10000000:1"
if [ "$quick" ]; then
    threads="8 32" repeats=3 step=1000 beyond=100000:3
fi
measurable=0.0005 # seconds: points below are not part of the fit

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
results=build/release/bench/limo/results
mkdir -p "$results"

sizes() {
    echo 100
    seq $((step > 100 ? step : 200)) $step 10000
}

# A line for each history in the folder: operations, verdict, seconds. Files are deleted.
judge() { # FOLDER
    find "$1" -name '*.bin' | sort -V >"$work/names"
    # The exit status is 1 when one is violated, 3 when one is not decided: the lines say which.
    xargs "$plumb" monitor -v --json - <"$work/names" 2>/dev/null | sed 's/{"name":/\n&/g' | sed -n \
        's/^{"name":"[^"]*","verdict":"\([a-z]*\)","operations":\([0-9]*\),"seconds":{.*"processor":\([0-9.]*\)}.*/\2 \1 \3/p' || true
    rm -rf "$1"
}

# Recorded and judged in portions, so that files stay small and one process judges many.
measure() { # OBJECT THREADS
    local row size count
    mkdir "$work/runs"
    # shellcheck disable=SC2046
    "$programs/limo_$1" "$work/runs" "$2" $repeats $(sizes)
    judge "$work/runs"
    for row in $beyond; do
        size=${row%:*} count=${row#*:}
        while [ "$count" -gt 0 ]; do
            mkdir "$work/runs"
            "$programs/limo_$1" "$work/runs" "$2" 1 "$size"
            judge "$work/runs"
            count=$((count - 1))
        done
    done
}

# Of each size: the median in seconds, the slowdown against the first size, histories that were solved, and violated ones.
summarize() {
    sort -k1,1n -k3,3g | awk '
        function finish() {
            if (!n) return
            median = n % 2 ? t[(n + 1) / 2] : (t[n / 2] + t[n / 2 + 1]) / 2
            if (!first) first = median
            print size, median, median / first, solved, n, violated
        }
        $1 != size { finish(); size = $1; n = solved = violated = 0 }
        { t[++n] = $3; solved += $2 == "holds" || $2 == "violated"; violated += $2 == "violated" }
        END { finish() }'
}

# The exponent of the growth: least squares in logarithms.
report() { # OBJECT THREADS FILE
    local wanted
    wanted=$(($(sizes | wc -l) + $(wc -w <<<"$beyond")))
    awk -v wanted=$wanted -v object="$1" -v threads="$2" -v measurable=$measurable '
        { solved += $4; all += $5; violated += $6; if ($4 == $5) points++ }
        $2 >= measurable { x = log($1); y = log($2); n++; sx += x; sy += y; xx += x * x; xy += x * y }
        { last = $1; seconds = $2 }
        END {
            slope = n > 2 ? (n * xy - sx * sy) / (n * xx - sx * sx) : 0
            printf "%-15s %7d %6d/%-6d %6d/%-6d %8d  %5.2f %4d  %10d %9.3f  %s\n", object, threads, solved, all, points, wanted,
                violated, slope, n, last, seconds, solved == all && points == wanted && slope <= 1.1 ? "met" : "MISSED"
        }' "$3"
}

# Groups without content are most of what gnuplot writes.
draw() { # FILE TITLE SCRIPT
    {
        echo "set terminal svg size 1000,560 font 'sans-serif,11' background 'white'"
        echo "set multiplot layout 2,3 title '$2'; set key left top; set grid; set xlabel 'operations'; set ylabel 'slowdown'"
        echo "$3"
        local object
        for object in "${objects[@]}"; do
            echo "set title '${object//_/ }'"
            echo "plot for [t in '$threads'] '$results/$object.'.t using 1:3 with lines lw 1.5 title t.' threads'"
        done
    } | gnuplot | tr '\n' '\f' | sed -E ':again; s/<g [^>]*>\f<\/g>\f//g; t again' | tr '\f' '\n' >"$1"
}

echo "plumb $("$plumb" --version | head -n 1 | sed 's/^plumb //'), $(nproc) cores," \
    "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
echo "mark: every point solved, exponent at most 1.1 (of points that take ${measurable} s or more)"
printf '%-15s %7s %13s %13s %8s  %5s %4s  %10s %9s\n' object threads solved points violated slope of "most ops" seconds
for object in "${objects[@]}"; do
    for count in $threads; do
        measure "$object" "$count" | summarize >"$results/$object.$count"
        report "$object" "$count" "$results/$object.$count"
    done
done
if [ -z "$quick" ] && [ ${#objects[@]} -eq 6 ]; then
    mkdir -p docs/figures
    draw docs/figures/limo.svg "histories of real threads, judged by plumb monitor" "set logscale xy; set format x '10^{%L}'"
    draw docs/figures/limo_small.svg "the same, up to 1000 operations" "set xrange [100:1000]; set yrange [0:*]"
    echo "docs/figures/limo.svg, docs/figures/limo_small.svg"
fi
