/* SPDX-License-Identifier: Apache-2.0 */
/* Threads live as long as the process: created for the largest round, asleep when they do not take part in one. */
#include "native/native.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ------------------------------------------------------------------ segments */

void native_finish_segment(void)
{
    atomic_fetch_add(&native.shared->finished, 1);
    native_beat();
}

/* Segment k and k - 2 have the same bank. */
void native_await_bank(uint32_t number)
{
    _Atomic uint32_t *consumed = &native.shared->consumed;
    for (uint32_t seen; (seen = atomic_load(consumed)) + 1 < number;)
        native_futex_wait(consumed, seen, true);
}

static bool has_another_segment(uint32_t number)
{
    const struct stress_shared *s = native.shared;
    return !atomic_load(&s->abandoned) && (number == 0 || !atomic_load(&s->stop)) &&
           !atomic_load(&native.out_of_texts) &&
           (native.round.segments == 0 || number < native.round.segments || number == 0);
}

/* By the last thread that arrives, while all others wait. */
static void change_segment(bool first)
{
    if (!first && !atomic_load(&native.shared->abandoned))
        native_finish_segment();
    uint32_t number = atomic_load(&native.shared->finished);
    bool going = has_another_segment(number);
    if (going) {
        native_await_bank(number);
        going = has_another_segment(number);
    }
    for (uint32_t i = 0; going && i <= native.round.threads; i++)
        native_take_bank(&native.threads[i], number);
    atomic_store(&native.going, going);
    atomic_store(&native.over, 0);
}

/* False: the round ends. */
static bool meet(bool first)
{
    uint32_t gate = atomic_load(&native.gate), threads = native.round.threads;
    native_publish(&native.gate);
    if (atomic_fetch_add(&native.arrived, 1) + 1 < threads) {
        native_await_change(&native.gate, gate, threads);
    } else {
        change_segment(first);
        atomic_store(&native.arrived, 0);
        for (uint32_t i = 0; i < STRESS_THREADS_MAX && i * native.processors < threads; i++)
            native.groups[i] = (struct native_group){0, 0};
        atomic_store(&native.gate, gate + 1);
        if (atomic_load(&native.sleepers))
            native_futex_wake(&native.gate, false);
    }
    native_observe(&native.gate);
    return atomic_load(&native.going);
}

/* ------------------------------------------------------------------ a round */

/* Binds the thread to a processor of its own, or to none. */
static void bind(struct native_thread *t, bool own)
{
    uint32_t place = (t->number - 1) % native.processors, processor = own ? place + 1 : 0;
    cpu_set_t set = native.allowed;
    if (t->processor == processor)
        return;
    t->processor = processor;
    if (own)
        CPU_ZERO(&set);
    for (int cpu = 0; own && cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &native.allowed) && place-- == 0)
            CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* A call takes less time than it takes to wake a thread, and woken threads often share a processor while another one is idle: they
 * would run one after the other. So threads wait bound to processors; as many as there are processors form a group, and begin
 * when each of them is seen to run. From then on the system may move them, unless they are pinned. */
static void start_together(struct native_thread *t)
{
    uint32_t together = native.processors, at = (t->number - 1) / together,
             left = native.round.threads - at * together;
    struct native_group *g = &native.groups[at];
    uint32_t members = left < together ? left : together;
    atomic_fetch_add(&g->awake, 1);
    native_await_soon(&g->awake, members, true);
    bind(t, native.round.pinned);
    atomic_fetch_add(&g->ready, 1);
    native_await_soon(&g->ready, members, false);
}

static bool begin_segment(struct native_thread *t, bool first)
{
    bind(t, true);
    if (!meet(first))
        return false;
    start_together(t);
    return true;
}

static void set_up(struct native_thread *t)
{
    (void)t;
    native_run_parts(PLUMB_PART_THREAD_SETUP);
}

static void tear_down(struct native_thread *t)
{
    (void)t;
    native_run_parts(PLUMB_PART_THREAD_TEARDOWN);
}

static void run_round(struct native_thread *t)
{
    atomic_store(&t->slot->busy, 1);
    native_observe(&t->wake);
    native_begin_thread(t);
    native_guard(t, set_up);
    for (bool first = true; begin_segment(t, first); first = false)
        native_guard(t, native_run_segment);
    native_guard(t, tear_down);
    atomic_store(&t->slot->busy, 0);
    native_publish(&native.left);
    if (atomic_fetch_add(&native.left, 1) + 1 == native.round.threads)
        native_futex_wake(&native.left, false);
}

