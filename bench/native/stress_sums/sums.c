/* SPDX-License-Identifier: Apache-2.0 */
/* What is usually written to test a concurrent object: threads that call it in a loop, and assertions on sums and counts in the end.
 * Linked with a harness of examples/stress:
 *   sums SECONDS [THREADS [CALLS]]
 * Exit status 1: an assertion failed, or no call returned for two seconds. */
#include "../registered_parts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS_MAX = 64, KEYS = 4 };

/* --- what the harness asks for ---------------------------------------------------------------------------------- */

void plumb_assume(bool holds)
{
    if (!holds)
        exit(3);
}

plumb_value plumb_result_wide(int64_t i)
{
    return (plumb_value)i << 3;
}

/* --- the loops -------------------------------------------------------------------------------------------------------- */

/* Elements or amounts that went in and came out, and how many. */
struct totals {
    long in, out, in_count, out_count;
};

static struct thread {
    pthread_t id;
    unsigned number;
    struct totals totals;
    _Alignas(64) atomic_ulong calls; /* that have returned */
} threads[THREADS_MAX];

static unsigned thread_count = 4, call_count = 10000;
static atomic_ulong rounds;
static const struct plumb_part *adds, *removes, *looks;
static bool is_set, is_counter;
static pthread_barrier_t start;

static void call_once(struct totals *t, uint64_t random, long fresh)
{
    if (is_set) {
        long key = (long)(random % KEYS) + 1;
        if (random & 64)
            t->in_count += run(adds, key) == PLUMB_TRUE;
        else if (random & 128)
            t->out_count += run(removes, key) == PLUMB_TRUE;
        else
            run(looks, key);
    } else if (random & 64) {
        long value = is_counter ? (long)(random >> 8) % 200 : fresh;
        run(adds, value);
        t->in += value;
        t->in_count++;
    } else {
        plumb_value v = run(is_counter ? looks : removes, 0);
        if (v != PLUMB_NONE && !is_counter) {
            t->out += (int64_t)v >> 3;
            t->out_count++;
        }
    }
}

static void *loop(void *context)
{
    struct thread *me = context;
    uint64_t random = (uint64_t)me->number * 0x9e3779b97f4a7c15 + (uint64_t)time(NULL);
    thread_number = me->number;
    run(find_part(PLUMB_PART_THREAD_SETUP, NULL), 0);
    pthread_barrier_wait(&start);
    for (unsigned i = 0; i < call_count; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        call_once(&me->totals, random >> 16, (long)me->number << 32 | (i + 1));
        atomic_store_explicit(&me->calls, i + 1, memory_order_relaxed);
    }
    run(find_part(PLUMB_PART_THREAD_TEARDOWN, NULL), 0);
    return NULL;
}

/* --- the assertions ---------------------------------------------------------------------------------------------------- */

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    printf("found: %s\n", what);
    exit(1);
}

static void take_the_rest(struct totals *all)
{
    for (long n = 0; n <= all->in_count; n++) {
        plumb_value v = run(removes, 0);
        if (v == PLUMB_NONE)
            return;
        all->out += (int64_t)v >> 3;
        all->out_count++;
    }
}

static void check(struct totals all)
{
    if (is_counter) {
        expect((int64_t)run(looks, 0) >> 3 == all.in, "the counter is not the sum");
    } else if (is_set) {
        long size = 0;
        for (long key = 1; key <= KEYS; key++)
            size += run(looks, key) == PLUMB_TRUE;
        expect(size == all.in_count - all.out_count, "the size is not additions minus removals");
    } else {
        take_the_rest(&all);
        expect(all.in_count == all.out_count, "what came out is not as many as what went in");
        expect(all.in == all.out, "what came out is not what went in");
    }
}

/* Two seconds without a call that returns. */
static void *watch(void *unused)
{
    (void)unused;
    unsigned long last = 0, still = 0;
    while (still < 10) {
        unsigned long sum = rounds;
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
        for (unsigned i = 0; i < thread_count; i++)
            sum = sum * 31 + threads[i].calls;
        still = sum == last ? still + 1 : 0;
        last = sum;
    }
    expect(false, "it hangs");
    return NULL;
}

static void one_round(void)
{
    struct totals all = {0};
    run(find_part(PLUMB_PART_SETUP, NULL), 0);
    for (unsigned i = 0; i < thread_count; i++) {
        threads[i].number = i + 1;
        threads[i].totals = (struct totals){0};
        pthread_create(&threads[i].id, NULL, loop, &threads[i]);
    }
    for (unsigned i = 0; i < thread_count; i++) {
        const struct totals *t = &threads[i].totals;
        pthread_join(threads[i].id, NULL);
        all.in += t->in, all.out += t->out;
        all.in_count += t->in_count, all.out_count += t->out_count;
    }
    check(all);
    run(find_part(PLUMB_PART_TEARDOWN, NULL), 0);
}

static const struct plumb_part *find_operation(const char *const *names)
{
    const struct plumb_part *found = NULL;
    for (; !found && *names; names++)
        found = find_part(PLUMB_PART_OP, *names);
    return found;
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 10;
    thread_count = argc > 2 ? (unsigned)atoi(argv[2]) % THREADS_MAX : thread_count;
    call_count = argc > 3 ? (unsigned)atoi(argv[3]) : call_count;
    adds = find_operation((const char *const[]){"add", "push", "enq", NULL});
    removes = find_operation((const char *const[]){"remove", "pop", "deq", NULL});
    looks = find_operation((const char *const[]){"contains", "get", NULL});
    is_set = adds && removes && looks;
    is_counter = adds && looks && !removes;
    pthread_barrier_init(&start, NULL, thread_count);
    pthread_t watcher;
    pthread_create(&watcher, NULL, watch, NULL);
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        one_round();
        rounds++;
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((double)(now.tv_sec - begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) / 1e9 < seconds);
    printf("nothing: %lu rounds of %u calls in %u threads\n", rounds, call_count, thread_count);
    return 0;
}
