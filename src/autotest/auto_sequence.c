/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of a campaign, in the order of their numbers: first those that were asked for, or all small ones, then larger
 * ones for as long as there is time. */
#include "autotest/autotest.h"

#include "autotest/auto_grow.h"

/* Without --size so many small tests are run to the end; where there would be more, all keys are the same in them. */
enum { SMALL_TESTS_MOST = 4000 };

/* Whatever the code does, threads in wrong roles, or that release what they do not hold, show nothing. */
static bool is_fair(const struct autotest *a, const struct auto_test *t)
{
    return auto_keeps_roles(t, &a->calls, a->single_roles) && auto_test_holds(&a->holdings, t, &a->calls) &&
           !auto_lacks_values(t, &a->calls);
}

static bool is_wanted(const struct autotest *a, const struct auto_test *t)
{
    return auto_is_first_by_keys(t, &a->calls) && is_fair(a, t);
}

static bool next_small(const struct autotest *a, struct auto_enumeration *e, struct auto_test *t)
{
    while (auto_next(e, t))
        if (is_wanted(a, t))
            return true;
    return false;
}

/* What a container does with 0, -1, the least value or equal ones shows in tests of two calls. */
static bool next_unusual(const struct autotest *a, struct auto_unusual *u, struct auto_test *t)
{
    enum { CALLS_MOST = 2 };
    if (a->only_usual || a->options.calls || a->options.campaign.opaque_items)
        return false;
    while (!u->left) {
        if (!next_small(a, &u->enumeration, &u->test))
            return false;
        if (u->test.columns * u->test.rows[0] <= CALLS_MOST)
            u->left = auto_unusual_count(&u->test, &a->calls);
    }
    *t = u->test;
    t->unusual = u->left--;
    return true;
}

static struct auto_unusual begin_unusual(const struct autotest *a)
{
    struct auto_size most = {a->size.rows < 2 ? a->size.rows : 2, a->size.columns < 2 ? a->size.columns : 2};
    return (struct auto_unusual){.enumeration = auto_enumerate(most, a->small_calls)};
}

static bool next_whole(const struct autotest *a, struct auto_enumeration *e, struct auto_unusual *u,
                       struct auto_test *t)
{
    return next_small(a, e, t) || next_unusual(a, u, t);
}

void auto_begin_sequence(struct autotest *a)
{
    size_t first = a->calls.len;
    auto_add_second_keys(&a->calls);
    a->small_calls = (uint32_t)a->calls.len;
    if (!a->options.size && auto_count(a->size, a->small_calls) / 2 > SMALL_TESTS_MOST)
        a->small_calls = (uint32_t)first;
    a->enumeration = auto_enumerate(a->size, a->small_calls);
    a->unusual = begin_unusual(a);
    a->total = a->options.random ? (double)a->options.samples : auto_count(a->size, a->small_calls);
    struct auto_unusual u = a->unusual;
    for (struct auto_test t; !a->options.random && next_unusual(a, &u, &t);)
        a->total++;
}

static bool make_sample(struct autotest *a, struct auto_test *t)
{
    enum { TRIES = 100000 }; /* roles may leave nothing of that size */
    for (uint32_t tries = 0; a->sampled < a->options.samples && tries < TRIES; tries++) {
        auto_sample(a->size, (uint32_t)a->calls.len, a->options.seed, a->number, t);
        if (is_fair(a, t)) {
            a->sampled++;
            return true;
        }
        a->number++;
    }
    return false;
}

static bool has_own_ends(const struct autotest *a)
{
    return !a->options.campaign.init && !a->options.campaign.final;
}

static void grow(const struct autotest *a, uint64_t number, struct auto_test *t)
{
    enum { UNUSUAL = 4, TRIES = 1000 }; /* one in so many has unusual values, too */
    struct auto_growth growth = {&a->calls, &a->holdings, a->single_roles, has_own_ends(a), a->options.seed};
    auto_grow(&growth, number - a->larger_from, t);
    for (uint64_t tries = 1; !auto_test_holds(&a->holdings, t, &a->calls) && tries < TRIES; tries++)
        auto_grow(&growth, number - a->larger_from + (tries << 32), t); /* one of the same shape */
    if ((number - a->larger_from) % UNUSUAL == UNUSUAL - 1 && !a->options.campaign.opaque_items)
        t->unusual = AUTO_MIXED;
}

static bool make_larger(struct autotest *a, struct auto_test *t)
{
    enum { TRIES = 10000 }; /* there may be few values */
    for (uint32_t tries = 0; tries < TRIES && a->number - a->larger_from < a->options.samples; tries++) {
        grow(a, a->number, t);
        if (!auto_lacks_values(t, &a->calls) && auto_test_holds(&a->holdings, t, &a->calls))
            return true;
        a->number++;
    }
    return false;
}

static bool make_test(struct autotest *a, struct auto_test *t)
{
    if (a->is_larger)
        return make_larger(a, t);
    return a->options.random ? make_sample(a, t) : next_whole(a, &a->enumeration, &a->unusual, t);
}

const char *auto_next_test(void *context, uint64_t *number)
{
    struct autotest *a = context;
    struct auto_test t;
    while (make_test(a, &t)) {
        *number = a->number++;
        if (*number % a->shards != a->shard)
            continue;
        struct text text = {0};
        auto_print_test(&text, &t, &a->calls);
        return text_take(&text); /* freed when it is done */
    }
    return NULL;
}

struct auto_test auto_make_again(const struct autotest *a, uint64_t number)
{
    struct auto_test t = {0};
    struct auto_enumeration e = auto_enumerate(a->size, a->small_calls);
    struct auto_unusual u = begin_unusual(a);
    if (a->is_larger && number >= a->larger_from)
        grow(a, number, &t);
    else if (a->options.random)
        auto_sample(a->size, (uint32_t)a->calls.len, a->options.seed, number, &t);
    else
        for (uint64_t k = 0; k <= number; k++)
            next_whole(a, &e, &u, &t);
    return t;
}
