/* SPDX-License-Identifier: Apache-2.0 */
/* From what an algorithm found to a certificate: p and q as calls, and which operation of q is which of p. */
#include "monitor/quasi/quasi.h"
#include "monitor/quasi/quasi_certificate.h"
#include "monitor/quasi/quasi_items.h"
#include "spec/quasi/spec_quasi.h"

#include <string.h>

/* --- what is which ------------------------------------------------------------------------------------------------ */

/* A matching of p and q within each class, by augmenting paths. Operations of p without a result fit all of their class. */
struct pairing {
    const struct spec_quasi_story *story;
    const struct plumb_spec *base;
    const struct quasi_factor *factor;
    size_t length;
    uint32_t *members,
        *place; /* positions by class, one class after the other; the place of each among them */
    uint32_t first[QUASI_CLASSES + 1];
    uint32_t *p_of, *q_of;  /* partners, or QUASI_NONE */
    uint32_t *seen, search; /* in this search */
};

static uint8_t class_of(const struct pairing *x, const struct plumb_call *call)
{
    return x->factor->class_of[call->op][call->result == PLUMB_NONE];
}

static bool fits(const struct pairing *x, uint32_t p, uint32_t q)
{
    const struct plumb_call *a = &x->story->p.data[p], *b = &x->story->q.data[q];
    return a->op == b->op && a->arg == b->arg && (a->result == b->result || a->result == PLUMB_ANY) &&
           (!x->base->thread_matters || a->thread == b->thread);
}

/* Finds a partner for position q among those of its class near it. */
static bool find_partner(struct pairing *x, uint8_t class, uint32_t q)
{
    uint32_t most = x->factor->most[class], place = x->place[q],
             count = x->first[class + 1] - x->first[class];
    uint32_t from = place > most ? place - most : 0, to = place + most < count ? place + most : count - 1;
    for (uint32_t k = from; k <= to; k++) {
        uint32_t p = x->members[x->first[class] + k];
        if (x->seen[p] == x->search || !fits(x, p, q))
            continue;
        x->seen[p] = x->search;
        if (x->q_of[p] == QUASI_NONE || find_partner(x, class, x->q_of[p])) {
            x->q_of[p] = q;
            x->p_of[q] = p;
            return true;
        }
    }
    return false;
}

static void sort_into_classes(struct pairing *x)
{
    uint32_t next[QUASI_CLASSES] = {0};
    for (size_t k = 0; k < x->length; k++) {
        uint8_t class = class_of(x, &x->story->q.data[k]);
        if (class != QUASI_NO_CLASS)
            x->place[k] = next[class]++;
    }
    for (uint32_t c = 0; c < QUASI_CLASSES; c++)
        x->first[c + 1] = x->first[c] + next[c];
    for (size_t k = 0; k < x->length; k++) {
        uint8_t class = class_of(x, &x->story->q.data[k]);
        if (class != QUASI_NO_CLASS)
            x->members[x->first[class] + x->place[k]] = (uint32_t)k;
    }
}

/* False: one has no partner. */
static bool pair_all(struct pairing *x)
{
    sort_into_classes(x);
    for (uint32_t k = 0; k < x->length; k++) {
        uint8_t class = class_of(x, &x->story->q.data[k]);
        x->search = k + 1;
        if (class == QUASI_NO_CLASS)
            x->p_of[k] = x->q_of[k] = k;
        else if (!find_partner(x, class, k))
            return false;
    }
    return true;
}

/* --- calls ---------------------------------------------------------------------------------------------------------- */

static void add_step(const struct part *p, const struct quasi_items *q, const struct quasi_found *f,
                     struct plumb_call call, size_t *removals, size_t *adds, struct spec_quasi_story *story)
{
    const struct plumb_operation *o = &p->spec->operations[call.op];
    vec_push(&story->p, call);
    if (q->additions_move && o->args[0])
        call.arg = part_call(p, q->values[f->q.data[(*adds)++]].add).arg;
    else if (!q->additions_move && !o->args[0] && call.result != PLUMB_NONE)
        call.result = q->values[f->q.data[(*removals)++]].value;
    vec_push(&story->q, call);
}

