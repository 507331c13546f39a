/* SPDX-License-Identifier: Apache-2.0 */
/* All executions under a memory model: the first is rehearsed, the others are counted, estimated, and shared with others. */
#include "worker/work.h"
#include "base/budget.h"
#include "engine/error/findings.h"
#include "engine/graph_mode/graph_mode.h"
#include "engine/loop/live.h"
#include "engine/loop/loops.h"
#include "explore/explore.h"
#include "explore/graphs_memo.h"
#include "worker/calls/calls_judge.h"
#include "worker/divergence.h"
#include "worker/ledger.h"
#include "worker/share.h"
#include "worker/tables/tables.h"

#include <string.h>

static uint64_t count_all(const struct graphs_counts *c)
{
    return c->complete + c->blocked + c->folded + c->stuck + c->held;
}

/* Threads that were held, where that matters: what is said about it names the first. */
static void copy_held(struct worker_shared *s, const struct graphs_counts *c)
{
    uint32_t limits =
        (c->uncertified || graphs_places_conflict(c) ? LIMIT_RETURNS : 0) | (c->endless ? LIMIT_ENDLESS : 0);
    if (limits & ~s->limits && !s->loops.held.pc)
        loops_note_held();
    s->limits |= limits;
    memcpy(s->loops.held_places, c->held_places, sizeof s->loops.held_places);
    memcpy(s->loops.known_places, c->known_places, sizeof s->loops.known_places);
}

/* An explorer of graphs may begin again, and knows what counts. */
static void copy_counts(struct worker_shared *s, const struct graphs_counts *c)
{
    ledger_count(count_all(c), c->complete, c->blocked);
    s->complete = c->complete;
    s->blocked = c->blocked;
    s->folded = c->folded;
    s->revisits = c->revisits;
    s->executions = count_all(c);
    s->folding.news |= c->folded_news;
    s->folding.edges |= c->edges;
    for (uint32_t t = 0; s->config.progress && t < PROTOCOL_GRAPH_THREADS; t++)
        s->published[t] = c->published[t];
}

static void run_first(struct work *w, bool counts_visits)
{
    struct explorer *explorer = work_explorer(w->shared, true);
    if (counts_visits)
        loops_begin_first();
    engine_change_explorer(explorer);
    while (explorer->class->begin(explorer)) {
        work_run(w, explorer);
        if (!explore_graphs_repeats(explorer))
            break;
    }
    if (counts_visits)
        loops_end_first();
    explore_destroy(explorer);
}

/* The first execution comes twice: a program that keeps something from one to the next may show it. One that was begun
 * again, with something that is known of the program from then on, may have had its steps in another order than all later ones. */
static uint64_t rehearse(struct work *w, bool counts_visits)
{
    findings_ignored = !w->shared->config.races; /* another error may end it here, and races came before */
    w->began_again = false;
    run_first(w, counts_visits);
    if (w->began_again)
        run_first(w, counts_visits);
    findings_ignored = false;
    findings_recount(w->shared);
    divergence_keep(w->shared);
    return w->shared->event_hash;
}

/* With a bound the first execution counts as it is without. */
static uint64_t rehearse_all(struct work *w)
{
    const struct worker_config *c = &w->shared->config;
    if (c->loops && !c->first_known)
        rehearse(w, true);
    return rehearse(w, c->suspects);
}

/* How many executions there are is asked once it is clear that there are many, and again now and then. The samples
 * are executions like all others: an error in one is an error, unless all are wanted. */
enum { ESTIMATE_AFTER = 2000, ESTIMATE_LOOK = 256, ESTIMATE_FIRST = 200 };
static const double ONLY_ESTIMATE_SECONDS = 0.2, FIRST_ESTIMATE_SECONDS = 0.02, MORE_ESTIMATE_SECONDS = 0.05;
/* Times as long as was sampled so far, and seconds. */
static const double ESTIMATE_PAUSE = 20, ESTIMATE_PAUSE_MOST = 5;

static void sample(struct work *w, double end)
{
    struct explorer *e = w->estimator;
    while (base_now() < end && e->class->begin(e))
        work_run(w, e);
}

static void estimate(struct work *w, double seconds)
{
    struct worker_shared *s = w->shared;
    uint64_t steps = s->steps;
    double mean, error;
    engine_change_explorer(w->estimator);
    findings_ignored = true; /* they would be counted twice */
    loops_sample(true);
    sample(w, base_now() + seconds);
    loops_sample(false);
    findings_ignored = false;
    explore_graphs_estimated(w->estimator, &mean, &error);
    s->estimate_error = error;
    s->estimate = mean;
    s->steps = steps;
}

static void make_estimator(struct work *w, uint64_t descents)
{
    struct graphs_settings settings = work_graphs_settings(&w->shared->config);
    settings.executions_max = 0;
    w->estimator = explore_graphs_estimate(&settings, w->shared->config.seed, descents);
}

static void estimate_now_and_then(struct work *w, struct explorer *explorer)
{
    const struct worker_config *c = &w->shared->config;
    uint64_t replays = explore_graphs_counts(explorer)->replays;
    if (replays % ESTIMATE_LOOK != 0 || replays < ESTIMATE_AFTER || c->estimates != ESTIMATES_LATER ||
        (w->estimator && base_now() < w->estimate_next))
        return;
    double seconds = w->estimator ? MORE_ESTIMATE_SECONDS : FIRST_ESTIMATE_SECONDS;
    if (!w->estimator)
        make_estimator(w, UINT64_MAX);
    estimate(w, seconds);
    w->estimated += seconds;
    double pause = ESTIMATE_PAUSE * w->estimated;
    w->estimate_next = base_now() + (pause < ESTIMATE_PAUSE_MOST ? pause : ESTIMATE_PAUSE_MOST);
    engine_change_explorer(explorer);
}

