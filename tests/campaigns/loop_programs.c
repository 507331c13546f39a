/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that come back: the explorer of graphs, which holds threads there, against a search through all states (sc, tso), and against
 * itself without rules and a few rounds (rc11). Final states, failed assertions and being stuck have to be the same. */
#include "support/loop_runs.h"

#include "base/vec.h"
#include "graph/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 3, RETURNS_MOST = 8, WAYS = 3 };
static const char *const model_names[MODELS] = {"sc", "tso", "rc11"};
static const char *const way_names[WAYS] = {"as a whole", "live, X", "live, X, K"};

static struct {
    uint64_t seed, first, count, steps, states;
    unsigned models;
    int kind; /* -1: all */
    bool print, table, quick, undecided;
    enum loop_mistake mistake;
} options = {.seed = 1, .count = 800, .steps = 60000, .states = 60000, .models = 7, .kind = -1};

/* By kind: how many programs, how many of them ended, in each way. */
static struct {
    uint64_t programs, ended[WAYS], returns[RETURNS_MOST + 1], held;
} totals[LOOP_KIND_COUNT][MODELS];

static uint64_t compared, stuck, endless, not_endless, failing, unknown;

static bool includes(const struct loop_outcomes *set, uint64_t outcome)
{
    size_t low = 0, high = set->len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (set->data[middle] < outcome)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->len && set->data[low] == outcome;
}

static bool is_subset(const struct loop_outcomes *a, const struct loop_outcomes *b)
{
    for (size_t k = 0; k < a->len; k++)
        if (!includes(b, a->data[k]))
            return false;
    return true;
}

/* What has been found out about a program in one model. */
struct answer {
    struct loop_result result;
    uint32_t returns; /* 0: it did not end, or has no certificate */
};

/* ---- comparing ---- */

/* What was found must be possible, if all that is possible is known: whatever the number of returns. */
static const char *compare_possible(const struct loop_result *r, const struct loop_outcomes *most)
{
    if (r->trouble)
        return r->trouble;
    if (!most || most->incomplete)
        return NULL;
    if (!most->failed && r->outcomes.failed)
        return "an assertion fails that does not";
    if (!is_subset(&r->outcomes, most))
        return "a final state is impossible";
    return r->outcomes.stuck && !most->stuck ? "not stuck" : NULL;
}

/* Everything that `least` has must have been found. */
static const char *compare_found(const struct answer *a, const struct loop_outcomes *least, bool all)
{
    const struct loop_outcomes *got = &a->result.outcomes;
    if (!a->returns)
        return NULL;
    if (least->failed && !got->failed)
        return "an assertion that fails was not found";
    if (got->failed)
        return NULL; /* its executions end there */
    if (!is_subset(least, got))
        return "a final state is missing";
    if (all && least->stuck && !got->stuck && !a->result.counts.endless)
        return "stuck was not found";
    return NULL;
}

/* With more and more returns. What is wrong, or null. */
static const char *decide(const struct loop_program *p, struct loop_way way,
                          const struct loop_outcomes *possible, struct answer *a)
{
    uint64_t most = way.steps_most;
    const char *wrong = NULL;
    for (way.returns = !way.all_matters; way.returns <= RETURNS_MOST && way.steps_most > 0 && !wrong;
         way.returns++) {
        loop_run(p, &way, &a->result);
        wrong = compare_possible(&a->result, possible);
        a->returns = a->result.ended && !a->result.counts.uncertified ? way.returns + way.all_matters : 0;
        most -= a->result.steps < most ? a->result.steps : most;
        way.steps_most = most;
        if (a->returns || !a->result.ended)
            break;
    }
    return wrong;
}

static void count_answer(enum loop_kind kind, unsigned model, const struct answer *a)
{
    totals[kind][model].programs++;
    totals[kind][model].ended[WAYS - 1] += a->returns > 0;
    totals[kind][model].returns[a->returns]++;
    totals[kind][model].held += a->result.counts.held;
    stuck += a->result.outcomes.stuck;
    endless += a->result.counts.endless && !a->result.outcomes.stuck;
    failing += a->result.outcomes.failed;
    unknown += !a->returns;
    compared++;
}

