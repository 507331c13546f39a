/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/bounding.h"

#include "base/budget.h"
#include "base/interruption.h"
#include "base/memory.h"
#include "base/text.h"
#include "explain/program/explain_error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ which bound comes next */

enum { LOOPS_FIRST = 1, LOOPS_MOST = 1 << 15, RETURNS_MOST = 16 };

/* Bounds of so many rounds come before an attempt that goes on behind them: with so many free rounds, and then so many more,
 * which is more than people let their threads spin. */
enum { STICKY_AFTER = 2, STICKY_FREE = 2, STICKY_ROUNDS = 1 << 14 };

static const double SECONDS_USUAL = 2, TIME_LEAST = 0.05;

/* With these an exploration does not cover what its bound says. */
static const uint32_t LIMITS_PARTIAL =
    LIMIT_STEPS | LIMIT_UNSUPPORTED | LIMIT_EXECUTIONS | LIMIT_NONDETERMINISM | LIMIT_MIXED_SIZE;

void bounding_begin(struct bounding *b, const struct worker_shared *suspected, double seconds,
                    enum bounding_end end)
{
    *b = (struct bounding){.first = suspected->loops,
                           .loops = LOOPS_FIRST,
                           .returns = 1,
                           .started = base_now(),
                           .seconds = seconds,
                           .end = end};
}

static double sticky_seconds(const struct bounding *b)
{
    return b->seconds / (b->end == BOUNDING_HARD ? 4 : 2);
}

/* What is left for bounds. */
static double time_left(const struct bounding *b)
{
    double kept = b->end == BOUNDING_HARD && !b->was_sticky ? sticky_seconds(b) : 0;
    return b->started + b->seconds - kept - base_now();
}

/* Each takes at least twice as long as the one before it. */
static bool goes_deeper(const struct bounding *b)
{
    bool more = (b->met & LIMIT_LOOPS && b->loops < LOOPS_MOST) ||
                (b->met & LIMIT_RETURNS && b->returns < RETURNS_MOST);
    return more && 2 * b->last_seconds < time_left(b);
}

/* One more, up to four, which decide nearly all; then 6, 8, 12, 16. */
static uint32_t more_returns(uint32_t returns)
{
    return returns + (returns < 4 ? 1 : returns < 8 ? 2 : 4);
}

static void deepen(struct bounding *b)
{
    b->loops *= b->met & LIMIT_LOOPS ? 2 : 1;
    b->returns = b->met & LIMIT_RETURNS && b->returns < RETURNS_MOST ? more_returns(b->returns) : b->returns;
}

/* Only an error in it is an answer. */
static enum bounding_answer after_sticky(struct bounding *b, const struct bounding_facts *f)
{
    b->sticky = false;
    b->was_sticky = true;
    if (b->end != BOUNDING_HARD)
        b->started += f->seconds;
    if (f->found)
        return BOUNDING_TAKE;
    if (!b->has_done && b->end == BOUNDING_OPEN) { /* the same once more, to its end */
        b->started = base_now();
        return BOUNDING_PASS;
    }
    if (!goes_deeper(b))
        return BOUNDING_BEFORE;
    deepen(b);
    return BOUNDING_PASS;
}

enum bounding_answer bounding_next(struct bounding *b, const struct bounding_facts *f)
{
    if (b->sticky)
        return after_sticky(b, f);
    bool is_whole = !f->stopped && !(f->limits & LIMITS_PARTIAL), had_done = b->has_done;
    if (f->decided)
        return BOUNDING_TAKE;
    b->has_done |= is_whole;
    b->met = is_whole ? f->limits & (LIMIT_LOOPS | LIMIT_RETURNS) : 0;
    b->last_seconds = f->seconds;
    bool deeper = goes_deeper(b);
    b->sticky = !b->was_sticky && (f->stopped || (b->met && (b->loops >= STICKY_AFTER || !deeper)));
    if (!is_whole && had_done)
        return b->sticky ? BOUNDING_PASS : BOUNDING_BEFORE;
    if (!b->sticky && !deeper)
        return BOUNDING_TAKE;
    if (!b->sticky)
        deepen(b);
    return BOUNDING_DEEPER;
}

double bounding_time(const struct bounding *b)
{
    if (!b->has_done && b->end == BOUNDING_OPEN && b->was_sticky)
        return 0;
    double left = b->sticky ? sticky_seconds(b) : time_left(b);
    return left > TIME_LEAST ? left : TIME_LEAST;
}