/* The execution was made of steps that are remembered, and is run now: nothing may come of it that is not in its graph. */
static enum port_outcome run_again(struct work *w, struct explorer *explorer, enum port_outcome remembered)
{
    uint32_t count = explore_graphs_current(explorer)->count + explore_graphs_left_out(explorer);
    explore_graphs_again(explorer);
    enum port_outcome outcome = work_run(w, explorer);
    if (outcome != remembered || explore_graphs_current(explorer)->count != count)
        w->shared->limits |= LIMIT_NONDETERMINISM;
    return outcome;
}

static bool run_memo(struct work *w, struct explorer *explorer, enum port_outcome *outcome)
{
    const struct worker_config *c = &w->shared->config;
    if (w->has_test || c->memo == MEMO_NOT || !explore_graphs_run_memo(explorer, c->step_limit, outcome))
        return false;
    if (c->memo == MEMO_COMPARED && !explore_graphs_repeats(explorer))
        *outcome = run_again(w, explorer, *outcome);
    else {
        explorer->class->end(explorer, *outcome);
        w->shared->not_run++;
    }
    return true;
}

static uint32_t count_steps(const struct explorer *explorer)
{
    return explore_graphs_current(explorer)->steps + explore_graphs_left_out(explorer);
}

/* `runs`: even if all of its steps are known. True: it counts. */
static bool explore_one(struct work *w, struct explorer *explorer, bool runs)
{
    struct worker_shared *s = w->shared;
    const struct graphs_counts *c = explore_graphs_counts(explorer);
    uint64_t before = count_all(c);
    if (c->restarts != w->restarts) {
        s->cut = s->refuted = 0;
        s->steps = 0;
        s->limits &= ~(uint32_t)(LIMIT_RETURNS | LIMIT_ENDLESS);
        ledger_forget(LIMIT_RETURNS | LIMIT_ENDLESS);
        s->loops.held = (struct worker_visits){0};
        findings_recount(s);
        tables_recount(s);
        calls_recount(s);
        w->restarts = c->restarts;
    }
    uint64_t steps = s->steps;
    enum port_outcome outcome;
    bool refuted = false;
    if (!runs && run_memo(w, explorer, &outcome)) {
        if (loops_is_long(count_steps(explorer)))
            graph_mode_shares(); /* the next one is run, and looked at */
    } else {
        outcome = work_run(w, explorer);
        refuted = engine_was_refuted();
    }
    /* memoised or run: the engine has counted other things, too */
    s->steps = steps + (explore_graphs_repeats(explorer) ? 0 : count_steps(explorer));
    s->cut += outcome == PORT_CUT;
    copy_counts(s, c);
    if (s->config.returns)
        copy_held(s, c);
    s->refuted += refuted && s->executions > before;
    return s->executions > before;
}

static void compare_first(struct work *w, uint64_t rehearsed)
{
    if (!w->compared && w->shared->event_hash != rehearsed) {
        w->shared->limits |= LIMIT_NONDETERMINISM;
        divergence_compare(w->shared);
    }
    w->compared = true;
    live_compared = false;
}

/* The tool begins again with interleavings, which have an answer under sc. */
static bool is_better_interleaved(const struct worker_shared *s)
{
    return s->limits & LIMIT_MIXED_SIZE && model_is(s->config.memory, MODEL_INTERLEAVED) && !s->config.loops;
}

/* It begins again with folding, or with less: campaign/folding.h. */
static bool is_better_folded_otherwise(const struct worker_shared *s)
{
    const struct fold_shared *f = &s->folding;
    bool hides_client =
        f->news && f->edges && s->config.test[0] && model_is(s->config.memory, MODEL_LANGUAGE);
    return f->found || (s->config.fold && (s->limits & LIMIT_FOLDING || hides_client));
}

void work_explore_graphs(struct work *w, struct explorer *explorer, struct pool *pool)
{
    struct worker_shared *s = w->shared;
    struct share share;
    live_compared = true;
    uint64_t first = rehearse_all(w);
    if (s->limits & LIMIT_SUSPECTED)
        return;
    engine_change_explorer(explorer);
    s->steps = 0;
    bool goes_on = share_join(&share, pool, s, explorer, first);
    live_compared = share.begins && !w->compared;
    while (goes_on) {
        while (goes_on && share_begin(&share)) {
            if (!explore_one(w, explorer, share.begins && !w->compared))
                share_uncount(&share);
            if (share.begins && !explore_graphs_repeats(explorer))
                compare_first(w, first);
            estimate_now_and_then(w, explorer);
            goes_on = share_attend(&share) && !is_better_interleaved(s) && !is_better_folded_otherwise(s) &&
                      !(s->limits & LIMIT_SUSPECTED);
        }
        copy_counts(s, explore_graphs_counts(explorer)); /* alternatives that led nowhere came last */
        goes_on = goes_on && share_wait(&share);
    }
    share_leave(&share);
    divergence_name(s, explorer);
    if (explore_graphs_was_bounded(explorer))
        s->limits |= LIMIT_EXECUTIONS;
    if (explore_graphs_gave_up_symmetry(explorer))
        s->limits |= LIMIT_SYMMETRY;
}

void work_estimate_only(struct work *w)
{
    make_estimator(w, ESTIMATE_FIRST);
    estimate(w, ONLY_ESTIMATE_SECONDS);
}
