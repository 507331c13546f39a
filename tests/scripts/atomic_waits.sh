#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# std::atomic::wait that looks once before it sleeps (include/plumb/libstdc++/bits/atomic_wait.h), and as libstdc++ has it: the same answers.
# usage: atomic_waits.sh PLUMB
set -euo pipefail
cd "$(dirname "$0")/../.."

plumb=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/waits.cpp" <<'PROGRAM'
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

static std::atomic<int> x{0};   /* sleepers sleep at the word itself, */
static std::atomic<char> y{0};  /* or at one of the library's */
static int data;

template <typename T> static void set(T &word, char value, std::memory_order order = std::memory_order_seq_cst)
{
    word.store(value, order);
    word.notify_one();
}

static void wait_twice(int first)
{
    x.wait(first);
    assert(x.load() != 1);
}

static void read_data(std::memory_order order)
{
    x.wait(0, order);
    assert(data == 1);
}

static void write_data(std::memory_order order)
{
    data = 1;
    set(x, 1, order);
}

template <typename Waiting, typename Setting> static void run(int waiters, Waiting waiting, Setting setting)
{
    std::thread one(waiting), two(waiters == 2 ? std::thread(waiting) : std::thread());
    setting();
    one.join();
    if (waiters == 2)
        two.join();
}

int main()
{
    switch (atoi(getenv("CASE"))) {
    case 0: return run(1, [] { x.wait(0, std::memory_order_acquire); }, [] { set(x, 1, std::memory_order_release); }), 0;
    case 1: return run(1, [] { x.wait(0); }, [] { x.store(1); }), 0;
    case 2: return run(2, [] { x.wait(0); }, [] { set(x, 1); }), 0;
    case 3: return run(2, [] { y.wait(0); }, [] { set(y, 1); }), 0;
    case 4: return run(1, [] { read_data(std::memory_order_relaxed); }, [] { write_data(std::memory_order_seq_cst); }), 0;
    case 6: return run(1, [] { wait_twice(0); }, [] { set(x, 1), set(x, 2); }), 0;
    case 5: return run(1, [] { x.wait(0); }, [] { set(x, 1), x.store(0); }), 0;
    case 7: return run(1, [] { y.wait(0); set(x, 1); }, [] { set(y, 1); x.wait(0); assert(y == 1); }), 0;
    }
}
PROGRAM
build/bin/plumb-c++ -std=c++20 -pthread "$work/waits.cpp" -o "$work/ours" &
build/bin/plumb-c++ -std=c++20 -pthread -DPLUMB_LIBRARY_WAITS "$work/waits.cpp" -o "$work/library"
wait $!

member() { # NAME
    sed -n "s/.*\"$1\":\"\?\([a-z0-9]*\).*/\1/p" "$work/json" | head -n 1
}

# In `answer`, "violated deadlock", say, and in `count` how many executions there were.
check() { # PROGRAM CASE MODEL
    local code=0
    CASE=$2 "$plumb" check "$work/$1" --memory "$3" --no-repair --json "$work/json" --trace "$work/trace" >"$work/log" 2>&1 || code=$?
    [ $code -le 1 ] || { cat "$work/log" && exit 1; }
    answer="$(member verdict) $(member error)"
    count=$(member executions)
}

failed=0 wrong=0 fewer=0
for model in rc11 tso; do
    for case in 0 1 2 3 4 5 6 7; do
        check ours $case $model
        ours=$answer few=$count
        check library $case $model
        [ "$ours" = "$answer" ] || { echo "FAIL case $case, $model: $ours, as the library has it $answer" && failed=1; }
        [[ $ours != violated* ]] || wrong=$((wrong + 1))
        [ "$few" -ge "$count" ] || fewer=$((fewer + 1))
    done
done
echo "16 answers, $wrong violated; $fewer with fewer executions"
[ $wrong -ge 9 ] && [ $fewer -ge 11 ] || { echo "FAIL: too few" && failed=1; }
exit $failed
