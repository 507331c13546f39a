/* SPDX-License-Identifier: Apache-2.0 */
#include "target/confirm.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ comparing events */

/* Were the programs loaded to different addresses? Some systems do not let us forbid that. */
static bool were_moved(const struct worker_shared *a, const struct worker_shared *b)
{
    for (uint32_t i = 0; i < a->module_count && i < b->module_count; i++)
        if (a->modules[i].base != b->modules[i].base)
            return true;
    return false;
}

/* The same for the same place in the code, wherever it was loaded. */
static uint64_t relative_pc(const struct worker_shared *s, uint64_t pc)
{
    uint64_t base = 0;
    for (uint32_t i = 0; i < s->module_count; i++)
        if (s->modules[i].base <= pc && s->modules[i].base > base)
            base = s->modules[i].base;
    return pc - base;
}

/* The events of one trace that count, up to the first that was not kept. */
struct reader {
    const struct worker_shared *shared;
    uint32_t at, end;
};

static struct reader read_from_start(const struct worker_shared *s)
{
    return (struct reader){s, 0, s->events_lost ? PROTOCOL_EVENTS_FIRST : s->event_count};
}

static const struct event *read_next(struct reader *r)
{
    while (r->at < r->end) {
        const struct event *e = &r->shared->events[r->at++];
        if (e->kind != EVENT_PLAIN_READ && e->kind != EVENT_PLAIN_WRITE)
            return e;
    }
    return NULL;
}

/* What a write overwrites depends on the order in which steps are displayed. Addresses and values mean nothing when the programs were loaded to different places. */
static bool is_same_event(const struct reader *ra, const struct event *a, const struct reader *rb,
                          const struct event *b, bool moved)
{
    if (a->thread != b->thread || a->kind != b->kind || a->order != b->order || a->size != b->size)
        return false;
    if (moved)
        return relative_pc(ra->shared, a->pc) == relative_pc(rb->shared, b->pc);
    return a->pc == b->pc && a->address == b->address && a->value == b->value &&
           (a->before == b->before || a->kind == EVENT_WRITE);
}

static bool say_step(char *message, size_t room, const char *what, size_t step)
{
    snprintf(message, room, "%s step %zu", what, step);
    return false;
}

/* Compares what both traces kept. False: *message names the first step that differs. */
static bool has_same_events(const struct worker_shared *found, const struct worker_shared *again, bool moved,
                            char *message, size_t room)
{
    struct reader a = read_from_start(found), b = read_from_start(again);
    for (size_t step = 1;; step++) {
        const struct event *ea = read_next(&a), *eb = read_next(&b);
        if ((!ea && found->events_lost) || (!eb && again->events_lost) || (!ea && !eb))
            return true;
        if (!ea)
            return say_step(message, room, "went on after", step - 1);
        if (!eb)
            return say_step(message, room, "ended after", step - 1);
        if (!is_same_event(&a, ea, &b, eb, moved))
            return say_step(message, room, "differed at", step);
    }
}

static const struct event *read_next_of(struct reader *r, uint32_t thread)
{
    const struct event *e;
    do {
        e = read_next(r);
    } while (e && e->thread != thread);
    return e;
}

/* Did the thread do the same in both, or, as far as `ordered` goes, when that may be shorter? */
static bool is_same_thread(const struct worker_shared *found, const struct worker_shared *ordered,
                           uint32_t thread, bool moved, bool may_be_shorter)
{
    struct reader a = read_from_start(found), b = read_from_start(ordered);
    for (;;) {
        const struct event *ea = read_next_of(&a, thread), *eb = read_next_of(&b, thread);
        if (!eb)
            return !ea || may_be_shorter;
        if (!ea || !is_same_event(&a, ea, &b, eb, moved))
            return false;
    }
}

/* ------------------------------------------------------------------ comparing ends */

static const char *const error_texts[] = {
#define X(name, word, text) [WORKER_ERROR_##name] = text,
    WORKER_ERRORS(X)
#undef X
};

static bool has_same_history(const struct worker_shared *a, const struct worker_shared *b)
{
    return a->history_length == b->history_length && memcmp(a->history, b->history, a->history_length) == 0 &&
           strcmp(a->judged_by, b->judged_by) == 0;
}

