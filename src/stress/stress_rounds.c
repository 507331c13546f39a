/* SPDX-License-Identifier: Apache-2.0 */
#include "stress/stress_rounds.h"

#include "base/hash.h"

enum {
    SHORT_LEAST = 10, /* calls of a thread in a short round */
    SHORT_MOST = 100,
    MIDDLE_EACH = 2,    /* every so many-th of the short rounds is a middle one */
    MIDDLE_LEAST = 500, /* calls of a thread in it */
    MIDDLE_MOST = 4000,
    WHOLE_LONG = 1000,   /* in a long one that is judged as a whole */
    LONG_EACH = 8,       /* with a number of rounds: every so many-th is long */
    LONG_SEGMENTS = 8,   /* and has so many segments */
    HARD_CALLS = 6000,   /* of all threads, where a history is decided by search */
    WHOLE_CALLS = 20000, /* a round with fewer calls of all threads is judged as a whole */
};
static const double SLICE_FIRST = 0.15, SLICE_MOST = 8;
/* Of a round that is judged as a whole: locks that are handed over in turn to threads without a processor take their time. */
static const double WHOLE_SECONDS = 0.1;

/* Slices of short rounds and of one long round take turns, and grow. */
static void turn_slice(struct stress_schedule *s, double now)
{
    if (now < s->slice_end && !s->is_long)
        return;
    bool begins = !s->slice_end;
    if (begins || s->slice < SLICE_MOST)
        s->slice = begins ? SLICE_FIRST : s->slice * 1.3;
    s->is_long = !begins && !s->is_long;
    s->slice_end = now + s->slice;
}

/* Long enough for the system to interrupt threads in the middle of a call, short enough for many of them. */
static bool is_middle(const struct stress_schedule *s, const struct stress_round *r)
{
    return !s->is_long && !s->values && !s->is_whole && s->ops < 0 && r->number % MIDDLE_EACH == 0;
}

static uint32_t between(uint64_t random, uint32_t least, uint32_t most)
{
    return least + (uint32_t)(random % (most - least + 1));
}

static void choose_length(struct stress_schedule *s, struct stress_round *r, uint64_t random, double now)
{
    if (s->by_number)
        s->is_long = r->number % LONG_EACH == 0;
    else
        turn_slice(s, now);
    s->is_long &= !s->values && !s->is_hard;
    if (s->is_long && !s->is_whole) {
        r->calls = s->calls_most;
        r->segments = s->by_number ? LONG_SEGMENTS : 0;
        return;
    }
    r->segments = 1;
    if (is_middle(s, r))
        r->calls = between(random, MIDDLE_LEAST, MIDDLE_MOST);
    else
        r->calls = s->is_long ? WHOLE_LONG : between(random, SHORT_LEAST, SHORT_MOST);
}

/* A number of calls that was asked for. */
static void take_length(const struct stress_schedule *s, struct stress_round *r)
{
    uint64_t ops = (uint64_t)s->ops;
    r->calls = ops && ops < s->calls_most ? (uint32_t)ops : s->calls_most;
    r->segments = ops ? (ops + r->calls - 1) / r->calls : 0;
    if (r->segments > 1) /* as nearly equal as possible, and never fewer than asked for */
        r->calls = (uint32_t)((ops + r->segments - 1) / r->segments);
}

/* In turn: on processors of their own, anywhere, more than there are processors. */
static void choose_threads(const struct stress_schedule *s, struct stress_round *r, uint64_t random)
{
    bool middle = is_middle(s, r);
    unsigned ways = s->threads_most > s->threads ? 3 : 2,
             way = middle ? ways - 1 : (unsigned)(r->number % ways);
    r->threads = way == 2 ? s->threads_most : s->threads;
    r->pinned = way == 0 && r->threads <= s->processors;
    r->disturbed = middle || random >> 63;
}

/* Elements that repeat hide errors and make histories hard to decide: if possible there are as many as calls. */
static void avoid_repeats(const struct stress_schedule *s, struct stress_round *r)
{
    uint32_t most = s->values / (r->threads + 1);
    most = most > SHORT_LEAST ? most - 1 : SHORT_LEAST;
    if (s->values && r->calls > most)
        r->calls = most;
}

static void avoid_searches(const struct stress_schedule *s, struct stress_round *r)
{
    uint32_t most = HARD_CALLS / r->threads;
    most = most > SHORT_LEAST ? most : SHORT_LEAST;
    if (s->is_hard && r->calls > most)
        r->calls = most;
}

struct stress_round stress_schedule_next(struct stress_schedule *s, uint64_t number, double now)
{
    struct stress_round r = {.number = number, .seed = s->seed, .fresh = 1};
    uint64_t random = hash_combine(s->seed, number);
    s->begun = now;
    if (s->ops < 0)
        choose_length(s, &r, random, now);
    else
        take_length(s, &r);
    choose_threads(s, &r, random);
    if (s->ops < 0) {
        avoid_repeats(s, &r);
        avoid_searches(s, &r);
    }
    return r;
}

bool stress_round_is_long(const struct stress_schedule *s, const struct stress_round *r)
{
    if (s->is_whole)
        return false;
    return r->segments != 1 || (uint64_t)r->calls * r->threads > WHOLE_CALLS;
}

bool stress_schedule_is_over(const struct stress_schedule *s, const struct stress_round *r, double now)
{
    double end = r->segments ? s->begun + WHOLE_SECONDS : s->slice_end;
    return s->ops < 0 && !s->by_number && now >= end;
}
