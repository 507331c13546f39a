#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: jobs.sh PLUMB
# Explorations that several workers share, and explorations that were killed and continued: the executions have to be
# those of one worker that was not disturbed.
set -uo pipefail

# shellcheck source=tests/scripts/examples/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/examples/begin.sh"
bench=$tests/../bench/explore

# "exit code, complete, blocked" of a check, with flags of the compiler behind --; with only_complete no blocked ones
only_complete=''
blocked() {
    [ -n "$only_complete" ] || number blocked
}
run() {
    rm -f result.json
    "$plumb" check -q --no-fold --json result.json "$@" >verdict 2>errors </dev/null
    local code=$?
    echo "$code $(($(number executions) - $(number blocked))) $(blocked)"
}

# The same executions however many workers, blocked ones included. Not so revisits: which of two workers comes first to a
# write decides whether the read before it is revisited or finds it at once.
same() { # SOURCE MEMORY FLAG...
    local source=$1 memory=$2 one many jobs
    shift 2
    PLUMB_LIB_DIR=$(dirname "$plumb")/../lib "$tests/../build/bin/plumb-cc" -pthread "$@" "$source" -o same.out || exit 2
    set -- ./same.out --memory "$memory"
    one=$(run "$@")
    case $one in 0*) ;; *) expect_same "$source under $memory" "0 ..." "$one $(cat errors verdict)" ;; esac
    for jobs in 2 4; do
        many=$(run --jobs "$jobs" "$@")
        expect_same "$source under $memory with $jobs workers" "$one" "$many"
    done
}

# --- programs made for this -------------------------------------------------------------------------

cp "$bench/late_trylock.c" .

