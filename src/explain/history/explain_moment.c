/* SPDX-License-Identifier: Apache-2.0 */
/* --explain: when the history ceased to be legal. */
#include "explain/history/explain.h"

static struct report_moment_event describe_event(struct explanation *e, const struct pipeline_input *in,
                                                 uint32_t id, bool returns)
{
    const struct history *h = in->history;
    uint32_t object = history_object_of(h, id);
    struct report_moment_event event = {.op = explain_op(e, in, id), .returns = returns};
    event.object_name = h->object_names.data[object];
    if (h->object_names.len > 1 || (in->one_of_several && event.object_name != PLUMB_NONE))
        event.object = explain_name(e, h, "", event.object_name);
    return event;
}

void explain_moment(struct explanation *e, const struct pipeline_input *in)
{
    const struct monitor_moment *m = &in->moment;
    struct report_moment *out = arena_alloc(&e->arena, sizeof *out);
    *out = (struct report_moment){.known = in->has_moment, .relaxed = in->relaxed, .certain = m->certain};
    if (in->has_moment) {
        out->has_last = m->last != UINT32_MAX;
        out->first = describe_event(e, in, m->guilty, true);
    }
    if (out->has_last)
        out->last = describe_event(e, in, m->last, m->last_is_return);
    e->counterexample.moment = out;
}
