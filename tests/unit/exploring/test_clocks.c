/* SPDX-License-Identifier: Apache-2.0 */
/* Vector clocks and races: cases with a known answer, and random executions against an oracle that writes
 * happens-before down as the memory model defines it and looks at every pair of events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/clocks_oracle.h"
#include "engine/race/clocks.h"
#include "engine/race/clocks_quick.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 1;

static uint32_t below(uint32_t bound)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 32) % bound;
}

/* Random executions */

enum { THREADS = 4 };

struct world {
    uint32_t number[THREADS], life[THREADS];
    bool running[THREADS], ended[THREADS];
    bool joined[THREADS][THREADS];                         /* [waiter][ended], since the last start of both */
    uint32_t plain, atomic, fence, object, thread, forget; /* how likely */
    uint32_t instructions;                                 /* that all accesses share; 0: each is its own */
    uint32_t patience;                                     /* one in so many races ends the execution */
    bool aligned, uniform; /* uniform: all but some have eight bytes, or four */
    bool quick;            /* tries the common case first, as the engine does */
};

static uint32_t random_running(const struct world *w)
{
    uint32_t t;
    do
        t = below(THREADS);
    while (!w->running[t]);
    return t;
}

static struct world random_world(void)
{
    struct world w = {.running = {true}, .aligned = below(2), .uniform = below(2), .quick = below(2)};
    uint32_t spread = below(4) ? 1 : 1 + below((CLOCKS_THREADS_MAX - 1) / (THREADS - 1));
    for (uint32_t t = 0; t < THREADS; t++)
        w.number[t] = t * spread;
    w.plain = 1 + below(10);
    w.atomic = below(20);
    w.fence = below(8);
    w.object = below(8);
    w.thread = 1 + below(3);
    w.forget = below(4) ? 0 : 1;
    w.instructions = below(4);
    w.patience = 1 + below(16);
    return w;
}

static void random_place(const struct world *w, struct step *s, bool plain)
{
    s->size = (size_t)1 << below(below(4) ? 4 : 5);
    if (plain && !below(6))
        s->size = 1 + below(REGION);
    uint32_t places = REGION - (uint32_t)s->size + 1;
    s->address = BASE + below(places < 12 || !below(3) ? places : 12);
    if (s->size <= 16 && (w->aligned || below(2)))
        s->address &= ~(uint64_t)(s->size - 1);
    while (s->address + s->size > BASE + REGION)
        s->address--;
    if (w->uniform && below(12)) {
        s->size = w->instructions & 1 ? 4 : 8;
        s->address = BASE + below(REGION / 8) * 8 + (s->size == 4 && below(2) ? 4 : 0);
    }
}

static unsigned random_order(enum event_kind kind)
{
    static const unsigned loads[] = {ORDER_RELAXED, ORDER_RELAXED, ORDER_CONSUME, ORDER_ACQUIRE,
                                     ORDER_SEQ_CST};
    static const unsigned stores[] = {ORDER_RELAXED, ORDER_RELAXED, ORDER_RELEASE, ORDER_SEQ_CST};
    if (kind == EVENT_READ || kind == EVENT_CAS_FAILED)
        return loads[below(5)];
    return kind == EVENT_WRITE ? stores[below(4)] : below(6);
}

/* Creates a thread that does not run, or joins another one; leaves the kind NONE when neither is possible. */
static void random_thread_step(const struct world *w, struct step *s, uint32_t self)
{
    uint32_t t = below(THREADS);
    bool startable = !w->running[t] && (!w->ended[t] || w->joined[self][t]);
    if (t == self || t == 0)
        return;
    if (startable && (!w->ended[t] || below(2)))
        s->kind = EVENT_CREATE;
    else if (w->ended[t] || (w->running[t] && !below(4)))
        s->kind = EVENT_JOIN;
    s->other = t;
    s->other_life = w->life[t] + (s->kind == EVENT_CREATE);
}

