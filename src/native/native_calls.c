/* SPDX-License-Identifier: Apache-2.0 */
/* The loop that everything else is for. */
#include "native/native.h"

#include <string.h>

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* The largest number of bytes of texts that a call and its followers may make. */
enum { TEXTS_RESERVE = (1 + NATIVE_FOLLOWERS) * STRESS_ARGUMENTS * NATIVE_TEXT };

void native_take_bank(struct native_thread *t, uint32_t number)
{
    struct stress_shared *s = native.shared;
    uint32_t bank = number % STRESS_BANKS, spare = 2 * (1 + NATIVE_FOLLOWERS);
    uint64_t place = (uint64_t)t->number * STRESS_BANKS + bank;
    t->bank = bank;
    t->records = (struct stress_record *)((char *)s + s->records) + place * s->capacity;
    t->area = (char *)s + s->areas + place * s->area_size;
    t->area_limit = s->area_size;
    t->limit = s->capacity > spare ? s->capacity - spare : 0;
    t->count = 0;
    t->area_used = 0;
    t->slot->counts[bank] = 0;
    t->slot->area_used[bank] = 0;
}

/* ------------------------------------------------------------------ one call */

static void note_seen(struct native_thread *t, plumb_value v)
{
    if (plumb_tag_of(v) == PLUMB_TAG_SMALL)
        t->seen[t->seen_count++ % NATIVE_SEEN] = (int64_t)v >> 3;
}

/* The record is there before the call: a crash or a call that never returns shows it. */
static ALWAYS_INLINE struct stress_record *begin_record(struct native_thread *t, uint32_t number,
                                                        plumb_value argument)
{
    struct stress_record *r = &t->records[t->count++];
    r->duration = STRESS_OPEN;
    r->operation = (uint16_t)number;
    r->unused = 0;
    r->argument = argument;
    r->result = PLUMB_ANY;
    *(volatile uint32_t *)&t->slot->counts[t->bank] = t->count;
    return r;
}

static __attribute__((noinline)) void end_long(struct native_thread *t, struct stress_record *r, uint64_t end)
{
    struct stress_record *next = &t->records[t->count++];
    memset(next, 0, sizeof *next);
    next->call = end;
    r->duration = STRESS_LONG;
    *(volatile uint32_t *)&t->slot->counts[t->bank] = t->count;
}

static ALWAYS_INLINE plumb_value call(struct native_thread *t, uint32_t number,
                                      struct plumb_argument *arguments, plumb_value argument,
                                      enum stamps stamps)
{
    struct stress_record *r = begin_record(t, number, argument);
    uint64_t begin = stamp_call(stamps);
    begin = begin < t->last ? t->last : begin;
    r->call = begin;
    plumb_value result = native.operations[number].run(arguments);
    uint64_t end = stamp_return(stamps);
    end = end < begin ? begin : end;
    t->last = end;
    r->result = result;
    if (__builtin_expect(end - begin >= STRESS_LONG, false))
        end_long(t, r, end);
    else
        *(volatile uint32_t *)&r->duration = (uint32_t)(end - begin);
    t->returned++;
    atomic_store_explicit(&t->slot->returned, t->returned, memory_order_relaxed);
    return result;
}

/* ------------------------------------------------------------------ a segment */

static ALWAYS_INLINE bool has_room(const struct native_thread *t)
{
    return t->count <= t->limit && t->area_used + native.reserve <= t->area_limit;
}

static __attribute__((noinline)) void end_full(struct native_thread *t)
{
    if (t->area_used + native.reserve > t->area_limit) {
        atomic_store_explicit(&t->slot->is_full, 1, memory_order_relaxed);
        atomic_store_explicit(&native.over, 1, memory_order_relaxed);
    }
}

/* Texts last as long as the round, which ends when there is no room for them. */
static bool has_text_room(const struct native_thread *t)
{
    if (!native.has_texts || t->texts_used + TEXTS_RESERVE <= NATIVE_TEXTS_BYTES)
        return true;
    atomic_store_explicit(&native.over, 1, memory_order_relaxed);
    atomic_store_explicit(&native.out_of_texts, 1, memory_order_relaxed);
    return false;
}

