/* SPDX-License-Identifier: Apache-2.0 */
/* The stack holds the choice points of the last execution. The next one repeats them up to the last point
 * that has an option left and takes that option. */
#include "explore/explore.h"

#include "base/check.h"
#include "base/vec.h"

struct dfs_point {
    /* What was asked, to notice a program that asks something else the next time */
    uint64_t question;
    uint32_t taken;
    uint32_t options;
};

struct dfs_explorer {
    struct explorer base;
    VEC(struct dfs_point) points;
    size_t next;          /* point that the next question belongs to */
    uint32_t preemptions; /* of this execution so far */
    uint32_t preemptions_most;
    bool started, was_bounded, diverged;
};

static bool dfs_begin(struct explorer *e)
{
    struct dfs_explorer *d = (struct dfs_explorer *)e;
    d->next = 0;
    d->preemptions = 0;
    if (!d->started) {
        d->started = true;
        return true;
    }
    while (d->points.len > 0 && vec_last(&d->points).taken + 1 >= vec_last(&d->points).options)
        d->points.len--;
    if (d->points.len == 0)
        return false;
    vec_last(&d->points).taken++;
    return true;
}

/* Options of a point are only ever lowered, and points behind it are dropped only when that forces another
 * option: so the search ends even when the program answers at whim. */
static void dfs_repair_point(struct dfs_explorer *d, struct dfs_point *p, uint32_t options)
{
    d->diverged = true;
    if (options < p->options)
        p->options = options;
    if (p->taken >= p->options) {
        p->taken = p->options - 1;
        d->points.len = d->next;
    }
}

/* Which of the options, numbered in the order of exploration. */
static uint32_t dfs_answer(struct dfs_explorer *d, uint64_t question, uint32_t options)
{
    if (d->next == d->points.len) {
        vec_push(&d->points, ((struct dfs_point){question, 0, options}));
        d->next++;
        return 0;
    }
    struct dfs_point *p = &d->points.data[d->next++];
    if (p->question != question || p->options != options)
        dfs_repair_point(d, p, options);
    return p->taken;
}

/* Order of exploration: the running thread, then the others by number. */
static uint32_t dfs_choose(struct explorer *e, const struct port_action *enabled, uint32_t count,
                           uint32_t running)
{
    struct dfs_explorer *d = (struct dfs_explorer *)e;
    (void)enabled;
    if (running >= count)
        return dfs_answer(d, (uint64_t)count << 32 | UINT32_MAX, count);

    bool free_to_preempt = d->preemptions < d->preemptions_most;
    if (!free_to_preempt && count > 1)
        d->was_bounded = true;
    uint32_t rank = dfs_answer(d, (uint64_t)count << 32 | running, free_to_preempt ? count : 1);
    if (rank == 0)
        return running;
    d->preemptions++;
    return rank <= running ? rank - 1 : rank;
}

/* The running thread goes on; nothing depends on who begins or ends first. */
static uint32_t serial_choose(struct explorer *e, const struct port_action *enabled, uint32_t count,
                              uint32_t running)
{
    if (running < count)
        return running;
    for (uint32_t k = 0; k < count; k++)
        if (enabled[k].kind == EVENT_BEGIN || enabled[k].kind == EVENT_END || enabled[k].kind == EVENT_JOIN)
            return k;
    return dfs_answer((struct dfs_explorer *)e, (uint64_t)count << 32 | UINT32_MAX, count);
}

static uint32_t dfs_branch(struct explorer *e, uint32_t ways)
{
    /* Differs from every question about threads: those have the count in the upper half. */
    return dfs_answer((struct dfs_explorer *)e, ways, ways);
}

/* A cut may fall anywhere; otherwise the whole prefix has to be asked for again. */
static void dfs_end(struct explorer *e, enum port_outcome outcome)
{
    struct dfs_explorer *d = (struct dfs_explorer *)e;
    if (d->next < d->points.len && outcome != PORT_CUT)
        d->diverged = true;
    d->points.len = d->next;
}

static void dfs_destroy(struct explorer *e)
{
    vec_free(&((struct dfs_explorer *)e)->points);
    free(e);
}

static const struct explorer_class dfs_class = {
    "dfs", dfs_begin, dfs_choose, dfs_branch, dfs_end, dfs_destroy, NULL, NULL,
};

struct explorer *explore_dfs(uint32_t preemptions)
{
    struct dfs_explorer *d = NEW(struct dfs_explorer);
    d->base.class = &dfs_class;
    d->preemptions_most = preemptions;
    return &d->base;
}

static const struct explorer_class serial_class = {
    "serial", dfs_begin, serial_choose, dfs_branch, dfs_end, dfs_destroy, NULL, NULL,
};

struct explorer *explore_serial(void)
{
    struct explorer *e = explore_dfs(0);
    e->class = &serial_class;
    return e;
}

static const struct dfs_explorer *dfs_of(const struct explorer *e)
{
    CHECK(e->class == &dfs_class || e->class == &serial_class);
    return (const struct dfs_explorer *)e;
}

bool explore_dfs_was_bounded(const struct explorer *e)
{
    return dfs_of(e)->was_bounded;
}

bool explore_dfs_diverged(const struct explorer *e)
{
    return dfs_of(e)->diverged;
}
