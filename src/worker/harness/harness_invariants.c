/* SPDX-License-Identifier: Apache-2.0 */
/* Invariants: at the end of an execution, between calls, and after every step. */
#include "engine/engine.h"
#include "engine/error/findings.h"
#include "engine/memory/snapshot.h"
#include "worker/harness/harness_state.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *when;
    enum worker_invariant bit;
} moments[] = {
    {"", INVARIANT_ENDS},
    {"at_end", INVARIANT_ENDS},
    {"between_calls", INVARIANT_BETWEEN_CALLS},
    {"every_step", INVARIANT_STEPS},
};

/* 0: it is no moment. */
static uint32_t moment_of(const struct plumb_part *part)
{
    for (size_t k = 0; k < sizeof moments / sizeof *moments; k++)
        if (strcmp(part->text, moments[k].when) == 0)
            return moments[k].bit;
    return 0;
}

void harness_check_invariant(const struct plumb_part *part)
{
    uint32_t moment = moment_of(part);
    if (!moment)
        harness_refuse_at(part, "PLUMB_INVARIANT takes nothing, between_calls or every_step, not '%s'",
                          part->text);
    if (moment == INVARIANT_STEPS && *harness.shared->config.memory)
        harness_refuse_at(
            part, "PLUMB_INVARIANT(every_step) is about the steps of schedules: choose --mode dfs (all "
                  "of them), random or pct; or PLUMB_INVARIANT(between_calls)");
    harness.shared->invariants |= moment;
}

/* What holds more often holds at the end, too. `moments`: a set. */
static const struct plumb_part *find_broken(uint32_t moments_due)
{
    for (size_t i = 0; i < harness.parts.len; i++) {
        const struct plumb_part *p = harness.parts.data[i];
        if (p->kind == PLUMB_PART_INVARIANT && moment_of(p) & moments_due && p->run(NULL) != PLUMB_TRUE)
            return p;
    }
    return NULL;
}

void harness_check_end(void)
{
    const struct plumb_part *broken = find_broken(UINT32_MAX);
    if (broken)
        engine_fail(WORKER_ERROR_INVARIANT, 0, harness_place_of(broken),
                    "the invariant does not hold after all operations");
}

/* ------------------------------------------------------------------ between calls */

bool harness_looks_between(void)
{
    return harness.shared->invariants & INVARIANT_BETWEEN_CALLS && !harness.serial &&
           harness.shared->config.progress != PROGRESS_STOPS;
}

static void add_range(struct text *out, struct matrix_range range, const char *thread)
{
    for (uint32_t i = range.from; i < range.to; i++) {
        const struct matrix_op *op = &harness.matrix.ops.data[i];
        text_printf(out, "%s%s%.*s", out->len ? ", " : "", thread, (int)op->length, op->text);
    }
}

static void add_calls(struct text *out, uint32_t of_init, uint32_t of_end)
{
    const struct matrix *m = &harness.matrix;
    char thread[16];
    add_range(out, (struct matrix_range){m->init.from, of_init}, "");
    for (uint32_t k = 0; k < m->columns.len; k++) {
        snprintf(thread, sizeof thread, "T%u ", k + 1);
        add_range(out, (struct matrix_range){m->columns.data[k].from, harness.reached[k]}, thread);
    }
    add_range(out, (struct matrix_range){m->final.from, of_end}, "");
}

void harness_check_between(uint32_t of_init, uint32_t of_end)
{
    const struct plumb_part *broken = harness_looks_between() ? find_broken(INVARIANT_BETWEEN_CALLS) : NULL;
    if (!broken)
        return;
    struct text calls = {0};
    engine_active = false;
    add_calls(&calls, of_init, of_end);
    engine_fail(WORKER_ERROR_INVARIANT, 0, harness_place_of(broken),
                "the invariant does not hold between calls, when no call is open: after %s",
                calls.len ? calls.data : "the set-up");
}

bool harness_stops_here(uint32_t column, uint32_t number)
{
    harness.reached[column] = number;
    if (!harness_looks_between() || !engine_branch(2))
        return false;
    harness.is_cut = true;
    return true;
}

/* ------------------------------------------------------------------ after every step */

/* Looking must change nothing: that it does is found by looks at all memory, of which there are a few. */
static bool looks_at_memory(void)
{
    enum { ALL_OF = 256, ONE_OF = 64 };
    static uint64_t looks;
    return ++looks <= ALL_OF || looks % ONE_OF == 0;
}

static void check_step(void)
{
    uint64_t before = 0, after = 0;
    bool looks = looks_at_memory() && snapshot_digest(&before);
    engine_at_step = NULL;
    const struct plumb_part *broken = find_broken(INVARIANT_STEPS);
    if (looks && snapshot_digest(&after) && before != after)
        harness_refuse("PLUMB_INVARIANT(every_step) changes memory: it may only read");
    if (broken)
        engine_fail(WORKER_ERROR_INVARIANT, 0, harness_place_of(broken),
                    "the invariant does not hold after this step");
    engine_at_step = check_step;
}

void harness_watch_steps(bool watch)
{
    bool wanted = watch && harness.shared->invariants & INVARIANT_STEPS && !harness.serial;
    engine_at_step = wanted ? check_step : NULL;
}
