/* SPDX-License-Identifier: Apache-2.0 */
/* usage: stress_costs THREADS CALLS REPEAT
 * What recording adds to a call on real threads: the loop of src/native with stamps and records, against the same loop without
 * them, on the same calls. The best of REPEAT runs, nanoseconds of the processor for one call. */
#include "native/native.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* ------------------------------------------------------------------ objects */

static atomic_long total;

PLUMB_OP(nothing)
{
    return PLUMB_OK;
}

PLUMB_OP(increment)
{
    return PLUMB_INT(atomic_fetch_add(&total, 1));
}

/* Treiber's stack. Nodes are used again, behind a tag. */
enum { NODES = 1 << 16 };
static struct {
    atomic_uint next;
    long value;
} nodes[NODES];
static _Atomic uint64_t top, unused_nodes;

static void put(_Atomic uint64_t *head, uint32_t node)
{
    uint64_t old = atomic_load(head);
    do
        atomic_store_explicit(&nodes[node].next, (uint32_t)old, memory_order_relaxed);
    while (!atomic_compare_exchange_weak(head, &old, ((old >> 32) + 1) << 32 | node));
}

static uint32_t take(_Atomic uint64_t *head)
{
    uint64_t old = atomic_load(head);
    while ((uint32_t)old &&
           !atomic_compare_exchange_weak(head, &old,
                                         ((old >> 32) + 1) << 32 | atomic_load(&nodes[(uint32_t)old].next)))
        continue;
    return (uint32_t)old;
}

PLUMB_OP(push, long, v)
{
    uint32_t node = take(&unused_nodes);
    if (!node)
        return PLUMB_FALSE;
    nodes[node].value = v;
    put(&top, node);
    return PLUMB_TRUE;
}

