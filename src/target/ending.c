/* SPDX-License-Identifier: Apache-2.0 */
#include "target/ending.h"

#include "engine/shared/worker_result.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Texts that the worker's own code prints before it ends (base/check.c, base/memory.c). */
#define BUG_TEXT "plumb: internal error:"
#define MEMORY_TEXT "[PL0001]"

static uint32_t at_most(uint32_t count, uint32_t limit)
{
    return count < limit ? count : limit;
}

static void reverse(struct event *events, struct worker_origin *origins, size_t from, size_t to)
{
    for (; from + 1 < to; from++, to--) {
        struct event e = events[from];
        struct worker_origin o = origins[from];
        events[from] = events[to - 1];
        origins[from] = origins[to - 1];
        events[to - 1] = e;
        origins[to - 1] = o;
    }
}

/* The last events were kept in a ring: its oldest one comes first now. */
static void unroll_events(struct worker_shared *shared)
{
    struct event *ring = shared->events + PROTOCOL_EVENTS_FIRST;
    struct worker_origin *origins = shared->origins + PROTOCOL_EVENTS_FIRST;
    size_t size = PROTOCOL_EVENTS - PROTOCOL_EVENTS_FIRST, oldest = shared->events_lost % size;
    reverse(ring, origins, 0, oldest);
    reverse(ring, origins, oldest, size);
    reverse(ring, origins, 0, size);
}

static void repair_error(struct worker_error *error)
{
    if (error->kind >= WORKER_ERROR_COUNT)
        error->kind = WORKER_ERROR_NONE;
    error->message[sizeof error->message - 1] = 0;
    error->object[sizeof error->object - 1] = 0;
    error->stack_count = at_most(error->stack_count, PROTOCOL_WAITS);
    for (uint32_t i = 0; i < PROTOCOL_WAITS; i++)
        error->stacks[i].count = at_most(error->stacks[i].count, PROTOCOL_STACK);
    error->wait_count = at_most(error->wait_count, PROTOCOL_WAITS);
    error->round_count = at_most(error->round_count, PROTOCOL_ROUNDS);
    for (uint32_t i = 0; i < error->round_count; i++)
        error->rounds[i].count = at_most(error->rounds[i].count, PROTOCOL_ROUND);
}

static void repair_findings(struct worker_shared *shared)
{
    shared->finding_count = at_most(shared->finding_count, PROTOCOL_FINDINGS);
    for (uint32_t i = 0; i < shared->finding_count; i++) {
        struct worker_finding *f = &shared->findings[i];
        repair_error(&f->error);
        f->place_count = at_most(f->place_count, PROTOCOL_PLACES);
        if (f->story > PROTOCOL_STORIES || f->choice_count > PROTOCOL_STORIES - f->story ||
            f->choice_count > PROTOCOL_SCHEDULE)
            f->story = UINT32_MAX;
    }
}

static void repair_calls(struct worker_calls *c)
{
    c->count = at_most(c->count, PROTOCOL_CALLS);
    c->order_count = at_most(c->order_count, c->count);
    for (uint32_t k = 0; k < c->order_count; k++)
        c->order[k] = c->order[k] < c->count ? c->order[k] : 0;
    c->failed = c->failed < c->count ? c->failed : 0;
    c->earlier = c->earlier < c->count ? c->earlier : 0;
    c->clause[sizeof c->clause - 1] = c->values[sizeof c->values - 1] = c->file[sizeof c->file - 1] = 0;
    c->initial[sizeof c->initial - 1] = 0;
    for (uint32_t k = 0; k < c->count; k++)
        c->calls[k].text[sizeof c->calls[k].text - 1] = c->calls[k].state[sizeof c->calls[k].state - 1] = 0;
}

static void repair_annotated(struct worker_annotated *a)
{
    a->interfaces[sizeof a->interfaces - 1] = 0;
    a->pair[0][sizeof a->pair[0] - 1] = a->pair[1][sizeof a->pair[1] - 1] = 0;
}

static void repair_config(struct worker_config *config)
{
    config->schedule_count = at_most(config->schedule_count, PROTOCOL_SCHEDULE);
    config->order_count = at_most(config->order_count, PROTOCOL_ORDERS);
    config->test[sizeof config->test - 1] = 0;
    config->spec[sizeof config->spec - 1] = 0;
    config->quasi[sizeof config->quasi - 1] = 0;
    config->nondet[sizeof config->nondet - 1] = 0;
}

