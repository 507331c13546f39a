/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/search/search_state.h"

#include "base/check.h"
#include "spec/registry.h"

#include <string.h>

/* Ties inside a thread that ranks cannot express are rare; without them `followed` is null. */
static bool mark_followed(struct slots *s)
{
    const struct order *o = &s->part->order;
    if (!o->after)
        return true;
    if (!account_charge(s->account, o->count))
        return false;
    s->followed = NEW_ZEROED(uint8_t, o->count);
    for (uint32_t i = 0; i < o->count; i++)
        if (o->after[i] != ORDER_NO_OP)
            s->followed[o->after[i]] = 1;
    return true;
}

bool slots_init(struct slots *s, const struct part *p, struct account *account)
{
    *s = (struct slots){.part = p, .account = account};
    if (!account_charge(account, (size_t)p->order.count * sizeof *s->of_op))
        return false;
    s->of_op = NEW_ARRAY(uint32_t, p->order.count);
    return mark_followed(s);
}

void slots_free(struct slots *s)
{
    free(s->at);
    free(s->of_op);
    free(s->followed);
    vec_free(&s->free);
    vec_free(&s->readers);
    vec_free(&s->writers);
}

static uint32_t take_slot(struct slots *s)
{
    if (s->free.len)
        return vec_pop(&s->free);
    if (s->used == s->cap) {
        size_t lists = 3 * sizeof(uint32_t);
        size_t cap = account_grow(s->account, s->cap, sizeof *s->at + lists);
        if (!cap)
            return SLOT_NONE;
        s->at = base_realloc(s->at, cap * sizeof *s->at);
        s->cap = cap;
    }
    return s->used++;
}

static bool interchangeable(const struct slots *s, const struct slot *a, const struct slot *b)
{
    return a->call.op == b->call.op && a->call.arg == b->call.arg && a->call.result == b->call.result &&
           (a->ret == ORDER_NEVER) == (b->ret == ORDER_NEVER) &&
           (a->call.thread == b->call.thread || !s->part->spec->thread_matters);
}

static bool is_tied(const struct slots *s, uint32_t op)
{
    return s->followed && (s->followed[op] || s->part->order.after[op] != ORDER_NO_OP);
}

/* Puts the new writer into the chain of its twins. Twins share one point of view: any of them may act
 * now, so that the one that has to act first may go first. Pending ones follow in the order of calls. */
static void link_twins(struct slots *s, uint32_t slot)
{
    struct slot *x = &s->at[slot];
    if (is_tied(s, x->op))
        return;
    for (size_t k = s->writers.len; k-- > 0;) {
        struct slot *y = &s->at[s->writers.data[k]];
        if (!interchangeable(s, x, y) || is_tied(s, y->op))
            continue;
        if (y->ret > x->ret) {
            if (x->twin_after == SLOT_NONE || y->ret < s->at[x->twin_after].ret)
                x->twin_after = s->writers.data[k];
        } else if (x->twin_before == SLOT_NONE || y->ret > s->at[x->twin_before].ret) {
            x->twin_before = s->writers.data[k];
        }
    }
    if (x->twin_before != SLOT_NONE)
        s->at[x->twin_before].twin_after = slot;
    if (x->twin_after != SLOT_NONE)
        s->at[x->twin_after].twin_before = slot;
}

static uint32_t slot_to_follow(const struct slots *s, uint32_t op)
{
    const struct order *o = &s->part->order;
    if (!o->after || o->after[op] == ORDER_NO_OP || o->ret[o->after[op]] < o->call[op])
        return SLOT_NONE;
    return o->call[o->after[op]] < o->call[op] ? s->of_op[o->after[op]] : SLOT_LATER;
}

static void release_followers(struct slots *s, const uint32_t *list, size_t count, uint32_t slot)
{
    for (size_t k = 0; k < count; k++)
        if (s->at[list[k]].after == slot)
            s->at[list[k]].after = SLOT_NONE;
}

/* Operations of one thread with equal stamps may be called in any order of ranks. */
static void catch_followers(struct slots *s, const uint32_t *list, size_t count, uint32_t slot)
{
    for (size_t k = 0; k < count; k++)
        if (s->at[list[k]].after == SLOT_LATER && s->part->order.after[s->at[list[k]].op] == s->at[slot].op)
            s->at[list[k]].after = slot;
}

uint32_t slots_open(struct slots *s, uint32_t op)
{
    const struct plumb_spec *spec = s->part->spec;
    struct plumb_call call = part_call(s->part, op);
    uint32_t ret = s->part->order.ret[op];
    bool effect_free = spec_effect_free(spec, &call);
    if (effect_free && ret == ORDER_NEVER && !(s->followed && s->followed[op]))
        return SLOT_NONE; /* optional, and without effect */
    uint32_t slot = take_slot(s);
    if (slot == SLOT_NONE)
        return SLOT_NONE;
    s->at[slot] = (struct slot){
        .call = call,
        .op = op,
        .ret = ret,
        .after = slot_to_follow(s, op),
        .twin_before = SLOT_NONE,
        .twin_after = SLOT_NONE,
        .effect_free = effect_free,
        .one_outcome = spec->deterministic && call.result != PLUMB_ANY && ret != ORDER_NEVER,
    };
    s->of_op[op] = slot;
    if (s->followed && s->followed[op]) {
        catch_followers(s, s->readers.data, s->readers.len, slot);
        catch_followers(s, s->writers.data, s->writers.len, slot);
    }
    if (effect_free) {
        vec_push(&s->readers, slot);
    } else {
        link_twins(s, slot);
        vec_push(&s->writers, slot);
    }
    return slot;
}

static void unlink_twins(struct slots *s, const struct slot *x)
{
    if (x->twin_before != SLOT_NONE)
        s->at[x->twin_before].twin_after = x->twin_after;
    if (x->twin_after != SLOT_NONE)
        s->at[x->twin_after].twin_before = x->twin_before;
}

static size_t list_without(uint32_t *list, size_t count, uint32_t slot)
{
    size_t k = count;
    while (k > 0 && list[k - 1] != slot)
        k--;
    CHECK(k > 0);
    memmove(list + k - 1, list + k, (count - k) * sizeof *list);
    return count - 1;
}

void slots_close(struct slots *s, uint32_t slot)
{
    struct slot *x = &s->at[slot];
    if (s->followed && s->followed[x->op]) {
        release_followers(s, s->readers.data, s->readers.len, slot);
        release_followers(s, s->writers.data, s->writers.len, slot);
    }
    unlink_twins(s, x);
    if (x->effect_free)
        s->readers.len = list_without(s->readers.data, s->readers.len, slot);
    else
        s->writers.len = list_without(s->writers.data, s->writers.len, slot);
    vec_push(&s->free, slot);
}
