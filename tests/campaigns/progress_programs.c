/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that stops forever: the explorer of graphs, in which that is the first choice of each execution, against a search through all
 * states in which it may stop anywhere (sc, tso). Which thread blocks others has to be the same. What is blocked under a model is so
 * under a weaker one.
 * usage: progress_programs [--seed S] [--first N] [--count N] [--steps N] [--states N] [--print] [--blind] */
#include "support/loop_runs.h"

#include "base/vec.h"
#include "graph/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 3, RETURNS_MOST = 4 };
static const char *const model_names[MODELS] = {"sc", "tso", "rc11"};

static struct {
    uint64_t seed, first, count, steps, states;
    bool print, blind; /* blind: on purpose, a thread stops in the beginning only */
} options = {.seed = 1, .count = 400, .steps = 30000, .states = 40000};

static struct {
    uint64_t programs, decided, blocking, stuck, got_out;
} totals[MODELS];

/* With more and more returns, as long as there is no certificate. False: not decided. */
static bool decide(const struct loop_program *p, struct loop_way way, struct loop_result *r)
{
    for (way.returns = 1; way.returns <= RETURNS_MOST; way.returns++) {
        loop_run(p, &way, r);
        if (!r->ended || r->trouble)
            return false;
        if (!r->counts.uncertified)
            return true;
    }
    return false;
}

/* First without a thread that stops: where they may, and whether anything else is wrong. */
static bool explore(const struct loop_program *p, unsigned model, uint64_t number, struct loop_result *r)
{
    struct loop_way way = {.model = model_find(model_names[model]),
                           .steps_most = options.steps,
                           .seed = number % 3 ? number : 0,
                           .shares = number % 5 == 4};
    uint16_t stops[GRAPH_THREADS_MAX];
    if (!decide(p, way, r) || r->outcomes.failed)
        return false;
    memcpy(stops, r->counts.published, sizeof stops);
    if (options.blind)
        memset(stops, 0, sizeof stops);
    way.stops = stops;
    way.steps_most *= 4;
    return decide(p, way, r);
}

/* A stuck execution in which none has stopped says nothing about which thread is to blame. */
static const char *compare(const struct loop_result *r, const struct loop_outcomes *truth, bool decided,
                           bool exact)
{
    if (r->trouble)
        return r->trouble;
    if (exact && r->blocked & ~truth->blocked)
        return "not blocked";
    if (decided && truth->blocked && !r->blocked && !r->outcomes.stuck && !r->counts.endless)
        return "what is blocked was not found";
    if (exact && decided && !r->outcomes.stuck && !r->counts.endless && truth->blocked != r->blocked)
        return "another thread blocks";
    return NULL;
}

static bool check_model(const struct loop_program *p, unsigned model, uint64_t number,
                        struct loop_outcomes *truths)
{
    struct loop_result r = {0};
    if (model < 2)
        loop_search(p, model == 1, (uint32_t)options.states, &truths[model]);
    const struct loop_outcomes *truth = &truths[model < 2 ? model : 0];
    if (truth->incomplete || truth->failed)
        return true;
    bool decided = explore(p, model, number, &r);
    const char *wrong = compare(&r, truth, decided, model < 2);
    totals[model].programs++;
    totals[model].decided += decided;
    totals[model].blocking += r.blocked != 0;
    totals[model].stuck += r.outcomes.stuck;
    totals[model].got_out += r.got_out;
    if (wrong && !options.blind) {
        printf("%s (model %s, seed %llu, program %llu: %x, truth %x)\n", wrong, model_names[model],
               (unsigned long long)options.seed, (unsigned long long)number, r.blocked, truth->blocked);
        loop_print(p);
    }
    vec_free(&r.outcomes);
    return !wrong;
}

static uint32_t check_program(uint64_t number)
{
    struct loop_program p;
    struct loop_outcomes truths[MODELS] = {0};
    uint32_t wrong = 0;
    loop_random(&p, (enum loop_kind)(number % LOOP_KIND_COUNT), options.seed, number);
    if (options.print)
        loop_print(&p);
    for (unsigned m = 0; m < MODELS; m++)
        wrong += !check_model(&p, m, number, truths);
    for (unsigned m = 0; m < MODELS; m++)
        vec_free(&truths[m]);
    return wrong;
}

static bool parse(int count, char **words)
{
    const struct {
        const char *name;
        uint64_t *number;
        bool *flag;
    } table[] = {
        {"--seed", &options.seed, NULL},     {"--first", &options.first, NULL},
        {"--count", &options.count, NULL},   {"--steps", &options.steps, NULL},
        {"--states", &options.states, NULL}, {"--print", NULL, &options.print},
        {"--blind", NULL, &options.blind},
    };
    for (int k = 1; k < count; k++) {
        size_t row = 0;
        while (row < sizeof table / sizeof *table && strcmp(words[k], table[row].name) != 0)
            row++;
        if (row == sizeof table / sizeof *table || (table[row].number && k + 1 == count))
            return false;
        if (table[row].flag)
            *table[row].flag = true;
        else
            *table[row].number = strtoull(words[++k], NULL, 10);
    }
    return true;
}

int main(int count, char **words)
{
    uint32_t wrong = 0;
    if (!parse(count, words))
        return 2;
    for (uint64_t n = options.first; n < options.first + options.count; n++)
        wrong += check_program(n);
    for (unsigned m = 0; m < MODELS; m++)
        printf("%-5s %6llu programs, %llu decided, %llu blocking, %llu stuck by themselves; %llu that would "
               "go on\n",
               model_names[m], (unsigned long long)totals[m].programs, (unsigned long long)totals[m].decided,
               (unsigned long long)totals[m].blocking, (unsigned long long)totals[m].stuck,
               (unsigned long long)totals[m].got_out);
    if (options.count >= 10 && !totals[0].got_out) {
        printf("what goes on beyond the end of a recorded execution was never seen to end\n");
        wrong++;
    }
    printf("%u wrong\n", wrong);
    if (options.blind)
        return wrong ? 0 : 1; /* it has to be noticed */
    return wrong ? 1 : 0;
}
