/* SPDX-License-Identifier: Apache-2.0 */
/* The sentence for a set that grows and is read as a whole: lists are long, so it names the value that is missing, or too early. */
#include "base/hash.h"
#include "monitor/core/core.h"
#include "spec/registry.h"

struct reads {
    const struct part *p;
    struct text *t;
    uint32_t op_items;
    struct hash_map adds; /* value -> addition */
    uint32_t guilty;
};

static bool is_list(const struct reads *r, uint32_t i)
{
    return part_op(r->p, i)->op == r->op_items && r->p->order.ret[i] != ORDER_NEVER &&
           plumb_is_array(part_op(r->p, i)->result);
}

static bool is_add(const struct reads *r, uint32_t i)
{
    return part_role(r->p, i) == PLUMB_ADDS;
}

static bool precedes(const struct reads *r, uint32_t a, uint32_t b)
{
    return r->p->order.ret[a] < r->p->order.call[b];
}

static bool take_adds(struct reads *r)
{
    for (uint32_t i = 0; i < r->p->order.count; i++) {
        uint32_t *add = is_add(r, i) ? hash_map_at(&r->adds, part_op(r->p, i)->arg) : NULL;
        if (add ? *add != HASH_NO_NUMBER : part_op(r->p, i)->op != r->op_items)
            return false;
        if (add)
            *add = i;
    }
    return true;
}

/* Something in the list that cannot be; else the list is in `listed`. */
static bool explain_listed(struct reads *r, uint32_t read, struct hash_map *listed)
{
    const struct plumb_values *values = r->p->history->values;
    plumb_value list = part_op(r->p, read)->result;
    for (size_t k = 0; k < plumb_array_count(values, list); k++) {
        plumb_value v = plumb_array_item(values, list, k);
        uint32_t add = hash_map_get(&r->adds, v), *place = hash_map_at(listed, v);
        if (*place != HASH_NO_NUMBER)
            why_print(r->t, r->p, "%o has %v twice.", read, v);
        else if (add == HASH_NO_NUMBER)
            why_print(r->t, r->p, "%o has %v, which was never added.", read, v);
        else if (precedes(r, read, add))
            why_print(r->t, r->p, "%o has %v, but returned before %o was called.", read, v, add);
        *place = (uint32_t)k;
        if (r->t->len)
            return true;
    }
    return false;
}

/* Something that is not in the list and had returned when the read, or an addition in it, was called. */
static bool explain_missing(struct reads *r, uint32_t read, const struct hash_map *listed)
{
    uint32_t latest = read; /* called last, of what is listed and the read */
    for (uint32_t i = 0; i < r->p->order.count; i++)
        if (is_add(r, i) && hash_map_get(listed, part_op(r->p, i)->arg) != HASH_NO_NUMBER &&
            r->p->order.call[i] > r->p->order.call[latest])
            latest = i;
    for (uint32_t i = 0; i < r->p->order.count; i++) {
        plumb_value v = part_op(r->p, i)->arg;
        if (!is_add(r, i) || hash_map_get(listed, v) != HASH_NO_NUMBER)
            continue;
        if (precedes(r, i, read))
            why_print(r->t, r->p, "%o had returned, yet %o lacks %v.", i, read, v);
        else if (precedes(r, i, latest))
            why_print(r->t, r->p, "%o had returned before %o was called, yet %o has only the latter.", i,
                      latest, read);
        if (r->t->len)
            return true;
    }
    return false;
}

/* What `other` has and the list has not; PLUMB_OK: nothing. */
static plumb_value missing_from(const struct reads *r, uint32_t other, const struct hash_map *listed)
{
    const struct plumb_values *values = r->p->history->values;
    plumb_value list = part_op(r->p, other)->result;
    for (size_t k = 0; k < plumb_array_count(values, list); k++)
        if (hash_map_get(listed, plumb_array_item(values, list, k)) == HASH_NO_NUMBER)
            return plumb_array_item(values, list, k);
    return PLUMB_OK;
}

/* Two reads that cannot both be. */
static bool explain_pairs(struct reads *r, uint32_t read, const struct hash_map *listed)
{
    size_t length = plumb_array_count(r->p->history->values, part_op(r->p, read)->result);
    for (uint32_t i = 0; i < r->p->order.count; i++) {
        plumb_value v = i != read && is_list(r, i) ? missing_from(r, i, listed) : PLUMB_OK;
        if (v == PLUMB_OK)
            continue;
        if (precedes(r, i, read))
            why_print(r->t, r->p, "%o had returned, yet %o lacks %v.", i, read, v);
        else if (plumb_array_count(r->p->history->values, part_op(r->p, i)->result) <= length)
            why_print(r->t, r->p, "%o and %o each have a value that the other lacks, and nothing is removed.",
                      read, i);
        if (r->t->len)
            return true;
    }
    return false;
}

static bool explain_read(struct reads *r, uint32_t read)
{
    struct hash_map listed = {0};
    r->guilty = read;
    bool explained = explain_listed(r, read, &listed) || explain_missing(r, read, &listed) ||
                     explain_pairs(r, read, &listed);
    hash_map_free(&listed);
    return explained;
}

bool why_reads(struct text *t, const struct part *core, uint32_t *guilty)
{
    const struct plumb_spec *basic = spec_basic(core->spec);
    if (!basic || basic->kind != PLUMB_KIND_SET)
        return false;
    struct reads r = {.p = core, .t = t, .op_items = spec_operation(core->spec, "items")};
    bool explained = false;
    if (take_adds(&r))
        for (uint32_t i = core->order.count; i-- > 0 && !explained;)
            explained = is_list(&r, i) && explain_read(&r, i);
    hash_map_free(&r.adds);
    if (explained)
        *guilty = r.guilty;
    return explained;
}
