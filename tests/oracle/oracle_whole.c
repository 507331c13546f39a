/* SPDX-License-Identifier: Apache-2.0 */
/* What operations on everything inside of a container mean. */
#include "oracle.h"
#include "oracle_names.h"

bool oracle_is_whole(int name)
{
    return name >= NAME_size && name <= NAME_drain;
}

/* Item number `i` as it is listed. */
static plumb_value item(const struct oracle_spec *spec, const struct oracle_state *s,
                        const struct oracle_call *c, uint32_t i)
{
    if (oracle_is(spec, "set"))
        return s->key[i];
    if (oracle_is(spec, "map"))
        return plumb_array(c->values, (plumb_value[]){s->key[i], s->value[i]}, 2);
    return oracle_is(spec, "stack") ? s->value[s->count - 1 - i] : s->value[i];
}

/* The next item that may be listed: any one that is left, or only some of them. */
static bool may_be_next(const struct oracle_spec *spec, const struct oracle_state *s,
                        const struct oracle_call *c, const bool *listed, uint32_t i)
{
    if (listed[i])
        return false;
    bool in_order = oracle_is(spec, "queue") || oracle_is(spec, "stack") || oracle_is(spec, "deque");
    bool by_priority = oracle_is(spec, "pqueue") && c->name == NAME_drain;
    for (uint32_t j = 0; j < s->count; j++) {
        if (in_order && j < i && !listed[j])
            return false;
        if (by_priority && !listed[j] &&
            plumb_int_of(c->values, s->key[j]) < plumb_int_of(c->values, s->key[i]))
            return false;
    }
    return true;
}

/* All items, one after the other; `wanted` comes next where it may, if it is known. */
static plumb_value list_items(const struct oracle_spec *spec, const struct oracle_state *s,
                              const struct oracle_call *c)
{
    plumb_value list[ORACLE_MAX];
    bool listed[ORACLE_MAX] = {false};
    bool known = plumb_is_array(c->result) && plumb_array_count(c->values, c->result) == s->count;
    for (uint32_t n = 0; n < s->count; n++) {
        uint32_t pick = ORACLE_MAX;
        for (uint32_t i = 0; i < s->count; i++) {
            bool wanted = known && item(spec, s, c, i) == plumb_array_item(c->values, c->result, n);
            if (may_be_next(spec, s, c, listed, i) && (wanted || pick == ORACLE_MAX))
                pick = i;
        }
        listed[pick] = true;
        list[n] = item(spec, s, c, pick);
    }
    return plumb_array(c->values, list, s->count);
}

static void remove_all(struct oracle_state *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        s->key[i] = s->value[i] = 0;
    s->count = 0;
}

bool oracle_whole(const struct oracle_spec *spec, struct oracle_state *s, const struct oracle_call *c,
                  plumb_value *answer)
{
    switch (c->name) {
    case NAME_size: *answer = plumb_int(c->values, s->count); break;
    case NAME_is_empty: *answer = plumb_bool(s->count == 0); break;
    case NAME_clear: *answer = PLUMB_OK; break;
    default: *answer = list_items(spec, s, c); break;
    }
    if (c->name == NAME_clear || c->name == NAME_drain)
        remove_all(s);
    return true;
}
