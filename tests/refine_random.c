/* SPDX-License-Identifier: Apache-2.0 */
/* The refinement checker against brute force, on random small systems.
 * refine_random [--objects N] [--seed S] [-v] */
#include "oracle/refine_product.h"
#include "random_object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tally {
    uint64_t asked, violated, gave_up, compared;
    uint64_t by_steps[64];
};

static bool verbose;

static void die(const char *what, uint64_t seed, uint64_t number)
{
    fprintf(stderr, "refine_random: --seed %llu, number %llu: %s\n", (unsigned long long)seed,
            (unsigned long long)number, what);
    exit(1);
}

static void check_object(uint64_t seed, uint64_t number, struct tally *tally)
{
    static const char *const specs[] = {"queue", "stack", "pqueue"};
    struct prng random = prng_start(seed, number);
    struct random_object o;
    const char *spec = specs[prng_below(&random, 3)];
    uint32_t capacity = 1 + prng_below(&random, 3);
    random_object_make(&o, spec, 1 + prng_below(&random, 2), 1 + prng_below(&random, 2), capacity, &random);
    char quasi[32];
    snprintf(quasi, sizeof quasi, "%s=%u", o.ops[1], prng_below(&random, 3));
    struct refine_oracle_question q = {.system = &o.system,
                                       .spec = spec,
                                       .quasi = quasi,
                                       .capacity = prng_below(&random, 2) ? capacity : 0,
                                       .full = prng_below(&random, 3),
                                       .free_values = o.values,
                                       .events = o.system.threads == 1 ? 10 : 7,
                                       .most = 20000};
    struct refine_oracle_answer brute = refine_oracle(&q);
    struct refine_product_answer exact = refine_product(&q);
    tally->asked++;
    if (verbose)
        printf("%llu %s %s threads %u cap %u/%u full %u values %u: brute %d (%u events, %u steps, %llu "
               "hist%s) exact %d "
               "(%u steps, %llu pairs%s)\n",
               (unsigned long long)number, spec, quasi, o.system.threads, q.capacity, capacity, q.full,
               o.values, brute.violated, brute.events, brute.steps, (unsigned long long)brute.histories,
               brute.gave_up ? " gave up" : "", exact.violated, exact.steps, (unsigned long long)exact.pairs,
               exact.gave_up ? " gave up" : "");
    if (exact.gave_up) {
        tally->gave_up++;
        return;
    }
    tally->violated += exact.violated;
    if (brute.violated && !exact.violated)
        die("brute force finds what the product does not", seed, number);
    if (brute.violated && brute.steps < exact.steps)
        die("brute force finds something shorter", seed, number);
    if (exact.violated && !brute.violated && !brute.gave_up && exact.steps <= q.events)
        die("the product finds what brute force does not", seed, number);
    tally->compared += brute.violated && brute.steps == exact.steps;
}

int main(int argc, char **argv)
{
    uint64_t objects = 300, seed = 1;
    struct tally tally = {0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-v") == 0)
            verbose = true;
        else if (i + 1 < argc && strcmp(argv[i], "--objects") == 0)
            objects = strtoull(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[++i], NULL, 10);
        else
            return fprintf(stderr, "usage: refine_random [--objects N] [--seed S] [-v]\n"), 2;
    }
    for (uint64_t i = 0; i < objects; i++)
        check_object(seed, i, &tally);
    printf("objects: %llu asked, %llu violated (%llu with the same length by brute force), %llu given up\n",
           (unsigned long long)tally.asked, (unsigned long long)tally.violated,
           (unsigned long long)tally.compared, (unsigned long long)tally.gave_up);
    return 0;
}