void ending_repair(struct worker_shared *shared)
{
    repair_config(&shared->config);
    shared->event_count = at_most(shared->event_count, PROTOCOL_EVENTS);
    shared->early_count = at_most(shared->early_count, PROTOCOL_EARLY);
    shared->array_count = at_most(shared->array_count, PROTOCOL_ARRAYS);
    shared->choice_count = at_most(shared->choice_count, PROTOCOL_SCHEDULE);
    if (shared->relation_count != shared->event_count || shared->event_count > PROTOCOL_RELATIONS)
        shared->relation_count = 0;
    for (uint32_t i = 0; i < DISPLAYS; i++)
        shared->displays[i].count = at_most(shared->displays[i].count, PROTOCOL_DISPLAY);
    shared->history_length = at_most(shared->history_length, PROTOCOL_HISTORY);
    shared->stuck_length = at_most(shared->stuck_length, sizeof shared->stuck_history);
    shared->module_count = at_most(shared->module_count, sizeof shared->modules / sizeof *shared->modules);
    for (uint32_t i = 0; i < shared->module_count; i++)
        shared->modules[i].path[sizeof shared->modules[i].path - 1] = 0;
    shared->unwritten_count = at_most(shared->unwritten_count, PROTOCOL_UNWRITTEN);
    shared->unseen_count = at_most(shared->unseen_count, PROTOCOL_UNSEEN);
    for (uint32_t i = 0; i < shared->unseen_count; i++) {
        shared->unseen[i].library[sizeof shared->unseen[i].library - 1] = 0;
        shared->unseen[i].function[sizeof shared->unseen[i].function - 1] = 0;
    }
    shared->loops.first_count = at_most(shared->loops.first_count, PROTOCOL_VISITS);
    shared->loops.met_count = at_most(shared->loops.met_count, PROTOCOL_LOOPS);
    repair_error(&shared->error);
    repair_findings(shared);
    repair_annotated(&shared->annotated);
    repair_calls(&shared->calls);
    shared->unsupported[sizeof shared->unsupported - 1] = 0;
    if (shared->state > WORKER_OVERWRITTEN)
        shared->state = WORKER_RUNNING;
    shared->operations[sizeof shared->operations - 1] = 0;
    shared->unpredictable[sizeof shared->unpredictable - 1] = 0;
    shared->unpredictable_by[sizeof shared->unpredictable_by - 1] = 0;
    shared->clock_function[sizeof shared->clock_function - 1] = 0;
    shared->judges[sizeof shared->judges - 1] = 0;
    shared->judged_by[sizeof shared->judged_by - 1] = 0;
    if (shared->event_count < PROTOCOL_EVENTS)
        shared->events_lost = 0;
    else
        unroll_events(shared);
}

void target_signal_name(int number, char *buffer, size_t size)
{
    const char *name = sigabbrev_np(number);
    if (name)
        snprintf(buffer, size, "SIG%s", name);
    else
        snprintf(buffer, size, "SIG%d", number);
}

static const char *phase_text(enum worker_state state)
{
    switch (state) {
    case WORKER_STARTING:
    case WORKER_PREPARING: return " before main";
    case WORKER_SETUP: return " in the set-up";
    default: return "";
    }
}

