/* SPDX-License-Identifier: Apache-2.0 */
/* Choices of the program itself, and waits with a limit: each way is an execution. */
#include "explore/graphs/graphs_inside.h"

uint32_t graphs_add_branch(struct graphs *x, uint32_t way)
{
    graph_reserve(x->g, 1, 0);
    uint32_t b = graph_append(x->g, x->run.last_thread, GRAPH_BRANCH);
    struct graph_event *ev = &x->g->events[b];
    ev->label = (struct graph_label){0};
    ev->operand = ev->expected = 0;
    ev->value = way;
    ev->address = 0;
    ev->plain = x->run.plain[x->run.last_thread];
    ev->order = ORDER_PLAIN;
    graph_complete_step(x->g, b);
    graphs_note_added(x, x->run.last_thread);
    return b;
}

/* `beyond`: which way if the execution is continued beyond its end. */
static uint32_t choose_way(struct graphs *x, uint32_t ways, uint32_t beyond)
{
    uint32_t recorded = x->run.cursor[x->run.last_thread];
    if (x->stretches.of_threads)
        explore_graphs_set_memo(&x->base, false); /* a stretch ends with a step */
    if (recorded != GRAPH_NONE && x->g->events[recorded].type == GRAPH_BRANCH) {
        uint32_t way = (uint32_t)x->g->events[recorded].value;
        graphs_pass(x, recorded);
        return way < ways ? way : 0;
    }
    if (recorded != GRAPH_NONE) {
        x->run.diverged = true;
        return 0;
    }
    if (x->returns.finished) {
        graphs_add_branch(x, beyond);
        return beyond;
    }
    uint32_t b = graphs_add_branch(x, 0);
    for (uint32_t way = ways; way-- > 1;)
        graphs_push_item(x, ITEM_BRANCH, b, way);
    return 0;
}

uint32_t graphs_branch(struct explorer *e, uint32_t ways)
{
    struct graphs *x = graphs_of(e);
    x->returns.by_chance = true; /* if it is continued beyond its end */
    return choose_way(x, ways, x->returns.finished ? prng_below(&x->returns.prng, ways) : 0);
}

/* Beyond the end it does: others end the wait no more, or it finds what it waited for in a later round. */
bool graphs_expires(struct explorer *e)
{
    return choose_way(graphs_of(e), 2, 1) != 0;
}
