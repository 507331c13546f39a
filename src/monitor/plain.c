/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/plain.h"

#include "spec/registry.h"

/* Does an operation that returned answer `answer`, or perhaps? */
static bool may_answer(const struct history_op *op, plumb_value answer)
{
    return !op->pending && (op->result == answer || op->result == PLUMB_ANY);
}

/* An operation that did not return and failed might as well not have happened. */
static bool nothing_failed(const struct part *p, const struct plumb_spec *weak)
{
    for (uint32_t i = 0; i < p->order.count; i++) {
        plumb_value failure = spec_weak_failure(weak, part_op(p, i)->op);
        if (failure != PLUMB_OK && may_answer(part_op(p, i), failure))
            return false;
    }
    return true;
}

/* With no more additions than there is room for. (With more of them the absence of failures says nothing: they may have been
 * too many at a time.) */
static bool is_never_full(const struct part *p, uint64_t capacity)
{
    uint64_t additions = 0;
    for (uint32_t i = 0; i < p->order.count; i++) {
        bool adds = part_role(p, i) == PLUMB_ADDS;
        additions += adds;
        if (adds && !part_op(p, i)->pending && part_op(p, i)->result == PLUMB_FALSE)
            return false;
    }
    return additions <= capacity;
}

static bool uses_only(const struct part *p, uint32_t operations)
{
    for (uint32_t i = 0; i < p->order.count; i++)
        if (part_op(p, i)->op >= operations)
            return false;
    return true;
}

const struct plumb_spec *plain_spec(const struct part *p)
{
    const struct plumb_spec *spec = p->spec, *base;
    uint64_t capacity;
    if ((base = spec_basic(spec)) && uses_only(p, base->operation_count))
        spec = base;
    if ((base = spec_base_of_weak(spec)) && nothing_failed(p, spec))
        spec = base;
    if ((base = spec_base_of_bounded(spec, &capacity)) && is_never_full(p, capacity))
        spec = base;
    return spec;
}
