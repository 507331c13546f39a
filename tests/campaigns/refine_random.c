/* SPDX-License-Identifier: Apache-2.0 */
/* The refinement checker against brute force, on random containers.
 * refine_random [--count N] [--seed S] [-v] */
#include "support/random_cells.h"
#include "support/refine/refine_campaign.h"

#include <stdio.h>

static void ask_about_cells(struct campaign *c)
{
    static const char *const specs[] = {"queue", "queue", "stack", "pqueue"};
    static const uint32_t events[] = {0, 11, 7, 6};
    struct prng random = prng_start(c->seed, c->number);
    struct random_cells cells;
    const char *spec = specs[prng_below(&random, 4)];
    uint32_t capacity = 1 + prng_below(&random, 3), threads = 1 + prng_below(&random, 3);
    random_cells_make(&cells, spec, threads, capacity, &random);
    char quasi[32];
    snprintf(quasi, sizeof quasi, "%s=%u", cells.ops[1], prng_below(&random, 3));
    struct refine_oracle_question q = {.system = &cells.system,
                                       .spec = spec,
                                       .quasi = quasi,
                                       .capacity = prng_below(&random, 2) ? capacity : 0,
                                       .full = prng_below(&random, 3),
                                       .free_values = prng_below(&random, 3),
                                       .events = events[threads],
                                       .most = 3000};
    snprintf(c->name, sizeof c->name, "cells %llu", (unsigned long long)c->number);
    campaign_ask(c, &q, &random);
}

int main(int argc, char **argv)
{
    struct campaign c = {.seed = 1, .count = 120};
    if (!campaign_read(&c, argc, argv))
        return 2;
    for (; c.number < c.count; c.number++)
        ask_about_cells(&c);
    campaign_report(&c);
    return 0;
}
