/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/pipeline_parts.h"

#include "spec/quasi/spec_quasi.h"

#include <stdio.h>
#include <string.h>

enum { FACTOR_TEXT = 80 };

bool pipeline_quasi_check(const struct pipeline_question *o, const struct plumb_spec *spec,
                          struct diagnostic *d)
{
    char factor[FACTOR_TEXT];
    if (o->quasi && o->quasi_min)
        return diagnostic_set(d, PL_USAGE, 0, 0,
                              "--quasi gives the factor that --quasi-min looks for: use one of them");
    if (o->reading && !o->quasi && !o->quasi_min)
        return diagnostic_set(d, PL_USAGE, 0, 0, "--reading is for --quasi and --quasi-min");
    if (o->quasi)
        return spec_quasi_check(o->quasi, &spec, spec ? 1 : 0, d);
    if (!o->quasi_min)
        return true;
    if (strchr(o->quasi_min, '=') || strchr(o->quasi_min, ',') || strlen(o->quasi_min) + 8 > sizeof factor)
        return diagnostic_set(
            d, PL_USAGE, 0, 0,
            "--quasi-min: name one class without a number, as in deq or pop_front+pop_back");
    snprintf(factor, sizeof factor, "%s=0", o->quasi_min);
    return spec_quasi_check(factor, &spec, spec ? 1 : 0, d);
}

static void free_relaxed(struct pipeline_input *in)
{
    for (size_t i = 0; in->relaxed && i < in->history->object_names.len; i++)
        spec_quasi_free(in->specs[i]);
    in->relaxed = false;
}

static void decide_with(struct pipeline_input *in, const char *factor,
                        const struct pipeline_question *question, struct budget *budget)
{
    size_t objects = in->history->object_names.len;
    in->relaxed = spec_quasi_relax(in->history, in->specs, factor, &in->error);
    if (!in->relaxed)
        return;
    for (size_t i = 0; question->reading && i < objects; i++)
        spec_quasi_append_nothing(in->specs[i]);
    struct monitor_settings settings = {.options = &in->spec_options,
                                        .specs = in->specs,
                                        .budget = budget,
                                        .keep_witnesses = question->keep_witnesses};
    monitor_history(in->history, &settings, &in->result, &in->error);
}

/* No factor below this one will do. The class is relaxed once to find out. */
static uint32_t lower_bound(struct pipeline_input *in, const struct pipeline_question *question,
                            const struct plumb_spec **strict)
{
    char factor[FACTOR_TEXT];
    size_t objects = in->history->object_names.len;
    struct diagnostic ignored = {0};
    snprintf(factor, sizeof factor, "%s=1", question->quasi_min);
    in->relaxed = spec_quasi_relax(in->history, in->specs, factor, &ignored);
    for (size_t i = 0; question->reading && i < objects; i++)
        spec_quasi_append_nothing(in->specs[i]);
    struct monitor_settings settings = {.options = &in->spec_options, .specs = in->specs};
    uint32_t least = in->relaxed ? monitor_quasi_least(in->history, &settings) : 0;
    free_relaxed(in);
    memcpy(in->specs, strict, objects * sizeof *strict);
    return least;
}

/* The search for the least factor. */
struct seeking {
    struct pipeline_input *in;
    const struct pipeline_question *question;
    struct budget *budget;
    const struct plumb_spec **strict; /* of each object */
    bool decided;                     /* in->result is about `in->least` */
};

static void forget(struct seeking *s)
{
    if (s->decided)
        monitor_result_free(&s->in->result);
    free_relaxed(s->in);
    memcpy(s->in->specs, s->strict, s->in->history->object_names.len * sizeof *s->strict);
    s->decided = false;
}

/* Decides with this factor. True: it will not do, and a larger one might. */
static bool is_too_small(struct seeking *s, uint32_t k, struct budget *budget)
{
    char factor[FACTOR_TEXT];
    forget(s);
    snprintf(factor, sizeof factor, "%s=%u", s->question->quasi_min, k);
    decide_with(s->in, factor, s->question, budget);
    s->decided = !s->in->error.code;
    s->in->sought = true;
    s->in->least = k;
    return s->decided && s->in->result.verdict == VERDICT_VIOLATED && !s->in->result.beyond_factors;
}