void bounding_plan(const struct bounding *b, struct target_run *run)
{
    run->config.loops = b->sticky ? STICKY_FREE : b->loops;
    run->config.sticky = b->sticky ? STICKY_ROUNDS : 0;
    run->config.returns = b->sticky ? 0 : b->returns; /* no certificate is asked for */
    run->config.symmetry = b->sticky ? SYMMETRY_NOT : run->config.symmetry;
    run->config.first_known = true;
    run->config.suspects = false;
    run->loops = &b->first;
}

bool bounding_is_possible(const struct campaign_options *o)
{
    return o->mode == WORKER_GRAPH && !o->loops && !campaign_is_kept(o) && !o->count && !o->count_histories &&
           !o->compare && !o->report_weak;
}

/* ------------------------------------------------------------------ all of them */

enum { WORKERS_MOST = 64 };

struct attempt {
    struct target_worker *workers[WORKERS_MOST];
    struct campaign_result result;
};

static void free_workers(struct target_worker **workers, uint64_t jobs)
{
    for (uint64_t k = 0; k < jobs; k++) {
        target_free(workers[k]);
        workers[k] = NULL;
    }
}

static void note_phase(struct campaign_bounds *history, const struct bounding *b,
                       const struct campaign_result *r, const struct bounding_facts *f)
{
    if (history->phase_count == BOUNDS_PHASES)
        return;
    history->phases[history->phase_count++] =
        (struct bounds_phase){.loops = b->loops,
                              .returns = b->returns,
                              .executions = r->executions,
                              .blocked = r->blocked,
                              .seconds = f->seconds,
                              .whole = !f->decided && !f->stopped && !(f->limits & LIMITS_PARTIAL)};
}

static struct bounding_facts facts_of(const struct campaign_result *r, double seconds)
{
    bool found = r->found || r->failing;
    return (struct bounding_facts){.found = found,
                                   .decided = r->found || r->failed || r->judging_was_stuck,
                                   .stopped = r->timed_out,
                                   .limits = r->limits,
                                   .seconds = seconds};
}

struct phases {
    const struct target_program *program;
    struct campaign_options options;
    struct bounding next;
    struct campaign_bounds history;
    struct attempt now;
    /* The answer so far. */
    struct target_worker **workers;
    struct campaign_result *result;
};

static void take(struct phases *p)
{
    free_workers(p->workers, p->options.jobs);
    memcpy(p->workers, p->now.workers, p->options.jobs * sizeof *p->workers);
    *p->result = p->now.result;
}

static bool run_one(struct phases *p, enum bounding_answer *answer, struct diagnostic *why)
{
    double start = base_now();
    memset(p->now.workers, 0, sizeof p->now.workers);
    p->options.time = bounding_time(&p->next);
    if (!campaign_run_once(p->program, &p->options, p->now.workers, &p->now.result, why)) {
        free_workers(p->now.workers, p->options.jobs);
        return false;
    }
    for (unsigned k = 0; k < GRAPHS_PLACES; k++)
        p->next.first.used_places[k] |= p->now.result.bounds.known_places[k];
    struct bounding_facts facts = facts_of(&p->now.result, base_now() - start);
    if (!p->next.sticky)
        note_phase(&p->history, &p->next, &p->now.result, &facts);
    *answer = bounding_next(&p->next, &facts);
    if (*answer == BOUNDING_TAKE || *answer == BOUNDING_DEEPER)
        take(p);
    else
        free_workers(p->now.workers, p->options.jobs);
    return true;
}

static bool run_phases(struct phases *p, struct diagnostic *why)
{
    enum bounding_answer answer = BOUNDING_DEEPER;
    bool fine = true;
    while (fine && !interruption_came() && (answer == BOUNDING_DEEPER || answer == BOUNDING_PASS))
        fine = run_one(p, &answer, why);
    return fine;
}

bool bounding_run(const struct target_program *program, const struct campaign_options *options,
                  double seconds_left, struct target_worker **workers, struct campaign_result *result,
                  struct diagnostic *why)
{
    struct phases *p = NEW_ZEROED(struct phases, 1);
    const struct worker_shared *s = result->suspected;
    char *place = code_place(s, s->loops.suspect.pc);
    *p = (struct phases){.program = program, .options = *options, .workers = workers, .result = result};
    bounding_begin(&p->next, s, options->time > 0 ? seconds_left : SECONDS_USUAL,
                   options->time > 0 ? BOUNDING_HARD : BOUNDING_OPEN);
    p->options.bounding = &p->next;
    p->options.loop_place = place;
    p->options.estimate = p->options.estimate_error = 0;
    bool fine = run_phases(p, why);
    memcpy(result->bounds.phases, p->history.phases, sizeof p->history.phases);
    result->bounds.phase_count = p->history.phase_count;
    free(place);
    free(p);
    return fine;
}
