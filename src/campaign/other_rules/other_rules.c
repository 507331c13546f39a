/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/other_rules/other_rules.h"

#include "base/interruption.h"
#include "campaign/error_cause.h"
#include "explain/program/explain_error.h"
#include "explain/program/explain_events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SECONDS_MOST = 5;

static void set(struct other_rules *out, enum other_rules_answer answer, const char *why)
{
    out->answer = answer;
    snprintf(out->why, sizeof out->why, "%s", why);
}

/* The same error, at the same place in the source. */
static bool is_same_error(const struct worker_shared *a, const struct worker_shared *b)
{
    char *pa = error_place(a), *pb = error_place(b);
    bool same = a->error.kind == b->error.kind && (pa && pb ? strcmp(pa, pb) == 0 : pa == pb);
    free(pa);
    free(pb);
    return same;
}

/* Takes `found` if it is what is asked about. */
static void judge_found(const struct target_program *program, const struct worker_shared *shown,
                        struct target_worker **worker, struct other_rules *out)
{
    struct target_worker *found = *worker;
    if (!is_same_error(shown, target_shared(found))) {
        snprintf(out->why, sizeof out->why, "another error comes first: %s",
                 error_text(target_shared(found)->error.kind));
        out->answer = RULES_UNKNOWN;
        return;
    }
    campaign_confirm(&(struct confirm_question){program, "history", found, NULL, true}, &out->confirmed);
    if (out->confirmed.run.answer != CONFIRM_SAME) {
        set(out, RULES_UNKNOWN, "it was found, but not confirmed");
        other_rules_free(out);
        return;
    }
    set(out, RULES_TOO, "");
    if (explain_stale_count(shown)) {
        out->worker = found;
        *worker = NULL;
    } else {
        other_rules_free(out);
    }
}

static bool is_same_cause(struct symbols *symbols, const struct worker_finding *f, const char *cause)
{
    char *other = error_cause(symbols, f);
    bool same = strcmp(other, cause) == 0;
    free(other);
    return same;
}

/* The finding with that cause, if the worker has one and it comes again. */
static bool has_finding(const struct target_program *program, const struct target_worker *worker,
                        const char *cause)
{
    const struct worker_shared *s = target_shared(worker);
    struct symbols *symbols = explain_symbols(s);
    uint32_t k = 0;
    while (k < s->finding_count && !is_same_cause(symbols, &s->findings[k], cause))
        k++;
    symbols_close(symbols);
    if (k == s->finding_count)
        return false;
    struct confirmed again;
    campaign_confirm(&(struct confirm_question){program, "history", worker, &s->findings[k], false}, &again);
    campaign_confirmed_free(&again);
    return again.run.answer == CONFIRM_SAME;
}

static void judge(const struct target_program *program, const struct worker_shared *shown,
                  const struct campaign_result *r, struct target_worker **worker, struct other_rules *out)
{
    out->executions = r->executions;
    if (r->failing) /* a thread stops there: it may have been on its way to this one */
        set(out, RULES_UNKNOWN, "other errors come first");
    else if (r->found)
        judge_found(program, shown, worker, out);
    else if (r->timed_out)
        set(out, RULES_UNKNOWN, interruption_or_time());
    else if (r->failed || r->judging_was_stuck || r->limits & ~(uint32_t)LIMITS_NAMED_ONLY)
        set(out, RULES_UNKNOWN, "not all executions could be run");
    else
        set(out, RULES_NEVER, "");
}

void other_rules_ask(const struct target_program *program, struct campaign_options other,
                     const struct worker_shared *shown, const char *cause, double left,
                     struct other_rules *out)
{
    other.jobs = 1;
    other.time = other.time > 0 && left < SECONDS_MOST ? left : SECONDS_MOST;
    other.listener = NULL;
    other.checkpoint = NULL;
    other.shard.count = 0;
    other.piece = NULL;
    other.all_errors = cause != NULL;
    if (other.time < 0.1) {
        set(out, RULES_UNKNOWN, "time limit met");
        return;
    }
    struct target_worker *worker = NULL;
    struct campaign_result result;
    struct diagnostic ignored = {0};
    bool fine = campaign_run(program, &other, &worker, &result, &ignored);
    if (fine && cause && has_finding(program, worker, cause))
        set(out, RULES_TOO, "");
    else if (fine)
        judge(program, shown, &result, &worker, out);
    else
        set(out, RULES_UNKNOWN, "it could not be run");
    target_free(worker);
}

void other_rules_free(struct other_rules *rules)
{
    campaign_confirmed_free(&rules->confirmed);
    target_free(rules->worker);
    rules->confirmed = (struct confirmed){0};
    rules->worker = NULL;
}