static struct step random_step(const struct world *w)
{
    static const enum event_kind atomics[] = {EVENT_READ, EVENT_READ, EVENT_WRITE, EVENT_UPDATE,
                                              EVENT_CAS_FAILED};
    static const uint64_t objects[] = {BASE, BASE + 3, BASE + 4096};
    uint32_t self = random_running(w),
             pick = below(w->plain + w->atomic + w->fence + w->object + w->thread + w->forget);
    struct step s = {.thread = self, .life = w->life[self]};
    if (pick < w->plain) {
        s.kind = below(2) ? EVENT_PLAIN_READ : EVENT_PLAIN_WRITE;
        random_place(w, &s, true);
    } else if ((pick -= w->plain) < w->atomic) {
        s.kind = atomics[below(5)];
        s.order = random_order(s.kind);
        random_place(w, &s, false);
    } else if ((pick -= w->atomic) < w->fence) {
        s.kind = EVENT_FENCE;
        s.order = random_order(s.kind);
    } else if ((pick -= w->fence) < w->object) {
        s.kind = below(2) ? EVENT_LOCK : EVENT_UNLOCK;
        s.address = objects[below(3)];
    } else if ((pick -= w->object) < w->thread) {
        random_thread_step(w, &s, self);
    } else {
        s.kind = EVENT_FREE;
        random_place(w, &s, true);
    }
    return s;
}

static void world_follow(struct world *w, const struct step *s)
{
    if (s->kind == EVENT_CREATE) {
        w->running[s->other] = true;
        w->ended[s->other] = false;
        w->life[s->other] = s->other_life;
        for (uint32_t t = 0; t < THREADS; t++)
            w->joined[s->other][t] = w->joined[t][s->other] = false;
    } else if (s->kind == EVENT_JOIN) {
        w->running[s->other] = false;
        w->ended[s->other] = true;
        w->joined[s->thread][s->other] = true;
    }
}

static void random_start(struct execution *e, struct world *w)
{
    uint32_t threads = below(THREADS);
    for (uint32_t t = 1; t <= threads; t++) {
        struct step s = {.kind = EVENT_CREATE, .thread = below(t), .other = t, .other_life = 1};
        s.life = w->life[s.thread];
        e->steps[e->count++] = s;
        oracle_extend(e);
        world_follow(w, &s);
    }
}

/* Tries to add an event; one that races mostly stays out, or few executions would get far. */
static bool random_extend(struct execution *e, struct world *w)
{
    struct step s = random_step(w);
    if (s.kind == EVENT_NONE)
        return true;
    e->steps[e->count++] = s;
    oracle_extend(e);
    if (oracle_last_races(e)) {
        if (!below(w->patience))
            return false;
        e->count--;
        return true;
    }
    world_follow(w, &s);
    return true;
}

/* The oracle against the clocks */

static bool replay_step(struct clocks *c, const struct world *w, const struct step *s, uint64_t pc,
                        struct race *r)
{
    uint32_t thread = w->number[s->thread], other = w->number[s->other];
    bool writes = s->kind == EVENT_PLAIN_WRITE;
    switch (s->kind) {
    case EVENT_PLAIN_READ:
    case EVENT_PLAIN_WRITE:
        return (w->quick && clocks_plain_quick(c, thread, s->address, s->size, writes, pc)) ||
               clocks_plain(c, thread, s->address, s->size, writes, pc, r);
    case EVENT_FENCE: clocks_fence(c, thread, s->order); return true;
    case EVENT_LOCK: clocks_acquire(c, thread, s->address); return true;
    case EVENT_UNLOCK: clocks_release(c, thread, s->address); return true;
    case EVENT_CREATE: clocks_fork(c, thread, other); return true;
    case EVENT_JOIN: clocks_join(c, thread, other); return true;
    case EVENT_FREE: clocks_forget(c, s->address, s->size); return true;
    default: return clocks_atomic(c, thread, s->kind, s->address, s->size, s->order, pc, r);
    }
}

