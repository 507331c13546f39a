/* SPDX-License-Identifier: Apache-2.0 */
/* The relaxed specification runs two sequences side by side: p, the operations as they are asked for, and q, a
 * legal sequence of the base specification, one operation of the same class for each of p. What one of
 * them has done and the other not yet is a debt, with the number of operations of its class since then.
 * Where the debts of both are paid, q is a permutation of p; debts paid within the factor are distances
 * within the factor. Of equal operations the oldest is paid first: to exchange two payments never
 * shortens the longer one. */
#include "spec/quasi/spec_quasi.h"

#include "base/hash.h"
#include "base/text.h"
#include "spec/quasi/quasi_state.h"
#include "spec/registry.h"
#include "spec/shape.h"
#include "spec/serial/serial.h"

#include <string.h>

/* --- steps of the base -------------------------------------------------------------------------------------- */

/* Is this what the thread does next, if it matters? */
static bool is_next_of_thread(const struct quasi_state *s, const struct plumb_call *call)
{
    const struct quasi *q = s->q;
    uint32_t left = call->thread < q->threads ? s->done[call->thread] : 0;
    for (size_t k = 0; q->by_thread && k < q->calls.len; k++)
        if (q->calls.data[k].thread == call->thread && left-- == 0)
            return q->calls.data[k].op == call->op && q->calls.data[k].arg == call->arg;
    return !q->by_thread;
}

static bool step_base(struct quasi_state *s, const struct plumb_call *call, unsigned choice,
                      plumb_value *result)
{
    if (!is_next_of_thread(s, call) || !s->q->base->step(s->base, call, choice, result))
        return false;
    if (s->done)
        s->done[call->thread]++;
    return true;
}

/* --- enumerating the outcomes of a step ---------------------------------------------------------------------- */

/* Makes outcomes one by one and keeps number `left`, or shows all of them to `visit` until it says true. */
struct outcomes {
    unsigned left;
    struct quasi_state *chosen;
    bool (*visit)(struct quasi_state *s);
    bool done;
};

/* Takes the state over. */
static void offer(struct outcomes *o, struct quasi_state *s)
{
    if (o->visit) {
        o->done = o->visit(s);
    } else if (o->left-- == 0) {
        o->chosen = s;
        o->done = true;
        return;
    }
    quasi_destroy(s);
}

static uint32_t class_of(const struct quasi *q, uint32_t op, plumb_value result)
{
    return q->factor.class_of[op][result == PLUMB_NONE];
}

/* q has done `call`, with this result, in `s` (taken over): who pays for it? */
static void settle(struct outcomes *o, struct quasi_state *s, uint32_t class, const struct plumb_call *call,
                   plumb_value result)
{
    s->latest = *call;
    s->latest.result = result;
    size_t known = quasi_find_debt(s, class, SIDE_P, call, result);
    size_t pending = quasi_find_debt(s, class, SIDE_P, call, PLUMB_ANY);
    if (pending < s->debts.len) {
        struct quasi_state *other = quasi_clone(s);
        quasi_pay_debt(other, pending);
        if (quasi_is_too_late(other, class))
            quasi_destroy(other);
        else
            offer(o, other);
    }
    if (known < s->debts.len)
        quasi_pay_debt(s, known);
    else
        quasi_add_debt(s, class, SIDE_Q, call, result);
    if (o->done || quasi_is_too_late(s, class))
        quasi_destroy(s);
    else
        offer(o, s);
}

/* q does something of the class. `s` remains. */
static void choose_for_q(struct outcomes *o, const struct quasi_state *s, uint32_t class)
{
    const struct quasi *q = s->q;
    for (size_t k = 0; k < q->calls.len && !o->done; k++) {
        struct plumb_call call = q->calls.data[k];
        if (q->factor.class_of[call.op][0] != class && q->factor.class_of[call.op][1] != class)
            continue;
        for (unsigned choice = 0; !o->done; choice++) {
            struct quasi_state *next = quasi_clone(s);
            plumb_value result;
            bool possible = step_base(next, &call, choice, &result);
            if (possible && class_of(q, call.op, result) == class)
                settle(o, next, class, &call, result);
            else
                quasi_destroy(next);
            if (!possible)
                break;
        }
    }
}

/* The pending `call` has done what q did before. */
static void guess_result(struct outcomes *o, const struct quasi_state *aged, uint32_t class,
                         const struct plumb_call *call)
{
    for (size_t i = 0; i < aged->debts.len && !o->done; i++) {
        const struct debt *d = &aged->debts.data[i];
        if (d->side_of_class != 2 * class + SIDE_Q || !quasi_is_same_call(aged->q, d, call) ||
            quasi_find_debt(aged, class, SIDE_Q, call, d->result) != i)
            continue;
        struct quasi_state *next = quasi_clone(aged);
        quasi_pay_debt(next, i);
        choose_for_q(o, next, class);
        quasi_destroy(next);
    }
}

