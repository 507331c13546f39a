/* SPDX-License-Identifier: Apache-2.0 */

#include "monitor/container/container.h"

/* The one value that all operations are about; PLUMB_OK: there are several, or something else. */
static plumb_value only_value(const struct part *p)
{
    plumb_value only = PLUMB_OK;
    for (uint32_t i = 0; i < p->order.count; i++) {
        const struct history_op *op = part_op(p, i);
        enum container_role role = container_role_of(p->spec, op->op);
        if (role == ROLE_PEEK || (role == ROLE_REMOVE && p->order.ret[i] == ORDER_NEVER))
            return PLUMB_OK;
        plumb_value value = role == ROLE_ADD ? container_added_value(p, i) : op->result;
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
        bool adds = container_role_of(p->spec, part_op(p, i)->op) == ROLE_ADD;
        if (order_event_returns(o->event[e]) == adds)
            continue;
        *(adds ? &out->added : &out->removed) += 1;
        out->removal = i;
    }
    return out->removed > out->added;
}
