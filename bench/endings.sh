#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/endings.sh [--quick]        (through ./dev bench endings)
# Does it cost more to explore a program whose threads are not joined? The programs of bench/endings, each ended in the ways of
# endings.h: executions and steps, executions per second of processor time in one process, and how much longer an execution, and a
# step, takes than in the twin whose main joins all threads ("joined", and "counted" for those below it).
# At most BENCH_MOST executions of each (200000), the best of BENCH_REPEAT runs (3). BENCH_CC: the compiler.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

repeat=${BENCH_REPEAT:-3} most=${BENCH_MOST:-200000}
case ${1:-} in
--quick) repeat=1 most=20000 ;;
"") ;;
*) echo "usage: bench/endings.sh [--quick]" >&2 && exit 2 ;;
esac
export PLUMB_CC=${BENCH_CC:-gcc}
# shellcheck source=bench/engine/begin.sh
source bench/engine/begin.sh

declare -A names=([0]=joined [1]=abandoned [2]=leaves [3]=nested [10]=counted [11]=unjoined [12]=detached [13]=exit [14]=_Exit)
twin=''

row() { # TEXT SOURCE ENDING MACROS...
    local text=$1 source=bench/endings/$2 ending=$3 compiler=build/bin/plumb-cc
    shift 3
    [[ $source != *.cpp ]] || compiler=build/bin/plumb-c++
    "$compiler" "$source" "$@" "-DENDING=$ending" -pthread -o "$work/program"
    local figures
    figures=$(for _ in $(seq "$repeat"); do "$work/launch" "$most" "$work/program" rc11; done | sort -n -k 3 | head -n 1)
    case $ending in 0 | 10) twin=$figures ;; esac
    awk -v text="$text" -v name="${names[$ending]}" '
        NR == 1 { execution = $3 / $1; step = $3 / $2 }
        NR == 2 { printf "%-28s %-10s %9d %6.1f %9d %9.2f %9.2f   %s\n", text, name, $1, $2 / $1, $1 / $3 * 1e9,
                  $3 / $1 / execution, $3 / $2 / step, $3 / $1 <= 1.3 * execution ? "met" : "missed" }' <<<"$twin"$'\n'"$figures"
}

printf '%-28s %-10s %9s %6s %9s %9s %9s   %s\n' program ending executions steps per/s execution step "1.3 times"
for ending in 0 1 2 3 10 11 12 13 14; do row "message passing, 7 threads" passing.c "$ending" -DN=7; done
for ending in 0 1 2 3 10 11 12 13 14; do row "ticket lock, 7 threads" ticket.c "$ending" -DN=7; done
for ending in 0 1 2 3 10 11 12 13 14; do row "Treiber stack, 3 threads" stack.c "$ending" -DN=3; done
for ending in 0 1 2 3 10 11 12 13 14; do row "Michael-Scott, 3 threads" queue.c "$ending" -DN=3; done
for ending in 0 1 10 12; do row "std::thread, 6 threads" passing_cpp.cpp "$ending" -DN=6; done
