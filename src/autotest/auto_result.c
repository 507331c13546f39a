/* SPDX-License-Identifier: Apache-2.0 */
#include "autotest/auto_result.h"

#include "autotest/auto_bounded.h"
#include "base/interruption.h"
#include "campaign/campaign.h"
#include "campaign/campaign_confirm.h"
#include "campaign/campaign_races.h"

#include <stdio.h>
#include <stdlib.h>

static void read_counts(struct auto_result *result, const struct worker_shared *s)
{
    result->executions = s->executions;
    result->complete = s->complete;
    result->blocked = s->blocked;
    result->serial_complete = s->serial_complete;
    result->serial_stuck = s->serial_stuck;
    result->serial_seconds = s->serial_seconds;
    result->limits = s->limits;
    result->compared = s->compared;
    result->could_meet = s->could_meet;
    result->met = s->met;
}

void auto_result_say(struct auto_result *result, enum verdict verdict, const char *why)
{
    result->verdict = verdict;
    snprintf(result->why, sizeof result->why, "%s", why);
}

void auto_result_fail(struct auto_result *result, const char *why)
{
    auto_result_say(result, VERDICT_NONE, why);
    diagnostic_set(&result->mistake, PL_INTERNAL, 0, 0, "%s", why);
}

/* The error was not seen again. */
static void doubt(struct auto_result *result, uint32_t kind, const struct confirmation *c)
{
    char *why = campaign_confirm_limit(kind, c);
    if (c->answer == CONFIRM_BROKEN)
        auto_result_fail(result, why);
    else
        auto_result_say(result, VERDICT_INCONCLUSIVE, why);
    free(why);
}

static void read_limits(const struct auto_runner *r, struct auto_result *result,
                        const struct worker_shared *s)
{
    uint32_t bits = s->limits & ~(uint32_t)LIMITS_NAMED_ONLY;
    if (r->options->nondet)
        bits &= ~(uint32_t)LIMIT_VALUES;
    const char *text = campaign_next_limit(&bits);
    if (bits & LIMIT_DISTURBED) {
        char *why = campaign_describe_unpredictable(s);
        auto_result_say(result, VERDICT_INCONCLUSIVE, why);
        free(why);
    } else if (text)
        auto_result_say(result, VERDICT_INCONCLUSIVE, text);
    else if (bits & LIMIT_UNSUPPORTED)
        snprintf(result->why, sizeof result->why, "not supported: %s", s->unsupported);
    else if (bits & LIMIT_VALUES)
        auto_result_say(result, VERDICT_INCONCLUSIVE,
                        "not every value of __VERIFIER_nondet functions was tried (--nondet)");
    else if (bits & (LIMIT_LOOPS | LIMIT_RETURNS | LIMIT_ENDLESS | LIMIT_SUSPECTED))
        auto_bounded_say(s, result);
    else if (bits & LIMIT_PREEMPTIONS)
        auto_result_say(result, VERDICT_INCONCLUSIVE,
                        "schedules with more preemptions were left out (--preemptions)");
    else if (bits)
        auto_result_say(result, VERDICT_INCONCLUSIVE, "a history could not be decided");
    if (bits)
        result->verdict = VERDICT_INCONCLUSIVE;
    else if (s->refuted && s->refuted >= s->executions)
        auto_result_say(result, VERDICT_INCONCLUSIVE,
                        "every execution fails an assumption: nothing was checked");
}

static void confirm(const struct auto_runner *r, const struct target_worker *worker,
                    struct auto_result *result)
{
    struct confirmed c;
    campaign_confirm(&(struct confirm_question){.program = r->program, .name = r->name, .worker = worker},
                     &c);
    result->error = target_shared(worker)->error.kind;
    if (c.run.answer == CONFIRM_SAME)
        result->verdict = VERDICT_VIOLATED;
    else
        doubt(result, result->error, &c.run);
    campaign_confirmed_free(&c);
}

/* A race after which the program went on. */
static void read_race(const struct auto_runner *r, const struct target_worker *worker,
                      const struct worker_finding *f, struct auto_result *result)
{
    struct confirmed c;
    if (race_is_suppressed(r->suppressions, target_shared(worker), &f->error))
        return;
    campaign_confirm(&(struct confirm_question){r->program, r->name, worker, f, false}, &c);
    bool is_same = c.run.answer == CONFIRM_SAME;
    if (!is_same) {
        doubt(result, f->error.kind, &c.run);
    } else if (!race_is_suppressed(r->suppressions, target_shared(c.run.again), &f->error)) {
        result->verdict = VERDICT_VIOLATED;
        result->error = f->error.kind;
    }
    campaign_confirmed_free(&c);
}

/* After everything else: a race that was kept is an error, whatever came of the test. */
static void read_races(const struct auto_runner *r, const struct target_worker *worker,
                       struct auto_result *result)
{
    const struct worker_shared *s = target_shared(worker);
    for (uint32_t k = 0; k < s->finding_count && result->verdict != VERDICT_VIOLATED; k++)
        read_race(r, worker, &s->findings[k], result);
    if (s->findings_lost && result->verdict == VERDICT_HOLDS)
        auto_result_say(result, VERDICT_INCONCLUSIVE, "more races than are kept");
}

void auto_result_read(const struct auto_runner *r, const struct target_worker *worker,
                      struct auto_result *result)
{
    const struct target_end *end = target_end_of(worker);
    read_counts(result, target_shared(worker));
    if (r->scope)
        scope_add_worker(r->scope, target_shared(worker));
    switch (end->outcome) {
    case TARGET_FINISHED: read_limits(r, result, target_shared(worker)); break;
    case TARGET_FOUND: confirm(r, worker, result); break;
    case TARGET_REFUSED:
        auto_result_say(result, VERDICT_NONE, end->message);
        campaign_mistake(&result->mistake, r->name, worker);
        result->is_skipped = target_shared(worker)->ill_formed;
        break;
    case TARGET_BROKEN: auto_result_fail(result, end->message); break;
    case TARGET_STOPPED: auto_result_say(result, VERDICT_INCONCLUSIVE, interruption_or_time()); break;
    default:
        auto_result_say(result, VERDICT_INCONCLUSIVE, end->message);
        result->is_lost = end->outcome == TARGET_LOST;
    }
    if (result->mistake.code != PL_INTERNAL)
        read_races(r, worker, result);
}
