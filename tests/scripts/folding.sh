#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: folding.sh [--seed S] [--count N] [--cc clang|gcc] [--symmetry] PLUMB
# Random programs with retry loops, checked with and without --fold under a random memory model: the answers have to be
# the same. With --symmetry, programs of equal threads, and --fold --symmetry. Prints how many programs there were, how many were violated and how many had fewer complete executions;
# keeps the program and exits with 1 when answers differ.
set -uo pipefail

seed=1 count=20 cc=clang plumb='' symmetry=''
while [ $# -gt 0 ]; do
    case $1 in
    --seed) seed=$2; shift 2 ;;
    --count) count=$2; shift 2 ;;
    --cc) cc=$2; shift 2 ;;
    --symmetry) symmetry=--symmetry; shift ;;
    *) plumb=$1; shift ;;
    esac
done
[ -n "$plumb" ] || { sed -n '3,6s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }
export PLUMB_CC=$cc
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT

any() { # WORD... : one of them, in $word
    local words=("$@")
    word=${words[RANDOM % $#]}
}

load() { # VARIABLE EXPRESSION
    any relaxed acquire seq_cst
    code+="        $1 = atomic_load_explicit($2, memory_order_$word);"$'\n'
}

# One thing that a thread does. Every loop ends: it waits for nobody.
add_action() { # THREAD
    local me=$1 x y order
    any x y z; x=$word
    any x y z; y=$word
    any relaxed release acq_rel; order=$word
    case $((RANDOM % 22)) in
    0) # what it expects is read anew in every round
        code+="    for (;;) {"$'\n'
        load "long seen" "&$x"
        code+="        if (atomic_compare_exchange_strong_explicit(&$x, &seen, seen + $((RANDOM % 2 + 1)), memory_order_$order, memory_order_relaxed)) break;"$'\n'
        code+="    }"$'\n' ;;
    1) # an unchanged pair
        code+="    for (;;) {"$'\n'
        load "long first" "&$x"
        load "long second" "&$y"
        load "long again" "&$x"
        code+="        if (first == again) { r[$me] = r[$me] * 4 + first + second; break; }"$'\n'"    }"$'\n' ;;
    2) # rounds are counted
        code+="    for (int tries = 0;; tries++) {"$'\n'
        load "long seen" "&$x"
        code+="        if (tries == 2 || atomic_compare_exchange_strong(&$x, &seen, seen + 1)) { r[$me] += tries; break; }"$'\n'
        code+="    }"$'\n' ;;
    3) # the last value seen in vain decides
        code+="    { long last = 0; for (;;) {"$'\n'
        load "long seen" "&$x"
        code+="        long expected = seen; if (atomic_compare_exchange_strong(&$x, &expected, seen + 1)) break;"$'\n'
        code+="        last = expected; } r[$me] += last; }"$'\n' ;;
    4) code+="    atomic_store_explicit(&$x, $((RANDOM % 3)), memory_order_$([ "$order" = acq_rel ] && echo seq_cst || echo "$order"));"$'\n' ;;
    5) code+="    r[$me] += atomic_fetch_add_explicit(&$x, $((RANDOM % 2)), memory_order_$order);"$'\n' ;;
    6) # a round that writes what is there
        code+="    for (int tries = 0; tries < 2; tries++) { atomic_fetch_add_explicit(&$y, 0, memory_order_$order);"$'\n'
        load "long seen" "&$x"
        code+="        if (seen) break; }"$'\n' ;;
    7) # plain data behind a flag, read in vain
        code+="    for (;;) {"$'\n'
        load "long before" "&$x"
        code+="        long found = before ? data : 0;"$'\n'
        load "long after" "&$x"
        code+="        if (before == after) { r[$me] += found; break; }"$'\n'"    }"$'\n' ;;
    8) code+="    if (atomic_load_explicit(&$x, memory_order_$([ "$order" = relaxed ] && echo relaxed || echo acquire)) > 1) data++;"$'\n' ;;
    9) # plain data behind a value that only others write
        code+="    if ($me == 0) { data = 1; atomic_store_explicit(&$x, 2, memory_order_$([ "$order" = relaxed ] && echo relaxed || echo release)); }"$'\n' ;;
    10) # by a function of its own
        code+="    while (!try_add(&$x)) continue;"$'\n' ;;
    11) # what was seen is kept
        code+="    { long seen = atomic_load_explicit(&$x, memory_order_relaxed);"$'\n'
        code+="        while (!atomic_compare_exchange_strong_explicit(&$x, &seen, seen + 1, memory_order_$order, memory_order_relaxed)) continue; }"$'\n' ;;
    12) code+="    atomic_thread_fence(memory_order_$order);"$'\n' ;;
    13 | 14 | 15) # memory of its own: written anew in every round; not always; read before that
        code+="    { struct { long value, more; } *n = malloc(sizeof *n); n->value = n->more = 0;"$'\n'
        load "long seen" "&$x"
        any "n->value = seen;" "n->value = seen;" "if (seen != 1) n->value = seen;" "n->more++; n->value = seen;" \
            "n->more = n->value; n->value = seen;" "n->value += seen;"
        code+="        do { $word } while (!atomic_compare_exchange_strong_explicit(&$x, &seen, seen + 1, memory_order_$order, memory_order_relaxed));"$'\n'
        code+="        r[$me] += n->value + n->more; free(n); }"$'\n' ;;
    16 | 17) # looks before it takes; a late thread looks elsewhere
        code+="    for (_Atomic long *a = &$x;; a = &$y) {"$'\n'
        load "long seen" "a"
        any "seen" "seen" "!seen" "seen != 1"
        code+="        if ($word && atomic_compare_exchange_strong_explicit(a, &seen, $((RANDOM % 2 ? 0 : 3)), memory_order_$order, memory_order_relaxed)) { r[$me] += seen + 1; break; }"$'\n'
        code+="        if (a == &$y) break;"$'\n'"    }"$'\n' ;;
    18 | 19 | 20 | 21) # patience: gives up after so many rounds
        code+="    { bool got = false; for (int n = 0; n < $((RANDOM % 3 + 2)); n++) {"$'\n'
        load "long seen" "&$x"
        any "seen" "seen > 1" "seen == 1" "seen == 2" "seen && atomic_compare_exchange_strong_explicit(&$x, &seen, seen - 1, memory_order_$order, memory_order_relaxed)"
        code+="        if ($word) { got = true; break; } $(any "" "" "sched_yield();" "r[$me] += seen;"; echo "$word")"$'\n'
        any "if (!got) r[$me] += 2;" "if (!got) atomic_fetch_add(&$y, 1);" "if (got) r[$me]++; else data++;" "if (!got) atomic_store_explicit(&$y, 2, memory_order_release);"
        code+="    } $word }"$'\n' ;;
    esac
}

