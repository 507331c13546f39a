/* SPDX-License-Identifier: Apache-2.0 */
/* All clients at once when time has one order: of a return and a call, one is first. Either an order is legal whatever
 * the client does, or there is a pair that a client could turn round: both ways are tried, and
 * what the second one knows (the call is first) is the exact opposite of the first. */
#include "judge/judge_state.h"

#include "base/check.h"

#include <string.h>

struct timed_search {
    struct judge *judge;
    struct judge_outcome *outcome;
    uint32_t waits;
    uint32_t violating; /* depth */
};

/* --- what the answer rests on ----------------------------------------------------------------------------- */

/* A walk from call `b` to return `a`, as nodes: calls are numbers, returns are numbers + 64. */
struct walk {
    uint8_t from[2 * JUDGE_OPS_MAX];
    uint8_t queue[2 * JUDGE_OPS_MAX];
    uint64_t seen_calls, seen_returns;
    uint32_t head, tail;
};

static void walk_to_returns(struct walk *w, uint8_t from, uint64_t returns)
{
    returns &= ~w->seen_returns;
    w->seen_returns |= returns;
    JUDGE_EACH(a, returns) {
        w->from[a + 64] = from;
        w->queue[w->tail++] = (uint8_t)(a + 64);
    }
}

static void walk_to_calls(struct walk *w, uint8_t from, uint64_t calls)
{
    calls &= ~w->seen_calls;
    w->seen_calls |= calls;
    JUDGE_EACH(b, calls) {
        w->from[b] = from;
        w->queue[w->tail++] = (uint8_t)b;
    }
}

/* Records the bits of the execution on a way from call b to return a; the rest of the way is the test's or was decided. */
static void need(struct timed_search *s, const struct judge_level *l, uint32_t b, uint32_t a)
{
    const struct judge_part *p = &s->judge->part;
    struct walk w = {.seen_calls = judge_bit(b)};
    if (b == a)
        return;
    if (p->knows[b] >> a & 1) {
        s->judge->needed.knows[b] |= judge_bit(a);
        return;
    }
    w.queue[w.tail++] = (uint8_t)b;
    while (!(w.seen_returns >> a & 1)) {
        CHECK(w.head < w.tail);
        uint8_t at = w.queue[w.head++];
        if (at >= 64) {
            walk_to_calls(&w, at, p->after[at - 64] | l->orders[at - 64]);
        } else {
            uint64_t itself = judge_bit(at) & p->completed;
            walk_to_returns(&w, at, p->knows[at] | l->overlaps[at] | itself);
        }
    }
    for (uint8_t at = (uint8_t)(a + 64); at != b; at = w.from[at])
        if (at >= 64 && w.from[at] != at - 64 && !(l->overlaps[w.from[at]] >> (at - 64) & 1))
            s->judge->needed.knows[w.from[at]] |= judge_bit(at - 64u);
}

static void need_all(struct timed_search *s, const struct judge_level *l, const struct judge_found *found)
{
    for (uint32_t i = 0; i < found->length; i++) {
        uint32_t y = found->order[i];
        if (s->judge->part.completed >> y & 1)
            JUDGE_EACH(x, found->before[y])
                need(s, l, (uint32_t)x, y);
    }
}

/* --- the search ------------------------------------------------------------------------------------------- */

static enum judge_step search(struct timed_search *s, uint32_t depth);

/* Could a client let y return before x is called? */
static enum judge_step try_turning(struct timed_search *s, uint32_t depth, uint32_t x, uint32_t y)
{
    struct judge_level *l = judge_level_at(s->judge, depth);
    if (l->relation.to_return[x] >> y & 1) {
        need(s, l, x, y);
        return JUDGE_YES;
    }
    struct judge_level *turned = judge_level_at(s->judge, depth + 1);
    *turned = *l;
    judge_relation_precede(&turned->relation, s->judge->part.count, y, x);
    turned->orders[y] |= judge_bit(x);
    enum judge_step step = search(s, depth + 1);
    judge_relation_overlap(&l->relation, s->judge->part.count, x, y);
    l->overlaps[x] |= judge_bit(y);
    return step;
}

static enum judge_step turn_everything(struct timed_search *s, uint32_t depth,
                                       const struct judge_found *found)
{
    for (uint32_t i = 0; i < found->length; i++) {
        uint32_t y = found->order[i];
        if (!(s->judge->part.completed >> y & 1))
            continue;
        JUDGE_EACH(x, found->before[y]) {
            enum judge_step step = try_turning(s, depth, (uint32_t)x, y);
            if (step != JUDGE_YES)
                return step;
        }
    }
    return JUDGE_YES;
}

static void ask(struct timed_search *s, const struct judge_level *l, struct judge_question *q)
{
    *q = (struct judge_question){.part = &s->judge->part, .outcome = s->outcome, .waits = s->waits};
    for (uint32_t a = 0; a < q->part->count; a++)
        JUDGE_EACH(b, l->relation.to_call[a])
            q->before[b] |= judge_bit(a);
}

static enum judge_step search(struct timed_search *s, uint32_t depth)
{
    const struct judge_level *l = judge_level_at(s->judge, depth);
    struct judge_question q;
    struct judge_found found;
    s->judge->counts.nodes++;
    ask(s, l, &q);
    q.surely = l->relation.to_return;
    enum judge_step step = judge_find_order(s->judge, &q, &found);
    if (step == JUDGE_YES)
        need_all(s, l, &found);
    if (step != JUDGE_NO)
        return step;
    q.surely = NULL;
    step = judge_find_order(s->judge, &q, &found);
    if (step == JUDGE_NO)
        s->violating = depth;
    return step == JUDGE_YES ? turn_everything(s, depth, &found) : step;
}

enum judge_step judge_search_timed(struct judge *j, struct judge_outcome *o, uint32_t waits, uint32_t *depth)
{
    struct timed_search s = {.judge = j, .outcome = o, .waits = waits};
    struct judge_level *l = judge_level_at(j, 0);
    memset(l, 0, sizeof *l);
    for (uint32_t i = 0; i < j->part.count; i++) {
        l->relation.to_return[i] = j->part.knows[i] | (judge_bit(i) & j->part.completed);
        l->relation.to_call[i] = j->part.after[i];
    }
    judge_relation_close(&l->relation, j->part.count);
    enum judge_step step = search(&s, 0);
    *depth = s.violating;
    return step;
}
