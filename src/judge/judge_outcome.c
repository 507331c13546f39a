/* SPDX-License-Identifier: Apache-2.0 */
/* Which operations of an outcome may change places? All legal orders of the outcome are the paths of a graph; nodes with
 * the same continuations are merged from the end; x and y commute if `u x y` and `u y x` lead to the same node for
 * every u. Only the specification's steps are needed, so this serves every specification. */
#include "judge/judge_state.h"

#include "spec/registry.h"

enum { NODE_NONE = UINT32_MAX, NODES_MOST = 1 << 14, PAIRS_MOST = 1 << 22 };

struct study {
    struct judge *judge;
    struct judge_outcome *outcome;
    struct judge_space *space;
    uint64_t available, pending;
    size_t nodes_most;
};

static uint64_t ends_at(const struct study *s, uint64_t done, uint32_t set)
{
    const struct judge_outcome *o = s->outcome;
    uint64_t ends = 0;
    if (o->completed & ~done)
        return 0;
    if (o->ending != JUDGE_STUCK || !s->pending)
        return judge_space_may_end(s->space, set, SPACE_NONE);
    JUDGE_EACH(e, s->pending)
        if (judge_space_may_end(s->space, set, o->labels[e]))
            ends |= judge_bit((uint32_t)e);
    return ends;
}

static uint32_t node_at(struct study *s, uint64_t done, uint32_t set)
{
    struct judge *j = s->judge;
    uint32_t *first = hash_map_at(&j->node_numbers, hash_combine(done, set));
    for (uint32_t i = *first; i != HASH_NO_NUMBER; i = j->nodes.data[i].next)
        if (j->nodes.data[i].done == done && j->nodes.data[i].set == set)
            return i;
    struct judge_node node = {.done = done, .set = set, .next = *first, .ends = ends_at(s, done, set)};
    vec_push(&j->nodes, node);
    *first = (uint32_t)j->nodes.len - 1;
    return *first;
}

static uint32_t follow(struct study *s, const struct judge_node *from, uint32_t y)
{
    const struct judge_outcome *o = s->outcome;
    if (!((s->available & ~from->done) >> y & 1) || o->before[y] & s->available & ~from->done)
        return NODE_NONE;
    uint32_t set = judge_space_move(s->space, from->set, o->labels[y]);
    return set == SPACE_DEAD ? NODE_NONE : node_at(s, from->done | judge_bit(y), set);
}

/* False: there are too many. Operations done never get fewer from node to node. */
static bool build_nodes(struct study *s)
{
    struct judge *j = s->judge;
    vec_clear(&j->nodes);
    vec_clear(&j->edges);
    hash_map_clear(&j->node_numbers);
    node_at(s, 0, s->space->start);
    for (size_t i = 0; i < j->nodes.len; i++) {
        if (j->nodes.len > s->nodes_most)
            return false;
        const struct judge_node from = j->nodes.data[i];
        for (uint32_t y = 0; y < s->outcome->count; y++)
            vec_push(&j->edges, follow(s, &from, y));
    }
    return true;
}

static uint32_t class_after(const struct study *s, uint32_t node, uint32_t y)
{
    uint32_t to = s->judge->edges.data[(size_t)node * s->outcome->count + y];
    return to == NODE_NONE ? 0 : s->judge->nodes.data[to].class;
}

static bool same_continuations(const struct study *s, uint32_t a, uint32_t b)
{
    if (s->judge->nodes.data[a].ends != s->judge->nodes.data[b].ends)
        return false;
    for (uint32_t y = 0; y < s->outcome->count; y++)
        if (class_after(s, a, y) != class_after(s, b, y))
            return false;
    return true;
}

static uint32_t class_of(struct study *s, uint32_t node)
{
    struct judge *j = s->judge;
    uint64_t h = j->nodes.data[node].ends, any = h;
    for (uint32_t y = 0; y < s->outcome->count; y++) {
        uint32_t after = class_after(s, node, y);
        any |= after;
        h = hash_combine(h, after);
    }
    if (!any)
        return 0;
    uint32_t *first = hash_map_at(&j->class_numbers, h);
    for (uint32_t c = *first; c != HASH_NO_NUMBER; c = j->classes.data[2 * c + 1])
        if (same_continuations(s, j->classes.data[2 * c], node))
            return c;
    vec_push(&j->classes, node);
    vec_push(&j->classes, *first);
    *first = (uint32_t)(j->classes.len / 2 - 1);
    return *first;
}

static void merge_nodes(struct study *s)
{
    struct judge *j = s->judge;
    vec_clear(&j->classes);
    vec_push(&j->classes, NODE_NONE); /* class 0 */
    vec_push(&j->classes, HASH_NO_NUMBER);
    hash_map_clear(&j->class_numbers);
    for (size_t i = j->nodes.len; i-- > 0;)
        j->nodes.data[i].class = class_of(s, (uint32_t)i);
}

static uint32_t class_after_both(const struct study *s, uint32_t node, uint32_t x, uint32_t y)
{
    uint32_t to = s->judge->edges.data[(size_t)node * s->outcome->count + x];
    return to == NODE_NONE ? 0 : class_after(s, to, y);
}

static void find_conflicts_at(struct study *s, uint32_t node)
{
    struct judge_outcome *o = s->outcome;
    for (uint32_t x = 0; x < o->count; x++)
        for (uint32_t y = x + 1; y < o->count; y++)
            if (!(o->conflicts[x] >> y & 1) &&
                class_after_both(s, node, x, y) != class_after_both(s, node, y, x)) {
                o->conflicts[x] |= judge_bit(y);
                o->conflicts[y] |= judge_bit(x);
            }
}

static void find_conflicts(struct study *s)
{
    struct judge_outcome *o = s->outcome;
    if (!build_nodes(s)) {
        for (uint32_t x = 0; x < o->count; x++)
            o->conflicts[x] = ~judge_bit(x); /* too many orders to see: any total order will do */
        return;
    }
    merge_nodes(s);
    for (uint32_t x = 0; x < o->count; x++)
        o->conflicts[x] = 0;
    for (size_t i = 0; i < s->judge->nodes.len; i++)
        if (s->judge->nodes.data[i].class)
            find_conflicts_at(s, (uint32_t)i);
}

static void find_labels(struct study *s)
{
    struct judge_outcome *o = s->outcome;
    for (uint32_t i = 0; i < o->count; i++) {
        const struct judge_op *op = &o->ops[i];
        struct plumb_call call = {.op = op->op,
                                  .thread = s->space->spec->thread_matters ? op->thread : 0,
                                  .arg = op->arg,
                                  .result = o->completed >> i & 1 ? op->result : PLUMB_ANY};
        o->labels[i] = judge_space_label(s->space, &call);
        o->before[i] = 0;
    }
    for (uint32_t a = 0; a < o->count; a++)
        JUDGE_EACH(b, o->after[a])
            o->before[b] |= judge_bit(a);
}

void judge_study_outcome(struct judge *j, struct judge_outcome *o)
{
    uint64_t all = o->count == 64 ? UINT64_MAX : judge_bit(o->count) - 1;
    struct study s = {
        .judge = j, .outcome = o, .space = &j->spaces[o->object], .pending = all & ~o->completed};
    s.available = o->ending == JUDGE_CUT ? all : o->completed;
    s.nodes_most = PAIRS_MOST / ((size_t)o->count * o->count + 1);
    if (s.nodes_most > NODES_MOST)
        s.nodes_most = NODES_MOST;
    find_labels(&s);
    find_conflicts(&s);
    o->studied = true;
}
