/* SPDX-License-Identifier: Apache-2.0 */
#include "autotest/auto_bounded.h"

#include "base/budget.h"
#include "base/memory.h"
#include "explain/program/explain_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For a test; once all of them together have taken much, less. */
static const double TEST_SECONDS = 0.8, LESS_SECONDS = 0.2, MUCH_SECONDS = 4;

struct auto_bounded *auto_bounded_begin(const struct target_worker *worker, double spent)
{
    const struct worker_shared *s = target_shared(worker);
    if (target_end_of(worker)->outcome != TARGET_FINISHED || !(s->limits & LIMIT_SUSPECTED) ||
        s->finding_count)
        return NULL;
    struct auto_bounded *b = NEW_ZEROED(struct auto_bounded, 1);
    char *place = code_place(s, s->loops.suspect.pc);
    snprintf(b->place, sizeof b->place, "%s", place ? place : "its place is not known");
    free(place);
    bounding_begin(&b->next, s, spent < MUCH_SECONDS ? TEST_SECONDS : LESS_SECONDS, BOUNDING_SOFT);
    return b;
}

void auto_bounded_plan(struct auto_bounded *b, struct target_run *run)
{
    bounding_plan(&b->next, run);
    b->until = base_now() + bounding_time(&b->next);
}

enum bounding_answer auto_bounded_next(struct auto_bounded *b, const struct target_worker *worker,
                                       double seconds)
{
    enum target_outcome outcome = target_end_of(worker)->outcome;
    struct bounding_facts facts = {.found = outcome == TARGET_FOUND,
                                   .decided = outcome != TARGET_FINISHED && outcome != TARGET_STOPPED,
                                   .stopped = outcome == TARGET_STOPPED,
                                   .limits = target_shared(worker)->limits,
                                   .seconds = seconds};
    return bounding_next(&b->next, &facts);
}

void auto_bounded_say(const struct worker_shared *s, struct auto_result *result)
{
    struct campaign_bounds bounds = {0};
    bounds_add_worker(&bounds, s);
    uint32_t held = s->limits & (LIMIT_RETURNS | LIMIT_ENDLESS);
    bool is_bounded = bounds.met_count > 0;
    uint64_t pc = is_bounded                    ? bounds.met[0].pc
                  : s->limits & LIMIT_SUSPECTED ? s->loops.suspect.pc
                                                : s->loops.held.pc;
    char *why = is_bounded
                    ? bounds_describe(&bounds, s, !held)
                    : bounds_describe_held(&bounds, s, held & LIMIT_RETURNS ? LIMIT_RETURNS : LIMIT_ENDLESS);
    char *place = pc ? code_place(s, pc) : NULL;
    result->verdict = VERDICT_INCONCLUSIVE;
    result->is_bounded = true;
    if (s->limits & LIMIT_SUSPECTED)
        snprintf(result->why, sizeof result->why, "a loop seems to have no end (%s)",
                 place ? place : "its place is not known");
    else
        snprintf(result->why, sizeof result->why, "%s", why);
    snprintf(result->loop, sizeof result->loop, "%s", place ? place : "");
    free(place);
    free(why);
}