# Locations on stacks, on the heap and in thread-local storage: work names them by address.
cat >places.c <<'EOF'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Thread_local atomic_int local;
static _Atomic(atomic_int *) shown[3];
static pthread_barrier_t all; /* nobody's stack goes before everybody is done */
static void *worker(void *argument)
{
    atomic_int here = 0, *heap = malloc(sizeof *heap);
    long k = (long)argument;
    atomic_init(heap, 0);
    atomic_int *mine[] = {&here, heap, &local};
    atomic_store(&shown[k], mine[k]);
    for (int i = 0; i < 3; i++) {
        atomic_int *other = atomic_load(&shown[i]);
        if (other)
            atomic_fetch_add(other, 1);
    }
    pthread_barrier_wait(&all);
    return 0;
}
int main(void)
{
    pthread_t t[3];
    pthread_barrier_init(&all, 0, 3);
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
EOF

# An error in one of many executions, and a deadlock in one of many.
cat >rare.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *argument)
{
    long k = (long)argument;
    for (int i = 0; i < 2; i++)
        atomic_store_explicit(&x, (int)(10 * k + i), memory_order_relaxed);
#ifdef DEADLOCK
    pthread_mutex_lock(k ? &a : &b);
    pthread_mutex_lock(k ? &b : &a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
#else
    assert(k != 3 || atomic_load_explicit(&x, memory_order_relaxed) != 20);
#endif
    return 0;
}
int main(void)
{
    pthread_t t[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
}
EOF

# --- the same executions ----------------------------------------------------------------------------

for memory in rc11 sc tso; do
    same "$bench/readers.c" $memory -DN=10
    same "$bench/ainc.c" $memory -DN=5
    same "$bench/treiber.c" $memory
    same "$bench/ms_queue.c" $memory -DBOTH=2
    same "$bench/chase_lev.c" $memory
    same late_trylock.c $memory
    same places.c $memory
    same "$bench/mcs_lock.c" $memory
done
same "$bench/lastzero.c" rc11
same "$bench/fib_bench.c" rc11 -DN=3
same "$bench/indexer.c" rc11
same "$bench/mpmc_ring.c" rc11
# By clang a reader has looked once before its loop: in which order steps are added decides how many executions that end with a
# waiting thread are met before it is known that it only waits.
PLUMB_CC=gcc same "$bench/rwlock.c" rc11
only_complete=yes same "$bench/rwlock.c" rc11
same "$bench/ticket_lock.c" rc11 -DN=5
same "$bench/seqlock.c" rc11 -DREADERS=1

# --- shards -----------------------------------------------------------------------------------------

# The numbers of all shards together are those of one process.
shards() { # SOURCE MEMORY COUNT FLAG...
    local source=$1 memory=$2 count=$3 one k
    shift 3
    PLUMB_LIB_DIR=$(dirname "$plumb")/../lib "$tests/../build/bin/plumb-cc" -pthread "$@" "$source" -o same.out || exit 2
    one=$(run ./same.out --memory "$memory")
    rm -f -- *.shard
    for k in $(seq "$count"); do
        "$plumb" check -q ./same.out --memory "$memory" --jobs $((k % 2 + 1)) --shard "$k/$count" --result "$k.shard" >verdict 2>errors </dev/null ||
            expect_same "shard $k of $source" 0 "$? $(cat errors verdict)"
    done
    "$plumb" merge -q --json result.json ./*.shard >verdict 2>errors
    expect_same "$source under $memory in $count shards" "$one" "$? $(($(number executions) - $(number blocked))) $(blocked)"
}

for memory in rc11 sc tso; do
    shards "$bench/treiber.c" $memory 2
    shards "$bench/mcs_lock.c" $memory 3
    shards places.c $memory 2
    shards late_trylock.c $memory 2
done
PLUMB_CC=gcc shards "$bench/rwlock.c" rc11 3
only_complete=yes shards "$bench/rwlock.c" rc11 3
shards "$bench/seqlock.c" rc11 2 -DREADERS=1
shards "$bench/ainc.c" rc11 4 -DN=7
shards "$bench/fib_bench.c" rc11 2 -DN=4
shards "$bench/indexer.c" rc11 2
shards "$bench/ms_queue.c" rc11 3 -DBOTH=2

# What a lock is shows after all was divided: the shards do not know of each other, and nothing is said.
sed -e 's/i < 3 ? worker/i < 4 ? worker/' -e 's/t\[4\]/t[5]/' -e 's/i < 4; i/i < 5; i/' -e 's/== 2)$/== 3)/' late_trylock.c >later.c
for k in 1 2; do
    "$plumb" check -q later.c --shard "$k/2" --result "$k.later" >verdict 2>errors </dev/null
done
"$plumb" merge ./*.later >verdict 2>errors
expect_same "shards that do not know: exit code" 3 $?
expect_same "shards that do not know: why" 1 "$(grep -c 'more than a mutex' verdict)"

# A shard that is killed and continued is the same shard.
part=("$bench/mpmc_ring.c" --shard 2/2 -- -DWRITERS=3 -DREADERS=2)
run "${part[@]:0:3}" "${part[@]:3}" >/dev/null
whole=$(number executions)
"$plumb" check -q --checkpoint part.state --executions 50 "${part[@]}" >/dev/null 2>&1
run --checkpoint part.state "${part[@]}" >/dev/null
expect_same "a shard that is continued" "$whole" "$(number executions)"

# --- errors -----------------------------------------------------------------------------------------

for jobs in 1 2 4; do
    run rare.c --jobs $jobs >/dev/null
    expect_same "an assertion with $jobs workers" "rare.c: violated assert" "$(cat verdict) $(grep -o 'assert"' result.json | head -n 1 | tr -d '"')"
    run rare.c --jobs $jobs -- -DDEADLOCK >/dev/null
    expect_same "a deadlock with $jobs workers" "rare.c: violated deadlock" "$(cat verdict) $(grep -o 'deadlock"' result.json | head -n 1 | tr -d '"')"
done

# --- limits -----------------------------------------------------------------------------------------

for jobs in 1 2; do
    expect_same "some executions with $jobs workers" "3 500 0" "$(run --jobs $jobs --executions 500 "$bench/treiber.c" | sed 's/ 3[0-9]* [0-9]*$/ &/' |
        { read -r code complete blocked; echo "$code $((complete + blocked)) 0"; })"
    expect_same "all executions asked for with $jobs workers" "$(run "$bench/ainc.c" -- -DN=4)" \
        "$(run --jobs $jobs --executions 24 "$bench/ainc.c" -- -DN=4)"
done

large=("$bench/mpmc_ring.c" -- -DWRITERS=3 -DREADERS=3)
slow() { # COMMAND...: every execution is run, so that there is time to kill something
    PLUMB_MEMO=off exec "$@"
}

# One worker is killed: its work is lost, and that is said.
slow "$plumb" check -q --no-fold --jobs 3 "${large[@]}" >verdict 2>errors </dev/null &
tool=$!
for _ in $(seq 100); do
    victim=$(pgrep -P "$tool" -x program | tail -n 1)
    [ -n "$victim" ] && break
    sleep 0.05
done
sleep 0.3
kill -9 "$victim"
wait "$tool"
expect_same "a worker was killed: exit code" 3 $?
expect_same "a worker was killed: verdict" 1 "$(grep -c 'inconclusive (worker [123] of 3: .*killed from outside.*its part' verdict)"

# --- killed and continued ---------------------------------------------------------------------------

for jobs in 1 2; do
    slow "$plumb" check -q --jobs $jobs --checkpoint state "${large[@]}" >/dev/null 2>&1 </dev/null &
    tool=$!
    for _ in $(seq 200); do
        [ -e state ] && break
        sleep 0.05
    done
    kill -9 "$tool"
    wait "$tool" 2>/dev/null
    expect_same "continued after kill -9 of $jobs workers" "0 425922 0" "$(run --jobs 2 --checkpoint state "${large[@]}")"
    expect_same "the checkpoint is gone" "" "$(ls state 2>/dev/null)"
done

# Stopped by limits, twice, then to the end.
run --checkpoint state --jobs 2 --executions 1000 "${large[@]}" >/dev/null
"$plumb" check --checkpoint state --executions 2000 "${large[@]}" >verdict 2>errors
expect_same "what was done is reported" 1 "$(grep -c 'going on from state: 1000 executions' errors)"
cp state kept
expect_same "continued after limits" "0 425922 0" "$(run --jobs 2 --checkpoint state "${large[@]}")"

refuse() { # WHY OPTION...
    local got why=$1
    shift
    got=$("$plumb" check -q "$@" 2>&1 </dev/null)
    expect_same "refused: $why" 2 $?
    expect_same "refused: $why" 1 "$(grep -c "$why" <<<"$got")"
}
refuse "of another program" --checkpoint kept "$bench/treiber.c"
refuse "with other options" --checkpoint kept --memory sc "${large[@]}"
head -c 2000 kept >torn
refuse "is damaged" --checkpoint torn "${large[@]}"
refuse "not a checkpoint" --checkpoint rare.c "${large[@]}"
refuse "for --mode all" --checkpoint kept --mode dfs "${large[@]}"

# A program that begins again while it is saved.
run --checkpoint state --executions 100 late_trylock.c >/dev/null
expect_same "begun again and continued" "$(run late_trylock.c)" "$(run --jobs 2 --checkpoint state late_trylock.c)"

# All errors: as many executions have each of them, and there are as many as if the thread just ended there; also when all
# was begun again.
sed -e '1i #include <assert.h>' -e 's/^    atomic_fetch_add_explicit(&y.*/    FAILS/' late_trylock.c >failing.c
errors() { # OPTION...: "executions, with an error; those with each"
    "$plumb" check -q --all-errors --json result.json "$@" >verdict 2>errors </dev/null
    echo "$(number executions) $(number failing); $(grep -o '"executions":[0-9]*,"steps"' result.json | tail -n +2 |
        tr -dc '0-9\n' | sort -n | xargs)"
}
for memory in rc11 sc tso; do
    one=$(errors failing.c --memory "$memory" -- -DFAILS='assert(atomic_fetch_add(&y, 1) != 1);')
    run failing.c --memory "$memory" -- -DFAILS='if (atomic_fetch_add(&y, 1) == 1) return 0;' >/dev/null
    expect_same "all errors under $memory" "$(number executions)" "${one%% *}"
    for jobs in 2 4; do
        many=$(errors failing.c --memory "$memory" --jobs "$jobs" -- -DFAILS='assert(atomic_fetch_add(&y, 1) != 1);')
        expect_same "all errors under $memory with $jobs workers" "$one" "$many"
    done
done

conclude
