/* SPDX-License-Identifier: Apache-2.0 */
/* That items and addresses are opaque, tried by walks with others. */
#include "base/budget.h"
#include "prove/prove_counters.h"
#include "prove/prove_harness.h"
#include "prove/prove_system.h"
#include "prove/walks/prove_walk.h"

enum {
    WALKS = 3,        /* with different schedules */
    EQUAL_WALKS = 24, /* the same, for items that are equal: which meet seldom */
    LADDER_MOST = 1 << 11,
    WINDOW = 10, /* so many numbers around one are looked at one by one */
};

/* What walks with the items of the search do; and where which item is answered does not matter. */
static struct walk usual[WALKS], blurred[EQUAL_WALKS];
static bool is_late;

static bool can_be_item(int64_t number)
{
    return number >= 0 && number < (prove_harness.is_wide ? INT64_C(1) << 58 : INT32_MAX - WALK_ITEMS);
}

/* A walk that ended is compared up to there: what it met takes long to meet again. */
static void run_before(const struct prove_form *start, unsigned i, bool is_blurred, struct walk *out)
{
    struct walk_disguise d = {.items = ITEMS_SEARCHED, .is_blurred = is_blurred};
    prove_walk(start, i, &d, WALK_STEPS, out);
    out->count -= out->has_ended;
}

/* Does one walk, or do all of them, do the same in this disguise? */
static bool is_walk_unseen(const struct prove_form *start, const struct walk_disguise *d, unsigned i)
{
    static struct walk now;
    const struct walk *before = d->is_blurred ? &blurred[i] : &usual[i];
    double deadline = prove.shared->question.deadline;
    is_late |= prove.shared->stop || (deadline > 0 && base_now() > deadline);
    if (is_late)
        return true;
    prove.shared->other_runs++;
    prove_walk(start, i, d, before->count, &now);
    return prove_walk_is_same(&now, before);
}

static bool is_unseen(const struct prove_form *start, const struct walk_disguise *d)
{
    unsigned count = d->is_blurred ? EQUAL_WALKS : WALKS;
    for (unsigned i = 0; i < count; i++)
        if (!is_walk_unseen(start, d, i))
            return false;
    return true;
}

static bool is_like(const struct prove_form *start, enum walk_items items, int64_t n)
{
    struct walk_disguise d = {.items = items, .n = n};
    return is_unseen(start, &d);
}

static bool may_be_one(const struct prove_form *start, int64_t number)
{
    return !can_be_item(number) || is_like(start, ITEMS_ONE, number);
}

/* Are numbers that are `by`, 2 by, 4 by, ... more than this one items? */
static bool may_be_further(const struct prove_form *start, int64_t number, int64_t by)
{
    struct walk_disguise d = {.items = ITEMS_LADDER, .n = number, .by = by};
    return is_unseen(start, &d);
}

/* A number for something else, such as "nothing", differs alone: not by some of its bits, nor by what is left when it is divided. */
static bool is_alone(const struct prove_form *start, int64_t number)
{
    static const int64_t steps[] = {8, 24, 40, 56, 72, 120, 200, 216, 360};
    static const unsigned bits[] = {24, 32, 48};
    const struct prove_question *q = &prove.shared->question;
    bool fine = true;
    for (unsigned i = 0; i < sizeof steps / sizeof *steps && fine; i++)
        fine = may_be_further(start, number, steps[i]);
    for (unsigned i = 0; i < sizeof bits / sizeof *bits && fine; i++)
        fine = may_be_one(start, number + (INT64_C(1) << bits[i]));
    for (uint32_t i = 0; i < q->constant_count && fine; i++) {
        uint64_t constant = q->constants[i];
        fine = constant < LADDER_MOST
                   ? may_be_further(start, number, (int64_t)constant)
                   : constant >= INT32_MAX || may_be_one(start, number + (int64_t)constant);
    }
    return fine && (number <= 0 || (may_be_one(start, 2 * number) && may_be_one(start, 2 * number + 1)));
}

static bool is_taken(int64_t number)
{
    const struct prove_shared *s = prove.shared;
    for (uint32_t i = 0; i < s->taken_count; i++)
        if (s->taken[i] == number)
            return true;
    return false;
}

/* False: it cannot be one that is no item. */
static bool take(const struct prove_form *start, int64_t number)
{
    struct prove_shared *s = prove.shared;
    if (is_taken(number) || is_like(start, ITEMS_ONE, number))
        return true;
    if (s->taken_count == PROVE_TAKEN_MAX || !is_alone(start, number))
        return false;
    s->taken[s->taken_count++] = number;
    return true;
}

/* Items from n on; those that differ may be few, each alone, and are no items then. */
static bool agrees_from(const struct prove_form *start, int64_t n)
{
    enum { FEW = 2 };
    uint32_t before = prove.shared->taken_count;
    if (!can_be_item(n) || is_like(start, ITEMS_COUNTED, n))
        return true;
    for (int64_t k = 0; k < WINDOW; k++)
        if (!take(start, n + k))
            return false;
    return prove.shared->taken_count - before <= FEW && is_like(start, ITEMS_COUNTED, n + WINDOW);
}

