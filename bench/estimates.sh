#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/estimates.sh [--time S] [--every N]        (through ./dev bench estimates -- OPTIONS)
# Does the range that is printed after 4000 executions contain the number of executions that there are? Programs of bench/explore in
# several sizes and about one of N of tests/programs/right (5), those that end within S seconds (20) and have more executions than that.
# A line for each: executions, the range, and whether it contains them; then for how many it does.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."
tools=$PWD/build/bin
# shellcheck source=tests/support/compiled.sh
source tests/support/compiled.sh

seconds=20 every=5 first=4000
while [ $# -gt 0 ]; do
    case $1 in
    --time) seconds=$2 && shift 2 ;;
    --every) every=$2 && shift 2 ;;
    *) sed -n '3,6s/^# //p' bench/estimates.sh >&2 && exit 2 ;;
    esac
done
inside=0 all=0

look() { # FILE MACROS...
    local file=$1 range executions answer=outside flags=()
    shift
    [[ $file != *.cpp ]] || flags=(-std=c++20)
    range=$(timeout 60 build/bin/plumb check "$file" -v --no-fold --executions "$first" -- "$@" "${flags[@]}" 2>&1 |
        sed -n 's/.* executions of roughly [0-9]* (\([0-9]*\) to \([0-9]*\)).*/\1 \2/p') || true
    [ -n "$range" ] || return 0
    executions=$(timeout $((seconds + 60)) build/bin/plumb check "$file" --no-fold --time "$seconds" -- "$@" "${flags[@]}" 2>&1 |
        sed -n 's/.*: holds (all \([0-9]*\) executions.*/\1/p') || true
    [ -n "$executions" ] || return 0
    if [ "${range% *}" -le "$executions" ] && [ "$executions" -le "${range#* }" ]; then
        answer=inside inside=$((inside + 1))
    fi
    all=$((all + 1))
    printf '%-60s %9d %9d %9d %s\n' "$file $*" "$executions" "${range% *}" "${range#* }" "$answer"
}

for n in 7 8; do look bench/explore/ainc.c -DN=$n; done
for n in 6 7; do look bench/explore/ticket_lock.c -DN=$n; done
for n in 11 12 13 14 15; do look bench/explore/lastzero.c -DN=$n && look bench/explore/readers.c -DN=$n; done
for n in 12 13; do look bench/explore/indexer.c -DN=$n; done
for n in 4 5; do look bench/explore/fib_bench.c -DN=$n && look bench/explore/mcs_lock.c -DN=$n; done
look bench/explore/treiber.c -DN=3
for file in rwlock seqlock mpmc_ring chase_lev; do look bench/explore/$file.c; done
for both in 0 1 2; do
    for threads in '1 1' '2 0' '0 2' '2 1' '3 0' '2 2' '3 1'; do
        look bench/explore/ms_queue.c -DBOTH=$both -DWRITERS="${threads% *}" -DREADERS="${threads#* }"
    done
done
mapfile -t names < <(find tests/programs/right -name '*.c' -o -name '*.cpp' | grep -v -e harness/ -e svcomp/ | sort)
choose_sample "$every" "${names[@]}"
for file in "${names[@]}"; do
    [ -z "${sample[$file]-}" ] || look "$file"
done
echo "estimates: $inside of $all ranges contain the number of executions"
