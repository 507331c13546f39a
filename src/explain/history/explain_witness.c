/* SPDX-License-Identifier: Apache-2.0 */
/* A history that holds, for pictures: the orders that were certified, with the states in between. */
#include "base/vec.h"
#include "explain/history/explain.h"
#include "report/prose.h"
#include "spec/registry.h"

#include <string.h>

/* States of a longer order nobody reads, and they would be most of the page. */
enum { STATES_MOST = 2000, STATE_COLUMNS = 60 };

struct witnesses {
    struct explanation *e;
    const struct pipeline_input *in;
    uint32_t *position; /* in the picture, by index in the history; REPORT_NOTHING: not in it */
};

static const char *keep_state(struct explanation *e, const struct plumb_spec *spec, const void *state)
{
    char buffer[512];
    struct text t = {0};
    spec->print(state, buffer, sizeof buffer);
    prose_clip(&t, buffer, STATE_COLUMNS, "…");
    return text_keep(&t, &e->arena);
}

/* Steps with several outcomes may lead elsewhere than the certificate did: from there on nothing is known. */
static void replay_states(const struct witnesses *w, const struct monitor_witness *witness,
                          struct report_order *out)
{
    const struct plumb_spec *spec = w->in->specs[witness->object];
    const char **states = arena_alloc(&w->e->arena, witness->order.len * sizeof *states + 1);
    void *state = spec_init(spec, &w->in->spec_options);
    bool known = true;
    out->initial = keep_state(w->e, spec, state);
    for (size_t k = 0; k < witness->order.len; k++) {
        const struct history_op *op = history_at(w->in->history, witness->order.data[k]);
        struct plumb_call call = {.op = op->op,
                                  .thread = op->thread,
                                  .arg = op->arg,
                                  .result = op->pending ? PLUMB_ANY : op->result};
        known = known && spec->step(state, &call, 0, NULL);
        states[k] = known ? keep_state(w->e, spec, state) : "";
    }
    spec->destroy(state);
    out->states = states;
}

static struct report_order explain_witness(const struct witnesses *w, const struct monitor_witness *witness)
{
    struct report_order out = {0};
    uint32_t *ops = arena_alloc(&w->e->arena, witness->order.len * sizeof *ops + 1);
    for (size_t k = 0; k < witness->order.len; k++)
        if (w->position[witness->order.data[k]] != REPORT_NOTHING)
            ops[out.count++] = w->position[witness->order.data[k]];
    out.ops = ops;
    if (witness->order.len <= STATES_MOST && out.count == witness->order.len)
        replay_states(w, witness, &out);
    return out;
}

static void find_positions(struct witnesses *w)
{
    const struct report_history *h = &w->e->history;
    size_t count = w->in->history->ops.len;
    w->position = NEW_ARRAY(uint32_t, count + 1);
    memset(w->position, 0xff, (count + 1) * sizeof *w->position);
    for (size_t i = 0; i < h->count; i++)
        w->position[h->ops[i].id] = (uint32_t)i;
}

void explain_witnesses(struct explanation *e, const struct pipeline_input *in)
{
    struct witnesses w = {.e = e, .in = in};
    *e = (struct explanation){
        .counterexample = {.kind = "linearizable",
                           .file = in->name,
                           .one_line = "linearizable",
                           .why = "An order of the operations explains every answer; it was "
                                  "checked a second time, operation by operation."}};
    explain_history(e, in, true);
    find_positions(&w);
    const size_t count = in->result.witnesses.len;
    struct report_order *orders = arena_alloc(&e->arena, count * sizeof *orders + 1);
    for (size_t k = 0; k < count; k++)
        orders[k] = explain_witness(&w, &in->result.witnesses.data[k]);
    e->history.orders = orders;
    e->history.order_count = count;
    free(w.position);
}
