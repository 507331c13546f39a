/* SPDX-License-Identifier: Apache-2.0 */
/* event, latch and barrier: threads that wait for what others do. An
 * operation that has to wait has no outcome. */
#include "spec/builtin/builtin.h"

#include <stdio.h>

enum { EVENT_SET, EVENT_RESET, EVENT_WAIT, EVENT_IS_SET };

static const struct plumb_operation event_operations[] = {
    [EVENT_SET] = {"set", "", "k", false, PLUMB_NO_ROLE, NULL},
    [EVENT_RESET] = {"reset", "", "k", false, PLUMB_NO_ROLE, NULL},
    [EVENT_WAIT] = {"wait", "", "k", true, PLUMB_NO_ROLE, NULL},
    [EVENT_IS_SET] = {"is_set", "", "b", true, PLUMB_NO_ROLE, NULL},
};

static void *event_init(const struct plumb_spec_options *options)
{
    return cell_create(options, 0, 0);
}

static bool event_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct cell *c = state;
    plumb_value answer = call->op == EVENT_IS_SET ? plumb_bool(c->word) : PLUMB_OK;
    if (choice || (call->op == EVENT_WAIT && !c->word) || !spec_answer(call, answer, result))
        return false;
    if (call->op == EVENT_SET || call->op == EVENT_RESET)
        c->word = call->op == EVENT_SET;
    return true;
}

static size_t event_print(const void *state, char *buffer, size_t size)
{
    return (size_t)snprintf(buffer, size, "%s", ((const struct cell *)state)->word ? "set" : "not set");
}

const struct plumb_spec spec_event = {
    .name = "event",
    .summary = "set and reset by hand",
    SPEC_OPERATIONS(event_operations),
    .init = event_init,
    CELL_STATE,
    .step = event_step,
    .print = event_print,
    .deterministic = true,
};

enum { LATCH_COUNT_DOWN, LATCH_WAIT, LATCH_GET };

static const struct plumb_operation latch_operations[] = {
    [LATCH_COUNT_DOWN] = {"count_down", "", "k", false, PLUMB_NO_ROLE, NULL},
    [LATCH_WAIT] = {"wait", "", "k", true, PLUMB_NO_ROLE, NULL},
    [LATCH_GET] = {"get", "", "i", true, PLUMB_NO_ROLE, NULL},
};

static void *latch_init(const struct plumb_spec_options *options)
{
    return cell_create(options, (uint64_t)cell_initial_number(options, 1), 0);
}

static bool latch_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct cell *c = state;
    plumb_value answer = call->op == LATCH_GET ? plumb_int(c->values, (int64_t)c->word) : PLUMB_OK;
    if (choice || (call->op == LATCH_WAIT && c->word) || !spec_answer(call, answer, result))
        return false;
    if (call->op == LATCH_COUNT_DOWN && c->word)
        c->word--;
    return true;
}

const struct plumb_spec spec_latch = {
    .name = "latch",
    .summary = "counts down to zero once",
    SPEC_OPERATIONS(latch_operations),
    .init = latch_init,
    CELL_STATE,
    .step = latch_step,
    .valid_initial = cell_initial_is_count,
    .print = cell_print_number,
    .deterministic = true,
};

enum { BARRIER_ARRIVE, BARRIER_WAIT };

static const struct plumb_operation barrier_operations[] = {
    [BARRIER_ARRIVE] = {"arrive", "", "i", false, PLUMB_NO_ROLE, NULL},
    [BARRIER_WAIT] = {"wait", "n", "k", true, PLUMB_NO_ROLE, "i"},
};

static void *barrier_init(const struct plumb_spec_options *options)
{
    return cell_create(options, 0, (uint64_t)cell_initial_number(options, 2));
}

static bool barrier_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct cell *c = state;
    uint64_t phase = c->word / c->bound;
    if (choice)
        return false;
    if (call->op == BARRIER_WAIT)
        return (uint64_t)plumb_int_of(c->values, call->arg) < phase && spec_answer(call, PLUMB_OK, result);
    if (!spec_answer(call, plumb_int(c->values, (int64_t)phase), result))
        return false;
    c->word++;
    return true;
}

static size_t barrier_print(const void *state, char *buffer, size_t size)
{
    const struct cell *c = state;
    unsigned long long phase = c->word / c->bound, arrived = c->word % c->bound, parties = c->bound;
    return (size_t)snprintf(buffer, size, "phase %llu, %llu of %llu arrived", phase, arrived, parties);
}

const struct plumb_spec spec_barrier = {
    .name = "barrier",
    .summary = "parties that wait for each other, phase by phase",
    SPEC_OPERATIONS(barrier_operations),
    .init = barrier_init,
    CELL_STATE,
    .step = barrier_step,
    .valid_initial = cell_initial_is_positive,
    .print = barrier_print,
    .deterministic = true,
};