static void try_other_ways(const struct loop_program *p, enum loop_kind kind, unsigned model,
                           struct loop_way way)
{
    struct loop_result r = {0};
    way.all_matters = true;
    way.returns = 0;
    loop_run(p, &way, &r);
    totals[kind][model].ended[0] += r.ended;
    way.all_matters = false;
    way.returns = 1 << 20;
    loop_run(p, &way, &r);
    totals[kind][model].ended[1] += r.ended;
    vec_free(&r.outcomes);
}

/* The truth about the models with states, and what is known of rc11: all of theirs, and some rounds of its own. */
static void find_least(const struct loop_program *p, unsigned model, struct loop_outcomes *truth)
{
    if (model < 2) {
        loop_search(p, model == 1, (uint32_t)options.states, truth);
        return;
    }
    for (uint32_t rounds = 1; rounds <= 3; rounds++) {
        struct loop_result r = {0};
        struct loop_way way = {.model = &model_rc11, .rounds = rounds, .steps_most = options.steps};
        loop_run(p, &way, &r);
        truth->failed |= r.outcomes.failed;
        for (size_t k = 0; k < r.outcomes.len; k++)
            vec_push(truth, r.outcomes.data[k]);
        vec_free(&r.outcomes);
        if (!r.ended)
            break;
    }
}

static void print_undecided(const struct loop_program *p, unsigned model, uint64_t number,
                            const struct loop_result *r)
{
    printf("not decided: model %s, program %llu: %s (%llu executions, %llu held)\n", model_names[model],
           (unsigned long long)number,
           !r->ended                            ? "too many steps"
           : graphs_places_conflict(&r->counts) ? "seen by a thread that knows too much"
                                                : "no certificate",
           (unsigned long long)r->executions, (unsigned long long)r->counts.held);
    loop_print(p);
}

static bool check_model(const struct loop_program *p, enum loop_kind kind, unsigned model, uint64_t number,
                        struct loop_outcomes *truths)
{
    struct answer a = {0};
    struct loop_way way = {.model = model_find(model_names[model]),
                           .steps_most = options.steps,
                           .seed = number % 3 ? number : 0,
                           .shares = number % 5 == 4,
                           .all_matters = kind == LOOP_KIND_PATIENCE && number / LOOP_KIND_COUNT % 2,
                           .mistake = options.mistake};
    find_least(p, model, &truths[model]);
    const char *wrong = decide(p, way, model < 2 ? &truths[model] : NULL, &a);
    if (!wrong)
        wrong = compare_found(&a, &truths[model], model < 2 && !truths[model].incomplete);
    for (unsigned m = 0; m < model && !wrong; m++) /* weaker models have all executions of stronger ones */
        if (options.models >> m & 1)
            wrong = compare_found(&a, &truths[m], false);
    count_answer(kind, model, &a);
    not_endless +=
        model < 2 && a.returns && a.result.counts.endless && !truths[model].stuck && !truths[model].failed;
    if (options.undecided && !a.returns)
        print_undecided(p, model, number, &a.result);
    if (options.table)
        try_other_ways(p, kind, model, way);
    if (wrong && !options.mistake) {
        printf("%s (model %s, seed %llu, program %llu, returns %u%s)\n", wrong, model_names[model],
               (unsigned long long)options.seed, (unsigned long long)number, a.returns,
               truths[model].incomplete ? ", the truth is not complete" : "");
        loop_print(p);
    }
    vec_free(&a.result.outcomes);
    return !wrong;
}

static bool check_program(const struct loop_program *p, enum loop_kind kind, uint64_t number)
{
    struct loop_outcomes truths[MODELS] = {0};
    bool good = true;
    if (options.print)
        loop_print(p);
    for (unsigned m = 0; m < MODELS; m++)
        if (options.models >> m & 1)
            good = check_model(p, kind, m, number, truths) && good;
    for (unsigned m = 0; m < MODELS; m++)
        vec_free(&truths[m]);
    return good;
}

static bool check_known(void)
{
    if (options.first)
        return true; /* one random program is wanted */
    struct loop_program p;
    const char *name;
    bool good = true;
    for (uint32_t k = 0; (name = loop_known(&p, k)); k++)
        for (uint64_t seed = 0; seed < 4; seed++)
            if (!check_program(&p, LOOP_KIND_MIXED, seed)) {
                if (!options.mistake)
                    printf("known program %u: %s\n", k, name);
                good = false;
            }
    memset(totals, 0, sizeof totals);
    compared = stuck = endless = not_endless = failing = unknown = 0;
    return good;
}

