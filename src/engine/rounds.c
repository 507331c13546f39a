/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/rounds.h"

#include "base/hash.h"
#include "engine/real.h"

#include <string.h>

static bool is_same_step(const struct port_action *a, const struct port_action *b)
{
    return a->address == b->address && a->operand == b->operand && a->expected == b->expected &&
           a->operation == b->operation && a->order == b->order && a->failure_order == b->failure_order;
}

static bool is_same_state(const struct round_mark *m, const struct spin_entry *now,
                          const struct port_action *step)
{
    return is_same_step(&m->step, step) && m->entry.pc == now->pc && m->entry.sp == now->sp &&
           memcmp(&m->entry, now, sizeof *now) == 0 &&
           memcmp(m->stack, (const void *)now->sp, m->length) == 0;
}

static void keep(struct rounds *r, const struct spin_entry *now, const struct port_action *step,
                 uint64_t length)
{
    struct round_mark *m = &r->marks[r->next];
    m->step = *step;
    m->entry = *now;
    m->length = (uint32_t)length;
    real.memcpy(m->stack, (const void *)now->sp, length);
    r->next = (r->next + 1) % ROUNDS_KEPT;
    if (r->kept < ROUNDS_KEPT)
        r->kept++;
}

static uint64_t hash_state(const struct spin_entry *now, const struct port_action *step, uint64_t length)
{
    uint64_t what[] = {step->address,
                       (uint64_t)step->operand,
                       (uint64_t)(step->operand >> 64),
                       step->kind,
                       (uint64_t)step->expected,
                       (uint64_t)(step->expected >> 64),
                       step->operation,
                       step->order,
                       step->failure_order,
                       step->flags & PORT_WEAK,
                       step->size};
    uint64_t h = hash_combine(hash_bytes(what, sizeof what), hash_bytes(now, sizeof *now));
    return hash_combine(h, hash_bytes((const void *)now->sp, length));
}

uint64_t rounds_state(struct rounds *r, const struct spin *s, const struct port_action *step, uint64_t pc)
{
    uint64_t length = s->stack_base - s->entry.sp;
    if (s->entry.pc != pc || length > ROUNDS_STACK_MOST)
        return 0;
    uint64_t h = hash_state(&s->entry, step, length);
    if (!operation_reads(step->operation))
        return h | 1;
    if (r->kept == 0)
        return 0;
    r->marks[(r->next - 1) % ROUNDS_KEPT].state = h;
    for (uint32_t back = 2; back <= r->kept; back++) /* whether it comes back somewhere depends on these */
        h = hash_combine(h, r->marks[(r->next - back) % ROUNDS_KEPT].state);
    return h | 1;
}

uint32_t rounds_arrive(struct rounds *r, struct spin *s, const struct port_action *step, uint64_t pc)
{
    if (s->since_effect == 0 || s->had_effect)
        r->kept = r->next = 0; /* the same few marks again: they are in the cache */
    s->had_effect = false;
    s->reads = 1; /* until the next effect */
    uint64_t length = s->stack_base - s->entry.sp;
    if (s->entry.pc != pc || length > ROUNDS_STACK_MOST) {
        r->kept = 0; /* not called by the program's own code, or too deep to look at */
        return 0;
    }
    for (uint32_t back = 1; back <= r->kept; back++)
        if (is_same_state(&r->marks[(r->next - back) % ROUNDS_KEPT], &s->entry, step))
            return back;
    keep(r, &s->entry, step, length);
    return 0;
}
