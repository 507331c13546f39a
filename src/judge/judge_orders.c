/* SPDX-License-Identifier: Apache-2.0 */
/* Legal orders of the operations of an outcome: one that respects what is given, depth first. */
#include "judge/judge_state.h"

#include "base/memory.h"

#include <string.h>

struct order_search {
    struct judge *judge;
    const struct judge_question *q;
    struct judge_space *space;
    struct judge_found *found;
    uint64_t available;
    uint32_t waiting; /* label, or SPACE_NONE */
    bool gave_up;
};

/* --- dead ends: operations done and the states that they led to ----------------------------------------- */

static struct judge_failed *failed_slot(struct judge *j, uint64_t done, uint32_t set)
{
    size_t i = hash_combine(done, set) & j->failed_mask;
    while (j->failed[i].round == j->failed_round && (j->failed[i].done != done || j->failed[i].set != set))
        i = (i + 1) & j->failed_mask;
    return &j->failed[i];
}

static void resize_failed(struct judge *j, size_t capacity)
{
    struct judge_failed *old = j->failed;
    size_t old_capacity = old ? j->failed_mask + 1 : 0;
    j->failed = NEW_ZEROED(struct judge_failed, capacity);
    j->failed_mask = capacity - 1;
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].round == j->failed_round)
            *failed_slot(j, old[i].done, old[i].set) = old[i];
    free(old);
}

static void begin_round(struct judge *j)
{
    if (!j->failed)
        resize_failed(j, 1024);
    if (++j->failed_round == 0) {
        memset(j->failed, 0, (j->failed_mask + 1) * sizeof *j->failed);
        j->failed_round = 1;
    }
    j->failed_count = 0;
}

static void note_failed(struct judge *j, uint64_t done, uint32_t set)
{
    if (++j->failed_count * 2 > j->failed_mask)
        resize_failed(j, (j->failed_mask + 1) * 2);
    *failed_slot(j, done, set) = (struct judge_failed){done, set, j->failed_round};
}

/* --- the search ----------------------------------------------------------------------------------------- */

/* What has to stay before y if y comes next. */
static uint64_t before_next(const struct order_search *s, uint32_t y)
{
    const struct judge_found *f = s->found;
    uint64_t before = (s->q->outcome->conflicts[y] | s->q->before[y]) & f->members;
    JUDGE_EACH(x, before)
        before |= f->before[x];
    return before;
}

/* Can no client put the return of y before the call of one that has to come before it? */
static bool is_robust(const struct order_search *s, uint32_t y, uint64_t before)
{
    if (!s->q->surely || !(s->q->part->completed & judge_bit(y)))
        return true;
    JUDGE_EACH(x, before)
        if (!(s->q->surely[x] & judge_bit(y)))
            return false;
    return true;
}

static bool extend(struct order_search *s, uint32_t set);

static bool try_next(struct order_search *s, uint32_t set, uint32_t y)
{
    struct judge_found *f = s->found;
    if (s->q->before[y] & s->available & ~f->members)
        return false;
    uint32_t next = judge_space_move(s->space, set, s->q->outcome->labels[y]);
    if (next == SPACE_DEAD)
        return false;
    uint64_t before = before_next(s, y);
    if (!is_robust(s, y, before))
        return false;
    f->before[y] = before;
    f->order[f->length++] = (uint8_t)y;
    f->members |= judge_bit(y);
    if (extend(s, next))
        return true;
    f->length--;
    f->members &= ~judge_bit(y);
    return false;
}

static bool extend(struct order_search *s, uint32_t set)
{
    const struct judge_part *p = s->q->part;
    uint64_t done = s->found->members;
    if (!(p->completed & ~done) && judge_space_may_end(s->space, set, s->waiting))
        return true;
    if (failed_slot(s->judge, done, set)->round == s->judge->failed_round)
        return false;
    if (!judge_spend(s->judge)) {
        s->gave_up = true;
        return false;
    }
    for (uint32_t i = 0; i < p->count && !s->gave_up; i++)
        if ((s->available & ~done) >> p->hint[i] & 1 && try_next(s, set, p->hint[i]))
            return true;
    note_failed(s->judge, done, set);
    return false;
}

enum judge_step judge_find_order(struct judge *j, const struct judge_question *q, struct judge_found *found)
{
    struct order_search s = {.judge = j, .q = q, .space = &j->spaces[q->part->object], .found = found};
    s.available = q->part->ending == JUDGE_CUT ? q->part->all : q->part->completed;
    s.waiting = q->waits == JUDGE_NO_OP ? SPACE_NONE : q->outcome->labels[q->waits];
    found->length = 0;
    found->members = 0;
    begin_round(j);
    if (extend(&s, s.space->start))
        return JUDGE_YES;
    return s.gave_up ? JUDGE_GAVE_UP : JUDGE_NO;
}
