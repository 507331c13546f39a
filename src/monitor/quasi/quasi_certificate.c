/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/quasi/quasi_certificate.h"

#include "base/memory.h"
#include "spec/registry.h"
#include "spec/serial/serial.h"
#include "spec/quasi/spec_quasi.h"

#include <string.h>

static uint8_t class_of(const struct quasi_factor *f, const struct plumb_call *call)
{
    return f->class_of[call->op][call->result == PLUMB_NONE];
}

/* --- p is the history, and what may follow it -------------------------------------------------------------------- */

static const char *check_operations(const struct quasi_certificate *c)
{
    for (size_t k = 0; k < c->operations; k++) {
        const struct history_op *op = history_at(c->history, c->order[k]);
        const struct plumb_call *call = &c->p[k];
        bool same_result = op->pending || op->result == PLUMB_ANY || op->result == call->result;
        if (op->op != call->op || op->arg != call->arg || op->thread != call->thread || !same_result)
            return "p is not the history";
        if (call->result == PLUMB_ANY)
            return "a result is missing";
    }
    return NULL;
}

static const char *check_appended(const struct quasi_certificate *c, const struct plumb_spec *base,
                                  const struct quasi_factor *f)
{
    if (c->complete && c->length > c->operations)
        return "something is appended to a complete history";
    for (size_t k = c->operations; k < c->length; k++) {
        const struct plumb_call *call = &c->p[k];
        if (spec_quasi_role(base, call->op) != PLUMB_REMOVES || class_of(f, call) == QUASI_NO_CLASS ||
            call->result == PLUMB_NONE || call->result == PLUMB_FALSE)
            return "something is appended that removes nothing";
    }
    return NULL;
}

/* --- q is near p ------------------------------------------------------------------------------------------------------ */

static const char *check_permutation(const struct quasi_certificate *c)
{
    OWNED uint8_t *seen = NEW_ZEROED(uint8_t, c->length);
    bool fine = true;
    for (size_t k = 0; k < c->length && fine; k++) {
        fine = c->q[k] < c->length && !seen[c->q[k]];
        if (fine)
            seen[c->q[k]] = 1;
    }
    return fine ? NULL : "q is not a permutation of p";
}

static uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

static const char *check_distances(const struct quasi_certificate *c, const struct quasi_factor *f)
{
    uint32_t places[QUASI_CLASSES] = {0},
             *place = NEW_ARRAY(uint32_t, c->length); /* in p, within its class */
    const char *wrong = NULL;
    for (size_t k = 0; k < c->length; k++) {
        uint8_t class = class_of(f, &c->p[k]);
        place[k] = class == QUASI_NO_CLASS ? 0 : places[class]++;
    }
    for (size_t k = 0; k < c->length && !wrong; k++) {
        uint8_t class = class_of(f, &c->p[k]);
        if (class_of(f, &c->p[c->q[k]]) != class)
            wrong = "p and q have different classes at one position";
        else if (class == QUASI_NO_CLASS && c->q[k] != k)
            wrong = "something moves that may not";
        else if (class != QUASI_NO_CLASS && distance(place[k], place[c->q[k]]) > f->most[class])
            wrong = "something moves too far";
    }
    free(place);
    return wrong;
}

/* --- q is legal ------------------------------------------------------------------------------------------------------- */

/* Specifications that know calls only by their thread: in q each thread has to call the same in the same order. */
static const char *check_threads(const struct quasi_certificate *c, const struct plumb_spec *base)
{
    uint32_t threads = (uint32_t)c->history->thread_names.len;
    if (base->kind != PLUMB_KIND_DERIVED)
        return NULL;
    for (uint32_t t = 0; t < threads; t++)
        for (size_t i = 0, k = 0;; i++, k++) {
            while (i < c->length && c->p[i].thread != t)
                i++;
            while (k < c->length && c->p[c->q[k]].thread != t)
                k++;
            if (i == c->length || k == c->length)
                break;
            if (c->p[i].op != c->p[c->q[k]].op || c->p[i].arg != c->p[c->q[k]].arg)
                return "a thread does something else in q";
        }
    return NULL;
}

static const char *check_legal(const struct quasi_certificate *c, const struct plumb_spec *base,
                               const struct plumb_spec_options *options)
{
    void *state = spec_init(base, options);
    bool legal = true;
    for (size_t k = 0; k < c->length && legal; k++)
        legal = base->step(state, &c->p[c->q[k]], 0, NULL);
    legal = legal && spec_accepts(base, state);
    base->destroy(state);
    return legal ? NULL : "the specification does not allow q";
}

const char *quasi_certificate_check(const struct quasi_certificate *c, const struct plumb_spec *base,
                                    const struct plumb_spec_options *options,
                                    const struct quasi_factor *factor)
{
    const char *wrong = check_operations(c);
    if (!wrong)
        wrong = check_appended(c, base, factor);
    if (!wrong)
        wrong = check_permutation(c);
    if (!wrong)
        wrong = check_distances(c, factor);
    if (!wrong)
        wrong = check_threads(c, base);
    return wrong ? wrong : check_legal(c, base, options);
}