/* Is it the same condition or rule that fails, of the same calls? */
static bool has_same_calls(const struct worker_shared *a, const struct worker_shared *b)
{
    const struct worker_calls *x = &a->calls, *y = &b->calls;
    return x->count == y->count && x->line == y->line && x->column == y->column &&
           strcmp(x->file, y->file) == 0 &&
           (!x->count || (x->failed == y->failed && strcmp(x->clause, y->clause) == 0));
}

bool confirm_same_execution(const struct worker_shared *found, const struct worker_shared *again,
                            char *message, size_t room)
{
    bool moved = were_moved(found, again);
    if (moved || found->event_hash != again->event_hash) {
        if (!has_same_events(found, again, moved, message, room))
            return false;
        if (!moved)
            return say_step(message, room, "differed somewhere after", PROTOCOL_EVENTS_FIRST);
    }
    if (again->error.kind == WORKER_ERROR_NONE)
        snprintf(message, room, "ended without an error");
    else if (again->error.kind != found->error.kind)
        snprintf(message, room, "ended with another error: %s", error_texts[again->error.kind]);
    else if (!has_same_history(found, again))
        snprintf(message, room, "had the same events and another history");
    else if (!has_same_calls(found, again))
        snprintf(message, room, "had the same events, but something else of the specification does not hold");
    else
        return true;
    return false;
}

/* ------------------------------------------------------------------ running it again */

static struct target_run *plan_replay(const struct worker_shared *found)
{
    struct target_run *run = NEW(struct target_run);
    *run = target_replay_of(found);
    run->config.all_events = found->error.address != 0;
    run->config.watched = found->error.address;
    return run;
}

/* False: it did not come to an end that can be compared; `out` says so. */
static bool run_again(const struct target_program *program, const struct target_run *run,
                      const struct target_watch *watch, struct confirmation *out)
{
    struct diagnostic why = {0};
    out->again = target_start(program, run, &why);
    if (!out->again) {
        snprintf(out->message, sizeof out->message, "could not start: %.200s", why.message);
        return false;
    }
    target_wait(&out->again, 1, watch);
    const struct target_end *end = target_end_of(out->again);
    if (end->outcome == TARGET_FOUND || end->outcome == TARGET_FINISHED)
        return true;
    snprintf(out->message, sizeof out->message, "came to another end: %.280s",
             *end->message ? end->message : "it was stopped");
    if (end->outcome == TARGET_BROKEN)
        out->answer = CONFIRM_BROKEN;
    else
        out->answer = end->outcome == TARGET_REFUSED ? CONFIRM_DIFFERS : CONFIRM_NOT_POSSIBLE;
    return false;
}

void confirm_error(const struct target_program *program, const struct target_worker *found,
                   const struct target_watch *watch, struct confirmation *out)
{
    const struct worker_shared *shared = target_shared(found);
    *out = (struct confirmation){.answer = CONFIRM_NOT_POSSIBLE};
    if (shared->choices_lost) {
        snprintf(out->message, sizeof out->message, "would need more than the %d choices that are kept",
                 PROTOCOL_SCHEDULE);
        return;
    }
    struct target_run *run = plan_replay(shared);
    if (run_again(program, run, watch, out))
        out->answer =
            confirm_same_execution(shared, target_shared(out->again), out->message, sizeof out->message)
                ? CONFIRM_SAME
                : CONFIRM_DIFFERS;
    free(run);
}

void confirm_stuck(const struct target_program *program, const struct target_worker *found,
                   const struct target_watch *watch, struct confirmation *out)
{
    enum { STEPS = 2000 };
    struct confirmation beyond = {.answer = CONFIRM_NOT_POSSIBLE};
    struct target_run *run = plan_replay(target_shared(found));
    uint32_t kind = target_shared(found)->error.kind;
    run->config.beyond = STEPS;
    if (run->config.step_limit < UINT32_MAX / 2) /* they are no part of the execution that has the limit */
        run->config.step_limit += 2 * STEPS;
    run->config.expected_hash = 0;
    bool ended = run_again(program, run, watch, &beyond);
    if (ended && target_shared(beyond.again)->error.kind != kind) {
        beyond.answer = CONFIRM_NOT_POSSIBLE;
        snprintf(beyond.message, sizeof beyond.message, "went on: a thread that seemed to be stuck ended");
    } else if (ended)
        beyond.answer = CONFIRM_SAME;
    if (beyond.answer != CONFIRM_SAME) {
        out->answer = beyond.answer;
        memcpy(out->message, beyond.message, sizeof out->message);
    }
    target_free(beyond.again);
    free(run);
}

