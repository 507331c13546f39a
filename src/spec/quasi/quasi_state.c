/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/quasi/quasi_state.h"

#include "base/hash.h"
#include "base/text.h"
#include "history/value_text.h"
#include "spec/builtin/builtin.h"
#include "spec/registry.h"
#include "spec/quasi/spec_quasi.h"

#include <string.h>

/* --- states ------------------------------------------------------------------------------------------------ */

void *quasi_init(const struct plumb_spec *spec, const struct plumb_spec_options *options)
{
    struct quasi_state *s = NEW(struct quasi_state);
    s->q = (const struct quasi *)spec;
    s->values = options ? options->values : NULL;
    s->base = spec_init(s->q->base, options);
    s->done = s->q->threads ? NEW_ZEROED(uint32_t, s->q->threads) : NULL;
    return s;
}

void quasi_destroy(void *state)
{
    struct quasi_state *s = state;
    s->q->base->destroy(s->base);
    vec_free(&s->debts);
    free(s->done);
    free(s);
}

void *quasi_clone(const void *state)
{
    const struct quasi_state *s = state;
    struct quasi_state *copy = NEW(struct quasi_state);
    copy->q = s->q;
    copy->values = s->values;
    copy->base = s->q->base->clone(s->base);
    copy->latest = s->latest;
    vec_reserve(&copy->debts, s->debts.len);
    if (s->debts.len)
        memcpy(copy->debts.data, s->debts.data, s->debts.len * sizeof *s->debts.data);
    copy->debts.len = s->debts.len;
    if (s->done) {
        copy->done = NEW_ARRAY(uint32_t, s->q->threads);
        memcpy(copy->done, s->done, s->q->threads * sizeof *s->done);
    }
    return copy;
}

uint64_t quasi_hash(const void *state)
{
    const struct quasi_state *s = state;
    uint64_t h = s->q->base->hash(s->base);
    if (s->done)
        h = hash_combine(h, hash_bytes(s->done, s->q->threads * sizeof *s->done));
    return s->debts.len ? hash_combine(h, hash_bytes(s->debts.data, s->debts.len * sizeof *s->debts.data))
                        : h;
}

bool quasi_equal(const void *a, const void *b)
{
    const struct quasi_state *x = a, *y = b;
    return x->debts.len == y->debts.len &&
           (!x->debts.len || !memcmp(x->debts.data, y->debts.data, x->debts.len * sizeof *x->debts.data)) &&
           (!x->done || !memcmp(x->done, y->done, x->q->threads * sizeof *x->done)) &&
           x->q->base->equal(x->base, y->base);
}

size_t quasi_footprint(const void *state)
{
    const struct quasi_state *s = state;
    size_t base = s->q->base->footprint ? s->q->base->footprint(s->base) : 256;
    return base + sizeof *s + s->debts.cap * sizeof *s->debts.data;
}

static void print_debts(struct text *out, const struct quasi_state *s, enum side side, const char *intro)
{
    for (size_t i = 0; i < s->debts.len; i++) {
        const struct debt *d = &s->debts.data[i];
        if ((d->side_of_class & 1) != side)
            continue;
        struct history_op op = {.arg = d->arg, .result = d->result, .pending = d->result == PLUMB_ANY};
        text_puts(out, intro);
        value_print_op(out, s->values, s->q->base->operations[d->op].name, false, &op);
        intro = ", ";
    }
}

size_t quasi_print(const void *state, char *buffer, size_t size)
{
    const struct quasi_state *s = state;
    struct text out = {0};
    char base[512];
    s->q->base->print(s->base, base, sizeof base);
    text_puts(&out, base);
    print_debts(&out, s, SIDE_P, "; early ");
    print_debts(&out, s, SIDE_Q, "; late ");
    return spec_print_end(&out, buffer, size);
}

/* --- debts ------------------------------------------------------------------------------------------------- */

/* The calling thread is not part of an operation where threads only say what comes next. */
static uint32_t thread_of(const struct quasi *q, const struct plumb_call *call)
{
    return q->by_thread ? 0 : call->thread;
}

bool quasi_is_same_call(const struct quasi *q, const struct debt *d, const struct plumb_call *call)
{
    return d->op == call->op && d->arg == call->arg && d->thread == thread_of(q, call);
}

size_t quasi_find_debt(const struct quasi_state *s, uint32_t class, enum side side,
                       const struct plumb_call *call, plumb_value result)
{
    size_t i = 0;
    for (; i < s->debts.len; i++) {
        const struct debt *d = &s->debts.data[i];
        if (d->side_of_class == 2 * class + side && d->result == result && quasi_is_same_call(s->q, d, call))
            break;
    }
    return i;
}

void quasi_pay_debt(struct quasi_state *s, size_t i)
{
    s->debts.len--;
    memmove(s->debts.data + i, s->debts.data + i + 1, (s->debts.len - i) * sizeof *s->debts.data);
}

void quasi_add_debt(struct quasi_state *s, uint32_t class, enum side side, const struct plumb_call *call,
                    plumb_value result)
{
    struct debt d = {.arg = call->arg,
                     .result = result,
                     .op = call->op,
                     .thread = thread_of(s->q, call),
                     .side_of_class = 2 * class + side};
    vec_push(&s->debts, d);
    size_t i = s->debts.len - 1;
    for (; i > 0 && s->debts.data[i - 1].side_of_class > d.side_of_class; i--)
        s->debts.data[i] = s->debts.data[i - 1];
    s->debts.data[i] = d;
}

void quasi_age_debts(struct quasi_state *s, uint32_t class)
{
    for (size_t i = 0; i < s->debts.len; i++)
        s->debts.data[i].age += s->debts.data[i].side_of_class / 2 == class;
}

bool quasi_is_too_late(const struct quasi_state *s, uint32_t class)
{
    for (size_t i = 0; i < s->debts.len; i++)
        if (s->debts.data[i].side_of_class / 2 == class && s->debts.data[i].age >= s->q->factor.most[class])
            return true;
    return false;
}

bool quasi_takes_away(const struct quasi *q, const struct debt *d)
{
    return d->result != PLUMB_NONE && d->result != PLUMB_FALSE &&
           spec_quasi_role(q->base, d->op) == PLUMB_REMOVES;
}