make_program() { # FILE
    local t k threads=$((RANDOM % 2 + 2)) condition
    code='#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
static _Atomic long x, y, z, total;
static long data, r[3];
static __attribute__((noinline)) bool try_add(_Atomic long *a)
{
    long seen = atomic_load_explicit(a, memory_order_relaxed), more = seen + 1;
    return atomic_compare_exchange_strong(a, &seen, more);
}
'
    for ((t = 0; t < threads; t++)); do
        code+="static void *work$t(void *unused)"$'\n'"{"$'\n'
        [ -z "$symmetry" ] || code+="    long r[3] = {0};"$'\n'
        for ((k = 0; k < (threads == 2 ? 3 : 2); k++)); do add_action "$t"; done
        [ -z "$symmetry" ] || code+="    atomic_fetch_add_explicit(&total, r[$t], memory_order_relaxed);"$'\n'
        code+="    return unused;"$'\n'"}"$'\n'
    done
    any "x == $((RANDOM % 4)) && r[0] == $((RANDOM % 3))" "r[0] == $((RANDOM % 4)) && r[1] == $((RANDOM % 4))" \
        "x == $((RANDOM % 3)) && y == $((RANDOM % 3)) && r[1] == $((RANDOM % 4))" "r[1] > 4"
    condition=$word
    [ -z "$symmetry" ] || condition="total == $((RANDOM % 8)) && x == $((RANDOM % 5))"
    code+="int main(void)"$'\n'"{"$'\n'"    pthread_t t[$threads];"$'\n'
    for ((t = 0; t < threads; t++)); do code+="    pthread_create(&t[$t], NULL, work$([ "$symmetry" ] && echo 0 || echo "$t"), NULL);"$'\n'; done
    for ((t = 0; t < threads; t++)); do code+="    pthread_join(t[$t], NULL);"$'\n'; done
    code+="    assert(!($condition));"$'\n'"}"$'\n'
    printf '%s' "$code" >"$1"
}