static bool is_same_code(const struct worker_shared *a, const struct worker_stack *sa,
                         const struct worker_shared *b, const struct worker_stack *sb)
{
    if (sa->count == 0 || sb->count == 0)
        return sa->count == sb->count;
    return sa->thread == sb->thread && relative_pc(a, sa->pcs[0]) == relative_pc(b, sb->pcs[0]);
}

/* Its events are not kept: where programs are loaded to other addresses each time, the place has to do. */
static bool is_same_finding(const struct worker_shared *from, const struct worker_finding *f,
                            const struct worker_shared *again, char *message, size_t room)
{
    const struct worker_stack *before = &f->error.stacks[0], *now = &again->error.stacks[0];
    if (again->error.kind == WORKER_ERROR_NONE)
        snprintf(message, room, "ended without an error");
    else if (again->error.kind != f->error.kind)
        snprintf(message, room, "ended with another error: %s", error_texts[again->error.kind]);
    else if (!were_moved(from, again) && f->event_hash != again->event_hash)
        snprintf(message, room, "took other steps to the same error");
    else if (!is_same_code(from, before, again, now))
        snprintf(message, room, "ended with the same error at another place");
    else
        return true;
    return false;
}

static struct target_run *plan_finding(const struct worker_shared *from, const struct worker_finding *f)
{
    struct target_run *run = plan_replay(from);
    run->schedule = from->stories + f->story;
    run->schedule_count = f->choice_count;
    run->config.errors_passed = f->errors_passed;
    run->config.expected_hash = f->event_hash;
    run->config.all_events = f->error.address != 0;
    run->config.watched = f->error.address;
    if (run->config.races && f->error.kind == WORKER_ERROR_RACE)
        run->config.race = (struct worker_race){{f->error.stacks[0].pcs[0] - from->modules[0].base,
                                                 f->error.stacks[1].pcs[0] - from->modules[0].base},
                                                f->error.address};
    return run;
}

void confirm_finding(const struct target_program *program, const struct target_worker *worker,
                     const struct worker_finding *f, const struct target_watch *watch,
                     struct confirmation *out)
{
    const struct worker_shared *from = target_shared(worker);
    *out = (struct confirmation){.answer = CONFIRM_NOT_POSSIBLE};
    if (f->story == UINT32_MAX) {
        snprintf(out->message, sizeof out->message, "would need more choices than are kept");
        return;
    }
    struct target_run *run = plan_finding(from, f);
    if (run_again(program, run, watch, out))
        out->answer = is_same_finding(from, f, target_shared(out->again), out->message, sizeof out->message)
                          ? CONFIRM_SAME
                          : CONFIRM_DIFFERS;
    free(run);
}

/* ------------------------------------------------------------------ in another order, for display */

static bool is_same_story(const struct worker_shared *found, const struct worker_shared *ordered,
                          unsigned display)
{
    bool moved = were_moved(found, ordered);
    if (ordered->error.kind != found->error.kind || ordered->error.phase != found->error.phase ||
        !is_same_code(found, &found->error.stacks[0], ordered, &ordered->error.stacks[0]) ||
        !has_same_history(found, ordered) || ordered->events_lost || !ordered->relation_count)
        return false;
    uint32_t guilty = found->error.stacks[0].thread;
    for (uint32_t t = 0; t < found->thread_count || t < ordered->thread_count; t++)
        if (!is_same_thread(found, ordered, t, moved, display == DISPLAY_CAUSES && t != guilty))
            return false;
    return true;
}

struct target_worker *confirm_for_display(const struct target_program *program,
                                          const struct target_worker *again, unsigned display,
                                          const struct target_watch *watch)
{
    const struct worker_shared *shared = target_shared(again);
    struct diagnostic why = {0};
    if (!shared->displays[display].count || shared->events_lost)
        return NULL;
    struct target_run *run = plan_replay(shared);
    run->schedule = shared->displays[display].schedule;
    run->schedule_count = shared->displays[display].count;
    run->config.expected_hash = 0;
    if (display == DISPLAY_CAUSES)
        run->config.errors_passed = 0; /* those of other threads are not needed */
    struct target_worker *ordered = target_start(program, run, &why);
    free(run);
    if (!ordered)
        return NULL;
    target_wait(&ordered, 1, watch);
    if (target_end_of(ordered)->outcome == TARGET_FOUND &&
        is_same_story(shared, target_shared(ordered), display))
        return ordered;
    target_free(ordered);
    return NULL;
}
