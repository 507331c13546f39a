/* SPDX-License-Identifier: Apache-2.0 */
/* Writers of a register that no operation can have read from: leaving any of them out keeps every legal order legal. */
#include "monitor/core/core.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool core_is_exchange(const struct part *p, uint32_t i)
{
    const struct history_op *op = part_op(p, i);
    return part_role(p, i) == PLUMB_EXCHANGES && (op->pending || op->result == PLUMB_TRUE);
}

/* PLUMB_OK: it writes nothing. */
plumb_value core_written_value(const struct part *p, uint32_t i)
{
    const struct history_op *op = part_op(p, i);
    if (core_is_exchange(p, i))
        return plumb_array_item(p->history->values, op->arg, 1);
    return part_role(p, i) == PLUMB_WRITES ? part_payload(p, i) : PLUMB_OK;
}

plumb_value core_seen_value(const struct part *p, uint32_t i)
{
    const struct history_op *op = part_op(p, i);
    if (core_is_exchange(p, i))
        return plumb_array_item(p->history->values, op->arg, 0);
    return p->spec->operations[op->op].reads && !op->pending && op->result != PLUMB_ANY ? op->result
                                                                                        : PLUMB_OK;
}

bool core_has_plain_writers(const struct part *p)
{
    for (uint32_t i = 0; i < p->order.count; i++)
        if (!p->spec->operations[part_op(p, i)->op].reads && core_written_value(p, i) == PLUMB_OK)
            return false;
    return true;
}

bool core_has_one_key(const struct part *p)
{
    const struct plumb_values *values = p->history->values;
    for (uint32_t i = 1; p->spec->key && i < p->order.count; i++) {
        struct plumb_call call = part_call(p, i), first = part_call(p, 0);
        if (p->spec->key(values, &call) != p->spec->key(values, &first))
            return false;
    }
    return true;
}

/* By position: the earliest return of a writer that is called there or later. */
static uint32_t *list_earliest_returns(const struct part *p, const plumb_value *written)
{
    const struct order *o = &p->order;
    uint32_t *earliest = NEW_ARRAY(uint32_t, o->event_count + 1);
    earliest[o->event_count] = ORDER_NEVER;
    for (uint32_t e = o->event_count; e-- > 0;) {
        uint32_t op = order_event_op(o->event[e]);
        earliest[e] = earliest[e + 1];
        if (!order_event_returns(o->event[e]) && written[op] != PLUMB_OK && o->ret[op] < earliest[e])
            earliest[e] = o->ret[op];
    }
    return earliest;
}

/* `overwritten`: when another writer, called after this one had returned, has returned; or ORDER_NEVER. */
static bool can_read(const struct order *o, uint32_t reader, uint32_t writer, uint32_t overwritten)
{
    return reader != writer && o->call[writer] < o->ret[reader] && overwritten > o->call[reader];
}

/* The last of those that wrote what somebody saw stays: "never written" would be another story. */
static bool is_last_source(const struct part *p, const plumb_value *written, const plumb_value *seen,
                           uint32_t writer)
{
    bool is_seen = false;
    for (uint32_t i = 0; i < p->order.count; i++) {
        is_seen |= seen[i] == written[writer];
        if (i != writer && written[i] == written[writer] && p->order.ret[i] != ORDER_NEVER &&
            p->order.ret[i] > p->order.ret[writer])
            return false;
    }
    return is_seen && p->order.ret[writer] != ORDER_NEVER;
}

static bool is_unread(const struct part *p, const plumb_value *written, const plumb_value *seen,
                      const uint32_t *earliest, uint32_t writer)
{
    const struct order *o = &p->order;
    uint32_t overwritten = o->ret[writer] == ORDER_NEVER ? ORDER_NEVER : earliest[o->ret[writer]];
    for (uint32_t i = 0; i < o->count; i++)
        if (seen[i] == written[writer] && can_read(o, i, writer, overwritten))
            return false;
    return !is_last_source(p, written, seen, writer);
}

void core_find_unread(const struct part *p, uint8_t *unread)
{
    uint32_t count = p->order.count;
    OWNED plumb_value *written = NEW_ARRAY(plumb_value, count), *seen = NEW_ARRAY(plumb_value, count);
    for (uint32_t i = 0; i < count; i++) {
        written[i] = core_written_value(p, i);
        seen[i] = core_seen_value(p, i);
    }
    OWNED uint32_t *earliest = list_earliest_returns(p, written);
    for (uint32_t i = 0; i < count; i++)
        unread[i] = written[i] != PLUMB_OK && is_unread(p, written, seen, earliest, i);
}

/* Is what operation `i` puts or appends in the answer of a get? */
static bool is_shown(const struct part *p, uint32_t i, plumb_value answer)
{
    size_t whole, length;
    const char *text = plumb_string_of(p->history->values, answer, &whole);
    const char *piece = plumb_string_of(p->history->values, part_payload(p, i), &length);
    if (part_role(p, i) == PLUMB_WRITES)
        return length <= whole && !memcmp(text, piece, length);
    return length && memmem(text, whole, piece, length);
}

enum { STRINGS_MOST = 2000 };

void core_find_unshown(const struct part *p, uint8_t *unshown)
{
    for (uint32_t i = 0; i < p->order.count && p->order.count <= STRINGS_MOST; i++) {
        unshown[i] = !p->spec->operations[part_op(p, i)->op].reads;
        for (uint32_t k = 0; k < p->order.count && unshown[i]; k++) {
            plumb_value seen = core_seen_value(p, k);
            unshown[i] = plumb_tag_of(seen) != PLUMB_TAG_STRING || !is_shown(p, i, seen);
        }
    }
}
