/* SPDX-License-Identifier: Apache-2.0 */
#include "refine_campaign.h"

#include "refine/refine.h"
#include "spec/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const struct campaign *c, const char *what)
{
    fprintf(stderr, "--seed %llu, %s: %s\n", (unsigned long long)c->seed, c->name, what);
    exit(1);
}

struct answers {
    struct refine_oracle_answer brute;
    struct refine_product_answer exact; /* of containers with free values; gave_up otherwise */
    struct refine_result checked;
    uint32_t events; /* calls and returns of the checker's counterexample */
};

static bool ask_checker(const struct refine_oracle_question *q, struct prng *random, struct refine_result *r,
                        struct diagnostic *d)
{
    struct refine_settings settings = {.spec = spec_find(q->spec),
                                       .quasi = q->quasi,
                                       .capacity = q->capacity,
                                       .full = (enum refine_full)q->full,
                                       .reading = REFINE_READING_CC,
                                       .free_values = q->free_values,
                                       .use_points = prng_below(random, 2),
                                       .plain = prng_below(random, 4) == 0,
                                       .jobs = 1 + prng_below(random, 2),
                                       .memory_limit = 8u << 20,
                                       .seconds = 5};
    return refine_check(q->system, &settings, r, d);
}

/* Is there a step of the system that leads where the event says? */
static bool is_step(const struct refine_system *s, const uint8_t *from, const struct refine_event *e)
{
    struct refine_steps out = {0};
    bool found = false;
    s->steps(s, from, &out);
    for (size_t i = 0; i < out.steps.len && !found; i++) {
        const struct refine_step *step = &out.steps.data[i];
        uint8_t *to = out.states.data + i * s->state_size;
        for (unsigned k = 0; step->kind == REFINE_CALL && k < step->arg_count; k++)
            if (step->args[k] != REFINE_NOWHERE)
                refine_store(&s->locations[step->args[k]], to, e->args[k]);
        found = step->kind == e->step.kind && step->thread == e->step.thread &&
                (step->kind == REFINE_INTERNAL || step->op == e->step.op) &&
                (step->kind != REFINE_RETURN || step->value == e->step.value) &&
                (step->kind == REFINE_FAULT || memcmp(to, e->state, s->state_size) == 0);
    }
    refine_steps_free(&out);
    return found;
}

static void check_is_run(const struct campaign *c, const struct refine_system *s,
                         const struct refine_result *r)
{
    uint8_t *start = calloc(1, s->state_size + 1);
    const uint8_t *at = start;
    s->initial(s, start);
    for (size_t i = 0; i < r->run.len; i++) {
        if (!is_step(s, at, &r->run.data[i]))
            die(c, "the counterexample is no run of the system");
        at = r->run.data[i].state;
    }
    free(start);
}

/* The counterexample has no explanation, and all of it but the last event has one. */
static uint32_t check_is_wrong(const struct campaign *c, const struct refine_oracle_question *q,
                               const struct refine_result *r)
{
    struct refine_oracle_event events[REFINE_ORACLE_EVENTS];
    uint32_t count = 0;
    for (size_t i = 0; i < r->run.len; i++) {
        const struct refine_event *e = &r->run.data[i];
        if (e->step.kind != REFINE_CALL && e->step.kind != REFINE_RETURN)
            continue;
        if (count == REFINE_ORACLE_EVENTS)
            return count + 1;
        events[count].step = e->step;
        memcpy(events[count++].args, e->args, sizeof e->args);
    }
    if (r->reason != REFINE_NO_EXPLANATION || count > 14)
        return count;
    if (refine_oracle_explains(q, events, count))
        die(c, "the counterexample has an explanation");
    if (!refine_oracle_explains(q, events, count - 1))
        die(c, "the counterexample is wrong before its end");
    return count;
}