static void say(struct target_end *end, enum target_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(struct target_end *end, enum target_outcome outcome, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(end->message, sizeof end->message, format, args);
    va_end(args);
    end->outcome = outcome;
}

/* An error of the program that the worker itself could not describe. */
static void find(struct target_end *end, struct worker_shared *shared, enum worker_error_kind kind)
{
    end->outcome = TARGET_FOUND;
    if (shared->error.kind == WORKER_ERROR_NONE) {
        shared->error.kind = kind;
        shared->error.phase = end->state;
        snprintf(shared->error.message, sizeof shared->error.message, "%s", end->message);
    }
}

/* Signals that somebody else sends; everything else the program does to itself. */
static bool is_from_outside(int number)
{
    return number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP;
}

static void judge_signal(struct target_end *end, struct worker_shared *shared)
{
    char name[32];
    target_signal_name(end->signal, name, sizeof name);
    const char *phase = phase_text(end->state);
    if (is_from_outside(end->signal))
        say(end, TARGET_LOST, "the program was killed from outside by signal %d (%s)%s", end->signal, name,
            end->signal == SIGKILL ? ", perhaps because the system had no memory left" : "");
    else if (end->state == WORKER_JUDGING && *shared->config.spec_library)
        say(end, TARGET_REFUSED, "the specification crashed: %s", name);
    else if (end->state == WORKER_JUDGING || end->state == WORKER_DONE)
        say(end, TARGET_BROKEN, "the runtime was killed by signal %d (%s)", end->signal, name);
    else {
        say(end, TARGET_FOUND, "the program was killed by signal %d (%s)%s", end->signal, name, phase);
        find(end, shared, WORKER_ERROR_CRASH);
    }
}

/* Says a worker of its own accord, with a valid signature, what cannot be? */
static bool is_impossible(const struct worker_shared *s)
{
    const struct worker_config *c = &s->config;
    bool runs_all = c->mode == WORKER_RANDOM || c->mode == WORKER_PCT;
    const struct fold_shared *f = &s->folding;
    bool begins_again = f->found || (f->news && f->edges); /* with folding, or with less */
    bool may_run_none = c->list || c->serial == SERIAL_ALL || *c->serials_out || c->pool_size ||
                        begins_again || c->estimates == ESTIMATES_ONLY ||
                        s->limits & ~(uint32_t)LIMITS_NAMED_ONLY;
    uint64_t least = runs_all ? c->runs : 1;
    return s->complete + s->blocked > s->executions || (!may_run_none && s->executions < least);
}

static void judge_finished(struct target_end *end, const struct worker_shared *shared)
{
    end->outcome = TARGET_FINISHED;
    if (is_impossible(shared))
        say(end, TARGET_BROKEN, "the runtime has counted %" PRIu64 " executions, which cannot be",
            (uint64_t)shared->executions);
}

static void judge_exit(struct target_end *end, struct worker_shared *shared)
{
    if (end->state == WORKER_DONE && end->exit_code == 0)
        judge_finished(end, shared);
    else if (end->state == WORKER_JUDGING && *shared->config.spec_library)
        say(end, TARGET_REFUSED, "the specification ended the process, with exit code %d", end->exit_code);
    else if (end->state == WORKER_DONE || end->state == WORKER_JUDGING)
        say(end, TARGET_BROKEN, "the runtime ended with exit code %d", end->exit_code);
    else if (end->state == WORKER_STARTING)
        say(end, TARGET_REFUSED, "the program ended with exit code %d before the runtime took over",
            end->exit_code);
    else if (end->exit_code == 0)
        say(end, TARGET_UNSEEN, "the program ended itself%s, past exit(), where the runtime cannot stop it",
            *phase_text(end->state) ? phase_text(end->state) : " in the middle of an execution");
    else {
        say(end, TARGET_FOUND, "the program ended with exit code %d%s", end->exit_code,
            phase_text(end->state));
        find(end, shared, WORKER_ERROR_EXIT);
    }
}

/* The worker's own last words. */
static bool judge_state(struct target_end *end, const struct worker_shared *shared)
{
    if (end->state == WORKER_REFUSED)
        say(end, TARGET_REFUSED, "%.*s", (int)sizeof end->message - 1, shared->error.message);
    else if (end->state == WORKER_GAVE_UP)
        say(end, TARGET_STUCK, "%.*s", (int)sizeof end->message - 1, shared->error.message);
    else if (end->state == WORKER_OVERWRITTEN)
        say(end, TARGET_UNSEEN, "%.*s", (int)sizeof end->message - 1, shared->error.message);
    else if (end->state == WORKER_FOUND && shared->error.kind != WORKER_ERROR_NONE)
        say(end, TARGET_FOUND, "%.*s", (int)sizeof end->message - 1, shared->error.message);
    else if (end->state == WORKER_FOUND)
        say(end, TARGET_BROKEN, "the runtime stopped at an error and did not say which");
    else
        return false;
    return true;
}

static void judge_kill(struct target_end *end, const struct worker_shared *shared, enum ending_cause cause)
{
    if (end->state == WORKER_DONE)
        judge_finished(end, shared);
    else if (cause == ENDING_STOPPED)
        end->outcome = TARGET_STOPPED;
    else if (end->state == WORKER_JUDGING)
        say(end, TARGET_STUCK, "the verdict on one execution took too long");
    else if (end->state == WORKER_STARTING)
        say(end, TARGET_STUCK, "the program made no progress before the runtime took over");
    else
        say(end, TARGET_STUCK, "the program made no progress%s", phase_text(end->state));
}

static bool printed(const struct ending_facts *facts, const char *text)
{
    return facts->exit_code > 0 && memmem(facts->output, facts->output_length, text, strlen(text));
}

/* Which of its checks failed is what a report of the bug needs. */
static void judge_bug(struct target_end *end, const struct ending_facts *facts)
{
    const char *text = memmem(facts->output, facts->output_length, BUG_TEXT, strlen(BUG_TEXT));
    const char *from = text + strlen(BUG_TEXT);
    size_t rest = facts->output_length - (size_t)(from - facts->output);
    const char *code = memmem(from, rest, " [PL", strlen(" [PL"));
    say(end, TARGET_BROKEN, "the runtime met a bug of its own:%.*s",
        (int)(code ? (size_t)(code - from) : rest), from);
}

/* A program may set what its worker says, end the process itself, or write over both by accident. */
static const char *find_forgery(struct worker_shared *shared, const struct ending_facts *facts)
{
    bool is_as_asked = worker_result_restore_config(shared, facts->asked);
    if (!worker_result_is_final(shared->state))
        return NULL;
    return !is_as_asked ? "the program wrote over memory of the runtime: what was to be run"
           : !worker_result_is_signed(shared, facts->key)
               ? "the program wrote over memory of the runtime: its result has no valid signature"
               : NULL;
}

struct target_end ending_judge(struct worker_shared *shared, const struct ending_facts *facts)
{
    const char *forgery = find_forgery(shared, facts);
    ending_repair(shared);
    struct target_end end = {.state = shared->state, .exit_code = facts->exit_code, .signal = facts->signal};
    if (printed(facts, BUG_TEXT))
        judge_bug(&end, facts);
    else if (printed(facts, MEMORY_TEXT))
        say(&end, TARGET_LOST, "the system has no memory left");
    else if (forgery)
        say(&end, TARGET_UNSEEN, "%s", forgery);
    else if (judge_state(&end, shared))
        return end;
    else if (facts->cause != ENDING_ITSELF && end.signal)
        judge_kill(&end, shared, facts->cause);
    else if (end.signal)
        judge_signal(&end, shared);
    else
        judge_exit(&end, shared);
    return end;
}
