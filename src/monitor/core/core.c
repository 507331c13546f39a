/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/core/core.h"

#include "base/hash.h"
#include "monitor/container/container.h"
#include "monitor/search/search.h"
#include "spec/registry.h"

#include <string.h>

/* Bounds that keep shrinking fast and deterministic: operations looked at in total (the search counts more), and bytes
 * of one search. */
enum { WORK_LIMIT = 10 * 1000 * 1000, SEARCH_COST = 20, SEARCH_BYTES = 32 << 20 };

struct shrinking {
    const struct part *p;
    const void *initial;
    decider *fast;
    struct budget *budget;
    uint32_t *unit_of; /* per operation; NO_UNIT: may not be deleted */
    uint32_t *seen_of; /* per operation: of a cas, the unit of the value it finds; else NO_UNIT */
    uint32_t units;
    uint8_t *deleted, *before; /* per unit; the second is scratch */
    uint32_t *chosen;          /* scratch: operations that are left */
    uint64_t work;
    bool gave_up;
};

#define NO_UNIT UINT32_MAX

/* ------------------------------------------------------------------ what may be deleted */

static uint32_t unit_of_value(struct shrinking *s, struct hash_map *numbers, plumb_value value)
{
    uint32_t *number = hash_map_at(numbers, value);
    if (*number == HASH_NO_NUMBER)
        *number = s->units++;
    return *number;
}

static bool is_completed_read(const struct part *p, uint32_t i)
{
    struct plumb_call call = part_call(p, i);
    return p->order.ret[i] != ORDER_NEVER && spec_effect_free(p->spec, &call);
}

/* The value an operation of a container is about, or PLUMB_OK. *fits becomes false when values are not known. */
static plumb_value container_value_of(const struct part *p, uint32_t i, bool *fits)
{
    const struct history_op *op = part_op(p, i);
    if (p->spec->operations[op->op].role == PLUMB_ADDS)
        return container_added_value(p, i);
    if (op->pending || op->result == PLUMB_NONE)
        return PLUMB_OK;
    if (op->result == PLUMB_ANY && p->spec->operations[op->op].role == PLUMB_REMOVES)
        *fits = false;
    return op->result;
}

/* The same for registers: what was written or read. */
static plumb_value register_value_of(const struct part *p, uint32_t i)
{
    plumb_value written = core_written_value(p, i);
    return written != PLUMB_OK ? written : core_seen_value(p, i);
}

static void make_value_units(struct shrinking *s)
{
    struct hash_map numbers = {0};
    bool container = spec_is_container(s->p->spec), fits = container || core_has_plain_writers(s->p);
    for (uint32_t i = 0; i < s->p->order.count && fits; i++) {
        plumb_value value = container ? container_value_of(s->p, i, &fits) : register_value_of(s->p, i);
        if (fits && value != PLUMB_OK && value != PLUMB_ANY)
            s->unit_of[i] = unit_of_value(s, &numbers, value);
        if (!container && core_is_exchange(s->p, i))
            s->seen_of[i] = unit_of_value(s, &numbers, core_seen_value(s->p, i));
    }
    hash_map_free(&numbers);
    if (!fits) {
        memset(s->unit_of, 0xff, sizeof(uint32_t) * s->p->order.count);
        s->units = 0;
    }
}

static void make_read_units(struct shrinking *s)
{
    for (uint32_t i = 0; i < s->p->order.count; i++)
        s->unit_of[i] = is_completed_read(s->p, i) ? s->units++ : NO_UNIT;
}

static void make_writer_units(struct shrinking *s)
{
    OWNED uint8_t *unread = NEW_ZEROED(uint8_t, s->p->order.count);
    if (core_has_one_key(s->p) && core_has_plain_writers(s->p))
        core_find_unread(s->p, unread);
    else if (core_has_one_key(s->p) && s->p->spec->kind == PLUMB_KIND_KV)
        core_find_unshown(s->p, unread);
    for (uint32_t i = 0; i < s->p->order.count; i++)
        s->unit_of[i] = unread[i] ? s->units++ : NO_UNIT;
}

/* ------------------------------------------------------------------ trying */

static bool is_deleted(const struct shrinking *s, uint32_t unit)
{
    return unit != NO_UNIT && s->deleted[unit];
}

/* With the value that a cas finds goes the cas, and so everything that sees what it wrote. */
static void close_deleted(struct shrinking *s)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < s->p->order.count; i++)
            if (is_deleted(s, s->seen_of[i]) && !is_deleted(s, s->unit_of[i]))
                s->deleted[s->unit_of[i]] = changed = true;
    }
}

static uint32_t collect_left(const struct shrinking *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->p->order.count; i++)
        if (!is_deleted(s, s->unit_of[i]) && !is_deleted(s, s->seen_of[i]))
            s->chosen[count++] = i;
    return count;
}