/* Larger factors take longer, often much longer: the steps grow only after a few of one, and a leap may cost
 * half of what is left. */
enum { SMALL_STEPS = 4 };

static struct budget budget_of_leap(const struct budget *all)
{
    struct budget leap = *all;
    double left = all->deadline ? all->deadline - base_now() : 0;
    leap.deadline = all->deadline ? all->deadline - left / 2 : 0;
    leap.bytes_max = all->bytes_max / 2;
    return leap;
}

/* The first factor that will do, between one that will not and one that will. */
static void bisect(struct seeking *s, uint32_t low, uint32_t high)
{
    bool failed = false;
    while (high - low > 1 && !failed) {
        uint32_t middle = low + (high - low) / 2;
        if (is_too_small(s, middle, s->budget))
            low = middle;
        else if (s->decided && s->in->result.verdict == VERDICT_HOLDS)
            high = middle;
        else
            failed = true; /* a limit: what was found is not known to be the least */
    }
    if (!failed && s->in->least != high)
        is_too_small(s, high, s->budget);
}

/* Upward from one that will not do: what one factor accepts, larger ones accept too (docs/quasi.md). */
static void climb(struct seeking *s, uint32_t low, uint32_t most)
{
    uint32_t step = 1;
    bool may_leap = true;
    for (uint32_t tries = 1; low < most; tries++) {
        bool leaps = may_leap && tries > SMALL_STEPS;
        struct budget leap = budget_of_leap(s->budget);
        step = leaps ? 2 * step : 1;
        uint32_t next = low + step < most ? low + step : most;
        if (is_too_small(s, next, leaps ? &leap : s->budget)) {
            low = next;
        } else if (leaps && s->decided && s->in->result.verdict == VERDICT_INCONCLUSIVE) {
            may_leap = false; /* too long */
        } else {
            if (leaps && s->decided && s->in->result.verdict == VERDICT_HOLDS)
                bisect(s, low, next);
            return;
        }
    }
}

static void find_least(struct pipeline_input *in, const struct pipeline_question *question,
                       struct budget *budget)
{
    size_t objects = in->history->object_names.len, operations = in->history->ops.len;
    uint32_t most = operations < QUASI_FACTOR_MOST ? (uint32_t)operations : QUASI_FACTOR_MOST;
    struct seeking s = {.in = in, .question = question, .budget = budget};
    s.strict = NEW_ARRAY(const struct plumb_spec *, objects);
    memcpy(s.strict, in->specs, objects * sizeof *s.strict);
    uint32_t bound = lower_bound(in, question, s.strict);
    if (is_too_small(&s, bound, budget))
        climb(&s, bound, most);
    free(s.strict);
}

/* Linearizable histories are quasi linearizable with every factor, and there are fast algorithms for many
 * that the relaxed search takes too long for. A few seconds are spent on that; false: nothing is known
 * yet. */
static bool holds_strictly(struct pipeline_input *in, const struct pipeline_question *question,
                           const struct budget *budget)
{
    const double most = 2, share = 0.25;
    double seconds = budget->deadline ? (budget->deadline - base_now()) * share : most;
    if (seconds <= 0)
        return false;
    struct budget part = budget_start(seconds < most ? seconds : most, budget->bytes_max);
    struct monitor_settings settings = {.options = &in->spec_options,
                                        .specs = in->specs,
                                        .budget = &part,
                                        .keep_witnesses = question->keep_witnesses};
    if (!monitor_history(in->history, &settings, &in->result, &in->error) ||
        in->result.verdict == VERDICT_HOLDS)
        return true;
    monitor_result_free(&in->result);
    return false;
}

void pipeline_quasi_decide(struct pipeline_input *in, const struct pipeline_question *question,
                           struct budget *budget)
{
    char factor[FACTOR_TEXT];
    uint32_t objects = (uint32_t)in->history->object_names.len;
    if (question->quasi_min)
        snprintf(factor, sizeof factor, "%s=0", question->quasi_min);
    if (!spec_quasi_check(question->quasi_min ? factor : question->quasi, in->specs, objects, &in->error))
        return;
    in->sought = question->quasi_min;
    if (holds_strictly(in, question, budget))
        return;
    if (question->quasi_min)
        find_least(in, question, budget);
    else
        decide_with(in, question->quasi, question, budget);
}