static bool agrees_at_constants(const struct prove_form *start, int64_t *at)
{
    const struct prove_question *q = &prove.shared->question;
    enum { BEFORE_IT = 3 };
    for (uint32_t i = 0; i < q->constant_count; i++)
        if (q->constants[i] > BEFORE_IT && q->constants[i] < INT64_MAX &&
            !agrees_from(start, *at = (int64_t)q->constants[i] - BEFORE_IT))
            return false;
    for (uint32_t i = 1; i < q->constant_count; i++) {
        uint64_t product =
            q->constants[i] * q->constants[i - 1]; /* of neighbours: one divides, the other is compared */
        if (product < INT32_MAX && !agrees_from(start, *at = (int64_t)product))
            return false;
    }
    return true;
}

/* Upper bits: 1, 2, 3, ... there, and numbers of the code. */
static bool agrees_shifted(const struct prove_form *start, int64_t *at)
{
    const struct prove_question *q = &prove.shared->question;
    unsigned most = prove_harness.is_wide ? 48 : 24;
    enum { FIRST = 4, DIGIT = 4 };
    for (unsigned bit = FIRST; bit <= most; bit++)
        if (!is_like(start, ITEMS_SHIFTED, *at = bit))
            return *at = INT64_C(1) << bit, false;
    for (uint32_t i = 0; i < q->constant_count; i++)
        for (unsigned bit = DIGIT; bit <= most; bit += DIGIT) {
            *at = (int64_t)(q->constants[i] << bit);
            if (q->constants[i] < INT16_MAX && !may_be_one(start, *at))
                return false;
        }
    return true;
}

/* Many: one walk with each of them. */
static bool agrees_scattered(const struct prove_form *start, int64_t *at)
{
    enum { SCATTERS = 192, THIN = 4 };
    for (unsigned i = 0; i < SCATTERS; i++) {
        struct walk_disguise d = {.items = ITEMS_SCATTERED, .n = i * WALK_ITEMS};
        *at = prove_scattered_item(1 + i * WALK_ITEMS);
        if (!is_walk_unseen(start, &d, i % WALKS))
            return false;
    }
    for (unsigned i = 0; i < THIN; i++)
        if (!is_like(start, ITEMS_THIN, i))
            return false;
    return true;
}

static bool agrees_with_other_items(const struct prove_form *start, int64_t *at)
{
    int64_t most = prove_harness.is_wide ? (INT64_C(1) << 58) - 1 : INT32_MAX - WALK_ITEMS - 1;
    if (!agrees_scattered(start, at) || !agrees_from(start, *at = 1) ||
        !is_like(start, ITEMS_COUNTED, *at = most) || !agrees_shifted(start, at))
        return false;
    return take(start, *at = 0) && take(start, *at = INT32_MAX) && agrees_at_constants(start, at);
}

/* The numbers are those of the search: what differs is that some are equal. */
static bool compares_items(const struct prove_form *start)
{
    for (unsigned i = 0; i < EQUAL_WALKS; i++)
        run_before(start, i, true, &blurred[i]);
    struct walk_disguise same = {.items = ITEMS_SAME, .is_blurred = true},
                         two = {.items = ITEMS_TWO, .is_blurred = true};
    return !is_unseen(start, &same) || !is_unseen(start, &two);
}

static bool agrees_with_negative_items(const struct prove_form *start)
{
    const struct prove_question *q = &prove.shared->question;
    bool fine = is_like(start, ITEMS_COUNTED, -WALK_ITEMS - 1) && is_like(start, ITEMS_ONE, -1);
    for (uint32_t i = 0; i < q->constant_count && fine; i++)
        fine = q->constants[i] > INT32_MAX || is_like(start, ITEMS_ONE, -(int64_t)q->constants[i]);
    return fine;
}

/* New blocks elsewhere: in another line, on another page. */
static bool agrees_with_other_blocks(const struct prove_form *start)
{
    static const uint64_t distances[] = {0x10,   0x20,   0x40,   0x80,   0x100,  0x230,  0x800,
                                         0x1000, 0x2000, 0x3000, 0x4000, 0x5010, 0xa000, 0x17000};
    for (unsigned i = 0; i < sizeof distances / sizeof *distances; i++) {
        struct walk_disguise d = {.items = ITEMS_SEARCHED, .blocks = distances[i]};
        if (!is_unseen(start, &d))
            return false;
    }
    return true;
}

static bool try_items(const struct prove_form *start)
{
    struct prove_shared *s = prove.shared;
    int64_t at = 0;
    if (!agrees_with_other_items(start, &at)) {
        prove_note(PROVE_UNSURE,
                   "the code distinguishes items by their numbers: a run with others, such as %lld, is "
                   "another one",
                   (long long)at);
        return false;
    }
    s->wants_positive |= !agrees_with_negative_items(start);
    s->compares_items |= compares_items(start);
    return true;
}

bool prove_items_agree(const struct prove_form *start)
{
    for (unsigned i = 0; i < WALKS; i++)
        run_before(start, i, false, &usual[i]);
    bool agrees = agrees_with_other_blocks(start);
    if (!agrees)
        prove_note(PROVE_UNSURE,
                   "the code distinguishes addresses: a run with blocks elsewhere is another one");
    else if (!prove_harness.free_values)
        agrees = try_items(start);
    if (agrees && is_late)
        prove_note(PROVE_UNSURE, "the time is up");
    prove_form_read(start, &prove_dialects[0]);
    return agrees && !is_late;
}
