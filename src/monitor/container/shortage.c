/* SPDX-License-Identifier: Apache-2.0 */

#include "monitor/container/container.h"

/* The one value that all operations are about; PLUMB_OK: there are several, or something else. */
static plumb_value only_value(const struct part *p)
{
    plumb_value only = PLUMB_OK;
    for (uint32_t i = 0; i < p->order.count; i++) {
        const struct history_op *op = part_op(p, i);
        enum plumb_role role = p->spec->operations[op->op].role;
        if (role == PLUMB_LOOKS || (role == PLUMB_REMOVES && p->order.ret[i] == ORDER_NEVER))
            return PLUMB_OK;
        plumb_value value = role == PLUMB_ADDS ? container_added_value(p, i) : op->result;
        if (value == PLUMB_ANY || value == PLUMB_NONE || (i && value != only))
            return PLUMB_OK;
        only = value;
    }
    return only;
}

bool shortage_find(const struct part *p, struct shortage *out)
{
    const struct order *o = &p->order;
    if (!o->count || o->after || only_value(p) == PLUMB_OK)
        return false;
    for (uint32_t e = 0; e < o->event_count && out->removed <= out->added; e++) {
        uint32_t i = order_event_op(o->event[e]);
        bool adds = part_role(p, i) == PLUMB_ADDS;
        if (order_event_returns(o->event[e]) == adds)
            continue;
        *(adds ? &out->added : &out->removed) += 1;
        out->removal = i;
    }
    return out->removed > out->added;
}