static bool is_violated(struct shrinking *s, const struct part *p)
{
    struct decision d = {0};
    struct budget budget = budget_within(s->budget, SEARCH_BYTES);
    enum verdict verdict = s->fast && !s->initial ? s->fast(p, &budget, &d) : VERDICT_NONE;
    s->work += p->order.count + 64;
    if (verdict == VERDICT_NONE) {
        decision_free(&d);
        d = (struct decision){0};
        verdict = search_has_many_pending(p) ? search_estimate(p, s->initial, &budget, &d)
                                             : search_decide(p, s->initial, &budget, &d);
        s->work += SEARCH_COST * (uint64_t)p->order.count;
    }
    decision_free(&d);
    return verdict == VERDICT_VIOLATED;
}

static bool left_is_violated(struct shrinking *s)
{
    uint32_t count = collect_left(s);
    if (!count)
        return false;
    struct part sub = part_restrict(s->p, s->chosen, count);
    bool violated = is_violated(s, &sub);
    part_free(&sub);
    return violated;
}

static void try_to_delete(struct shrinking *s, uint32_t from, uint32_t to)
{
    memcpy(s->before, s->deleted, s->units);
    memset(s->deleted + from, 1, to - from);
    close_deleted(s);
    if (!left_is_violated(s))
        memcpy(s->deleted, s->before, s->units);
}

/* Deletes units in runs of halving length; what cannot go alone stays. Deleting more never makes
 * an earlier refusal obsolete, so one pass with single units suffices. */
static void delete_units(struct shrinking *s)
{
    uint32_t run = s->units > 8 ? s->units / 2 : 1;
    for (;; run = (run + 1) / 2) {
        for (uint32_t from = 0; from < s->units; from += run) {
            uint32_t to = from + run < s->units ? from + run : s->units;
            if (s->work > WORK_LIMIT || budget_time_is_up(s->budget)) {
                s->gave_up = true;
                return;
            }
            if (memchr(s->deleted + from, 0, to - from))
                try_to_delete(s, from, to);
        }
        if (run == 1)
            return;
    }
}

typedef void make_units(struct shrinking *s);

static bool shrink_with(struct part *p, const void *initial, decider *fast, struct budget *budget,
                        make_units *make)
{
    struct shrinking s = {.p = p, .initial = initial, .fast = fast, .budget = budget};
    s.unit_of = NEW_ARRAY(uint32_t, p->order.count);
    s.seen_of = NEW_ARRAY(uint32_t, p->order.count);
    s.chosen = NEW_ARRAY(uint32_t, p->order.count);
    memset(s.unit_of, 0xff, sizeof(uint32_t) * p->order.count);
    memset(s.seen_of, 0xff, sizeof(uint32_t) * p->order.count);
    make(&s);
    s.deleted = NEW_ZEROED(uint8_t, s.units);
    s.before = NEW_ARRAY(uint8_t, s.units);
    delete_units(&s);
    uint32_t count = collect_left(&s);
    if (count < p->order.count)
        part_keep(p, s.chosen, count);
    free(s.unit_of);
    free(s.seen_of);
    free(s.chosen);
    free(s.deleted);
    free(s.before);
    return !s.gave_up;
}

/* Optional operations that change nothing need not have happened, unless others have to follow them. */
static void drop_optional_reads(struct part *p)
{
    if (p->order.after)
        return;
    uint32_t *chosen = NEW_ARRAY(uint32_t, p->order.count), count = 0;
    for (uint32_t i = 0; i < p->order.count; i++) {
        struct plumb_call call = part_call(p, i);
        if (p->order.ret[i] != ORDER_NEVER || !spec_effect_free(p->spec, &call))
            chosen[count++] = i;
    }
    if (count && count < p->order.count)
        part_keep(p, chosen, count);
    free(chosen);
}

/* Deleting one thing makes room for others: until nothing goes any more. */
static bool shrink_register(struct part *p, const void *initial, decider *fast, struct budget *budget)
{
    for (uint32_t count = UINT32_MAX; p->order.count < count;) {
        count = p->order.count;
        if (!shrink_with(p, initial, fast, budget, make_read_units) ||
            !shrink_with(p, initial, fast, budget, make_value_units) ||
            !shrink_with(p, initial, fast, budget, make_writer_units))
            return false;
    }
    return true;
}

bool core_minimise(struct part *p, const void *initial, decider *fast, struct budget *budget)
{
    drop_optional_reads(p);
    if (spec_is_register(p->spec))
        return shrink_register(p, initial, fast, budget);
    bool minimal = shrink_with(p, initial, fast, budget, make_read_units);
    if (!initial && spec_is_container(p->spec)) {
        minimal = shrink_with(p, initial, fast, budget, make_value_units) &&
                  shrink_with(p, initial, fast, budget, make_read_units) && minimal;
        core_drop_surplus_removals(p);
    }
    return minimal;
}
