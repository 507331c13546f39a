/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/monitor.h"
#include "monitor/part.h"
#include "monitor/quasi/quasi.h"
#include "monitor/quasi/quasi_items.h"
#include "spec/quasi/spec_quasi.h"

#include <string.h>

struct method {
    enum plumb_kind kind;
    const char *name;
    quasi_decider *decide;
};

static const struct method methods[] = {
    {PLUMB_KIND_QUEUE, "quasi queue algorithm (places)", quasi_queue_decide},
    {PLUMB_KIND_STACK, "quasi stack algorithm (groups)", quasi_stack_decide},
    {PLUMB_KIND_PQUEUE, "quasi priority queue algorithm (events)", quasi_pqueue_decide},
};

static const struct method *find_method(const struct plumb_spec *spec)
{
    const struct plumb_spec *base = spec_quasi_base(spec);
    for (size_t k = 0; base && k < sizeof methods / sizeof *methods; k++)
        if (methods[k].kind == base->kind)
            return &methods[k];
    return NULL;
}

const char *quasi_method(const struct plumb_spec *spec)
{
    const struct method *m = find_method(spec);
    return m ? m->name : NULL;
}

/* Beyond this the states are larger than what they are good for. */
enum { FACTOR_MOST = 64 };

static enum verdict decide_items(const struct method *m, const struct quasi_items *q, struct budget *budget,
                                 struct decision *d)
{
    if (q->factor > FACTOR_MOST) {
        d->why = "the factor is large";
        return VERDICT_NONE;
    }
    enum verdict verdict = m->decide(q, QUASI_ALL_SHORTCUTS, budget, d->quasi);
    if (verdict == VERDICT_NONE)
        d->why = "more than 64 operations overlap";
    if (verdict == VERDICT_VIOLATED && q->left_out) { /* a pending one might help */
        d->why = "pending operations";
        return VERDICT_NONE;
    }
    return verdict;
}

static void list_core(struct decision *d)
{
    vec_push(&d->core, d->quasi->op);
    bool two = d->quasi->reason == QUASI_REMOVED_TWICE || d->quasi->reason == QUASI_WINDOW;
    if (two && d->quasi->other != QUASI_NONE)
        vec_push(&d->core, d->quasi->other);
}

enum verdict quasi_decide(const struct part *p, struct budget *budget, struct decision *d)
{
    const struct method *m = find_method(p->spec);
    struct quasi_items q;
    d->quasi = NEW(struct quasi_found);
    d->verdict = quasi_items_build(&q, p, &d->why, d->quasi);
    if (d->verdict == VERDICT_HOLDS)
        d->verdict = decide_items(m, &q, budget, d);
    quasi_items_free(&q);
    for (size_t k = 0; d->verdict == VERDICT_HOLDS && k < d->quasi->p.len; k++)
        vec_push(&d->witness, d->quasi->p.data[k]);
    if (d->verdict == VERDICT_VIOLATED)
        list_core(d);
    if (d->verdict == VERDICT_INCONCLUSIVE)
        d->legal_events = d->quasi->progress;
    return d->verdict;
}

bool quasi_is_beyond_factors(const struct decision *d)
{
    return d->quasi && (d->quasi->reason == QUASI_NEVER_ADDED || d->quasi->reason == QUASI_REMOVED_TWICE);
}

/* `factor`: this one instead; QUASI_NONE: that of the specification. */
static enum verdict decide_anew(const struct part *p, uint32_t factor, unsigned shortcuts,
                                struct budget *budget)
{
    struct quasi_items q;
    struct quasi_found found = {0};
    const char *why;
    enum verdict verdict = quasi_items_build(&q, p, &why, &found);
    q.factor = factor == QUASI_NONE ? q.factor : factor;
    if (verdict == VERDICT_HOLDS)
        verdict = find_method(p->spec)->decide(&q, shortcuts, budget, &found);
    quasi_items_free(&q);
    quasi_found_free(&found);
    return verdict;
}

enum verdict quasi_decide_again(const struct part *p, unsigned shortcuts, struct budget *budget)
{
    return decide_anew(p, QUASI_NONE, shortcuts, budget);
}

enum verdict quasi_decide_with(const struct part *p, uint32_t factor, struct budget *budget)
{
    return factor > FACTOR_MOST ? VERDICT_NONE : decide_anew(p, factor, QUASI_ALL_SHORTCUTS, budget);
}

uint32_t quasi_moving_op(const struct part *p)
{
    const struct quasi_factor *factor = spec_quasi_factor(p->spec);
    uint32_t moving = 0;
    for (uint32_t op = 0; op < p->spec->operation_count; op++)
        if (factor->class_of[op][0] != QUASI_NO_CLASS && factor->most[factor->class_of[op][0]])
            moving = op;
    return moving;
}

uint32_t quasi_lower_bound(const struct part *p)
{
    struct quasi_items q;
    struct quasi_found found = {0};
    const char *why;
    uint32_t least = 0;
    const struct method *m = find_method(p->spec);
    if (m && quasi_items_build(&q, p, &why, &found) == VERDICT_HOLDS && m->decide == quasi_queue_decide &&
        !q.left_out)
        least = quasi_least_factor(&q);
    if (m)
        quasi_items_free(&q);
    return least;
}

uint32_t monitor_quasi_least(const struct history *h, const struct monitor_settings *settings)
{
    struct diagnostic ignored = {0};
    struct part whole = {.spec = settings->specs[0], .options = settings->options, .history = h};
    uint32_t objects = (uint32_t)h->object_names.len, least = 0;
    if (!order_rank(h, &whole.order, &ignored))
        return 0;
    if (!h->objects.len) {
        least = quasi_lower_bound(&whole);
    } else {
        struct partition split;
        partition_split(&split, &whole, h->objects.data, objects);
        for (uint32_t k = 0; k < objects; k++) {
            struct part object = partition_get(&split, k);
            object.spec = settings->specs[k];
            uint32_t bound = object.order.count ? quasi_lower_bound(&object) : 0;
            least = bound > least ? bound : least;
        }
        partition_free(&split);
    }
    order_free(&whole.order);
    return least;
}
