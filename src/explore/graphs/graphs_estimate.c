/* SPDX-License-Identifier: Apache-2.0 */
/* How many executions there are, from random descents through the tree of the search (Knuth 1975): at each event one of
 * its alternatives is taken at random, and the product of their numbers is an unbiased estimate of the leaves. */
#include "explore/graphs/graphs_inside.h"

/* Alternatives of the same event, at `first` and after. */
static size_t group_end(const struct graphs *x, size_t first)
{
    size_t end = first;
    while (end < x->search.items.len && x->search.items.data[end].event == x->search.items.data[first].event)
        end++;
    return end;
}

/* The stack has one frame throughout. */
static void forget_items(struct graphs *x)
{
    x->search.items.len = vec_last(&x->search.frames).items = 0;
}

/* Follows the alternative, and keeps no other. */
static bool descend_into(struct graphs *x, struct graphs_item it)
{
    forget_items(x);
    if (it.kind != ITEM_REVISIT)
        return graphs_take_item(x, it);
    graphs_take_item(x, it);
    uint32_t places = (uint32_t)x->search.items.len;
    x->estimate.weight *= places;
    it = x->search.items.data[prng_below(&x->prng, places)];
    forget_items(x);
    return graphs_take_item(x, it);
}

/* The event stays as it is: on to the alternatives of the next one. */
static void drop_group(struct graphs *x, size_t end)
{
    x->search.items.len -= end;
    for (size_t i = 0; i < x->search.items.len; i++)
        x->search.items.data[i] = x->search.items.data[i + end];
}

/* A graph that cannot be continued may still have revisits below it: the last event then cannot stay as it is. */
static bool descend_from(struct graphs *x, bool alive)
{
    bool moved = false;
    while (x->search.items.len > 0) {
        size_t end = group_end(x, 0);
        size_t ways = end + (alive || end < x->search.items.len);
        uint32_t chosen = prng_below(&x->prng, (uint32_t)ways);
        x->estimate.weight *= (double)ways;
        if (chosen == end) {
            drop_group(x, end);
            continue;
        }
        moved = true;
        alive = descend_into(x, x->search.items.data[chosen]);
    }
    if (!alive)
        x->estimate.weight = 0;
    return moved;
}

bool graphs_descend(struct graphs *x)
{
    return descend_from(x, true);
}

/* An execution with locks that wait has others below it: into one of these. */
static bool descend_by_lock(struct graphs *x)
{
    graphs_revisit_by_waiting_locks(x);
    uint32_t made = (uint32_t)x->search.frames.len - 1;
    if (made == 0)
        return false;
    uint32_t chosen = 1 + prng_below(&x->prng, made);
    struct graphs_frame frame = x->search.frames.data[chosen];
    struct graphs_item it = x->search.items.data[frame.items]; /* a lock has one place */
    x->search.frames.data[chosen] = x->search.frames.data[0];
    x->search.frames.data[0] = frame;
    while (x->search.frames.len > 1)
        vec_push(&x->search.pool, vec_pop(&x->search.frames).g);
    x->estimate.weight *= made;
    descend_from(x, descend_into(x, it));
    return x->estimate.weight > 0;
}

/* The last execution was left for an alternative, or it ended. */
static bool goes_on(struct graphs *x)
{
    if (x->run.abandoned || graphs_descend(x))
        return x->estimate.weight > 0;
    x->estimate.value += x->estimate.weight;
    return descend_by_lock(x);
}

bool graphs_next_descent(struct graphs *x)
{
    if (x->search.restart) {
        x->estimate.descending = false;
    } else if (x->estimate.descending) {
        if (goes_on(x))
            return true;
        x->estimate.done++;
        x->estimate.sum += x->estimate.value;
        x->estimate.squares += x->estimate.value * x->estimate.value;
    }
    if (x->estimate.done == x->estimate.samples)
        return false;
    x->estimate.descending = true;
    x->estimate.weight = 1;
    x->estimate.value = 0;
    graphs_start_over(x);
    return true;
}

struct explorer *explore_graphs_estimate(const struct graphs_settings *settings, uint64_t seed,
                                         uint64_t samples)
{
    struct explorer *e = explore_graphs(settings);
    struct graphs *x = graphs_of(e);
    x->settings.scheduler_seed = 0;
    x->prng = prng_start(seed, 1);
    x->estimate.samples = samples;
    return e;
}

/* Newton's method: the runtime is not linked with the mathematical library. */
static double square_root(double v)
{
    double root = v > 1 ? v : 1;
    for (int i = 0; i < 1100 && root * root > v * (1 + 1e-12); i++)
        root = (root + v / root) / 2;
    return v > 0 ? root : 0;
}

void explore_graphs_estimated(const struct explorer *e, double *mean, double *error)
{
    const struct graphs *x = graphs_of(e);
    double n = (double)x->estimate.done;
    *mean = n > 0 ? x->estimate.sum / n : 0;
    *error = n > 1 ? square_root((x->estimate.squares - n * *mean * *mean) / (n - 1) / n) : *mean;
}