static ALWAYS_INLINE bool may_go_on(struct native_thread *t)
{
    if (atomic_load_explicit(&native.over, memory_order_relaxed) ||
        atomic_load_explicit(&native.shared->stop, memory_order_relaxed))
        return false;
    if (__builtin_expect(has_room(t), true))
        return has_text_room(t);
    end_full(t);
    return false;
}

static ALWAYS_INLINE bool is_success(plumb_value result)
{
    return result != PLUMB_FALSE && result != PLUMB_NONE;
}

/* What follows a call is called even if the segment has to end: others may wait for it. */
static ALWAYS_INLINE void run_calls(struct native_thread *t, enum stamps stamps)
{
    uint32_t next = STRESS_NOTHING, followers = 0;
    for (uint32_t made = 0, calls = native.round.calls;; made++) {
        if (next == STRESS_NOTHING) {
            if (made >= calls || !may_go_on(t))
                break;
            next = native_draw(&t->alias, &t->calls);
            followers = 0;
        }
        const struct native_operation *o = &native.operations[next];
        struct plumb_argument arguments[STRESS_ARGUMENTS];
        plumb_value argument = native_draw_arguments(t, o, arguments);
        plumb_value result = call(t, next, arguments, argument, stamps);
        note_seen(t, argument);
        note_seen(t, result);
        next = is_success(result) && followers++ < NATIVE_FOLLOWERS ? o->followed_by : STRESS_NOTHING;
    }
}

void native_run_segment(struct native_thread *t)
{
    if (!t->alias.count)
        return;
    switch (native.shared->plan.stamps) {
    case STAMPS_FENCED: run_calls(t, STAMPS_FENCED); break;
    case STAMPS_RAW: run_calls(t, STAMPS_RAW); break;
    default: run_calls(t, STAMPS_COUNTER); break;
    }
}

/* ------------------------------------------------------------------ the main thread */

static uint32_t final_segment; /* its number */

static void begin_final_segment(struct native_thread *t)
{
    native_await_bank(final_segment);
    for (uint32_t i = 1; i <= native.round.threads; i++)
        native_take_bank(&native.threads[i], final_segment);
    native_take_bank(t, final_segment);
    atomic_store_explicit(&native.over, 0, memory_order_relaxed);
}

static void make_final_room(struct native_thread *t)
{
    if (has_room(t) && !atomic_load_explicit(&native.over, memory_order_relaxed))
        return;
    native_finish_segment();
    final_segment++;
    begin_final_segment(t);
}

/* With key number `key`, unless it is NO_KEY. */
#define NO_KEY UINT32_MAX
static plumb_value call_final(struct native_thread *t, uint32_t number, uint32_t key)
{
    const struct native_operation *o = &native.operations[number];
    struct plumb_argument arguments[STRESS_ARGUMENTS];
    make_final_room(t);
    plumb_value argument =
        key == NO_KEY ? native_draw_arguments(t, o, arguments) : native_key_arguments(t, o, key, arguments);
    return call(t, number, arguments, argument, native.shared->plan.stamps);
}

static void repeat_final(struct native_thread *t, const struct stress_final *f, uint32_t key)
{
    uint32_t times = f->until_null ? f->until_null : 1;
    for (uint32_t i = 0; i < times && has_text_room(t); i++)
        if (!is_success(call_final(t, f->operation, key)))
            break;
}

static void run_final(struct native_thread *t, const struct stress_final *f)
{
    const struct native_operation *o = &native.operations[f->operation];
    uint32_t keys = o->choice_count ? o->choice_count : native.shared->plan.keys;
    if (!f->per_key)
        repeat_final(t, f, NO_KEY);
    for (uint32_t key = 0; f->per_key && key < keys; key++)
        repeat_final(t, f, key);
}

void native_run_finals(struct native_thread *t)
{
    const struct stress_plan *plan = &native.shared->plan;
    final_segment = atomic_load(&native.shared->finished);
    begin_final_segment(t);
    for (uint32_t i = 0; i < plan->final_count && i < STRESS_FINALS_MAX; i++)
        if (plan->finals[i].operation < native.operation_count)
            run_final(t, &plan->finals[i]);
    native_finish_segment();
}