/* Threads do not end: an operation has called pthread_exit. */
static void handle_exit(void *unused)
{
    (void)unused;
    snprintf(native.shared->message, sizeof native.shared->message,
             "an operation ends its thread instead of returning");
    abort();
}

static pthread_key_t exit_key;

static void *run_thread(void *argument)
{
    struct native_thread *t = argument;
    uint32_t rounds = 0;
    native_self = t;
    pthread_setspecific(exit_key, t);
    native_make_signal_stack(t);
    atomic_store(&t->slot->tid, (uint32_t)syscall(SYS_gettid));
    for (;; rounds++) {
        while (atomic_load(&t->wake) == rounds)
            native_futex_wait(&t->wake, rounds, false);
        run_round(t);
    }
    return NULL;
}

void native_run_threads(void)
{
    uint32_t threads = native.round.threads;
    atomic_store(&native.left, 0);
    atomic_store(&native.out_of_texts, 0);
    for (uint32_t i = 1; i <= threads; i++) {
        native_publish(&native.threads[i].wake);
        atomic_fetch_add(&native.threads[i].wake, 1);
        native_futex_wake(&native.threads[i].wake, false);
    }
    native_await_threads();
    native_observe(&native.left);
}

/* ------------------------------------------------------------------ the start */

static bool refuse(const char *what)
{
    snprintf(native.shared->message, sizeof native.shared->message, "%s", what);
    return false;
}

static void *map(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* What is written in a segment has its pages before. In a process of its own that is what this round may write: pages that were
 * there for the one before are found quickly. */
static void touch(uint32_t slot)
{
    enum { PAGE = 4096 };
    struct stress_shared *s = native.shared;
    uint64_t bank = (uint64_t)s->capacity * sizeof(struct stress_record),
             used = native.round.fresh
                        ? ((uint64_t)native.round.calls + STRESS_SPARE) * sizeof(struct stress_record)
                        : bank,
             area = native.round.fresh && s->area_size > PAGE ? PAGE : s->area_size;
    used = used < bank ? used : bank;
    for (uint64_t k = 0; k < STRESS_BANKS; k++) {
        uint64_t place = (uint64_t)slot * STRESS_BANKS + k;
        memset((char *)s + s->records + place * bank, 0, used);
        memset((char *)s + s->areas + place * s->area_size, 0, area);
    }
}

static bool has_room(void)
{
    const struct stress_shared *s = native.shared;
    uint64_t banks = (uint64_t)s->slots * STRESS_BANKS;
    return s->slots >= 1 && s->slots <= STRESS_SLOTS && s->records <= s->size && s->areas <= s->size &&
           banks * s->capacity * sizeof(struct stress_record) <= s->size - s->records &&
           banks * s->area_size <= s->size - s->areas;
}

static bool make_thread(uint32_t number)
{
    struct native_thread *t = &native.threads[number];
    pthread_t thread;
    t->number = number;
    t->slot = &native.shared->slot[number];
    t->signal_stack = NULL;
    touch(number);
    if (native.has_texts && !(t->texts = map(NATIVE_TEXTS_BYTES)))
        return refuse("there is no memory for texts of arguments");
    if (number && pthread_create(&thread, NULL, run_thread, t) != 0)
        return refuse("the threads cannot be created: the system has no room for so many");
    return true;
}

bool native_make_threads(void)
{
    if (!has_room())
        return refuse("the shared memory is too small");
    if (native.reserve > native.shared->area_size)
        return refuse("the areas of the shared memory are too small");
    native.threads = map(native.shared->slots * sizeof *native.threads);
    if (!native.threads)
        return refuse("there is no memory for threads");
    if (pthread_key_create(&exit_key, handle_exit) != 0)
        return refuse("there are no keys for data of threads");
    sched_getaffinity(0, sizeof native.allowed, &native.allowed);
    native.processors = (uint32_t)CPU_COUNT(&native.allowed);
    native.processors = native.processors ? native.processors : 1;
    uint32_t count = native.round.fresh ? native.round.threads + 1 : native.shared->slots;
    for (uint32_t i = 0; i < count; i++)
        if (!make_thread(i))
            return false;
    return true;
}
