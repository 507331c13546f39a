#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: channels.sh PLUMB [FIRST COUNT]
# Random sequences of calls on pipes, sockets, counters, timers and epoll instances (tests/support/channel_sequences.c) return in executions what
# they return natively: of each seed from FIRST on there is one line, the same. And of two threads that make such calls
# (tests/support/channel_threads.c), one program for every twenty-five seeds, graphs have the outcomes that all schedules have.
set -euo pipefail

plumb=$(readlink -f "$1") first=${2:-0} count=${3:-300}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
linked=(-L"$scratch" -loutcome_sink "-Wl,-rpath,$scratch")
share=150 # executions of one run read from as many stores

fail() {
    printf '%s\n' "$@"
    exit 1
}

gcc -O1 -shared -fPIC "$root/tests/support/outcome_sink.c" -o "$scratch/liboutcome_sink.so"
export PLUMB_CC=clang # arguments are evaluated in the same order
clang -O1 "$root/tests/support/channel_sequences.c" -o "$scratch/native" "${linked[@]}"
"$root/build/bin/plumb-cc" -DUNDER_TEST "$root/tests/support/channel_sequences.c" -o "$scratch/tested" "${linked[@]}"
"$root/build/bin/plumb-cc" "$root/tests/support/channel_threads.c" -o "$scratch/threads" "${linked[@]}"
cd "$scratch"

./native native.txt "$first" "$count"
for ((from = first; from < first + count; from += share)); do
    part=$((first + count - from < share ? first + count - from : share))
    answer=$("$plumb" check ./tested -- tested.txt "$from" "$part") || fail "$answer"
    [[ $answer == *': holds'* ]] || fail "$answer"
done
diff <(sort native.txt) <(sort -u tested.txt) | cut -c1-2000
echo "$count sequences: the same results natively and in executions"

# Exit codes are the same, and outcomes where all is explored. Schedules that take too long have some of them.
compared=0
for ((seed = first; seed < first + count / 25; seed++)); do
    rm -f graphs.txt schedules.txt
    touch graphs.txt schedules.txt
    by_graph=0 by_schedule=0
    "$plumb" check --mode all ./threads -- graphs.txt "$seed" >graphs.out 2>&1 || by_graph=$?
    "$plumb" check --mode dfs --time 20 ./threads -- schedules.txt "$seed" >schedules.out 2>&1 || by_schedule=$?
    if ((by_graph == 0 && by_schedule == 3)); then
        new=$(comm -13 <(sort -u graphs.txt) <(sort -u schedules.txt))
        [ -z "$new" ] || fail "seed $seed: graphs lack outcomes" "$new"
        continue
    fi
    ((by_graph == by_schedule)) || fail "seed $seed: exit codes $by_graph and $by_schedule" "$(cat graphs.out schedules.out)"
    ((by_graph == 0)) || continue
    diff <(sort -u graphs.txt) <(sort -u schedules.txt) || fail "seed $seed: graphs and schedules disagree"
    compared=$((compared + 1))
done
((compared > 0)) || fail "no program of two threads was explored"
echo "$compared programs of two threads: the same outcomes by graphs and by schedules"
