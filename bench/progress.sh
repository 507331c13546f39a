#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/progress.sh [--cc gcc|clang] [--memory rc11|sc|tso] [--time S] [-k TEXT]     (through ./dev bench progress -- OPTIONS)
# plumb check --progress on structures that are non-blocking and on those that are not (examples/progress, examples/orders, larger tests): the
# answer, executions as always and in which a thread may stop, seconds with building, what a replay of the trace says, and the sentence.
# At most S seconds (60) each. Exit code: 0, 1 for a wrong answer, 2 wrong usage.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

compiler=gcc memory=rc11 seconds=60 text=''
while [ $# -gt 0 ]; do
    case $1 in
    --cc) compiler=${2-} ;;
    --memory) memory=${2-} ;;
    --time) seconds=${2-} ;;
    -k) text=${2-} ;;
    *) sed -n '3,6s/^# //p' bench/progress.sh >&2 && exit 2 ;;
    esac
    shift 2
done
case $compiler in
gcc) export PLUMB_CC=gcc PLUMB_CXX=g++ ;;
clang) export PLUMB_CC=clang PLUMB_CXX=clang++ ;;
*) exit 2 ;;
esac
plumb=$PWD/build/bin/plumb
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# File, macros, test ("-": that of the file), the right answer.
rows() {
    awk -F '\t' '!/^#/ { print "examples/progress/" $1 "\t" $2 "\t-\t" $3 }' examples/progress/LIST
    local name
    for name in treiber michael_scott chase_lev hazard_pointers; do
        printf 'examples/orders/%s.c\t-\t-\tholds\n' $name
    done
    for name in mcs rwlock seqlock rcu mpmc_ring spsc_ring; do
        printf 'examples/orders/%s.c\t-\t-\tviolated\n' $name
    done
    cat <<'END'
examples/progress/treiber.c	-	push(1) pop | push(2) pop | push(3)	holds
examples/progress/treiber.c	-DFLAG	push(1) pop | push(2) pop | push(3)	violated
examples/progress/michael_scott.c	-	enq(1) deq | enq(2) deq | enq(3)	holds
examples/progress/michael_scott.c	-DNO_HELP	enq(1) deq | enq(2) deq | enq(3)	violated
examples/progress/harris.c	-	add(1) => remove(1) add(1) | remove(1) | contains(1)	holds
examples/progress/harris.c	-DNO_HELP	add(1) => remove(1) add(1) | remove(1) | contains(1)	violated
examples/progress/chase_lev.c	-	push_back(1) => push_back(2) pop_back pop_back | pop_front | pop_front	holds
examples/progress/counter.c	-DCAS	fetch_add(1) | fetch_add(2) | fetch_add(3)	holds
END
}

member() { # NAME
    grep -o "\"$1\":\"\\?[^,\"}]*" "$work/answer" | head -n 1 | sed 's/.*:"\?//' || true
}

sentence() {
    awk '/ error: / { inside = 1; next } inside && /^    |^$/ { exit } inside { sub(/^ +/, ""); printf "%s ", $0 }' "$work/out" |
        sed 's|examples/[a-z]*/||g'
}

wrong=0 confirmed=0 count=0
printf '%-20s %-10s %-56s %-12s %8s %8s %7s  %-8s %s\n' structure macro test answer all stopping seconds replay sentence
while IFS=$'\t' read -r file macro test expected; do
    [[ "$file $macro" == *"$text"* ]] || continue
    options=() flags=() replay=-
    [ "$test" = - ] || options=(--test "$test")
    [ "$macro" = - ] || flags=("$macro")
    rm -f "$work/answer" "$work/t.plr"
    start=$(date +%s%N)
    "$plumb" check "$file" "${options[@]}" --progress --memory "$memory" --time "$seconds" --no-repair --json "$work/answer" \
        --trace "$work/t.plr" -- "${flags[@]}" >"$work/out" 2>&1 || true
    took=$(($(date +%s%N) - start))
    answer=$(member verdict)
    count=$((count + 1))
    if [ "$answer" = violated ]; then
        code=0
        "$plumb" replay "$work/t.plr" >"$work/replayed" 2>&1 || code=$?
        replay=$([ $code -eq 1 ] && grep -q 'not non-blocking' "$work/replayed" && echo same || echo differs)
        if [ "$replay" = same ]; then confirmed=$((confirmed + 1)); else wrong=$((wrong + 1)); fi
    fi
    [ "$answer" = "$expected" ] || wrong=$((wrong + 1))
    [ "$answer" = "$expected" ] || answer="$answer (!)"
    printf '%-20s %-10s %-56s %-12s %8s %8s %7s  %-8s %s\n' "$(basename "$file")" "$macro" "$test" "$answer" "$(member executions)" \
        "$(member stopped)" "$(printf '%d.%02d' $((took / 1000000000)) $((took / 10000000 % 100)))" "$replay" "$(sentence)"
done < <(rows)
echo "$count structures under $memory, $wrong wrong; $confirmed not non-blocking, each replayed"
[ $wrong -eq 0 ]
