/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/explore.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct guided_explorer {
    struct explorer base;
    struct schedule_step *steps;
    uint32_t count, next, next_branch;
    bool started;
};

static bool guided_begin(struct explorer *e)
{
    struct guided_explorer *g = (struct guided_explorer *)e;
    bool first = !g->started;
    g->started = true;
    return first;
}

static uint32_t guided_choose(struct explorer *e, const struct port_action *enabled, uint32_t count,
                              uint32_t running)
{
    struct guided_explorer *g = (struct guided_explorer *)e;
    while (g->next < g->count) {
        const struct schedule_step *step = &g->steps[g->next++];
        for (uint32_t i = 0; step->kind == SCHEDULE_THREAD && i < count; i++)
            if (enabled[i].thread == step->answer)
                return i;
    }
    return running < count ? running : 0;
}

static uint32_t guided_branch(struct explorer *e, uint32_t ways)
{
    struct guided_explorer *g = (struct guided_explorer *)e;
    while (g->next_branch < g->count) {
        const struct schedule_step *step = &g->steps[g->next_branch++];
        if (step->kind == SCHEDULE_BRANCH)
            return step->answer < ways ? step->answer : 0;
    }
    return 0;
}

static void guided_end(struct explorer *e, enum port_outcome outcome)
{
    (void)e;
    (void)outcome;
}

static void guided_destroy(struct explorer *e)
{
    free(((struct guided_explorer *)e)->steps);
    free(e);
}

static const struct explorer_class guided_class = {
    "guided", guided_begin, guided_choose, guided_branch, guided_end, guided_destroy, NULL, NULL,
};

struct explorer *explore_guided(const struct schedule_step *steps, uint32_t count)
{
    struct guided_explorer *g = NEW(struct guided_explorer);
    *g = (struct guided_explorer){.base = {.class = &guided_class},
                                  .steps = NEW_ARRAY(struct schedule_step, count + 1),
                                  .count = count};
    if (count)
        memcpy(g->steps, steps, count * sizeof *steps);
    return &g->base;
}
