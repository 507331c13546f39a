/* SPDX-License-Identifier: Apache-2.0 */
/* Probabilistic concurrency testing: the thread of highest priority runs; at the i-th change point the thread
 * that was about to run gets priority i, below every initial one (Burckhardt, Kothari, Musuvathi,
 * Nagarakatte: A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs, ASPLOS 2010). A step is
 * a question: where only one thread can go on, priorities do not matter. */
#include "explore/explore.h"

#include "base/vec.h"
#include "explore/schedules/prng.h"

enum {
    PCT_ASSUMED_LENGTH = 100, /* before anything is learned */
    PCT_BRANCH_ODDS = 8,      /* the program's own choices: one in so many is out of the ordinary */
};

struct pct_thread {
    /* The one to which the priority belongs; older ones are forgotten without clearing */
    uint64_t execution;
    int64_t priority;
};

struct pct_explorer {
    struct explorer base;
    struct prng prng;
    uint64_t priority_key;
    uint64_t seed, number, left;
    uint64_t execution;   /* begun so far */
    uint32_t length;      /* wanted by the caller; 0: learn */
    uint32_t longest;     /* questions of an execution that ended */
    uint32_t longest_cut; /* questions of an execution that was cut: a guess until one ends */
    uint32_t step;        /* questions of this execution so far */
    uint32_t next_change; /* first step from here on with a change point; 0: none left */
    int64_t lowest;       /* last priority given to a thread that yields */
    uint32_t change_count;
    uint32_t *changes; /* the steps with change points, in no order */
    VEC(struct pct_thread) threads;
};

static uint32_t pct_length(const struct pct_explorer *p)
{
    if (p->length)
        return p->length;
    if (p->longest)
        return p->longest;
    return p->longest_cut ? p->longest_cut : PCT_ASSUMED_LENGTH;
}

static void pct_find_next_change(struct pct_explorer *p)
{
    p->next_change = 0;
    for (uint32_t i = 0; i < p->change_count; i++)
        if (p->changes[i] > p->step && (p->next_change == 0 || p->changes[i] < p->next_change))
            p->next_change = p->changes[i];
}

static bool pct_begin(struct explorer *e)
{
    struct pct_explorer *p = (struct pct_explorer *)e;
    if (p->left == 0)
        return false;
    p->left--;
    p->execution++;
    p->prng = prng_start(p->seed, p->number++);
    p->priority_key = prng_next(&p->prng);
    p->step = 0;
    p->lowest = 0;
    uint32_t length = pct_length(p);
    for (uint32_t i = 0; i < p->change_count; i++)
        p->changes[i] = 1 + prng_below(&p->prng, length);
    pct_find_next_change(p);
    return true;
}

/* Above all change points (bit 62), random, and distinct by the number of the thread. */
static int64_t pct_initial_priority(const struct pct_explorer *p, uint16_t thread)
{
    uint64_t random = prng_mix(p->priority_key + (thread + UINT64_C(1)) * 0x9e3779b97f4a7c15u);
    return (int64_t)(UINT64_C(1) << 62 | random >> 18 << 16 | thread);
}

static int64_t *pct_priority(struct pct_explorer *p, uint16_t thread)
{
    while (thread >= p->threads.len)
        vec_push(&p->threads, ((struct pct_thread){0, 0}));
    struct pct_thread *t = &p->threads.data[thread];
    if (t->execution != p->execution)
        *t = (struct pct_thread){p->execution, pct_initial_priority(p, thread)};
    return &t->priority;
}

static uint32_t pct_find_highest(struct pct_explorer *p, const struct port_action *enabled, uint32_t count)
{
    uint32_t best = 0;
    int64_t highest = *pct_priority(p, enabled[0].thread);
    for (uint32_t i = 1; i < count; i++) {
        int64_t priority = *pct_priority(p, enabled[i].thread);
        if (priority > highest) {
            highest = priority;
            best = i;
        }
    }
    return best;
}

static uint32_t pct_apply_changes(struct pct_explorer *p, const struct port_action *enabled, uint32_t count,
                                  uint32_t best)
{
    for (uint32_t i = 0; i < p->change_count; i++) {
        if (p->changes[i] != p->step)
            continue;
        *pct_priority(p, enabled[best].thread) = (int64_t)i + 1;
        best = pct_find_highest(p, enabled, count);
    }
    pct_find_next_change(p);
    return best;
}

static uint32_t pct_choose(struct explorer *e, const struct port_action *enabled, uint32_t count,
                           uint32_t running)
{
    struct pct_explorer *p = (struct pct_explorer *)e;
    (void)running;
    uint32_t best = pct_find_highest(p, enabled, count);
    if (p->step < UINT32_MAX)
        p->step++;
    if (p->step == p->next_change)
        best = pct_apply_changes(p, enabled, count, best);
    /* A loop that yields until another thread makes progress would run forever at the highest priority. */
    if (enabled[best].kind == EVENT_YIELD)
        *pct_priority(p, enabled[best].thread) = --p->lowest;
    return best;
}

static uint32_t pct_branch(struct explorer *e, uint32_t ways)
{
    struct pct_explorer *p = (struct pct_explorer *)e;
    if (ways < 2 || prng_below(&p->prng, PCT_BRANCH_ODDS) != 0)
        return 0;
    return 1 + prng_below(&p->prng, ways - 1);
}

static void pct_end(struct explorer *e, enum port_outcome outcome)
{
    struct pct_explorer *p = (struct pct_explorer *)e;
    uint32_t *longest = outcome == PORT_CUT ? &p->longest_cut : &p->longest;
    if (p->step > *longest)
        *longest = p->step;
}

static void pct_destroy(struct explorer *e)
{
    struct pct_explorer *p = (struct pct_explorer *)e;
    vec_free(&p->threads);
    free(p->changes);
    free(p);
}

static const struct explorer_class pct_class = {
    "pct", pct_begin, pct_choose, pct_branch, pct_end, pct_destroy, NULL, NULL,
};

struct explorer *explore_pct(uint64_t seed, uint64_t first, uint64_t runs, uint32_t depth, uint32_t length)
{
    struct pct_explorer *p = NEW(struct pct_explorer);
    p->base.class = &pct_class;
    p->seed = seed;
    p->number = first;
    p->left = runs;
    p->length = length;
    p->change_count = depth > 0 ? depth - 1 : 0;
    p->changes = NEW_ARRAY(uint32_t, p->change_count);
    return &p->base;
}
