/* SPDX-License-Identifier: Apache-2.0 */
/* What of a thread's registers and stack its code may still read: the tool has worked it out for each call of a hook, and for each
 * call that leads to one (target/code/liveness.h). From frame to frame by return addresses, up to the first of which nothing is
 * known: from there on everything matters. */
#include "prove/prove_image.h"

#include <stdlib.h>
#include <string.h>

static int compare_places(const void *key, const void *place)
{
    uint64_t pc = *(const uint64_t *)key, other = ((const struct prove_place *)place)->pc;
    return (pc > other) - (pc < other);
}

static const struct prove_place *find_place(const struct prove_place *list, uint32_t count, uint64_t pc)
{
    uint64_t key = pc - prove.program.base;
    return bsearch(&key, list, count, sizeof *list, compare_places);
}

struct walk {
    struct prove_live *live;
    uint64_t start, end; /* of the part of the stack that is in use */
    uint64_t
        where[PROVE_SAVED_COUNT]; /* address of what the frame has in the register; 0: the register itself */
};

static void set_live(struct walk *w, uint64_t address, uint64_t bytes)
{
    if (address >= w->start && address + bytes <= w->end)
        memset(w->live->parts + (address - w->start) / PROVE_FRAME_PART, 1,
               (bytes + PROVE_FRAME_PART - 1) / PROVE_FRAME_PART);
}

static void set_register_live(struct walk *w, unsigned r)
{
    if (w->where[r])
        set_live(w, w->where[r], PROVE_WORD);
    else
        w->live->registers |= 1u << r;
}

/* All of the stack above, and whatever the frame there has in registers. */
static void give_up(struct walk *w, uint64_t sp)
{
    for (unsigned r = 0; r < PROVE_SAVED_COUNT; r++)
        set_register_live(w, r);
    if (sp < w->end)
        set_live(w, sp, w->end - sp);
}

static void take_frame(struct walk *w, const struct prove_place *p, uint64_t sp, bool all)
{
    uint64_t top = sp + p->depth, known = PROVE_FRAME_PARTS * PROVE_FRAME_PART;
    uint64_t low = top > sp + known ? top - known : sp;
    if (all)
        set_live(w, sp, top - sp);
    else if (low > sp)
        set_live(w, sp, low - sp); /* too far from the top to be distinguished */
    for (unsigned i = 0; i < PROVE_FRAME_PARTS && !all; i++) {
        uint64_t at = top - PROVE_FRAME_PART * (i + 1);
        if (at >= low && at < top && p->parts[i / 64] >> i % 64 & 1)
            set_live(w, at, PROVE_FRAME_PART);
    }
    for (unsigned r = 0; r < PROVE_SAVED_COUNT; r++)
        if (all || p->registers >> r & 1)
            set_register_live(w, r);
    set_live(w, top, PROVE_WORD);
}

/* Where the caller's registers are; false: not known of one of them. */
static bool leave_frame(struct walk *w, const struct prove_place *p, uint64_t top)
{
    bool known = true;
    for (unsigned r = 0; r < PROVE_SAVED_COUNT; r++) {
        if (p->saved[r] == PROVE_FRAME_KEPT)
            continue;
        known &= p->saved[r] != 0;
        w->where[r] = top + (uint64_t)(int64_t)p->saved[r];
    }
    return known;
}

bool prove_live_find(unsigned thread, struct prove_live *live)
{
    const struct prove_shared *s = prove.shared;
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    struct walk w = {.live = live, .start = r->sp, .end = prove_stack_top(thread)};
    uint64_t sp = r->sp, pc = r->pc;
    bool reads_above = false;
    live->registers = 0;
    memset(live->parts, 0, (w.end - w.start) / PROVE_FRAME_PART);
    const struct prove_place *p = find_place(s->places, s->place_count, pc);
    while (pc != (uint64_t)prove_returned) {
        if (!p || s->question.no_liveness || p->depth % PROVE_WORD || sp + p->depth + PROVE_WORD > w.end) {
            give_up(&w, sp);
            return false;
        }
        uint64_t top = sp + p->depth;
        take_frame(&w, p, sp, reads_above);
        reads_above = p->reads_above;
        if (!leave_frame(&w, p, top)) {
            give_up(&w, top);
            return false;
        }
        memcpy(&pc, (void *)top, sizeof pc);
        sp = top + PROVE_WORD;
        p = find_place(s->calls, s->call_count, pc);
    }
    return true;
}
