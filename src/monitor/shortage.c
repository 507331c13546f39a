/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/shortage.h"

#include "monitor/container.h"

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

static struct shortage count_until(const struct part *p, uint32_t event)
{
    struct shortage s = {0};
    for (uint32_t i = 0; i < p->order.count; i++) {
        bool adds = container_role_of(p->spec, part_op(p, i)->op) == ROLE_ADD;
        s.added += adds && p->order.call[i] < event;
        s.removed += !adds && p->order.ret[i] <= event;
    }
    return s;
}

bool shortage_find(const struct part *p, struct shortage *out)
{
    if (!p->order.count || p->order.after || only_value(p) == PLUMB_OK)
        return false;
    for (uint32_t i = 0; i < p->order.count; i++) {
        if (container_role_of(p->spec, part_op(p, i)->op) != ROLE_REMOVE)
            continue;
        struct shortage s = count_until(p, p->order.ret[i]);
        if (s.removed <= s.added || (out->removed && s.removed > out->removed))
            continue;
        *out = s;
        out->removal = i;
    }
    return out->removed > 0;
}
