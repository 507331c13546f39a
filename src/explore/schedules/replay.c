/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/explore.h"

#include "base/check.h"
#include "base/memory.h"

struct replay_explorer {
    struct explorer base;
    const struct schedule_step *steps;
    uint32_t count, next;
    bool started, diverged;
};

static bool replay_begin(struct explorer *e)
{
    struct replay_explorer *r = (struct replay_explorer *)e;
    bool first = !r->started;
    r->started = true;
    return first;
}

/* The next recorded answer, when one is left and the question is of the recorded kind. */
static const struct schedule_step *replay_take_step(struct replay_explorer *r, bool is_branch)
{
    if (r->diverged || r->next == r->count)
        return NULL;
    const struct schedule_step *step = &r->steps[r->next];
    if (step->kind != (is_branch ? SCHEDULE_BRANCH : SCHEDULE_THREAD)) {
        r->diverged = true;
        return NULL;
    }
    r->next++;
    return step;
}

static uint32_t replay_choose(struct explorer *e, const struct port_action *enabled, uint32_t count,
                              uint32_t running)
{
    struct replay_explorer *r = (struct replay_explorer *)e;
    const struct schedule_step *step = replay_take_step(r, false);
    if (step) {
        for (uint32_t i = 0; i < count; i++)
            if (enabled[i].thread == step->answer)
                return i;
        r->diverged = true;
    }
    return running < count ? running : 0;
}

static uint32_t replay_branch(struct explorer *e, uint32_t ways)
{
    struct replay_explorer *r = (struct replay_explorer *)e;
    const struct schedule_step *step = replay_take_step(r, true);
    if (step && step->answer < ways)
        return step->answer;
    if (step)
        r->diverged = true;
    return 0;
}

/* An answer that was not asked for was not possible either. */
static void replay_end(struct explorer *e, enum port_outcome outcome)
{
    struct replay_explorer *r = (struct replay_explorer *)e;
    (void)outcome;
    if (r->next < r->count)
        r->diverged = true;
}

static void replay_destroy(struct explorer *e)
{
    free(e);
}

static const struct explorer_class replay_class = {
    "replay", replay_begin, replay_choose, replay_branch, replay_end, replay_destroy, NULL, NULL,
};

struct explorer *explore_replay(const struct schedule_step *steps, uint32_t count)
{
    struct replay_explorer *r = NEW(struct replay_explorer);
    *r = (struct replay_explorer){.base = {.class = &replay_class}, .steps = steps, .count = count};
    return &r->base;
}

bool explore_replay_diverged(const struct explorer *e)
{
    CHECK(e->class == &replay_class);
    return ((const struct replay_explorer *)e)->diverged;
}