static void execution_print(const struct execution *e, const struct world *w)
{
    for (uint32_t i = 0; i < e->count; i++) {
        const struct step *s = &e->steps[i];
        print_error("%2u: thread %2u kind %2d order %u at +%d size %zu other %u\n", i, w->number[s->thread],
                    s->kind, s->order, s->address ? (int)(s->address - BASE) : 0, s->size,
                    w->number[s->other]);
    }
}

static uint64_t pc_of(const struct world *w, uint32_t i)
{
    return 1 + (w->instructions ? i % w->instructions : i);
}

static bool report_names(const struct execution *e, const struct world *w, const struct race *r, uint32_t i)
{
    uint32_t j = e->count - 1;
    const struct step *a = &e->steps[i], *b = &e->steps[j];
    return oracle_races_at(e, i, j, r->address) && r->first_thread == w->number[a->thread] &&
           r->second_thread == w->number[b->thread] && r->first_writes == is_write(a) &&
           r->second_writes == is_write(b) && r->first_atomic == is_atomic(a) &&
           r->second_atomic == is_atomic(b) && r->first_size == a->size && r->second_size == b->size &&
           r->first_pc == pc_of(w, i) && r->second_pc == pc_of(w, j);
}

static bool report_is_genuine(const struct execution *e, const struct world *w, const struct race *r)
{
    for (uint32_t i = 0; i + 1 < e->count; i++)
        if (report_names(e, w, r, i))
            return true;
    return false;
}

static void execution_compare(struct clocks *c, const struct execution *e, const struct world *w, bool races)
{
    for (uint32_t i = 0; i < e->count; i++) {
        struct race r = {0};
        bool fine = replay_step(c, w, &e->steps[i], pc_of(w, i), &r), last = i + 1 == e->count;
        bool expected = !(races && last);
        if (fine == expected && (fine || report_is_genuine(e, w, &r)))
            continue;
        execution_print(e, w);
        fail_msg("event %u: %s, the oracle says %s (reported: thread %u, pc %d)", i,
                 fine ? "no race" : "race", expected ? "no race" : "race", r.first_thread, (int)r.first_pc);
    }
}

static void random_executions_agree_with_the_oracle(void **state)
{
    (void)state;
    const char *wanted = getenv("CLOCKS_EXECUTIONS");
    uint32_t executions = wanted ? (uint32_t)atoi(wanted) : 100000, racy = 0;
    /* What has once seen many threads keeps another form of what it knows. */
    struct clocks *any = clocks_create(), *narrow = clocks_create();
    for (uint32_t n = 0; n < executions; n++) {
        struct execution e = {.count = 0};
        struct world w = random_world();
        uint32_t length = 5 + below(36);
        bool races = false;
        random_start(&e, &w);
        for (int tries = 0; tries < 400 && e.count < length && !races; tries++)
            races = !random_extend(&e, &w);
        clocks_reset(any);
        execution_compare(any, &e, &w, races);
        clocks_reset(narrow);
        if (w.number[1] == 1)
            execution_compare(narrow, &e, &w, races);
        racy += races;
    }
    clocks_destroy(any);
    clocks_destroy(narrow);
    assert_in_range(racy, executions / 4, executions - executions / 4);
}

/* Cases with a known answer */

enum { DATA = 1, FLAG = 2 }; /* pc of the accesses */

static struct race race;

static struct clocks *two_threads(void)
{
    struct clocks *c = clocks_create();
    clocks_fork(c, 0, 1);
    clocks_fork(c, 0, 2);
    return c;
}

static bool atomic(struct clocks *c, uint32_t thread, enum event_kind kind, unsigned order)
{
    return clocks_atomic(c, thread, kind, BASE + 64, 4, order, FLAG, &race);
}

static bool plain(struct clocks *c, uint32_t thread, bool writes)
{
    return clocks_plain(c, thread, BASE, 8, writes, DATA, &race);
}

