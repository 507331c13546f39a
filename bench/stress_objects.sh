#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/stress_objects.sh [--quick] [PART...]        (through ./dev bench stress_objects)
# What `plumb stress` finds. PARTs, all of them if none is named:
#   found   the ten wrong objects of examples/stress, ten runs of at most 10 s each, beside what loops with sums (bench/native/stress_sums) find in that
#           time: how many runs, and seconds until then (with compiling; without the exploration that follows). Mark: all.
#   twins   the fixed ones, 60 s each. Mark: none violated.
#   quiet   right objects that look wrong when stores are stamped too early (bench/native/stress_quiet): twenty runs of a million operations, with
#           fences (mark: none violated), and without: how many are, and how many of twenty rounds of 100 calls in each thread.
# --quick: fewer runs and seconds.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

plumb=$PWD/build/bin/plumb examples=$PWD/examples/stress quiet=$PWD/bench/native/stress_quiet sums=$PWD/bench/native/stress_sums include=$PWD/include
runs=10 seconds=10 twin_seconds=60 quiet_runs=20
if [ "${1:-}" = --quick ]; then
    runs=2 twin_seconds=5 quiet_runs=3
    shift
fi
parts=("$@")
[ $# -gt 0 ] || parts=(found twins quiet)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"
missed=0

# Rows of LIST with this answer: name, file, flags, options.
rows() { # ANSWER
    awk -F'\t' -v answer="$1" '!/^#/ && $5 == answer { print $1 "|" $2 "|" ($3 == "-" ? "" : $3) "|" ($4 == "-" ? "" : $4) }' "$examples/LIST"
}

# Runs a command several times: how many ended with a status that is an error, and the times of these.
repeat() { # TIMES COMMAND...
    local times=$1 i start status
    shift
    for ((i = 1; i <= times; i++)); do
        start=$EPOCHREALTIME status=0
        # %s in the command is the number of the run.
        { "${@//%s/$i}" >out 2>&1; } 2>/dev/null || status=$?
        # A signal is an error, too; 124 is the end of the time, 0 and 3 are answers without one.
        case $status in
        0 | 3 | 124) echo "no 0" ;;
        1 | 13[0-9]) echo "yes $(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')" ;;
        *) echo "failed $status: $*" >&2 && head -n 3 out >&2 ;;
        esac
    done | awk '$1 == "yes" { n++; sum += $2; if ($2 > most) most = $2 }
        END { if (n) printf "%d of %d, %.1f s, at most %.1f s\n", n, NR, sum / n, most; else printf "0 of %d\n", NR }'
}

# The same object in a loop.
build_sums() { # FILE FLAGS
    local compiler=gcc
    [[ $1 != *.cpp ]] || compiler=g++
    gcc -std=gnu17 -O2 -pthread -I"$include" -c "$sums/sums.c" -o sums.o
    # shellcheck disable=SC2086
    $compiler -O2 -pthread -I"$include" $2 -c "$examples/$1" -o object.o
    g++ -pthread -o sums object.o sums.o
}

bench_found() {
    local name file flags options stress loops by_sums=0 objects=0
    echo "== wrong objects: $runs runs of at most $seconds s; runs that find it, mean and longest time"
    printf '%-16s %-32s %s\n' object "plumb stress" "loops with sums"
    while IFS='|' read -r name file flags options; do
        # shellcheck disable=SC2086
        stress=$(repeat $runs "$plumb" stress "$examples/$file" $options --time $seconds --no-handover --seed %s -q -- $flags)
        build_sums "$file" "$flags"
        loops=$(repeat $runs ./sums $seconds)
        printf '%-16s %-32s %s\n' "$name" "$stress" "$loops"
        objects=$((objects + 1))
        [[ $stress == "$runs of $runs"* ]] || missed=$((missed + 1))
        [[ $loops != "$runs of $runs"* ]] || by_sums=$((by_sums + 1))
    done < <(rows violated)
    echo "found in every run: $((objects - missed)) of $objects; by loops with sums: $by_sums"
}

bench_twins() {
    local name file flags options
    echo "== fixed twins, $twin_seconds s each"
    while IFS='|' read -r name file flags options; do
        # shellcheck disable=SC2086
        "$plumb" stress "$examples/$file" $options --time $twin_seconds -- $flags >out 2>&1 || missed=$((missed + 1))
        printf '%-22s %s\n' "$name" "$(sed -n '1s/.*: \([a-z]*\)\( ([0-9,]* rounds*, [0-9,]* operations, [^;]*\).*/\1\2/p' out | tr -d '(')"
    done < <(rows survived)
}

bench_quiet() {
    local file fenced
    echo "== right objects, 2 threads: runs that are violated"
    printf '%-22s %-22s %-40s %s\n' object "with fences, 1 M" "without, 1 M" "without, 200 calls"
    for file in "$quiet"/*.c; do
        fenced=$(repeat $quiet_runs "$plumb" stress "$file" --threads 2 --ops 500000 --rounds 1 --no-handover -q --seed %s)
        [[ $fenced == "0 of"* ]] || missed=$((missed + 1))
        printf '%-22s %-22s %-40s %s\n' "$(basename "$file" .c)" "$fenced" \
            "$(repeat $quiet_runs "$plumb" stress "$file" --threads 2 --ops 500000 --rounds 1 --no-handover --stamps raw -q --seed %s)" \
            "$(repeat $quiet_runs "$plumb" stress "$file" --threads 2 --ops 100 --rounds 1 --no-handover --stamps raw -q --seed %s)"
    done
}

for part in "${parts[@]}"; do
    case $part in
    found | twins | quiet) "bench_$part" ;;
    *) echo "bench/stress_objects.sh: no part '$part'" >&2 && exit 2 ;;
    esac
done
echo "marks missed: $missed"
[ $missed -eq 0 ]
