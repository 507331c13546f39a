/* SPDX-License-Identifier: Apache-2.0 */
/* Reachability between calls and returns. A call is entered only from returns and a return only from calls, so two
 * matrices say everything. */
#include "judge/judge_state.h"

/* The calls that are b or after it. */
static uint64_t calls_from(const struct judge_relation *r, uint32_t b)
{
    uint64_t calls = judge_bit(b);
    JUDGE_EACH(a, r->to_return[b])
        calls |= r->to_call[a];
    return calls;
}

static bool close_once(struct judge_relation *r, uint32_t count)
{
    bool changed = false;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t calls = r->to_call[i], returns = 0;
        JUDGE_EACH(b, r->to_call[i])
            calls |= calls_from(r, (uint32_t)b);
        changed |= calls != r->to_call[i];
        r->to_call[i] = calls;
        JUDGE_EACH(b, calls_from(r, i))
            returns |= r->to_return[b];
        changed |= returns != r->to_return[i];
        r->to_return[i] = returns;
    }
    return changed;
}

void judge_relation_close(struct judge_relation *r, uint32_t count)
{
    while (close_once(r, count))
        ;
}

void judge_relation_precede(struct judge_relation *r, uint32_t count, uint32_t a, uint32_t b)
{
    uint64_t calls = calls_from(r, b), returns = r->to_return[b], callers = 0, returners = judge_bit(a);
    for (uint32_t x = 0; x < count; x++)
        if (r->to_return[x] & judge_bit(a))
            callers |= judge_bit(x);
    for (uint32_t c = 0; c < count; c++)
        if (r->to_call[c] & callers)
            returners |= judge_bit(c);
    JUDGE_EACH(x, callers)
        r->to_return[x] |= returns;
    JUDGE_EACH(c, returners)
        r->to_call[c] |= calls;
}

void judge_relation_overlap(struct judge_relation *r, uint32_t count, uint32_t b, uint32_t a)
{
    uint64_t calls = r->to_call[a], returns = judge_bit(a), callers = judge_bit(b), returners = 0;
    JUDGE_EACH(y, calls)
        returns |= r->to_return[y];
    for (uint32_t c = 0; c < count; c++)
        if (r->to_call[c] & judge_bit(b))
            returners |= judge_bit(c);
    for (uint32_t x = 0; x < count; x++)
        if (r->to_return[x] & returners)
            callers |= judge_bit(x);
    JUDGE_EACH(x, callers)
        r->to_return[x] |= returns;
    JUDGE_EACH(c, returners)
        r->to_call[c] |= calls;
}

/* That no more can be ordered does not make it an order of time: no interval can be drawn for what is left open. */
void judge_fix_client(struct judge_execution *x)
{
    struct judge_relation r;
    for (uint32_t i = 0; i < x->count; i++) {
        r.to_return[i] = x->knows[i] | (judge_bit(i) & x->completed);
        r.to_call[i] = x->after[i];
    }
    judge_relation_close(&r, x->count);
    x->timed = false;
    for (uint32_t b = 0; b < x->count; b++) {
        x->after[b] = r.to_call[b];
        x->knows[b] = x->causes[b] = 0;
        x->hinder[b] = x->completed;
    }
}