static void show(const struct campaign *c, const struct refine_oracle_question *q, const struct answers *a)
{
    printf("%s: %s %s capacity %u full %d values %u: %s %zu steps; brute force %s %u steps, %llu "
           "histories%s; for good %s %u "
           "steps%s\n",
           c->name, q->spec, q->quasi ? q->quasi : "", q->capacity, (int)q->full, q->free_values,
           verdict_name(a->checked.verdict), a->checked.run.len, a->brute.violated ? "violated" : "nothing",
           a->brute.steps, (unsigned long long)a->brute.histories, a->brute.gave_up ? "..." : "",
           a->exact.violated ? "violated" : "holds", a->exact.steps, a->exact.gave_up ? "..." : "");
}

static void compare(struct campaign *c, const struct refine_oracle_question *q, const struct answers *a)
{
    bool violated = a->checked.verdict == VERDICT_VIOLATED;
    uint64_t steps = a->checked.run.len;
    if (!a->exact.gave_up) {
        c->for_good++;
        if (violated != a->exact.violated)
            die(c, "the verdict differs from that of the plain product");
        if (violated && steps != a->exact.steps)
            die(c, "the plain product has a counterexample of another length");
    }
    if (a->brute.violated && !violated)
        die(c, "brute force finds a violation");
    if (a->brute.violated && a->brute.steps < steps)
        die(c, "brute force finds a shorter violation");
    if (violated && !a->brute.gave_up && a->events <= q->events && steps != a->brute.steps)
        die(c, "brute force finds no violation as short as that");
    c->same_length += a->brute.violated && a->brute.steps == steps;
}

void campaign_refuse(struct campaign *c, const char *why)
{
    c->refused++;
    if (c->verbose)
        printf("%s: %s\n", c->name, why);
}

void campaign_ask(struct campaign *c, const struct refine_oracle_question *q, struct prng *random)
{
    struct answers a = {0};
    struct diagnostic d = {0};
    if (!ask_checker(q, random, &a.checked, &d)) {
        campaign_refuse(c, d.message);
        return;
    }
    c->asked++;
    if (a.checked.verdict == VERDICT_INCONCLUSIVE) {
        c->undecided++;
    } else {
        if (a.checked.verdict == VERDICT_VIOLATED) {
            c->violated++;
            check_is_run(c, q->system, &a.checked);
            a.events = check_is_wrong(c, q, &a.checked);
        }
        a.brute = refine_oracle(q);
        a.exact.gave_up = true;
        if (q->free_values && q->quasi)
            a.exact = refine_product(q);
        if (c->verbose)
            show(c, q, &a);
        compare(c, q, &a);
    }
    refine_result_free(&a.checked);
}

void campaign_report(const struct campaign *c)
{
    printf("%llu asked, %llu violated, %llu of these with the same length by brute force, %llu decided for "
           "good, "
           "%llu undecided, %llu refused\n",
           (unsigned long long)c->asked, (unsigned long long)c->violated, (unsigned long long)c->same_length,
           (unsigned long long)c->for_good, (unsigned long long)c->undecided, (unsigned long long)c->refused);
}

bool campaign_read(struct campaign *c, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        bool has_value = i + 1 < argc;
        if (strcmp(argv[i], "-v") == 0) {
            c->verbose = true;
        } else if (has_value && strcmp(argv[i], "--count") == 0) {
            c->count = strtoull(argv[++i], NULL, 10);
        } else if (has_value && strcmp(argv[i], "--seed") == 0) {
            c->seed = strtoull(argv[++i], NULL, 10);
        } else if (has_value && strcmp(argv[i], "--from") == 0) {
            c->number = strtoull(argv[++i], NULL, 10);
        } else if (has_value && strcmp(argv[i], "--models") == 0) {
            c->folder = argv[++i];
        } else {
            fprintf(stderr, "usage: %s [--count N] [--from I] [--seed S] [--models FOLDER] [-v]\n", argv[0]);
            return false;
        }
    }
    return true;
}
