/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule consists of turns: what a thread does before another one goes on. Two turns of a thread are made one, by
 * moving the later one forward or the earlier one back, or a turn is put off to the end, and the program is run
 * with that; what is not possible is left out. It counts if it ends with the same error and has fewer switches, or as many and
 * fewer steps; then it goes on from the schedule that was really run. */
#include "campaign/shrink/shrink_schedule.h"

#include "base/budget.h"
#include "base/interruption.h"
#include "base/memory.h"
#include "base/vec.h"
#include "campaign/campaign_run.h"

#include <string.h>

/* Executions, and steps in all of them. */
enum { TRIES_MOST = 400, STEPS_MOST = 4000000 };

struct turn {
    uint32_t from, to; /* in the schedule */
    uint16_t thread;
};

typedef VEC(struct turn) turn_list;

struct shrinking {
    const struct target_program *program;
    const struct worker_shared *first;
    struct target_worker *best; /* null: the first one */
    struct schedule_step *plan;
    uint32_t plan_count;
    turn_list turns;
    double deadline;
    uint64_t steps;
    unsigned tries;
};

static const struct worker_shared *best_of(const struct shrinking *s)
{
    return s->best ? target_shared(s->best) : s->first;
}

static uint32_t count_switches(const struct worker_shared *s)
{
    uint32_t count = 0;
    for (uint32_t k = 1; k < s->event_count; k++)
        count += s->events[k].thread != s->events[k - 1].thread;
    return count;
}

/* Choices of the program itself belong to the turn that they are in. */
static void find_turns(struct shrinking *s)
{
    const struct worker_shared *best = best_of(s);
    s->turns.len = 0;
    for (uint32_t k = 0; k < best->choice_count; k++) {
        const struct schedule_step *step = &best->schedule[k];
        struct turn *last = s->turns.len ? &s->turns.data[s->turns.len - 1] : NULL,
                    turn = {k, k + 1, step->answer};
        if (last && (step->kind != SCHEDULE_THREAD || step->answer == last->thread))
            last->to = k + 1;
        else
            vec_push(&s->turns, turn);
    }
}

/* ------------------------------------------------------------------ one try */

/* A history is judged as a whole: it is not to be the same one. */
static bool is_same_error(const struct worker_shared *a, const struct worker_shared *b)
{
    if (a->error.kind != b->error.kind || a->error.phase != b->error.phase)
        return false;
    bool anywhere = a->error.kind == WORKER_ERROR_NOT_LINEARIZABLE || a->error.kind == WORKER_ERROR_DEADLOCK;
    const struct worker_stack *sa = &a->error.stacks[0], *sb = &b->error.stacks[0];
    return anywhere || (sa->count && sb->count ? sa->pcs[0] == sb->pcs[0] : sa->count == sb->count);
}

static bool is_better(const struct worker_shared *a, const struct worker_shared *b)
{
    uint32_t x = count_switches(a), y = count_switches(b);
    return x < y || (x == y && a->event_count < b->event_count);
}

static bool may_try(const struct shrinking *s)
{
    return s->tries < TRIES_MOST && s->steps < STEPS_MOST && !interruption_came() &&
           !(s->deadline > 0 && base_now() > s->deadline);
}

/* Runs the plan. True: it is the best one now. */
static bool try_plan(struct shrinking *s)
{
    struct diagnostic ignored = {0};
    struct target_run *run = NEW(struct target_run);
    struct target_watch watch = {.stall_seconds = campaign_stall_seconds(&s->first->config)};
    *run = target_replay_of(s->first);
    run->config.mode = WORKER_GUIDED;
    run->config.expected_hash = 0;
    run->schedule = s->plan;
    run->schedule_count = s->plan_count;
    struct target_worker *worker = target_start(s->program, run, &ignored);
    free(run);
    s->tries++;
    if (!worker)
        return false;
    target_wait(&worker, 1, &watch);
    const struct worker_shared *found = target_shared(worker);
    s->steps += found->steps;
    bool better = target_end_of(worker)->outcome == TARGET_FOUND && !found->choices_lost &&
                  !found->events_lost && is_same_error(s->first, found) && is_better(found, best_of(s));
    struct target_worker *old = better ? s->best : worker;
    if (better)
        s->best = worker;
    target_free(old);
    return better;
}

/* ------------------------------------------------------------------ plans */

static void add_turn(struct shrinking *s, size_t number)
{
    const struct turn *t = &s->turns.data[number];
    memcpy(s->plan + s->plan_count, best_of(s)->schedule + t->from, (t->to - t->from) * sizeof *s->plan);
    s->plan_count += t->to - t->from;
}

static void add_turns(struct shrinking *s, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++)
        add_turn(s, k);
}

/* Turn `which` comes right before turn `before`, which may be the number of all turns. */
static bool try_move(struct shrinking *s, size_t which, size_t before)
{
    size_t all = s->turns.len;
    s->plan_count = 0;
    add_turns(s, 0, before < which ? before : which);
    if (before < which) {
        add_turn(s, which);
        add_turns(s, before, which);
        add_turns(s, which + 1, all);
    } else {
        add_turns(s, which + 1, before);
        add_turn(s, which);
        add_turns(s, before, all);
    }
    return may_try(s) && try_plan(s);
}

static bool shrink_at(struct shrinking *s, size_t k)
{
    size_t next = k + 1;
    while (next < s->turns.len && s->turns.data[next].thread != s->turns.data[k].thread)
        next++;
    bool again = next < s->turns.len;
    return (again && (try_move(s, next, k + 1) || try_move(s, k, next))) || try_move(s, k, s->turns.len);
}

static bool shrink_once(struct shrinking *s)
{
    bool progress = false;
    find_turns(s);
    for (size_t k = 0; k < s->turns.len && may_try(s);) {
        if (shrink_at(s, k)) {
            progress = true;
            find_turns(s);
        } else {
            k++;
        }
    }
    return progress;
}

struct shrunk_schedule shrink_schedule(const struct target_program *program,
                                       const struct target_worker *found, double deadline)
{
    struct shrinking s = {.program = program, .first = target_shared(found), .deadline = deadline};
    struct shrunk_schedule out = {0};
    if (s.first->choices_lost || s.first->events_lost)
        return out;
    s.plan = NEW_ARRAY(struct schedule_step, PROTOCOL_SCHEDULE);
    while (shrink_once(&s))
        ;
    out.worker = s.best;
    out.from = count_switches(s.first);
    out.to = count_switches(best_of(&s));
    free(s.plan);
    vec_free(&s.turns);
    return out;
}
