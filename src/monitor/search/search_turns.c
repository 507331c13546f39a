/* SPDX-License-Identifier: Apache-2.0 */
/* The general search looks at all orders at once, and comes to an end soon when there is none. Where there is one, a hunt that follows a
 * single order comes upon it sooner. So they take turns, with shares of steps that grow. docs/internals/monitor/search.md. */
#include "monitor/search/search.h"

/* Steps for each operation. The hunt may take so many without getting further: legal histories let it get on, and where there is no order it
 * is stuck at the same place. At first levels get more, because a step of theirs is for one of several orders. */
enum { SHARE_FIRST = 4, SHARE_OF_LEVELS = 48, SHARE_GROWS = 8, SHARE_LAST = 1 << 25 };

/* `share` 0: all that is left. */
static struct budget take_share(const struct budget *budget, uint64_t share)
{
    struct budget own = *budget;
    uint64_t left = budget->ticks_max ? budget->ticks_max - budget->ticks : 0;
    own.ticks = 0;
    own.ticks_max = !share || (left && left < share) ? left : share;
    return own;
}

/* False: more than the share is spent. */
static bool give_back(struct budget *budget, const struct budget *own)
{
    budget->ticks += own->ticks;
    if (own->spent == BUDGET_WORK && budget->ticks_max && budget->ticks >= budget->ticks_max)
        budget->spent = BUDGET_WORK;
    else if (own->spent != BUDGET_WORK)
        budget->spent = own->spent;
    return !budget->spent;
}

/* NONE: the share was too small. */
static enum verdict search_levels(const struct part *p, const void *initial, struct budget *budget,
                                  struct decision *d, uint64_t share)
{
    static const struct search_way exact = {0};
    struct budget own = take_share(budget, share);
    enum verdict verdict = search_run(p, initial, &own, d, &exact);
    return give_back(budget, &own) && own.spent ? VERDICT_NONE : verdict;
}

struct turns {
    const struct part *p;
    const void *initial;
    struct budget *budget;
    struct decision *d;
    struct confirm *hunt; /* null: not begun, or too large to be kept while levels are searched */
    bool hunt_is_over;
};

static void end_hunt(struct turns *t)
{
    if (t->hunt)
        hunt_end(t->hunt, t->budget);
    t->hunt = NULL;
}

/* Whether it found an order. What it spends of the memory it gives back: that is no reason for the other one to end. */
static bool hunt(struct turns *t, uint64_t share)
{
    struct budget own = take_share(t->budget, 0);
    if (!t->hunt)
        t->hunt = hunt_start(t->p, t->initial, &own);
    enum verdict verdict = hunt_go_on(t->hunt, &own, share, t->d);
    t->hunt_is_over = verdict == VERDICT_NONE || own.spent == BUDGET_MEMORY;
    if (own.spent == BUDGET_MEMORY)
        own.spent = BUDGET_LEFT;
    t->budget->bytes_used = own.bytes_used;
    if (t->hunt_is_over || (own.bytes_max && hunt_bytes(t->hunt) > own.bytes_max / 4))
        end_hunt(t);
    give_back(t->budget, &own);
    return verdict == VERDICT_HOLDS;
}

static enum verdict take_turns(struct turns *t)
{
    uint64_t share = (uint64_t)t->p->order.count * SHARE_FIRST;
    uint64_t of_levels = (uint64_t)t->p->order.count * SHARE_OF_LEVELS;
    for (; share <= SHARE_LAST && !t->hunt_is_over; of_levels = share *= SHARE_GROWS) {
        if (hunt(t, share)) {
            t->d->legal_events = t->p->order.event_count;
            return VERDICT_HOLDS;
        }
        if (t->budget->spent)
            return VERDICT_INCONCLUSIVE;
        enum verdict verdict = search_levels(t->p, t->initial, t->budget, t->d, of_levels);
        if (verdict != VERDICT_NONE)
            return verdict;
    }
    end_hunt(t);
    return search_levels(t->p, t->initial, t->budget, t->d, 0);
}

enum verdict search_decide(const struct part *p, const void *initial, struct budget *budget,
                           struct decision *d)
{
    if (search_has_many_pending(p) && search_estimate(p, initial, budget, d) != VERDICT_NONE)
        return d->verdict;
    struct turns t = {.p = p, .initial = initial, .budget = budget, .d = d};
    d->verdict = take_turns(&t);
    end_hunt(&t);
    return d->verdict;
}