# The verdict, the error and the executions that are not folded, in `answer` and `number`.
check() { # FILE OPTION...
    local json=$folder/answer.json executions folded
    rm -f "$json"
    "$plumb" check "$@" --executions 200000 --trace "$folder/trace.plr" --json "$json" -q >/dev/null 2>&1
    [ -s "$json" ] || { echo "no answer: $plumb check $*"; exit 1; }
    answer=$(grep -oE '"(verdict|kind)": *"[a-z-]*"' "$json" | head -n 2 | tr -d "\n ")
    executions=$(grep -oE '"executions": *[0-9]+' "$json" | head -n 1 | tr -cd 0-9)
    folded=$(grep -oE '"folded": *[0-9]+' "$json" | tr -cd 0-9)
    number=$((executions - ${folded:-0}))
}

# Executions of what is known to be folded.
expect_number() { # NUMBER ARGUMENT...
    local said
    said=$("$plumb" check --memory rc11 --fold $symmetry -q "${@:2}" 2>&1)
    [[ $said == *"holds (all $1 executions"* ]] || { echo "not $1 executions: $said"; exit 1; }
}

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tests/support/skips.sh
source "$tests"/support/skips.sh
if [ -z "$symmetry" ]; then
    expect_number 48 "$tests/programs/right/fold/look_before_taking.c" # 156 without
    expect_number 40 "$tests/programs/right/fold/queue_of_templates.cpp" --test 'enq(1) deq | enq(2) deq' # 100
    expect_number 40 "$tests/../examples/harness/michael_scott.c" --test 'enq(1) deq | enq(2) deq' # 100
    # Values in registers, addresses that could leave the loop, two loads that meet before it: by gcc 20 and 194.
    [ "$cc" = gcc ] || expect_number 19 "$tests/../examples/progress/treiber.c" # 40
    [ "$cc" = gcc ] || expect_number 409 "$tests/../bench/explore/rwlock.c"     # 2378
else
    # By default gcc reads `item` from the frame again, which a round without plain reads may not do: 46.
    level=(-- -O1)
    [ "$cc" = gcc ] || level=()
    expect_number 24 "$tests/../bench/clients/herlihy_wing.c" --test 'enq(1) | enq(2) | deq | deq' ${level[@]+"${level[@]}"}
fi

violated=0 fewer=0 tried=0
for ((n = seed; n < seed + count; n++)); do
    RANDOM=$n
    make_program "$folder/random.c"
    any rc11 rc11 sc tso
    check "$folder/random.c" --memory "$word" --no-fold
    plainly=$answer plain_number=$number
    [[ $plainly != *inconclusive* ]] || { skip "too many executions" && continue; }
    tried=$((tried + 1))
    check "$folder/random.c" --memory "$word" --fold $symmetry
    [[ $plainly != *violated* ]] || violated=$((violated + 1))
    [ "$number" -ge "$plain_number" ] || fewer=$((fewer + 1))
    if [ "$answer" != "$plainly" ] || [ -z "$answer" ]; then
        cp "$folder/random.c" "folding_$n.c"
        echo "program $n ($word, folding_$n.c): '$plainly' without, '$answer' with --fold"
        exit 1
    fi
done
echo "$violated violated, $fewer with fewer executions, all answers the same"
summary "programs" $tried 0
