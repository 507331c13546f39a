/* SPDX-License-Identifier: Apache-2.0 */
#include "ordering/ordering.h"

#include "base/check.h"
#include "ordering/ordering_nodes.h"

/* --- rules ------------------------------------------------------------------------------------------ */

static bool is_under_rule(const struct ordering_question *q, const struct ordering_rule *rule, uint32_t a,
                          uint32_t b)
{
    const struct ordering_call *from = &q->calls[a], *to = &q->calls[b];
    return from->completed && to->completed && from->interface == rule->from && to->interface == rule->to &&
           from->object == to->object && from->id == to->id &&
           (from->conditions & rule->from_condition) == rule->from_condition &&
           (to->conditions & rule->to_condition) == rule->to_condition;
}

static bool is_before(const struct ordering_nodes *n, uint32_t a, uint32_t b)
{
    return n->closure[n->node_of[b]] & ordering_bit(n->node_of[a]);
}

/* The first pair of calls, by numbers, that breaks the rule. */
static bool is_broken(const struct ordering_question *q, const struct ordering_nodes *n,
                      const struct ordering_rule *rule, struct ordering_answer *answer)
{
    for (uint32_t a = 0; a < q->count; a++)
        for (uint32_t b = 0; b < q->count; b++)
            if (is_under_rule(q, rule, a, b) && is_before(n, a, b) && !(q->before[a] & ordering_bit(b))) {
                answer->earlier = a;
                answer->failed = b;
                return true;
            }
    return false;
}

/* A broken rule is one even if the search for an order did not end. */
static void check_rules(const struct ordering_question *q, const struct ordering_nodes *n,
                        struct ordering_answer *answer)
{
    for (uint32_t r = 0; r < q->rule_count; r++)
        if (is_broken(q, n, &q->rules[r], answer)) {
            answer->verdict = VERDICT_VIOLATED;
            answer->fault = ORDERING_SYNC;
            answer->rule = r;
            return;
        }
}

/* --- the question ----------------------------------------------------------------------------------- */

static bool is_cyclic(const struct ordering_nodes *n, struct ordering_answer *answer)
{
    uint32_t cycle[ORDERING_CALLS_MAX];
    if (!ordering_find_cycle(n, cycle, &answer->order_count))
        return false;
    for (uint32_t k = 0; k < answer->order_count; k++)
        answer->order[k] = ordering_node_name(n, cycle[k]);
    answer->verdict = VERDICT_VIOLATED;
    answer->fault = ORDERING_CYCLE;
    answer->failed = answer->order[0];
    return true;
}

struct ordering_answer ordering_check(const struct ordering_question *q)
{
    struct ordering_answer answer = {0};
    struct ordering_nodes n;
    CHECK(q->count <= ORDERING_CALLS_MAX);
    ordering_find_nodes(q, &n);
    if (is_cyclic(&n, &answer))
        return answer;
    answer.order_count = 0;
    ordering_search(q, &n, &answer);
    if (answer.verdict != VERDICT_VIOLATED)
        check_rules(q, &n, &answer);
    return answer;
}

/* Points of both at one place, the first one's before the other's. */
static bool find_edge(const struct ordering_call *from, const struct ordering_call *to,
                      struct ordering_point edge[2])
{
    for (const struct ordering_point *p = from->points; p < from->points + from->point_count; p++)
        for (const struct ordering_point *r = to->points; r < to->points + to->point_count; r++)
            if (p->location == r->location && p->key < r->key) {
                edge[0] = *p;
                edge[1] = *r;
                return true;
            }
    return false;
}

bool ordering_edge(const struct ordering_question *q, uint32_t a, uint32_t b, struct ordering_point edge[2])
{
    struct ordering_nodes n;
    ordering_find_nodes(q, &n);
    for (uint32_t i = n.first[n.node_of[a]]; i < n.first[n.node_of[a] + 1]; i++)
        for (uint32_t k = n.first[n.node_of[b]]; k < n.first[n.node_of[b] + 1]; k++)
            if (find_edge(&q->calls[n.calls[i]], &q->calls[n.calls[k]], edge))
                return true;
    return false;
}

/* --- calls that do not commute ---------------------------------------------------------------------- */

static bool is_legal(const struct ordering_question *q, const struct ordering_nodes *n, const uint8_t *order)
{
    uint32_t failed;
    bool failed_pre;
    q->machine.reset(q->machine.context);
    for (uint32_t k = 0; k < n->count; k++)
        if (!ordering_run_node(q, n, order[k], &failed, &failed_pre))
            return false;
    return true;
}

/* Nodes in the order of the calls, and then the rest in an order that agrees with edges. */
static void order_nodes(const struct ordering_nodes *n, const uint32_t *calls, uint32_t count, uint8_t *order)
{
    uint64_t done = 0;
    uint32_t end = 0;
    for (uint32_t k = 0; k < count; k++)
        if (!(done & ordering_bit(n->node_of[calls[k]]))) {
            order[end++] = n->node_of[calls[k]];
            done |= ordering_bit(order[end - 1]);
        }
    while (end < n->count)
        for (uint32_t v = 0; v < n->count; v++)
            if (!(done & ordering_bit(v)) && !(n->earlier[v] & ~done)) {
                order[end++] = (uint8_t)v;
                done |= ordering_bit(v);
            }
}

bool ordering_repeats(const struct ordering_question *q, const struct ordering_answer *answer)
{
    struct ordering_nodes n;
    uint8_t order[ORDERING_CALLS_MAX];
    uint32_t failed = 0, length = answer->order_count;
    bool failed_pre = false, fails = answer->fault == ORDERING_CONDITION;
    if (answer->fault == ORDERING_CYCLE || answer->verdict == VERDICT_INCONCLUSIVE)
        return true;
    ordering_find_nodes(q, &n);
    order_nodes(&n, fails ? answer->other : answer->order, fails ? answer->other_count : length, order);
    q->machine.reset(q->machine.context);
    for (uint32_t k = 0, run = 0; k < n.count && run < length; k++) {
        if (!ordering_run_node(q, &n, order[k], &failed, &failed_pre))
            return false;
        run += n.first[order[k] + 1] - n.first[order[k]];
    }
    return !fails || (!ordering_run_node(q, &n, n.node_of[answer->failed], &failed, &failed_pre) &&
                      failed == answer->failed && failed_pre == answer->failed_pre);
}

/* The legal order becomes the failing one by exchanging neighbours, which have no order: both orders agree with edges. One exchange makes
 * the difference. */
bool ordering_unordered_pair(const struct ordering_question *q, const struct ordering_answer *answer,
                             uint32_t pair[2])
{
    struct ordering_nodes n;
    uint8_t order[ORDERING_CALLS_MAX], other[ORDERING_CALLS_MAX], rank[ORDERING_CALLS_MAX];
    ordering_find_nodes(q, &n);
    order_nodes(&n, answer->order, answer->order_count, order);
    order_nodes(&n, answer->other, answer->other_count, other);
    for (uint32_t k = 0; k < n.count; k++)
        rank[other[k]] = (uint8_t)k;
    for (uint32_t end = n.count; end > 1; end--)
        for (uint32_t k = 0; k + 1 < end; k++) {
            uint8_t a = order[k], b = order[k + 1];
            if (rank[a] < rank[b])
                continue;
            order[k] = b;
            order[k + 1] = a;
            if (is_legal(q, &n, order))
                continue;
            pair[0] = ordering_node_name(&n, a);
            pair[1] = ordering_node_name(&n, b);
            return true;
        }
    return false;
}