static void step_class(struct outcomes *o, const struct quasi_state *s, uint32_t class,
                       const struct plumb_call *call)
{
    struct quasi_state *aged = quasi_clone(s);
    quasi_age_debts(aged, class);
    size_t paid = quasi_find_debt(aged, class, SIDE_Q, call, call->result);
    if (call->result == PLUMB_ANY)
        guess_result(o, aged, class, call);
    if (paid < aged->debts.len)
        quasi_pay_debt(aged, paid);
    else
        quasi_add_debt(aged, class, SIDE_P, call, call->result);
    choose_for_q(o, aged, class);
    quasi_destroy(aged);
}

/* Outcomes of the base specification that belong to no class. */
static void step_exactly(struct outcomes *o, const struct quasi_state *s, const struct plumb_call *call)
{
    for (unsigned choice = 0; !o->done; choice++) {
        struct quasi_state *next = quasi_clone(s);
        plumb_value result;
        bool possible = step_base(next, call, choice, &result);
        if (possible && class_of(s->q, call->op, result) == QUASI_NO_CLASS) {
            next->latest = *call;
            next->latest.result = result;
            offer(o, next);
        } else {
            quasi_destroy(next);
        }
        if (!possible)
            return;
    }
}

static void step_as(struct outcomes *o, const struct quasi_state *s, uint32_t class,
                    const struct plumb_call *call)
{
    if (class == QUASI_NO_CLASS)
        step_exactly(o, s, call);
    else
        step_class(o, s, class, call);
}

static bool quasi_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct quasi_state *s = state;
    const uint8_t *classes = s->q->factor.class_of[call->op];
    struct outcomes o = {.left = choice};
    struct plumb_call own = *call;
    own.thread = s->q->base->thread_matters ? call->thread : 0;
    if (call->result != PLUMB_ANY) {
        step_as(&o, s, classes[call->result == PLUMB_NONE], &own);
    } else {
        step_as(&o, s, classes[0], &own);
        if (!o.done && classes[1] != classes[0])
            step_as(&o, s, classes[1], &own);
    }
    if (!o.chosen)
        return false;
    struct quasi_state old = *s;
    *s = *o.chosen;
    *o.chosen = old;
    quasi_destroy(o.chosen);
    if (result)
        *result = call->result;
    return true;
}

/* --- ends ---------------------------------------------------------------------------------------------------- */

static bool can_be_completed(struct quasi_state *s);

/* p is appended what q did first: with fewer operations or in another order no debt is paid earlier. */
static bool complete_class(const struct quasi_state *s, uint32_t class, size_t first)
{
    struct outcomes o = {.visit = can_be_completed};
    struct quasi_state *next = quasi_clone(s);
    quasi_age_debts(next, class);
    quasi_pay_debt(next, first);
    choose_for_q(&o, next, class);
    quasi_destroy(next);
    return o.done;
}

/* In each class p and q owe equally many, and each appended operation leaves the debts of p fewer or older: this
 * comes to an end. */
static bool can_be_completed(struct quasi_state *s)
{
    const struct quasi *q = s->q;
    if (!s->debts.len)
        return spec_accepts(q->base, s->base);
    for (size_t i = 0; i < s->debts.len; i++)
        if (q->factor.whole ||
            (s->debts.data[i].side_of_class & 1 && !quasi_takes_away(q, &s->debts.data[i])))
            return false;
    for (size_t i = 0; i < s->debts.len; i++) {
        uint32_t side_of_class = s->debts.data[i].side_of_class;
        bool is_first = i == 0 || s->debts.data[i - 1].side_of_class != side_of_class;
        if (is_first && side_of_class & 1 && complete_class(s, side_of_class / 2, i))
            return true;
    }
    return false;
}

static bool quasi_accept(const void *state)
{
    struct quasi_state *copy = quasi_clone(state);
    bool accepted = can_be_completed(copy);
    quasi_destroy(copy);
    return accepted;
}

/* An operation waits where that of the base specification waits. */
static bool quasi_blocks(const void *state, const struct plumb_call *call)
{
    const struct quasi_state *s = state;
    return spec_blocks(s->q->base, s->base, call);
}

/* --- making one ------------------------------------------------------------------------------------------------ */

/* If not, it is from now on: it is the next of q->calls. */
static bool is_known_call(struct quasi *q, const struct plumb_call *call)
{
    uint64_t key = hash_combine(hash_combine(call->arg, call->op), call->thread);
    for (;; key++) {
        uint32_t *number = hash_map_at(&q->numbers, key);
        if (*number == HASH_NO_NUMBER) {
            *number = (uint32_t)q->calls.len;
            return false;
        }
        const struct plumb_call *c = &q->calls.data[*number];
        if (c->op == call->op && c->arg == call->arg && c->thread == call->thread)
            return true;
    }
}

static void add_call(struct quasi *q, struct plumb_call call)
{
    call.result = PLUMB_ANY;
    call.thread = q->base->thread_matters ? call.thread : 0;
    if (q->by_thread && call.thread >= q->threads)
        q->threads = call.thread + 1;
    if (!q->by_thread && is_known_call(q, &call))
        return;
    vec_push(&q->calls, call);
}

