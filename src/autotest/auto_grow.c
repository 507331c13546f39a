/* SPDX-License-Identifier: Apache-2.0 */
/* Larger tests, one after the other in a sequence that only the seed decides. */
#include "base/hash.h"
#include "autotest/auto_grow.h"
#include "explore/schedules/prng.h"
#include "spec/roles.h"

#include <string.h>

/* How many calls each thread has. One that does little while another one does much finds what comes back in between (ABA);
 * three threads find what two cannot have. */
static const struct shape {
    uint32_t columns, rows[4];
} shapes[] = {
    {2, {1, 3}},    {3, {1, 1, 1}}, {2, {2, 3}}, {2, {3, 1}},
    {3, {2, 1, 1}}, {2, {3, 3}},    {2, {1, 4}}, {3, {2, 2, 1}},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

struct growing {
    const auto_calls *calls;
    const auto_holdings *holdings;
    struct prng prng;
    uint32_t single;       /* roles for one thread */
    uint32_t taken;        /* those that a thread has */
    struct auto_held held; /* by the thread at hand */
};

static bool may_call(const struct growing *g, size_t call, uint32_t roles)
{
    struct auto_held held = g->held;
    return g->calls->data[call].roles & roles && auto_hold(g->holdings, &held, g->calls->data[call].text);
}

/* Any call that one in this role may make; UINT32_MAX: there is none. `roles`: a set. */
static uint32_t pick_call(struct growing *g, uint32_t roles)
{
    uint32_t count = 0;
    for (size_t i = 0; i < g->calls->len; i++)
        count += may_call(g, i, roles);
    if (!count)
        return UINT32_MAX;
    uint32_t left = prng_below(&g->prng, count);
    for (uint32_t i = 0;; i++)
        if (may_call(g, i, roles) && left-- == 0)
            return i;
}

/* What threads without a role are in, if there is anything for them to call. */
static const uint32_t NO_ROLE = UINT32_C(1) << ROLES_MAX;

/* A role that is still to be had, or NO_ROLE; 0: all are taken. */
static uint32_t pick_role(struct growing *g)
{
    uint32_t all = 0;
    for (size_t i = 0; i < g->calls->len; i++)
        all |= g->calls->data[i].roles == ROLES_ANY ? NO_ROLE : g->calls->data[i].roles;
    if (all == NO_ROLE)
        return NO_ROLE;
    uint32_t free = all & ~(g->taken & g->single);
    if (!free)
        return 0;
    for (uint32_t skip = prng_below(&g->prng, (uint32_t)__builtin_popcount(free)); skip > 0; skip--)
        free &= free - 1;
    uint32_t role = free & -free;
    g->taken |= role;
    return role;
}

static void add_column(struct growing *g, struct auto_test *t, uint32_t rows)
{
    uint32_t role = pick_role(g);
    g->held = (struct auto_held){0};
    for (uint32_t r = 0; role && r < rows; r++) {
        uint32_t call = pick_call(g, role);
        if (call == UINT32_MAX)
            return;
        auto_hold(g->holdings, &g->held, g->calls->data[call].text);
        t->rows[t->columns] = r + 1;
        t->calls[t->columns][r] = call;
    }
    t->columns += role != 0;
}

/* What comes first fills the object, what comes last looks at it: most additions have arguments, most removals none. */
static uint32_t pick_end(struct growing *g, bool with_arguments)
{
    enum { OFTEN = 4 };
    uint32_t call = pick_call(g, ROLES_ANY);
    for (uint32_t tries = 0; call != UINT32_MAX && tries < OFTEN; tries++) {
        if ((strchr(g->calls->data[call].text, '(') != NULL) == with_arguments)
            break;
        call = pick_call(g, ROLES_ANY);
    }
    if (call != UINT32_MAX)
        auto_hold(g->holdings, &g->held, g->calls->data[call].text);
    return call;
}

static uint32_t pick_ends(struct growing *g, uint32_t calls[], bool with_arguments)
{
    uint32_t count = prng_below(&g->prng, AUTO_ENDS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        calls[i] = pick_end(g, with_arguments);
        if (calls[i] == UINT32_MAX)
            return i;
    }
    return count;
}

void auto_grow(const struct auto_growth *growth, uint64_t number, struct auto_test *t)
{
    struct growing g = {.calls = growth->calls,
                        .holdings = growth->holdings,
                        .prng = prng_start(hash_word(growth->seed) ^ 1, number),
                        .single = growth->single};
    const struct shape *s = &shapes[number % SHAPES];
    *t = (struct auto_test){.salt = hash_combine(growth->seed, number) | 1};
    if (growth->ends) {
        t->init_count = pick_ends(&g, t->init, true);
        t->final_count = pick_ends(&g, t->final, false);
    }
    for (uint32_t c = 0; c < s->columns; c++)
        add_column(&g, t, s->rows[c]);
}
