/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/certificate.h"

#include "spec/registry.h"

#include <stdlib.h>
#include <string.h>

/* The last operation of a thread in the order. */
struct latest {
    int64_t call, ret;
    uint32_t number; /* of the operation, + 1; 0: none */
    bool pending;
};

struct certificate {
    const struct history *history;
    uint8_t
        *member; /* per operation: 0 no member, 1 member, 2 member and in the order; all 0 between checks */
    struct latest *latest; /* per thread; all 0 between checks */
};

struct certificate *certificate_create(const struct history *h)
{
    struct certificate *c = NEW(struct certificate);
    c->history = h;
    c->member = NEW_ZEROED(uint8_t, h->ops.len);
    c->latest = NEW_ZEROED(struct latest, h->thread_names.len);
    return c;
}

void certificate_destroy(struct certificate *c)
{
    free(c->member);
    free(c->latest);
    free(c);
}

/* ------------------------------------------------------------------ the same operations */

static inline uint32_t member_at(const uint32_t *members, size_t k)
{
    return members ? members[k] : (uint32_t)k;
}

/* How many of them have returned. `ops` null: 0, 1, 2, ... */
static size_t count_completed(const struct history *h, const uint32_t *ops, size_t count)
{
    size_t pending = 0;
    for (size_t k = 0; rows_may_pend(&h->ops) && k < count; k++)
        pending += history_get(h, member_at(ops, k)).pending;
    return count - pending;
}

static const char *check_membership(struct certificate *c, const uint32_t *members, size_t member_count,
                                    const uint32_t *order, size_t order_count)
{
    for (size_t k = 0; k < member_count; k++)
        c->member[member_at(members, k)] = 1;
    for (size_t k = 0; k < order_count; k++) {
        if (order[k] >= c->history->ops.len || c->member[order[k]] == 0)
            return "an operation of the order does not belong to it";
        if (c->member[order[k]] == 2)
            return "an operation occurs twice";
        c->member[order[k]] = 2;
    }
    size_t completed = count_completed(c->history, members, member_count);
    size_t placed = count_completed(c->history, order, order_count);
    return placed == completed ? NULL : "a completed operation is missing";
}

/* ------------------------------------------------------------------ the order of time */

/* Operations of one thread do not overlap; this is their program order. */
static bool is_later_in_thread(const struct latest *a, const struct history_op *b, uint32_t number)
{
    if (a->call != b->call)
        return a->call > b->call;
    if (a->pending || b->pending)
        return a->pending;
    return a->ret != b->ret ? a->ret > b->ret : a->number > number;
}

static const char *check_time(struct certificate *c, const uint32_t *order, size_t order_count)
{
    int64_t latest_call = INT64_MIN;
    for (size_t k = 0; k < order_count; k++) {
        const struct history_op *op = history_at(c->history, order[k]);
        if (!op->pending && op->ret < latest_call)
            return "an operation stands behind one that was called after it returned";
        if (op->call > latest_call)
            latest_call = op->call;
        struct latest *latest = &c->latest[op->thread];
        if (latest->number && is_later_in_thread(latest, op, order[k] + 1))
            return "two operations of one thread are in the wrong order";
        *latest = (struct latest){op->call, op->ret, order[k] + 1, op->pending};
    }
    return NULL;
}

/* ------------------------------------------------------------------ the specification */

static struct plumb_call call_of(const struct history_op *op)
{
    return (struct plumb_call){
        .op = op->op,
        .thread = op->thread,
        .arg = op->arg,
        .result = op->pending ? PLUMB_ANY : op->result,
    };
}

/* Follows the first outcome of every operation: enough for deterministic answers. */
static bool replay_first_outcomes(const struct history *h, const struct plumb_spec *spec,
                                  const struct plumb_spec_options *options, const uint32_t *order,
                                  size_t count)
{
    void *state = spec_init(spec, options);
    bool legal = true;
    for (size_t k = 0; k < count && legal; k++) {
        struct plumb_call call = call_of(history_at(h, order[k]));
        legal = spec->step(state, &call, 0, NULL);
    }
    legal = legal && spec_accepts(spec, state);
    spec->destroy(state);
    return legal;
}

typedef VEC(void *) state_list;

static void add_if_new(const struct plumb_spec *spec, state_list *list, void *state)
{
    for (size_t k = 0; k < list->len; k++)
        if (spec->equal(list->data[k], state)) {
            spec->destroy(state);
            return;
        }
    vec_push(list, state);
}

static void destroy_states(const struct plumb_spec *spec, state_list *list)
{
    for (size_t k = 0; k < list->len; k++)
        spec->destroy(list->data[k]);
    vec_free(list);
}

/* All states that some choice of outcomes leads to. */
static state_list step_all(const struct plumb_spec *spec, const state_list *from,
                           const struct plumb_call *call)
{
    state_list to = {0};
    for (size_t k = 0; k < from->len; k++)
        for (unsigned choice = 0;; choice++) {
            void *next = spec->clone(from->data[k]);
            if (!spec->step(next, call, choice, NULL)) {
                spec->destroy(next);
                break;
            }
            add_if_new(spec, &to, next);
        }
    return to;
}

static bool replay_all_outcomes(const struct history *h, const struct plumb_spec *spec,
                                const struct plumb_spec_options *options, const uint32_t *order, size_t count)
{
    state_list states = {0};
    vec_push(&states, spec_init(spec, options));
    for (size_t k = 0; k < count && states.len; k++) {
        struct plumb_call call = call_of(history_at(h, order[k]));
        state_list next = step_all(spec, &states, &call);
        destroy_states(spec, &states);
        states = next;
    }
    bool legal = false;
    for (size_t k = 0; k < states.len; k++)
        legal |= spec_accepts(spec, states.data[k]);
    destroy_states(spec, &states);
    return legal;
}

/* ------------------------------------------------------------------ all together */

static void forget(struct certificate *c, const uint32_t *members, size_t member_count)
{
    size_t threads = c->history->thread_names.len;
    if (threads <= member_count)
        memset(c->latest, 0, threads * sizeof *c->latest);
    for (size_t k = 0; threads > member_count && k < member_count; k++)
        c->latest[history_get(c->history, member_at(members, k)).thread].number = 0;
    for (size_t k = 0; k < member_count; k++)
        c->member[member_at(members, k)] = 0;
}

const char *certificate_check_order(struct certificate *c, const uint32_t *members, size_t member_count,
                                    const uint32_t *order, size_t order_count)
{
    const char *wrong = check_membership(c, members, member_count, order, order_count);
    if (!wrong)
        wrong = check_time(c, order, order_count);
    forget(c, members, member_count);
    return wrong;
}

const char *certificate_check(struct certificate *c, const struct plumb_spec *spec,
                              const struct plumb_spec_options *options, const uint32_t *members,
                              size_t member_count, const uint32_t *order, size_t order_count)
{
    const char *wrong = certificate_check_order(c, members, member_count, order, order_count);
    if (!wrong && !replay_first_outcomes(c->history, spec, options, order, order_count) &&
        !replay_all_outcomes(c->history, spec, options, order, order_count))
        wrong = "the specification does not allow this order";
    return wrong;
}
