/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/container/deque_near.h"

#include "base/sort.h"
#include "monitor/search/search.h"

enum { STEPS = 20000 }; /* for one look */

struct near {
    const struct part *part;
    const struct budget *budget;
    uint32_t *values; /* by the time at which they come, or go */
    uint32_t (*ops_of)[2];
    uint32_t count;
    struct decision *d;
};

static bool is_impossible(const struct near *n, const uint32_t *ops, uint32_t count)
{
    struct budget own = budget_within(n->budget, n->budget->bytes_max);
    struct decision d = {0};
    struct part some = part_restrict(n->part, ops, count);
    own.ticks_max = STEPS;
    bool impossible = search_decide(&some, NULL, &own, &d) == VERDICT_VIOLATED;
    decision_free(&d);
    part_free(&some);
    return impossible;
}

/* `size` values from `first` on. */
static bool look_at(const struct near *n, uint32_t first, uint32_t size)
{
    OWNED uint64_t *keys = NEW_ARRAY(uint64_t, 2 * (size_t)size);
    OWNED uint32_t *ops = NEW_ARRAY(uint32_t, 2 * (size_t)size);
    OWNED uint32_t *order = NEW_ARRAY(uint32_t, 2 * (size_t)size);
    uint32_t count = 0;
    for (uint32_t k = first; k < first + size && k < n->count; k++)
        for (int which = 0; which < 2; which++)
            if (n->ops_of[n->values[k]][which] != NO_OP) {
                order[count] = count;
                keys[count++] = n->ops_of[n->values[k]][which];
            }
    sort_by_key(order, count, keys);
    for (uint32_t k = 0; k < count; k++)
        ops[k] = (uint32_t)keys[order[k]];
    if (!is_impossible(n, ops, count))
        return false;
    vec_clear(&n->d->core);
    for (uint32_t k = 0; k < count; k++)
        vec_push(&n->d->core, ops[k]);
    return true;
}

/* Every one of them is seen with half a window of others on each side. */
static bool look_through(const struct near *n, uint32_t size)
{
    for (uint32_t first = 0; first < n->count; first += size / 2)
        if (look_at(n, first, size))
            return true;
    return false;
}

static void sort_values(struct near *n, int which)
{
    OWNED uint64_t *keys = NEW_ARRAY(uint64_t, n->count);
    for (uint32_t v = 0; v < n->count; v++) {
        uint32_t op = n->ops_of[v][which];
        keys[v] = op == NO_OP ? UINT32_MAX : n->part->order.call[op];
        n->values[v] = v;
    }
    sort_by_key(n->values, n->count, keys);
}

/* The operations of each value, by numbers of their own. */
static void list_values(struct near *n, const struct container *c, const uint32_t *ops)
{
    OWNED uint32_t *number = NEW_ARRAY(uint32_t, c->value_count);
    for (uint32_t i = 0; i < n->part->order.count; i++) {
        uint32_t v = c->value_of[ops[i]];
        if (c->values[v].add == ops[i]) {
            number[v] = n->count++;
            n->ops_of[number[v]][0] = i;
            n->ops_of[number[v]][1] = NO_OP;
        }
    }
    for (uint32_t i = 0; i < n->part->order.count; i++) {
        uint32_t v = c->value_of[ops[i]];
        if (c->values[v].rem == ops[i])
            n->ops_of[number[v]][1] = i;
    }
}

bool deque_find_near(const struct container *c, const struct part *p, const uint32_t *ops,
                     const struct budget *budget, struct decision *d)
{
    static const uint32_t sizes[] = {8, 32};
    struct near n = {.part = p, .budget = budget, .d = d};
    bool found = false;
    n.values = NEW_ARRAY(uint32_t, p->order.count);
    n.ops_of = base_realloc(NULL, p->order.count * sizeof *n.ops_of);
    list_values(&n, c, ops);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes && !found && sizes[k] < n.count; k++)
        for (int which = 0; which < 2 && !found; which++) {
            sort_values(&n, which);
            found = look_through(&n, sizes[k]);
        }
    free(n.values);
    free(n.ops_of);
    return found;
}