static void add_removal(struct quasi *q, uint32_t op, const struct plumb_values *values, plumb_value arg,
                        uint32_t thread)
{
    struct shape shape = shape_of(&q->base->operations[op]);
    if (shape_arg_fits(&shape, values, arg))
        add_call(q, (struct plumb_call){.op = op, .thread = thread, .arg = arg});
}

/* What may be appended: with an argument, that of any call or an item of it. */
static void add_removals(struct quasi *q, uint32_t op, const struct plumb_values *values,
                         const struct plumb_call *call)
{
    if (spec_quasi_role(q->base, op) != PLUMB_REMOVES || q->factor.class_of[op][0] == QUASI_NO_CLASS)
        return;
    if (!q->base->operations[op].args[0])
        add_call(q, (struct plumb_call){.op = op, .thread = call->thread, .arg = PLUMB_OK});
    add_removal(q, op, values, call->arg, call->thread);
    for (size_t i = 0; plumb_is_array(call->arg) && i < plumb_array_count(values, call->arg); i++)
        add_removal(q, op, values, plumb_array_item(values, call->arg, i), call->thread);
}

/* What moves is no mere read. */
static void copy_operations(struct quasi *q)
{
    uint32_t count = q->base->operation_count;
    q->operations = NEW_ARRAY(struct plumb_operation, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *classes = q->factor.class_of[i];
        q->operations[i] = q->base->operations[i];
        q->operations[i].reads &= classes[0] == QUASI_NO_CLASS && classes[1] == QUASI_NO_CLASS;
    }
}

struct plumb_spec *spec_quasi_new(const struct plumb_spec *base, const char *factor,
                                  const struct plumb_values *values, const struct plumb_call *calls,
                                  size_t count)
{
    struct quasi *q = NEW(struct quasi);
    struct text name = {0};
    q->base = base;
    q->by_thread = base->kind == PLUMB_KIND_DERIVED;
    quasi_factor_read(&q->factor, factor, base);
    copy_operations(q);
    for (size_t i = 0; i < count; i++)
        add_call(q, calls[i]);
    for (uint32_t op = 0; op < base->operation_count && !q->by_thread; op++)
        for (size_t i = 0; i < count; i++)
            add_removals(q, op, values, &calls[i]);
    hash_map_free(&q->numbers);
    text_printf(&name, SPEC_QUASI_PREFIX "%s (%s)", base->name, factor);
    q->name = text_take(&name);
    q->spec = (struct plumb_spec){
        .name = q->name,
        .summary = base->summary,
        .operations = q->operations,
        .operation_count = base->operation_count,
        .init_of = quasi_init,
        .destroy = quasi_destroy,
        .clone = quasi_clone,
        .hash = quasi_hash,
        .equal = quasi_equal,
        .step = quasi_step,
        .blocks = quasi_blocks,
        .accept = quasi_accept,
        .valid_initial = base->valid_initial,
        .print = quasi_print,
        .footprint = quasi_footprint,
        .thread_matters = base->thread_matters,
    };
    return &q->spec;
}

void spec_quasi_free(const struct plumb_spec *spec)
{
    struct quasi *q = (struct quasi *)(uintptr_t)spec;
    vec_free(&q->calls);
    free(q->factor.class_of);
    free(q->operations);
    free(q->name);
    free(q);
}

const struct plumb_spec *spec_quasi_base(const struct plumb_spec *spec)
{
    return spec->init_of == quasi_init ? ((const struct quasi *)spec)->base : NULL;
}

const struct quasi_factor *spec_quasi_factor(const struct plumb_spec *spec)
{
    return &((const struct quasi *)spec)->factor;
}

void spec_quasi_append_nothing(const struct plumb_spec *spec)
{
    struct quasi *q = (struct quasi *)(uintptr_t)spec;
    q->factor.whole = true;
}

static const struct plumb_spec *relax_object(const struct history *h, uint32_t object,
                                             const struct plumb_spec *base, const char *factor)
{
    OWNED VEC(struct plumb_call) calls = {0};
    for (size_t i = 0; i < h->ops.len; i++) {
        const struct history_op *op = history_at(h, i);
        struct plumb_call call = {.op = op->op, .thread = op->thread, .arg = op->arg, .result = op->result};
        if (history_object_of(h, i) == object)
            vec_push(&calls, call);
    }
    const struct plumb_spec *relaxed = spec_quasi_new(base, factor, h->values, calls.data, calls.len);
    return relaxed;
}

bool spec_quasi_relax(const struct history *h, const struct plumb_spec **specs, const char *factor,
                      struct diagnostic *d)
{
    uint32_t objects = (uint32_t)h->object_names.len;
    if (!spec_quasi_check(factor, NULL, 0, d))
        return false;
    for (uint32_t i = 0; i < objects; i++)
        specs[i] = relax_object(h, i, specs[i], factor);
    return true;
}
