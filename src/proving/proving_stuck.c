/* SPDX-License-Identifier: Apache-2.0 */
/* The second opinion about an operation that never returns: is there an order of what has taken effect after which the specification has it wait? Every
 * order is tried. */
#include "base/memory.h"
#include "proving/proving.h"
#include "spec/registry.h"

enum { OPS_MOST = 64, EFFORT_MOST = 1 << 20 };

struct trial {
    const struct plumb_spec *spec;
    struct plumb_call calls[OPS_MOST];
    uint64_t before[OPS_MOST]; /* those that returned before it was called */
    uint64_t returned;
    unsigned count, waiting;
    uint32_t effort;
};

static bool may_wait_after(struct trial *t, uint64_t done, const void *state);

static bool may_wait_with(struct trial *t, uint64_t done, const void *state, unsigned i)
{
    bool found = false, possible = true;
    for (unsigned choice = 0; possible && !found; choice++) {
        plumb_value result;
        void *next = t->spec->clone(state);
        possible = t->spec->step(next, &t->calls[i], choice, &result);
        found = possible && may_wait_after(t, done | UINT64_C(1) << i, next);
        t->spec->destroy(next);
    }
    return found;
}

static bool may_wait_after(struct trial *t, uint64_t done, const void *state)
{
    if (t->effort == 0)
        return true; /* not refuted */
    t->effort--;
    if (!(t->returned & ~done) && spec_accepts(t->spec, state) &&
        spec_blocks(t->spec, state, &t->calls[t->waiting]))
        return true;
    for (unsigned i = 0; i < t->count; i++)
        if (i != t->waiting && !(done >> i & 1) && !(t->before[i] & ~done) &&
            may_wait_with(t, done, state, i))
            return true;
    return false;
}

static void add_operation(struct trial *t, const struct history *h, unsigned i, unsigned thread)
{
    const struct history_op *op = history_at(h, i);
    uint32_t name = (uint32_t)plumb_int_of(h->values, h->thread_names.data[op->thread]);
    t->calls[i] = (struct plumb_call){.op = spec_operation(t->spec, h->op_names.data[op->op]),
                                      .thread = name,
                                      .arg = op->arg,
                                      .result = op->result};
    if (!op->pending)
        t->returned |= UINT64_C(1) << i;
    else if (name == thread)
        t->waiting = i;
    for (unsigned k = 0; k < t->count; k++)
        if (!history_get(h, k).pending && history_get(h, k).ret < op->call)
            t->before[i] |= UINT64_C(1) << k;
}

bool proving_must_return(const struct plumb_spec *spec, const struct history *h, unsigned thread)
{
    struct plumb_spec_options options = {.values = h->values, .initial = PLUMB_OK};
    OWNED struct trial *t = NEW_ZEROED(struct trial, 1);
    *t = (struct trial){
        .spec = spec, .count = (unsigned)h->ops.len, .waiting = OPS_MOST, .effort = EFFORT_MOST};
    if (h->ops.len > OPS_MOST)
        return false;
    for (unsigned i = 0; i < t->count; i++)
        add_operation(t, h, i, thread);
    void *state = spec_init(spec, &options);
    bool must = t->waiting < OPS_MOST && !may_wait_after(t, 0, state);
    spec->destroy(state);
    return must;
}
