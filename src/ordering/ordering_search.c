/* SPDX-License-Identifier: Apache-2.0 */
/* Topological orders of the nodes, one call after the other, smaller nodes first. Where several nodes may be next, what has been
 * done and the state it led to are kept: the same is not looked at twice. Executions with one order only run their calls. */
#include "ordering/ordering_nodes.h"

#include "base/hash.h"
#include "base/vec.h"

#include <string.h>

struct moment {
    uint64_t done;
    void *state;
    size_t size;
    uint32_t next; /* of the same hash; HASH_NO_NUMBER: none */
};

struct search {
    const struct ordering_question *q;
    const struct ordering_nodes *n;
    struct ordering_answer *answer;
    uint64_t done;
    uint32_t path[ORDERING_CALLS_MAX]; /* calls */
    uint32_t length;
    uint32_t longest; /* of legal orders before a failing call */
    uint32_t looks;
    bool legal, failing, stop, spent;
    struct hash_map seen;
    VEC(struct moment) moments;
    struct arena states;
    size_t charged;
};

bool ordering_run_node(const struct ordering_question *q, const struct ordering_nodes *n, uint32_t node,
                       uint32_t *failed, bool *failed_pre)
{
    const struct ordering_machine *m = &q->machine;
    uint32_t from = n->first[node], to = n->first[node + 1];
    for (uint32_t k = from; k < to; k++)
        if (*failed_pre = true, *failed = n->calls[k], !m->pre(m->context, *failed))
            return false;
    for (uint32_t k = from; k < to; k++)
        m->effect(m->context, n->calls[k]);
    *failed_pre = false;
    for (uint32_t k = from; k < to; k++)
        if (*failed = n->calls[k], q->calls[*failed].completed && !m->post(m->context, *failed))
            return false;
    return true;
}

/* --- what was found --------------------------------------------------------------------------------- */

static void note_legal(struct search *s)
{
    s->answer->histories_tried++;
    if (!s->legal) {
        memcpy(s->answer->order, s->path, s->length * sizeof *s->path);
        s->answer->order_count = s->length;
    }
    s->legal = true;
    s->stop = s->failing && s->q->mode == ORDERING_SOME;
}

/* `other` has the longest legal order so far, and the node that fails after it. */
static void note_failure(struct search *s, uint32_t node, uint32_t failed, bool failed_pre)
{
    struct ordering_answer *a = s->answer;
    a->histories_tried++;
    if (!s->failing || s->length > s->longest) {
        const struct ordering_nodes *n = s->n;
        memcpy(a->other, s->path, s->length * sizeof *s->path);
        a->other_count = s->length;
        for (uint32_t k = n->first[node]; k < n->first[node + 1]; k++)
            a->other[a->other_count++] = n->calls[k];
        s->longest = s->length;
        a->other_failed = failed;
        a->failed_pre = failed_pre;
    }
    s->failing = true;
    s->stop = s->legal || s->q->mode == ORDERING_EVERY;
}

/* --- the search ------------------------------------------------------------------------------------- */

static bool charge(struct search *s, size_t bytes)
{
    s->charged += bytes;
    return !s->q->budget || budget_charge(s->q->budget, bytes);
}

static void look_at_budget(struct search *s)
{
    s->spent |= s->q->budget && budget_exhausted(s->q->budget);
    s->stop |= s->spent || (s->legal && s->q->mode == ORDERING_SOME && ++s->looks > ORDERING_LOOK);
}

static uint64_t next_nodes(const struct search *s)
{
    uint64_t next = 0;
    for (uint32_t v = 0; v < s->n->count; v++)
        if (!(s->done & ordering_bit(v)) && !(s->n->earlier[v] & ~s->done))
            next |= ordering_bit(v);
    return next;
}

/* The number of the moment, a new one; HASH_NO_NUMBER: it is known already. */
static uint32_t add_moment(struct search *s)
{
    const void *bytes;
    size_t size = s->q->machine.save(s->q->machine.context, &bytes);
    uint32_t *slot = hash_map_at(&s->seen, hash_combine(hash_bytes(bytes, size), s->done));
    for (uint32_t k = *slot; k != HASH_NO_NUMBER; k = s->moments.data[k].next) {
        const struct moment *m = &s->moments.data[k];
        if (m->done == s->done && m->size == size && (size == 0 || memcmp(m->state, bytes, size) == 0))
            return HASH_NO_NUMBER;
    }
    struct moment m = {s->done, arena_alloc(&s->states, size), size, *slot};
    if (size > 0)
        memcpy(m.state, bytes, size);
    *slot = (uint32_t)s->moments.len;
    vec_push(&s->moments, m);
    if (!charge(s, size + sizeof m + 24))
        s->spent = s->stop = true;
    return *slot;
}

static void explore(struct search *s);

/* From the state in which the node is next. */
static void follow(struct search *s, uint32_t node)
{
    uint32_t failed, length = s->length;
    bool failed_pre;
    look_at_budget(s);
    if (s->stop)
        return;
    if (!ordering_run_node(s->q, s->n, node, &failed, &failed_pre)) {
        note_failure(s, node, failed, failed_pre);
        return;
    }
    for (uint32_t k = s->n->first[node]; k < s->n->first[node + 1]; k++)
        s->path[s->length++] = s->n->calls[k];
    s->done |= ordering_bit(node);
    explore(s);
    s->done &= ~ordering_bit(node);
    s->length = length;
}

static void follow_several(struct search *s, uint64_t next)
{
    uint32_t moment = add_moment(s);
    bool is_first = true;
    for (; moment != HASH_NO_NUMBER && next && !s->stop; next &= next - 1) {
        const struct moment *m = &s->moments.data[moment];
        if (!is_first)
            s->q->machine.restore(s->q->machine.context, m->state, m->size);
        is_first = false;
        follow(s, (uint32_t)__builtin_ctzll(next));
    }
}

static void explore(struct search *s)
{
    uint64_t next = next_nodes(s);
    if (next == 0)
        note_legal(s);
    else if ((next & (next - 1)) == 0)
        follow(s, (uint32_t)__builtin_ctzll(next));
    else
        follow_several(s, next);
}

static void search_free(struct search *s)
{
    hash_map_free(&s->seen);
    vec_free(&s->moments);
    arena_free(&s->states);
    if (s->q->budget)
        budget_refund(s->q->budget, s->charged);
}

static void conclude_failing(struct search *s)
{
    struct ordering_answer *a = s->answer;
    a->verdict = VERDICT_VIOLATED;
    a->fault = ORDERING_CONDITION;
    memcpy(a->order, a->other, s->longest * sizeof *a->order);
    a->order_count = s->longest;
    a->failed = a->other_failed;
}

void ordering_search(const struct ordering_question *q, const struct ordering_nodes *n,
                     struct ordering_answer *answer)
{
    struct search s = {.q = q, .n = n, .answer = answer};
    q->machine.reset(q->machine.context);
    explore(&s);
    search_free(&s);
    bool is_some = q->mode == ORDERING_SOME;
    if (is_some && s.legal) {
        answer->verdict = VERDICT_HOLDS;
        answer->undetermined = s.failing;
        answer->looked_partly = s.stop && !s.failing;
    } else if (is_some ? !s.spent : s.failing) {
        conclude_failing(&s);
    } else {
        answer->verdict = s.spent ? VERDICT_INCONCLUSIVE : VERDICT_HOLDS;
    }
}
