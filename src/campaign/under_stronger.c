/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/under_stronger.h"

#include "base/interruption.h"
#include "campaign/error_cause.h"
#include "campaign/campaign_confirm.h"
#include "explain/program/explain_error.h"
#include "explain/program/explain_events.h"
#include "graph/model.h"
#include "spec/registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SECONDS_MOST = 5;

static void set(struct under_stronger *out, enum under_stronger_answer answer, const char *why)
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
                        struct target_worker **worker, struct under_stronger *out)
{
    struct target_worker *found = *worker;
    if (!is_same_error(shown, target_shared(found))) {
        snprintf(out->why, sizeof out->why, "another error comes first: %s",
                 error_text(target_shared(found)->error.kind));
        out->answer = SC_UNKNOWN;
        return;
    }
    campaign_confirm(&(struct confirm_question){program, "history", found, NULL, true}, &out->confirmed);
    if (out->confirmed.run.answer != CONFIRM_SAME) {
        set(out, SC_UNKNOWN, "it was found, but not confirmed");
        under_stronger_free(out);
        return;
    }
    set(out, SC_TOO, "");
    if (explain_stale_count(shown)) {
        out->worker = found;
        *worker = NULL;
    } else {
        under_stronger_free(out);
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
                  const struct campaign_result *r, struct target_worker **worker, struct under_stronger *out)
{
    out->executions = r->executions;
    if (r->failing) /* a thread stops there: it may have been on its way to this one */
        set(out, SC_UNKNOWN, "other errors come first");
    else if (r->found)
        judge_found(program, shown, worker, out);
    else if (r->timed_out)
        set(out, SC_UNKNOWN, interruption_or_time());
    else if (r->failed || r->judging_was_stuck || r->limits & ~(uint32_t)LIMITS_NAMED_ONLY)
        set(out, SC_UNKNOWN, "not all executions could be run");
    else
        set(out, SC_NEVER, "");
}

/* All executions under other rules. */
static void ask(const struct target_program *program, struct campaign_options other,
                const struct worker_shared *shown, const char *cause, double left, struct under_stronger *out)
{
    other.jobs = 1;
    other.time = other.time > 0 && left < SECONDS_MOST ? left : SECONDS_MOST;
    other.listener = NULL;
    other.checkpoint = NULL;
    other.shard.count = 0;
    other.piece = NULL;
    other.all_errors = cause != NULL;
    if (other.time < 0.1) {
        set(out, SC_UNKNOWN, "time limit met");
        return;
    }
    struct target_worker *worker = NULL;
    struct campaign_result result;
    struct diagnostic ignored = {0};
    bool fine = campaign_run(program, &other, &worker, &result, &ignored);
    if (fine && cause && has_finding(program, worker, cause))
        set(out, SC_TOO, "");
    else if (fine)
        judge(program, shown, &result, &worker, out);
    else
        set(out, SC_UNKNOWN, "it could not be run");
    target_free(worker);
}

void under_sc_ask(const struct target_program *program, const struct campaign_options *options,
                  const struct worker_shared *shown, const char *cause, double left,
                  struct under_stronger *out)
{
    *out = (struct under_stronger){0};
    /* Races, synchronization, and frees where races are allowed, depend on orders, not only on values. */
    bool by_values = shown->error.kind != WORKER_ERROR_RACE && shown->error.kind != WORKER_ERROR_SYNC &&
                     !campaign_goes_on(options) && !options->volatiles;
    if (shown->relation_count && !explain_stale_count(shown) && by_values) {
        set(out, SC_TOO, "");
        return;
    }
    struct campaign_options sc = *options;
    sc.memory = model_position(&model_sc);
    ask(program, sc, shown, cause, left, out);
}

/* Does the store continue a release sequence in C11 that it does not in C++20? */
static bool continues_sequence(const struct worker_shared *s, uint32_t store)
{
    const struct event *w = &s->events[store];
    for (uint32_t k = 0; k < store; k++) {
        const struct event *e = &s->events[k];
        bool writes = e->kind == EVENT_WRITE || e->kind == EVENT_UPDATE;
        if (writes && e->thread == w->thread && graph_is_release(e->order) &&
            e->address < w->address + w->size && w->address < e->address + e->size)
            return true;
    }
    return false;
}

void under_c11_ask(const struct target_program *program, const struct campaign_options *options,
                   const struct worker_shared *shown, const char *cause, double left,
                   struct under_stronger *out)
{
    *out = (struct under_stronger){0};
    bool differs = false;
    for (uint32_t k = 0; k < shown->event_count && !differs; k++) {
        const struct event *e = &shown->events[k];
        bool writes = e->kind == EVENT_WRITE || e->kind == EVENT_UPDATE;
        differs = writes && !graph_is_release(e->order) && continues_sequence(shown, k);
    }
    if (!differs)
        return;
    struct campaign_options c11 = *options;
    c11.release_sequence = 1;
    ask(program, c11, shown, cause, left, out);
    under_stronger_free(out); /* what is shown stays as it is */
}

/* "queue" and "queue(cap=4)" become "queue(weak)" and "queue(cap=4, weak)". False: there is no such specification, or it is weak already. */
static bool find_weak(const char *name, char *weak, size_t size)
{
    size_t length = strlen(name);
    bool has_parameters = length && name[length - 1] == ')';
    int written = has_parameters ? snprintf(weak, size, "%.*s, weak)", (int)length - 1, name)
                                 : snprintf(weak, size, "%s(weak)", name);
    return length && !strchr(name, '\n') && !strstr(name, "weak") && written < (int)size && spec_find(weak);
}

static bool has_failed_operation(const struct worker_shared *shown)
{
    return strstr(shown->history, "\"result\":null") || strstr(shown->history, "\"result\":false");
}

void under_weak_ask(const struct target_program *program, const struct campaign_options *options,
                    const struct worker_shared *shown, const char *judges, double left,
                    struct under_stronger *out)
{
    *out = (struct under_stronger){0};
    char name[sizeof out->weak] = "";
    size_t length = strcspn(judges, "\n");
    if (length < sizeof name && (!judges[length] || !judges[length + 1]))
        memcpy(name, judges, length);
    if (shown->error.kind != WORKER_ERROR_NOT_LINEARIZABLE || options->quasi ||
        !has_failed_operation(shown) || !find_weak(name, out->weak, sizeof out->weak))
        return;
    struct campaign_options weak = *options;
    weak.spec = out->weak;
    ask(program, weak, shown, NULL, left, out);
    under_stronger_free(out); /* what is shown stays as it is */
}

void under_stronger_free(struct under_stronger *sc)
{
    campaign_confirmed_free(&sc->confirmed);
    target_free(sc->worker);
    sc->confirmed = (struct confirmed){0};
    sc->worker = NULL;
}

void under_sc_add_text(const struct under_stronger *sc, struct text *out)
{
    switch (sc->answer) {
    case SC_NOT_ASKED: return;
    case SC_NEVER:
        text_printf(out, "Under sc this error does not happen (all %" PRIu64 " execution%s).", sc->executions,
                    sc->executions == 1 ? "" : "s");
        return;
    case SC_TOO:
        text_puts(out, sc->worker ? "It needs no weak memory: this execution happens under sc, too."
                                  : "It also happens under sc.");
        return;
    case SC_UNKNOWN: text_printf(out, "Whether it also happens under sc is not known (%s).", sc->why); return;
    }
}

void under_c11_add_text(const struct under_stronger *c11, struct text *out)
{
    if (c11->answer == SC_NEVER)
        text_printf(
            out,
            "With the release sequences of C11 (--release-sequence=c11) it does not happen (all %" PRIu64
            " execution%s).",
            c11->executions, c11->executions == 1 ? "" : "s");
}

void under_weak_add_text(const struct under_stronger *weak, struct text *out)
{
    if (weak->answer == SC_NEVER)
        text_printf(out,
                    "Judged as %s, whose operations may fail in every state, the test holds (all %" PRIu64
                    " execution%s).",
                    weak->weak, weak->executions, weak->executions == 1 ? "" : "s");
}

const char *under_stronger_word(const struct under_stronger *sc)
{
    static const char *const words[] = {NULL, "never", "too", "unknown"};
    return words[sc->answer];
}
