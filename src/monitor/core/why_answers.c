/* SPDX-License-Identifier: Apache-2.0 */
/* The sentence for cores of no known shape: which answers were possible in all orders, and what had returned before. */

#include "history/value_text.h"
#include "monitor/core/core.h"
#include "spec/quasi/spec_quasi.h"
#include "spec/registry.h"

#include <string.h>

/* The operation at which the orders of `core` end. */
struct answer {
    struct text *t;
    const struct part *core;
    const struct monitor_violation *v;
    uint32_t op;
};

#define SAY(a, ...) why_print((a)->t, (a)->core, __VA_ARGS__)

static bool precedes(const struct part *p, uint32_t a, uint32_t b)
{
    return p->order.ret[a] < p->order.call[b];
}

/* ------------------------------------------------------------------ full */

enum { COUNTED_MOST = 16 };

/* What an operation may add to the number of elements at most. */
static int growth_of(const struct part *p, uint32_t i)
{
    const struct history_op *op = part_op(p, i);
    bool known = p->order.ret[i] != ORDER_NEVER && op->result != PLUMB_ANY;
    if (p->spec->operations[op->op].role == PLUMB_ADDS)
        return !known || op->result != PLUMB_FALSE;
    return p->spec->operations[op->op].role == PLUMB_REMOVES && known && op->result != PLUMB_NONE ? -1 : 0;
}

/* May exactly these operations have taken effect before that one? */
static bool is_past(const struct part *p, uint32_t set, uint32_t op)
{
    for (uint32_t i = 0; i < p->order.count; i++) {
        bool inside = set >> i & 1;
        if (inside ? precedes(p, op, i) : precedes(p, i, op))
            return false;
        for (uint32_t k = 0; k < p->order.count && inside; k++)
            if (!(set >> k & 1) && precedes(p, k, i))
                return false;
    }
    return true;
}

static uint32_t most_inside(const struct part *p, uint32_t op)
{
    int most = 0;
    for (uint32_t set = 0; set < 1u << p->order.count; set++) {
        int inside = 0;
        for (uint32_t i = 0; i < p->order.count; i++)
            inside += set >> i & 1 ? growth_of(p, i) : 0;
        if (inside > most && !(set >> op & 1) && is_past(p, set, op))
            most = inside;
    }
    return (uint32_t)most;
}

static bool explain_full(const struct answer *a)
{
    const struct history_op *op = part_op(a->core, a->op);
    uint64_t capacity;
    const struct plumb_spec *base = spec_base_of_bounded(a->core->spec, &capacity);
    if (!base || op->result != PLUMB_FALSE || a->core->spec->operations[op->op].role != PLUMB_ADDS ||
        a->core->order.count > COUNTED_MOST)
        return false;
    uint32_t most = most_inside(a->core, a->op);
    if (most >= capacity)
        return false;
    SAY(a, "%o says that the %s was full, yet the %s held at most %u of %u during the whole call.", a->op,
        base->name, base->name, most, (uint32_t)capacity);
    return true;
}

/* ------------------------------------------------------------------ what had returned before */

enum { NAMED_MOST = 4 };

static bool are_all_before(const struct answer *a)
{
    for (uint32_t i = 0; i < a->core->order.count; i++)
        if (i != a->op && !precedes(a->core, i, a->op))
            return false;
    return a->core->order.count > 1;
}

/* Of locks, say; not of serial runs, which have an order of threads. */
static bool has_owners(const struct plumb_spec *spec)
{
    return spec->thread_matters && spec->kind != PLUMB_KIND_DERIVED && !spec_quasi_base(spec);
}

static void say_op(const struct answer *a, uint32_t i)
{
    SAY(a, "%o", i);
    if (has_owners(a->core->spec))
        SAY(a, " by thread %v", a->core->history->thread_names.data[part_op(a->core, i)->thread]);
}

static bool are_alike(const struct answer *a)
{
    const struct history_op *first = part_op(a->core, a->op == 0);
    for (uint32_t i = 0; i < a->core->order.count; i++) {
        const struct history_op *op = part_op(a->core, i);
        if (i != a->op && (op->op != first->op || op->arg != first->arg || op->result != first->result))
            return false;
    }
    return !has_owners(a->core->spec);
}

/* "both add(1)", "put(1, 10), put(1, 20) and remove(1) = true" */
static void say_others(const struct answer *a)
{
    uint32_t others = a->core->order.count - 1, left = others;
    if (others > 1 && are_alike(a)) {
        SAY(a, others == 2 ? "both %o" : "all %u %o", others == 2 ? (uint32_t)(a->op == 0) : others,
            a->op == 0);
        return;
    }
    if (others > NAMED_MOST) {
        SAY(a, "the %u others", others);
        return;
    }
    for (uint32_t i = 0; i < a->core->order.count; i++)
        if (i != a->op) {
            say_op(a, i);
            SAY(a, --left > 1 ? ", " : left == 1 ? " and " : "");
        }
}

/* An operation that answers nothing returned all the same. */
static void say_answer(const struct answer *a)
{
    say_op(a, a->op);
    SAY(a, part_op(a->core, a->op)->result == PLUMB_OK ? " returned, too" : "");
}

/* ------------------------------------------------------------------ what would have been possible */

static void add_answers(const monitor_answers *from, monitor_answers *to)
{
    for (size_t k = 0; k < from->len; k++) {
        bool known = false;
        for (size_t j = 0; j < to->len; j++)
            known |= to->data[j] == from->data[k];
        if (!known)
            vec_push(to, from->data[k]);
    }
}

/* False: orders end in other ways, too. */
static bool find_answers(const struct answer *a, monitor_answers *answers)
{
    const struct monitor_violation *v = a->v;
    bool answered = v->expected.len > 0;
    add_answers(&v->expected, answers);
    for (size_t k = 0; k < v->others.len; k++) {
        if (v->others.data[k].stuck_op != v->stuck_op || (v->others.data[k].expected.len > 0) != answered)
            return false;
        add_answers(&v->others.data[k].expected, answers);
    }
    return v->attempts_are_all && answers->len <= NAMED_MOST;
}

static void say_possible(const struct answer *a, const monitor_answers *answers)
{
    if (answers->len)
        violation_print_answers(a->t, a->core, answers);
    else
        SAY(a, "%s", a->v->stuck_why);
    SAY(a, ".");
}

bool why_answers(struct text *t, const struct part *core, const void *initial,
                 const struct monitor_violation *v, uint32_t stuck)
{
    struct answer a = {t, core, v, stuck};
    monitor_answers answers = {0};
    bool known = find_answers(&a, &answers);
    if (known && !initial && explain_full(&a)) {
        /* it has its words */
    } else if (known && are_all_before(&a)) {
        say_others(&a);
        SAY(&a, " had returned, yet ");
        say_answer(&a);
        SAY(&a, ": ");
        say_possible(&a, &answers);
    } else if (known && answers.len) {
        say_op(&a, stuck);
        SAY(&a, core->order.count > 1 ? ", yet whatever the order of these operations, " : ", yet ");
        say_possible(&a, &answers);
    } else {
        known = false;
    }
    vec_free(&answers);
    return known;
}
