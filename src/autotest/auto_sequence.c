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
    return auto_keeps_roles(t, &a->calls, a->single_roles) && auto_test_holds(&a->holdings, t, &a->calls);
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

void auto_begin_sequence(struct autotest *a)
{
    size_t first = a->calls.len;
    auto_add_second_keys(&a->calls);
    a->small_calls = (uint32_t)a->calls.len;
    if (!a->options.size && auto_count(a->size, a->small_calls) / 2 > SMALL_TESTS_MOST)
        a->small_calls = (uint32_t)first;
    a->enumeration = auto_enumerate(a->size, a->small_calls);
    a->total = a->options.random ? (double)a->options.samples : auto_count(a->size, a->small_calls);
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
    struct auto_growth growth = {&a->calls, &a->holdings, a->single_roles, has_own_ends(a), a->options.seed};
    auto_grow(&growth, number - a->larger_from, t);
}

static bool make_larger(struct autotest *a, struct auto_test *t)
{
    if (a->number - a->larger_from >= a->options.samples)
        return false;
    grow(a, a->number, t);
    return true;
}

static bool make_test(struct autotest *a, struct auto_test *t)
{
    if (a->is_larger)
        return make_larger(a, t);
    return a->options.random ? make_sample(a, t) : next_small(a, &a->enumeration, t);
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
    if (a->is_larger && number >= a->larger_from)
        grow(a, number, &t);
    else if (a->options.random)
        auto_sample(a->size, (uint32_t)a->calls.len, a->options.seed, number, &t);
    else
        for (uint64_t k = 0; k <= number; k++)
            next_small(a, &e, &t);
    return t;
}
