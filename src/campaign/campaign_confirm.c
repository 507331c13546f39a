/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/campaign_confirm.h"

#include "base/text.h"
#include "campaign/declared.h"
#include "explain/program/explain_error.h"
#include "campaign/campaign_run.h"
#include "campaign/serial_runs.h"
#include "campaign/unseen_code.h"
#include "spec/quasi/spec_quasi.h"
#include "spec/registry.h"
#include "spec/serial/serial.h"
#include "target/code/foreign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set(struct confirmation *out, enum confirm_answer answer, const char *message, const char *detail)
{
    out->answer = answer;
    snprintf(out->message, sizeof out->message, "%s%.200s", message, detail);
}

/* Far more than the worker needed for the same history. */
static const double SECONDS = 60;
enum { BYTES = 1 << 30 };

/* Of a relaxed one, "quasi queue (2)", the name of that which was relaxed. */
static void name_spec(const struct worker_shared *s, char *name, size_t size)
{
    size_t prefix = strlen(SPEC_QUASI_PREFIX);
    bool relaxed = *s->config.quasi && strncmp(s->judged_by, SPEC_QUASI_PREFIX, prefix) == 0;
    snprintf(name, size, "%s", s->judged_by + (relaxed ? prefix : 0));
    char *factor = relaxed ? strstr(name, " (") : NULL;
    if (factor)
        *factor = 0;
}

static const struct plumb_spec *find_spec(const void *shared, struct history *h, struct diagnostic *d)
{
    const struct worker_shared *s = shared;
    char name[sizeof s->judged_by];
    name_spec(s, name, sizeof name);
    if (strcmp(name, SPEC_DERIVED_NAME) == 0)
        return serial_runs_spec(&s->config, h, d);
    const struct plumb_spec *spec = spec_find(name);
    if (!spec)
        diagnostic_set(d, PL_INTERNAL, 0, 0, "the specification of the history has no name");
    return spec;
}

static void judge_history(struct pipeline_input *in, const char *name, const struct worker_shared *shared)
{
    struct pipeline_question question = {.time = SECONDS,
                                         .memory_limit = BYTES,
                                         .find_spec = find_spec,
                                         .find_context = shared,
                                         .quasi = *shared->config.quasi ? shared->config.quasi : NULL};
    pipeline_judge_memory(in, name, shared->history, shared->history_length, NULL, &question);
    in->one_of_several = true;
}

/* Does the monitor agree that the history is not linearizable? Fills in the answer when not. */
static void confirm_history(const char *name, struct confirmed *out)
{
    const struct worker_shared *shared = target_shared(out->run.again);
    const struct pipeline_input *in = &out->history;
    if (shared->judged_partly) /* found again, and confirmed there by another search */
        return;
    if (!shared->history_length) {
        set(&out->run, CONFIRM_NOT_POSSIBLE, "had a history too long to be kept", "");
        return;
    }
    judge_history(&out->history, name, shared);
    out->is_judged = true;
    if (in->error.code)
        set(&out->run, CONFIRM_BROKEN, "left a history that cannot be read: ", in->error.message);
    else if (in->result.verdict == VERDICT_HOLDS)
        set(&out->run, CONFIRM_BROKEN, "left a history in which the monitor finds nothing wrong", "");
    else if (in->result.verdict == VERDICT_INCONCLUSIVE)
        set(&out->run, CONFIRM_NOT_POSSIBLE,
            "left a history that could not be decided again: ", in->result.limit);
}

static bool goes_round(const struct worker_error *error)
{
    for (uint32_t k = 0; k < error->wait_count && k < PROTOCOL_WAITS; k++)
        if (error->waits[k].why == WAITING_IN_ROUND || error->waits[k].why == WAITING_IN_SPIN)
            return true;
    return false;
}

/* A thread went round without a change that anyone saw: code without hooks may have made one. */
static void confirm_round(const struct target_program *program, struct confirmation *out)
{
    struct foreign foreign = foreign_find(program->path);
    if (foreign.functions.len)
        set(out, CONFIRM_NOT_POSSIBLE,
            "spun forever, unless code that is not examined ends that: ", foreign.functions.data[0]);
    free(foreign.atomics);
    foreign_free(&foreign);
}

/* Code without hooks that threads may have called; "": there is none. What runs before main is called by no thread. */
static void name_unseen(const struct target_program *program, const struct worker_shared *shared, char *name,
                        size_t size)
{
    struct foreign foreign = foreign_find(program->path);
    *name = 0;
    if (foreign.functions.len)
        snprintf(name, size, "%s", foreign.functions.data[0]);
    for (uint32_t k = 0; !*name && k < shared->unseen_count && k < PROTOCOL_UNSEEN; k++)
        if (unseen_is_called(&shared->unseen[k]))
            snprintf(name, size, "%s", shared->unseen[k].function);
    free(foreign.atomics);
    foreign_free(&foreign);
}