/* States that leave something out: each of them has to be noticed. */
static bool check_mistakes(void)
{
    bool good = true;
    for (options.mistake = LOOP_FORGETS_COUNTERS; options.mistake <= LOOP_ALWAYS_PATIENT; options.mistake++)
        if (check_known() && !options.first) {
            printf("mistake %d was not noticed\n", options.mistake);
            good = false;
        }
    options.mistake = LOOP_NO_MISTAKE;
    return good;
}

static uint32_t check_random(void)
{
    uint32_t wrong = 0;
    for (uint64_t n = options.first; n < options.first + options.count; n++) {
        struct loop_program p;
        enum loop_kind kind = options.kind >= 0 ? (enum loop_kind)options.kind : n % LOOP_KIND_COUNT;
        loop_random(&p, kind, options.seed, n);
        wrong += !check_program(&p, kind, n);
        if (wrong && options.quick)
            break;
    }
    return wrong;
}

/* ---- the table ---- */

static void print_row(enum loop_kind kind, unsigned model)
{
    uint64_t programs = totals[kind][model].programs;
    if (!programs)
        return;
    printf("%-5s %-17s %6llu", model_names[model], loop_kind_names[kind], (unsigned long long)programs);
    for (unsigned w = options.table ? 0 : WAYS - 1; w < WAYS; w++)
        printf("  %5.1f %%", 100.0 * (double)totals[kind][model].ended[w] / (double)programs);
    printf("   ");
    for (uint32_t k = 1; k <= RETURNS_MOST; k++)
        printf(" %llu", (unsigned long long)totals[kind][model].returns[k]);
    printf("   %llu held\n", (unsigned long long)totals[kind][model].held);
}

static void print_table(void)
{
    printf("ended within %llu steps:", (unsigned long long)options.steps);
    for (unsigned w = options.table ? 0 : WAYS - 1; w < WAYS; w++)
        printf(" %s;", way_names[w]);
    printf(" with how many returns (1, 2, ...)\n");
    for (unsigned m = 0; m < MODELS; m++)
        for (unsigned k = 0; k < LOOP_KIND_COUNT; k++)
            print_row((enum loop_kind)k, m);
}

static bool set_named(const char *value)
{
    options.models = 0;
    for (unsigned m = 0; m < MODELS; m++)
        options.models |= (unsigned)(strcmp(value, model_names[m]) == 0) << m;
    return options.models != 0;
}

static bool parse(int count, char **words)
{
    for (int k = 1; k < count; k++) {
        const char *word = words[k], *value = k + 1 < count ? words[k + 1] : NULL;
        bool flag = true;
        if (strcmp(word, "--print") == 0)
            options.print = true;
        else if (strcmp(word, "--table") == 0)
            options.table = true;
        else if (strcmp(word, "--undecided") == 0)
            options.undecided = true;
        else if (strcmp(word, "--quick") == 0)
            options.quick = true;
        else
            flag = false;
        if (flag)
            continue;
        if (!value)
            return false;
        k++;
        uint64_t number = strtoull(value, NULL, 10);
        if (strcmp(word, "--seed") == 0)
            options.seed = number;
        else if (strcmp(word, "--first") == 0)
            options.first = number;
        else if (strcmp(word, "--count") == 0)
            options.count = number;
        else if (strcmp(word, "--steps") == 0)
            options.steps = number;
        else if (strcmp(word, "--states") == 0)
            options.states = number;
        else if (strcmp(word, "--kind") == 0)
            options.kind = (int)number;
        else if (strcmp(word, "--model") != 0 || !set_named(value))
            return false;
    }
    return true;
}

int main(int count, char **words)
{
    if (!parse(count, words)) {
        printf("usage: loop_programs [--seed S] [--first N] [--count N] [--steps N] [--states N] [--kind K] "
               "[--model sc|tso|rc11] "
               "[--print] [--table] [--quick] [--undecided]\n");
        return 2;
    }
    bool good = check_known() && check_mistakes();
    uint32_t wrong = check_random();
    print_table();
    printf("%llu comparisons: %u wrong; %llu stuck, %llu may go on forever (%llu of them do not), %llu with "
           "failing assertions, "
           "%llu not decided\n",
           (unsigned long long)compared, wrong, (unsigned long long)stuck, (unsigned long long)endless,
           (unsigned long long)not_endless, (unsigned long long)failing, (unsigned long long)unknown);
    return good && !wrong ? 0 : 1;
}