static void messages_order_data(void **state)
{
    (void)state;
    static const struct {
        unsigned store, load;
        bool fence_before, fence_after, fine;
    } cases[] = {
        {ORDER_RELEASE, ORDER_ACQUIRE, false, false, true},
        {ORDER_SEQ_CST, ORDER_SEQ_CST, false, false, true},
        {ORDER_RELEASE, ORDER_RELAXED, false, false, false},
        {ORDER_RELAXED, ORDER_ACQUIRE, false, false, false},
        {ORDER_RELAXED, ORDER_ACQUIRE, true, false, true},
        {ORDER_RELEASE, ORDER_RELAXED, false, true, true},
        {ORDER_RELAXED, ORDER_RELAXED, true, true, true},
        {ORDER_RELAXED, ORDER_RELAXED, true, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct clocks *c = two_threads();
        assert_true(plain(c, 1, true));
        if (cases[i].fence_before)
            clocks_fence(c, 1, ORDER_RELEASE);
        assert_true(atomic(c, 1, EVENT_WRITE, cases[i].store));
        assert_true(atomic(c, 2, EVENT_READ, cases[i].load));
        if (cases[i].fence_after)
            clocks_fence(c, 2, ORDER_ACQUIRE);
        assert_int_equal(plain(c, 2, false), cases[i].fine);
        clocks_destroy(c);
    }
}

static void only_updates_continue_a_release_sequence(void **state)
{
    (void)state;
    for (int update = 0; update < 2; update++) {
        struct clocks *c = two_threads();
        clocks_fork(c, 0, 3);
        assert_true(plain(c, 1, true));
        assert_true(atomic(c, 1, EVENT_WRITE, ORDER_RELEASE));
        assert_true(atomic(c, update ? 3 : 1, update ? EVENT_UPDATE : EVENT_WRITE, ORDER_RELAXED));
        assert_true(atomic(c, 2, EVENT_CAS_FAILED, ORDER_ACQUIRE));
        assert_int_equal(plain(c, 2, true), update);
        clocks_destroy(c);
    }
}

static void what_follows_a_release_is_not_published(void **state)
{
    (void)state;
    struct clocks *c = two_threads();
    assert_true(atomic(c, 1, EVENT_WRITE, ORDER_RELEASE));
    assert_true(plain(c, 1, true));
    assert_true(atomic(c, 2, EVENT_READ, ORDER_ACQUIRE));
    assert_false(plain(c, 2, false));
    assert_int_equal(race.first_thread, 1);
    assert_true(race.first_writes && !race.second_writes && !race.first_atomic);
    clocks_destroy(c);
}

static void only_common_bytes_race(void **state)
{
    (void)state;
    struct clocks *c = two_threads();
    for (uint64_t i = 0; i < 32; i++)
        assert_true(clocks_plain(c, 1 + i % 2, BASE + i, 1, true, DATA, &race));
    assert_true(clocks_plain(c, 1, BASE + 100, 1000, true, 7, &race));
    assert_true(clocks_plain(c, 2, BASE + 84, 16, true, 8, &race));
    assert_true(clocks_plain(c, 2, BASE + 1100, 16, true, 8, &race));
    assert_false(clocks_plain(c, 2, BASE + 1092, 16, false, 9, &race));
    assert_int_equal(race.address, BASE + 1092);
    assert_int_equal(race.first_pc, 7);
    assert_int_equal(race.first_size, 255);
    assert_int_equal(race.second_size, 16);
    clocks_destroy(c);
}

static void atomics_race_with_plain_accesses_only(void **state)
{
    (void)state;
    struct clocks *c = two_threads();
    assert_true(atomic(c, 1, EVENT_WRITE, ORDER_RELAXED));
    assert_true(clocks_atomic(c, 2, EVENT_UPDATE, BASE + 66, 8, ORDER_RELAXED, FLAG, &race));
    assert_false(clocks_plain(c, 0, BASE + 64, 4, false, DATA, &race));
    assert_true(race.first_atomic && race.first_writes && !race.second_atomic);
    clocks_destroy(c);
}

static void the_address_space_has_ends(void **state)
{
    (void)state;
    struct clocks *c = two_threads();
    assert_true(clocks_plain(c, 1, UINT64_MAX - 3, 4, true, DATA, &race));
    assert_true(clocks_plain(c, 1, 0, 4, true, DATA, &race));
    assert_true(clocks_plain(c, 2, UINT64_MAX - 3, 0, true, DATA, &race));
    assert_false(clocks_plain(c, 2, UINT64_MAX - 10, 100, true, DATA, &race));
    assert_int_equal(race.address, UINT64_MAX - 3);
    clocks_forget(c, 0, SIZE_MAX);
    clocks_forget(c, 0, 0);
    assert_true(clocks_plain(c, 2, 0, 4, true, DATA, &race));
    clocks_destroy(c);
}

/* Tables grow in the middle of an execution, and what they held is still there. */
static void many_places_are_remembered(void **state)
{
    (void)state;
    enum { PLACES = 20000 };
    struct clocks *c = two_threads();
    for (int round = 0; round < 2; round++) {
        clocks_reset(c);
        clocks_fork(c, 0, 1);
        clocks_fork(c, 0, 2);
        for (uint64_t i = 0; i < PLACES; i++)
            assert_true(clocks_plain(c, 1, BASE + 24 * i, 8, true, i + 1, &race));
        for (uint64_t i = 0; i < PLACES; i++) {
            assert_true(clocks_plain(c, 2, BASE + 24 * i + 8, 16, false, 1, &race));
            assert_false(clocks_plain(c, 2, BASE + 24 * i, 4, false, 1, &race));
            assert_int_equal(race.first_pc, i + 1);
        }
    }
    clocks_destroy(c);
}

/* Every thread reads every byte on its own; a write has to be ordered with each of them. */
static void many_readers_are_remembered(void **state)
{
    (void)state;
    struct clocks *c = clocks_create();
    for (uint32_t left_out = CLOCKS_THREADS_MAX; left_out-- > 0;) {
        clocks_reset(c);
        clocks_release(c, 0, BASE + 4096);
        for (uint32_t t = 1; t < CLOCKS_THREADS_MAX; t++) {
            clocks_fork(c, 0, t);
            clocks_acquire(c, t, BASE + 4096);
            for (uint64_t i = 0; i < 8; i++) {
                assert_true(clocks_atomic(c, t, EVENT_READ, BASE + i, 1, ORDER_ACQUIRE, t + i, &race));
                assert_true(clocks_plain(c, t, BASE + i, 1, false, t + i, &race));
                assert_true(clocks_atomic(c, t, EVENT_UPDATE, BASE + 64 + i, 1, ORDER_RELAXED, t + i, &race));
            }
        }
        for (uint32_t t = 1; t < CLOCKS_THREADS_MAX; t++)
            if (t != left_out)
                clocks_join(c, 0, t);
        assert_int_equal(plain(c, 0, true), left_out == 0);
        assert_true(left_out == 0 || race.first_thread == left_out);
        assert_int_equal(clocks_plain(c, 0, BASE + 71, 1, false, DATA, &race), left_out == 0);
    }
    clocks_destroy(c);
}

static void forgotten_memory_starts_afresh(void **state)
{
    (void)state;
    struct clocks *c = two_threads();
    assert_true(plain(c, 1, true));
    assert_true(atomic(c, 1, EVENT_WRITE, ORDER_RELEASE));
    clocks_forget(c, BASE, 7);
    assert_true(clocks_plain(c, 2, BASE, 7, true, DATA, &race));
    assert_false(plain(c, 2, true));
    clocks_forget(c, BASE + 64, 4);
    assert_true(atomic(c, 2, EVENT_READ, ORDER_ACQUIRE));
    assert_false(plain(c, 2, true));
    clocks_destroy(c);
}

/* Stamps have 16 bits: a place that nobody touched since is looked at when they come round again. */
static void what_was_written_is_known(void **state)
{
    (void)state;
    struct clocks *c = two_threads();
    assert_true(clocks_plain(c, 1, BASE, 4, true, DATA, &race));
    assert_true(clocks_was_written(c, BASE + 2, 1));
    assert_true(clocks_was_written_elsewhere(c, BASE + 2, 1, DATA + 1));
    assert_false(clocks_was_written_elsewhere(c, BASE + 2, 1, DATA));
    assert_false(clocks_was_written(c, BASE + 4, 4));
    assert_true(clocks_atomic(c, 1, EVENT_READ, BASE + 4, 4, ORDER_RELAXED, FLAG, &race));
    assert_false(clocks_was_written(c, BASE + 4, 4));
    assert_true(clocks_atomic(c, 1, EVENT_WRITE, BASE + 4, 4, ORDER_RELAXED, FLAG, &race));
    assert_true(clocks_was_written(c, BASE + 4, 4));
    assert_true(clocks_plain(c, 1, BASE + 16, 1, true, DATA, &race));
    assert_true(clocks_plain(c, 1, BASE + 18, 1, true, DATA, &race));
    assert_true(clocks_plain(c, 1, BASE + 20, 1, false, DATA, &race));
    assert_true(clocks_was_written(c, BASE + 17, 2));
    assert_false(clocks_was_written_elsewhere(c, BASE + 17, 2, DATA));
    assert_false(clocks_was_written(c, BASE + 19, 5));
    clocks_destroy(c);
}

static void a_new_execution_knows_nothing(void **state)
{
    (void)state;
    enum { PERIOD = 1 << 16, PLACES = 100 };
    struct clocks *c = clocks_create();
    for (uint64_t i = 0; i < PERIOD + PLACES; i++) {
        clocks_reset(c);
        clocks_fork(c, 0, 1);
        assert_true(clocks_plain(c, (uint32_t)i % 2, BASE + 8 * (i % 97), 8, true, DATA, &race));
        for (uint64_t place = 0; place < 2; place++) {
            uint64_t written = BASE + 4096 * (place + 1) + 8 * i;
            if (i < PLACES)
                assert_true(clocks_plain(c, 1, written, 8, true, DATA, &race));
            else if (i + place >= PERIOD)
                assert_true(clocks_plain(c, 0, written - 8 * (PERIOD - place), 8, false, DATA, &race));
        }
    }
    clocks_destroy(c);
}

/* A plain write ends the message of its bytes, also of one that reaches further and of a repeated write. */
static void plain_writes_end_messages(void **state)
{
    (void)state;
    struct clocks *c = two_threads();
    assert_true(clocks_plain(c, 2, BASE + 64, 1, true, FLAG, &race));
    assert_true(plain(c, 1, true));
    assert_true(clocks_atomic(c, 1, EVENT_WRITE, BASE + 72, 8, ORDER_RELEASE, FLAG, &race));
    assert_true(clocks_atomic(c, 2, EVENT_UPDATE, BASE + 64, 16, ORDER_RELAXED, FLAG, &race));
    assert_true(clocks_plain(c, 2, BASE + 64, 1, true, FLAG, &race));
    assert_true(clocks_atomic(c, 2, EVENT_READ, BASE + 64, 1, ORDER_ACQUIRE, FLAG, &race));
    assert_false(plain(c, 2, true));
    assert_true(clocks_atomic(c, 2, EVENT_READ, BASE + 65, 1, ORDER_ACQUIRE, FLAG, &race));
    assert_true(plain(c, 2, true));
    clocks_destroy(c);
}

/* As announced from outside: thread `thread` knows so many events of itself and of threads 1 and 5. */
static void tell(struct clocks *c, uint32_t thread, uint16_t own, uint16_t of_first, uint16_t of_fifth)
{
    uint16_t events[8] = {0};
    events[1] = of_first;
    events[5] = of_fifth;
    events[thread] = own;
    clocks_set(c, thread, events, 8);
}

static bool check(struct clocks *c, uint32_t thread, uint64_t address, bool writes)
{
    return clocks_check_atomic(c, thread, address, 4, writes, FLAG, &race);
}

static void atomics_that_leave_nothing_are_checked(void **state)
{
    (void)state;
    struct clocks *c = clocks_create();
    tell(c, 1, 3, 3, 0);
    tell(c, 2, 1, 3, 0);
    assert_false(clocks_knows(c, BASE, 4));
    assert_true(check(c, 1, BASE, true)); /* nothing plain is there, and nothing is left */
    assert_true(clocks_plain(c, 2, BASE, 4, false, DATA, &race));
    assert_true(clocks_knows(c, BASE, 4));
    assert_true(check(c, 1, BASE, false)); /* two reads */
    assert_true(check(c, 1, BASE + 4, true));
    assert_false(check(c, 1, BASE, true));
    assert_int_equal(race.first_thread, 2);
    assert_true(race.second_atomic && race.second_writes && !race.first_writes);
    clocks_destroy(c);
}

static void what_is_announced_orders_accesses(void **state)
{
    (void)state;
    static const uint32_t writers[] = {1, 5}, others[] = {2, 6};
    for (int w = 0; w < 2; w++)
        for (int o = 0; o < 2; o++)
            for (uint16_t known = 3; known <= 4; known++) {
                struct clocks *c = clocks_create();
                tell(c, writers[w], 3, 3, 3); /* what it does now belongs to its fourth event */
                assert_true(clocks_plain(c, writers[w], BASE, 4, true, DATA, &race));
                tell(c, others[o], 1, known, known);
                assert_int_equal(check(c, others[o], BASE, false), known == 4);
                assert_int_equal(clocks_plain(c, others[o], BASE, 4, true, DATA, &race), known == 4);
                clocks_destroy(c);
            }
}

/* Three writes race in pairs; a message of the second is there all the same, and orders what comes after it. */
static void after_a_race_all_goes_on(void **state)
{
    (void)state;
    struct clocks *c = two_threads();
    clocks_fork(c, 0, 3);
    clocks_go_on(c);
    assert_true(clocks_plain(c, 1, BASE, 8, true, 11, &race));
    assert_false(clocks_plain(c, 2, BASE, 8, true, 12, &race));
    assert_int_equal(race.first_pc, 11);
    assert_false(clocks_next_race(c, &race));
    assert_false(clocks_plain(c, 3, BASE, 8, true, 13, &race));
    uint64_t first = race.first_pc;
    assert_true(clocks_next_race(c, &race));
    assert_int_equal(first + race.first_pc, 11 + 12);
    assert_int_equal(race.second_pc, 13);
    assert_false(clocks_next_race(c, &race));
    assert_true(atomic(c, 2, EVENT_WRITE, ORDER_RELEASE));
    assert_true(clocks_plain(c, 2, BASE + 8, 8, true, 14, &race));
    assert_true(atomic(c, 3, EVENT_READ, ORDER_ACQUIRE));
    assert_false(clocks_plain(c, 3, BASE, 8, false, 15, &race));
    assert_int_equal(race.first_pc, 11);
    assert_false(clocks_next_race(c, &race));
    clocks_destroy(c);
}

/* What is recorded is the last event: a thread that knows it is ordered behind it. */
static void atomics_that_are_recorded_race(void **state)
{
    (void)state;
    for (uint16_t known = 3; known <= 4; known++) {
        struct clocks *c = clocks_create();
        clocks_go_on(c);
        tell(c, 1, 4, 4, 0); /* the access was its fourth event */
        assert_true(clocks_record_atomic(c, 1, BASE, 4, true, false, FLAG, &race));
        tell(c, 2, 0, known, 2);
        assert_int_equal(clocks_plain(c, 2, BASE, 4, false, DATA, &race), known == 4);
        tell(c, 2, 0, known, 3);
        assert_true(clocks_record_atomic(c, 2, BASE, 4, true, true, FLAG, &race));
        clocks_destroy(c);
    }
}

/* The same steps in two ways: the use of an object in one call, or checked and noted by two. */
struct two_ways {
    struct clocks *one, *two;
    uint16_t known[8][8]; /* by each thread, events of each */
};

static void take_event(struct two_ways *w, uint32_t thread, uint32_t learns_from)
{
    w->known[thread][thread]++;
    for (int i = 0; i < 8; i++)
        if (w->known[thread][i] < w->known[learns_from][i])
            w->known[thread][i] = w->known[learns_from][i];
    clocks_set(w->one, thread, w->known[thread], 8);
    clocks_set(w->two, thread, w->known[thread], 8);
}

static void access_agrees(struct two_ways *w, uint32_t thread)
{
    uint64_t address = BASE + below(REGION + 8);
    size_t size = (size_t)1 << below(4);
    bool writes = below(2);
    assert_int_equal(clocks_plain(w->one, thread, address, size, writes, DATA, &race),
                     clocks_plain(w->two, thread, address, size, writes, DATA, &race));
}

static void use_agrees(struct two_ways *w, uint32_t thread)
{
    uint64_t address = BASE + (below(8) ? 0 : 4);
    bool noted = below(4) > 0;
    struct race ignored;
    bool fine = clocks_check_atomic(w->two, thread, address, REGION, false, FLAG, &race);
    if (noted)
        clocks_plain(w->two, thread, address, 1, false, FLAG, &ignored);
    assert_int_equal(clocks_use_object(w->one, thread, address, REGION, noted, FLAG, &race), fine);
}

static void uses_of_objects_are_checked_and_noted(void **state)
{
    (void)state;
    struct two_ways w = {.one = clocks_create(), .two = clocks_create()};
    for (uint32_t k = 0; k < 20000; k++) {
        memset(w.known, 0, sizeof w.known);
        clocks_reset(w.one);
        clocks_reset(w.two);
        uint32_t threads = 2 + below(5), accesses = below(4);
        for (uint32_t step = 0; step < 12; step++) {
            uint32_t thread = below(threads);
            take_event(&w, thread, below(threads));
            if (below(8) < accesses)
                access_agrees(&w, thread);
            else
                use_agrees(&w, thread);
        }
    }
    clocks_destroy(w.one);
    clocks_destroy(w.two);
}

int main(void)
{
    mallopt(M_PERTURB, 0xa5); /* memory that is not initialised holds large clocks */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_order_data),
        cmocka_unit_test(only_updates_continue_a_release_sequence),
        cmocka_unit_test(what_follows_a_release_is_not_published),
        cmocka_unit_test(only_common_bytes_race),
        cmocka_unit_test(atomics_race_with_plain_accesses_only),
        cmocka_unit_test(the_address_space_has_ends),
        cmocka_unit_test(many_places_are_remembered),
        cmocka_unit_test(many_readers_are_remembered),
        cmocka_unit_test(forgotten_memory_starts_afresh),
        cmocka_unit_test(what_was_written_is_known),
        cmocka_unit_test(a_new_execution_knows_nothing),
        cmocka_unit_test(plain_writes_end_messages),
        cmocka_unit_test(atomics_that_leave_nothing_are_checked),
        cmocka_unit_test(what_is_announced_orders_accesses),
        cmocka_unit_test(after_a_race_all_goes_on),
        cmocka_unit_test(atomics_that_are_recorded_race),
        cmocka_unit_test(uses_of_objects_are_checked_and_noted),
        cmocka_unit_test(random_executions_agree_with_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