/* A graph leaves open in which order operations without common steps are called: any will do, unless they have something in common
 * that has no hooks. Then the order has to be one that was run. */
static void confirm_order_and_history(const struct confirm_question *q, struct confirmed *out)
{
    const struct worker_shared *shared = target_shared(out->run.again);
    char unseen[sizeof((struct worker_unseen *)0)->function] = "";
    if (*shared->config.memory)
        name_unseen(q->program, shared, unseen, sizeof unseen);
    if (q->for_display || *unseen)
        campaign_order_for_display(q->program, out);
    confirm_history(q->name, out);
    if (out->run.answer == CONFIRM_SAME && *unseen && !out->run.is_ordered)
        set(&out->run, CONFIRM_NOT_POSSIBLE,
            "was not run in that order, and code that is not examined may be why: ", unseen);
}

/* Code without annotations may have put more into the container. */
static void confirm_capacity(const struct target_program *program, struct confirmation *out,
                             const struct worker_shared *shared)
{
    char unseen[sizeof((struct worker_unseen *)0)->function];
    name_unseen(program, shared, unseen, sizeof unseen);
    if (*unseen)
        set(out, CONFIRM_NOT_POSSIBLE,
            "used capacity of a container that code that is not examined may have filled: ", unseen);
}

/* What a history or the source has to say about an error that was seen again. */
static void confirm_further(const struct confirm_question *q, const struct worker_error *error,
                            struct confirmed *out)
{
    if (out->run.answer != CONFIRM_SAME)
        return;
    if (error->kind == WORKER_ERROR_PROGRESS) {
        struct target_watch watch = {.stall_seconds = campaign_stall_seconds(target_config(q->worker))};
        confirm_stuck(q->program, q->worker, &watch, &out->run);
        if (out->run.answer != CONFIRM_SAME)
            return;
    }
    if (error->kind == WORKER_ERROR_NOT_LINEARIZABLE)
        confirm_order_and_history(q, out);
    else if (error->kind == WORKER_ERROR_UNINITIALISED && error->filled &&
             !declared_only(target_shared(out->run.again)))
        set(&out->run, CONFIRM_NOT_POSSIBLE,
            "read what the compiler fills variables with, which the program may have written", "");
    else if (error->kind == WORKER_ERROR_OUT_OF_BOUNDS && error->filled)
        confirm_capacity(q->program, &out->run, target_shared(out->run.again));
    else if (goes_round(error))
        confirm_round(q->program, &out->run);
}

void campaign_confirm(const struct confirm_question *q, struct confirmed *out)
{
    /* One execution is short: --time does not end it half-way. */
    struct worker_shared *shared = target_shared(q->worker);
    struct target_watch watch = {.stall_seconds = campaign_stall_seconds(&shared->config)};
    *out = (struct confirmed){0};
    if (q->finding) {
        confirm_finding(q->program, q->worker, q->finding, &watch, &out->run);
        confirm_further(q, &q->finding->error, out);
        return;
    }
    if (strcmp(shared->judged_by, SPEC_DERIVED_NAME) == 0)
        serial_runs_ask(&shared->config);
    confirm_error(q->program, q->worker, &watch, &out->run);
    confirm_further(q, &shared->error, out);
}

void campaign_judge_again(const char *name, const struct worker_shared *shared, struct confirmed *out)
{
    if (!shared->history_length || out->is_judged)
        return;
    judge_history(&out->history, name, shared);
    out->is_judged = true;
}

void campaign_confirmed_free(struct confirmed *c)
{
    target_free(c->run.again);
    if (c->is_judged)
        pipeline_free(&c->history);
}

const struct pipeline_input *campaign_judged(const struct confirmed *c)
{
    return c->is_judged ? &c->history : NULL;
}

void campaign_order_for_display(const struct target_program *program, struct confirmed *c)
{
    struct target_watch watch = {.stall_seconds = CAMPAIGN_STALL_SECONDS};
    bool graph = *target_shared(c->run.again)->config.memory != 0;
    for (unsigned display = 0; graph && !c->run.is_ordered && !c->is_judged && display < DISPLAYS;
         display++) {
        struct target_worker *ordered = confirm_for_display(program, c->run.again, display, &watch);
        if (!ordered)
            continue;
        target_free(c->run.again);
        c->run.again = ordered;
        c->run.is_ordered = true;
    }
}

char *campaign_confirm_limit(uint32_t kind, const struct confirmation *c)
{
    struct text t = {0};
    text_printf(&t, "%s: an execution was found to be wrong (%s), but, run again, it %s",
                c->answer == CONFIRM_DIFFERS ? "nondeterministic program" : "not confirmed", error_text(kind),
                c->message);
    return text_take(&t);
}
