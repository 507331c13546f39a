/* SPDX-License-Identifier: Apache-2.0 */
/* The general search looks at all orders at once, and comes to an end soon when there is none. Where there is one, a search that follows a
 * single order may come upon it while levels are still growing. So they take turns, with shares of steps that grow: it takes at most a little
 * more than twice as many as the better one of them alone. docs/internals/search.md. */
#include "monitor/search/search.h"

enum { SHARE_FIRST = 1 << 16, SHARE_GROWS = 8, SHARE_LAST = 1 << 25 };

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

/* What it spends of the memory it gives back: that is no reason for the other one to end. */
static bool search_depth(const struct part *p, const void *initial, struct budget *budget, struct decision *d,
                         uint64_t share)
{
    struct budget own = take_share(budget, share);
    bool found = search_depth_first(p, initial, &own, d);
    if (own.spent == BUDGET_MEMORY)
        own.spent = BUDGET_LEFT;
    give_back(budget, &own);
    return found;
}

static enum verdict take_turns(const struct part *p, const void *initial, struct budget *budget,
                               struct decision *d)
{
    for (uint64_t share = SHARE_FIRST; share <= SHARE_LAST; share *= SHARE_GROWS) {
        enum verdict verdict = search_levels(p, initial, budget, d, share);
        if (verdict != VERDICT_NONE)
            return verdict;
        uint32_t legal_events = d->legal_events;
        if (search_depth(p, initial, budget, d, share)) {
            d->legal_events = p->order.event_count;
            return VERDICT_HOLDS;
        }
        d->legal_events = legal_events;
        if (budget->spent)
            return VERDICT_INCONCLUSIVE;
    }
    return search_levels(p, initial, budget, d, 0);
}

enum verdict search_decide(const struct part *p, const void *initial, struct budget *budget,
                           struct decision *d)
{
    if (search_has_many_pending(p) && search_estimate(p, initial, budget, d) != VERDICT_NONE)
        return d->verdict;
    return d->verdict = take_turns(p, initial, budget, d);
}