/* The story of values as one of calls. */
static void write_found(const struct part *p, const struct quasi_found *f, struct spec_quasi_story *story)
{
    struct quasi_items q;
    struct quasi_found ignored = {0};
    const char *why;
    size_t removals = 0, adds = 0;
    quasi_items_build(&q, p, &why, &ignored);
    for (size_t k = 0; k < f->p.len; k++) {
        struct plumb_call call = part_call(p, f->p.data[k]);
        if (p->spec->operations[call.op].args[0])
            call.result = PLUMB_OK; /* also what is pending */
        add_step(p, &q, f, call, &removals, &adds, story);
    }
    for (size_t k = 0; k < f->appended.len; k++)
        add_step(p, &q, f,
                 (struct plumb_call){
                     .op = q.remove_op, .arg = PLUMB_OK, .result = q.values[f->appended.data[k]].value},
                 &removals, &adds, story);
    quasi_items_free(&q);
}

static bool write_story(const struct part *p, const struct decision *d, const uint32_t *order,
                        struct budget *budget, struct spec_quasi_story *story)
{
    if (d->quasi) {
        write_found(p, d->quasi, story);
        return true;
    }
    OWNED VEC(struct plumb_call) calls = {0};
    for (size_t k = 0; k < d->witness.len; k++) {
        const struct history_op *op = history_at(p->history, order[k]);
        struct plumb_call call = {op->op, op->thread, op->arg, op->pending ? PLUMB_ANY : op->result};
        vec_push(&calls, call);
    }
    return spec_quasi_explain(p->spec, p->options, calls.data, calls.len, budget, story);
}

/* --- all together ------------------------------------------------------------------------------------------------------ */

static const char *check_pairs(const struct part *p, const uint32_t *order, size_t operations,
                               struct spec_quasi_story *story, const uint32_t *p_of)
{
    const struct quasi_factor *factor = spec_quasi_factor(p->spec);
    struct quasi_certificate c = {.history = p->history,
                                  .order = order,
                                  .p = story->p.data,
                                  .q = p_of,
                                  .operations = operations,
                                  .length = story->p.len,
                                  .complete = factor->whole};
    for (size_t k = 0; k < c.length; k++) {
        struct plumb_call *call = &story->p.data[p_of[k]];
        if (call->result == PLUMB_ANY)
            call->result = story->q.data[k].result;
    }
    return quasi_certificate_check(&c, spec_quasi_base(p->spec), p->options, factor);
}

static const char *check_story(const struct part *p, const uint32_t *order, size_t operations,
                               struct spec_quasi_story *story)
{
    size_t n = story->p.len;
    struct pairing x = {.story = story,
                        .base = spec_quasi_base(p->spec),
                        .factor = spec_quasi_factor(p->spec),
                        .length = n,
                        .members = NEW_ARRAY(uint32_t, n),
                        .place = NEW_ARRAY(uint32_t, n),
                        .p_of = NEW_ARRAY(uint32_t, n),
                        .q_of = NEW_ARRAY(uint32_t, n),
                        .seen = NEW_ZEROED(uint32_t, n)};
    memset(x.q_of, 0xff, n * sizeof *x.q_of);
    const char *wrong =
        pair_all(&x) ? check_pairs(p, order, operations, story, x.p_of) : "q is not a permutation of p";
    free(x.members);
    free(x.place);
    free(x.p_of);
    free(x.q_of);
    free(x.seen);
    return wrong;
}

const char *quasi_certify(struct certificate *c, const struct part *p, const struct decision *d,
                          const uint32_t *order, struct budget *budget)
{
    struct spec_quasi_story story = {0};
    const char *wrong = certificate_check_order(c, p->ops, p->order.count, order, d->witness.len);
    if (!wrong && !write_story(p, d, order, budget, &story))
        wrong = budget->spent ? NULL : "no sequence q belongs to this order";
    else if (!wrong)
        wrong = check_story(p, order, d->witness.len, &story);
    spec_quasi_story_free(&story);
    return wrong;
}