PLUMB_OP(pop)
{
    uint32_t node = take(&top);
    if (!node)
        return PLUMB_NONE;
    long v = nodes[node].value;
    put(&unused_nodes, node);
    return PLUMB_INT(v);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long ring[NODES];
static uint64_t first, last;

PLUMB_OP(enq, long, v)
{
    pthread_mutex_lock(&mutex);
    bool fits = last - first < NODES;
    if (fits)
        ring[last++ % NODES] = v;
    pthread_mutex_unlock(&mutex);
    return PLUMB_BOOL(fits);
}

PLUMB_OP(deq)
{
    pthread_mutex_lock(&mutex);
    plumb_value v = first < last ? PLUMB_INT(ring[first++ % NODES]) : PLUMB_NONE;
    pthread_mutex_unlock(&mutex);
    return v;
}

static void set_up(void)
{
    total = 0;
    top = unused_nodes = 0;
    first = last = 0;
    for (uint32_t i = 1; i < NODES; i++)
        put(&unused_nodes, i);
}

/* ------------------------------------------------------------------ loops */

enum loop { BARE, DRAWN, FENCED, RAW, COUNTED, LOOPS };
static const char *const loop_names[] = {"call", "drawn", "fenced", "raw", "counter"};

/* Calls alone: one operation after the other, with the number of the call. */
static void run_bare(struct native_thread *t)
{
    struct plumb_argument arguments[STRESS_ARGUMENTS] = {0};
    for (uint32_t i = 0; i < native.round.calls; i++) {
        arguments[0].number = (int64_t)i + 1;
        native.operations[t->alias.item[i % t->alias.count]].run(arguments);
    }
}

/* The loop of native_calls.c but for stamps and records. */
static void run_drawn(struct native_thread *t)
{
    for (uint32_t i = 0; i < native.round.calls; i++) {
        const struct native_operation *o = &native.operations[native_draw(&t->alias, &t->calls)];
        struct plumb_argument arguments[STRESS_ARGUMENTS];
        native_draw_arguments(t, o, arguments);
        o->run(arguments);
    }
}

static enum loop chosen;
static pthread_barrier_t barrier;
static double elapsed[STRESS_SLOTS];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* others run, too */
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *run(void *argument)
{
    struct native_thread *t = argument;
    native_self = t;
    native_begin_thread(t);
    native_take_bank(t, 0);
    pthread_barrier_wait(&barrier);
    double begin = now();
    if (chosen == BARE)
        run_bare(t);
    else if (chosen == DRAWN)
        run_drawn(t);
    else
        native_run_segment(t);
    elapsed[t->number] = now() - begin;
    if (chosen >= FENCED && t->count != native.round.calls)
        abort();
    return NULL;
}

/* Nanoseconds of a call. */
static double measure_once(uint32_t threads)
{
    pthread_t ids[STRESS_SLOTS];
    double sum = 0;
    set_up();
    pthread_barrier_init(&barrier, NULL, threads);
    for (uint32_t i = 1; i <= threads; i++)
        pthread_create(&ids[i], NULL, run, &native.threads[i]);
    for (uint32_t i = 1; i <= threads; i++) {
        pthread_join(ids[i], NULL);
        sum += elapsed[i];
    }
    return sum / threads / native.round.calls;
}

static double measure(uint32_t threads, uint32_t repeat, enum loop loop)
{
    static const enum stamps stamps[] = {
        [FENCED] = STAMPS_FENCED, [RAW] = STAMPS_RAW, [COUNTED] = STAMPS_COUNTER};
    double best = 1e18;
    chosen = loop;
    native.shared->plan.stamps = loop >= FENCED ? stamps[loop] : STAMPS_FENCED;
    for (uint32_t i = 0; i < repeat; i++) {
        double found = measure_once(threads);
        best = found < best ? found : best;
    }
    return best;
}

/* ------------------------------------------------------------------ stamps alone */

#define COST(name, what)                           \
    do {                                           \
        enum { TIMES = 20000 };                    \
        double best = 1e18;                        \
        for (int k = 0; k < 50; k++) {             \
            double begin = now();                  \
            for (int i = 0; i < TIMES; i++)        \
                what;                              \
            double cost = (now() - begin) / TIMES; \
            best = cost < best ? cost : best;      \
        }                                          \
        printf("%-24s %6.1f ns\n", name, best);    \
    } while (0)

static void measure_stamps(void)
{
    COST("stamp of a call", stamp_call(STAMPS_FENCED));
    COST("stamp of a return", stamp_return(STAMPS_FENCED));
    COST("counter without fences", stamp_call(STAMPS_RAW));
    COST("atomic counter", stamp_call(STAMPS_COUNTER));
    struct timespec t;
    COST("clock_gettime", clock_gettime(CLOCK_MONOTONIC, &t));
}

/* ------------------------------------------------------------------ the table */

static void make_memory(uint32_t slots, uint32_t calls)
{
    uint64_t head = (sizeof(struct stress_shared) + 4095) & ~UINT64_C(4095), area = 1 << 16;
    uint32_t capacity = calls + STRESS_SPARE;
    uint64_t records = (uint64_t)slots * STRESS_BANKS * capacity * sizeof(struct stress_record);
    uint64_t size = head + records + slots * STRESS_BANKS * area;
    struct stress_shared *s =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (s == MAP_FAILED)
        abort();
    *s = (struct stress_shared){.size = size, .slots = slots, .capacity = capacity, .area_size = area};
    s->records = head;
    s->areas = head + records;
    native.shared = s;
}

static void make_threads(uint32_t slots)
{
    native.threads = aligned_alloc(NATIVE_LINE, slots * sizeof *native.threads);
    memset(native.threads, 0, slots * sizeof *native.threads);
    for (uint32_t i = 0; i < slots; i++) {
        native.threads[i].number = i;
        native.threads[i].slot = &native.shared->slot[i];
    }
}

static void choose(uint32_t one, uint32_t other)
{
    for (uint32_t i = 0; i < STRESS_SLOTS; i++) {
        memset(native.shared->plan.weights[i], 0, sizeof native.shared->plan.weights[i]);
        native.shared->plan.weights[i][one] = native.shared->plan.weights[i][other] = 1;
    }
}

static void print_row(const char *name, uint32_t threads, uint32_t repeat)
{
    double cost[LOOPS];
    for (enum loop loop = BARE; loop < LOOPS; loop++)
        cost[loop] = measure(threads, repeat, loop);
    printf("%-18s %7u", name, threads);
    for (enum loop loop = BARE; loop < LOOPS; loop++)
        printf(" %8.1f", cost[loop]);
    printf(" %8.1f\n", cost[FENCED] - cost[DRAWN]);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        uint32_t one, other;
    } rows[] = {
        {"nothing", 0, 0}, {"increment", 1, 1}, {"Treiber's stack", 2, 3}, {"queue with a mutex", 4, 5}};
    uint32_t threads = argc > 1 ? (uint32_t)atoi(argv[1]) : 1,
             calls = argc > 2 ? (uint32_t)atoi(argv[2]) : 200000;
    uint32_t repeat = argc > 3 ? (uint32_t)atoi(argv[3]) : 5;
    make_memory(threads + 1, calls);
    make_threads(threads + 1);
    native.round = (struct stress_round){.seed = 1, .threads = threads, .calls = calls};
    if (!native_list_parts())
        return 1;
    for (uint32_t i = 0; i < native.operation_count; i++)
        native.shared->plan.operations[i] =
            (struct stress_operation_plan){.arguments = "vvv", .followed_by = STRESS_NOTHING};
    native_read_plan();
    if (threads == 1)
        measure_stamps();
    printf("%-18s %7s", "ns of a call", "threads");
    for (enum loop loop = BARE; loop < LOOPS; loop++)
        printf(" %8s", loop_names[loop]);
    printf(" %8s\n", "added");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        choose(rows[i].one, rows[i].other);
        print_row(rows[i].name, threads, repeat);
    }
    return 0;
}
