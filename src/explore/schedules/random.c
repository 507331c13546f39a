/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/explore.h"

#include "base/memory.h"
#include "explore/schedules/prng.h"

struct random_explorer {
    struct explorer base;
    struct prng prng;
    uint64_t seed;
    uint64_t number; /* of the next execution */
    uint64_t left;
};

static bool random_begin(struct explorer *e)
{
    struct random_explorer *r = (struct random_explorer *)e;
    if (r->left == 0)
        return false;
    r->left--;
    r->prng = prng_start(r->seed, r->number++);
    return true;
}

static uint32_t random_choose(struct explorer *e, const struct port_action *enabled, uint32_t count,
                              uint32_t running)
{
    (void)enabled;
    (void)running;
    return prng_below(&((struct random_explorer *)e)->prng, count);
}

static uint32_t random_branch(struct explorer *e, uint32_t ways)
{
    return prng_below(&((struct random_explorer *)e)->prng, ways);
}

static void random_end(struct explorer *e, enum port_outcome outcome)
{
    (void)e;
    (void)outcome;
}

static void random_destroy(struct explorer *e)
{
    free(e);
}

static const struct explorer_class random_class = {
    "random", random_begin, random_choose, random_branch, random_end, random_destroy, NULL, NULL,
};

struct explorer *explore_random(uint64_t seed, uint64_t first, uint64_t runs)
{
    struct random_explorer *r = NEW(struct random_explorer);
    *r = (struct random_explorer){
        .base = {.class = &random_class}, .seed = seed, .number = first, .left = runs};
    return &r->base;
}
