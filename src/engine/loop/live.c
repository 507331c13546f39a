/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/loop/live.h"

#include "base/hash.h"
#include "engine/loop/frame_view.h"
#include "engine/real.h"

enum { STACK_MOST = 1 << 14, BELOW = 1 << 12 };

bool live_wanted;
bool live_compared;
uint64_t live_left;

static bool is_known(const struct spin *s, uint64_t pc)
{
#if defined(__x86_64__)
    if (s->entry.unsure)
        return false;
#endif
    return pc && s->entry.pc == pc && s->stack_base - s->entry.sp <= STACK_MOST;
}

/* Where it is: what matters there, if that is known. */
static uint64_t hash_place(const struct spin *s, const struct port_action *step, uint64_t pc)
{
    const struct fold_place *place = fold_find(pc);
    if (!place)
        return spin_hash(s, step);
    uint64_t h = hash_combine(spin_hash_step(step), s->entry.sp);
#if defined(__x86_64__)
    h = hash_combine(h, s->entry.others);
#endif
    return hash_combine(h, frame_hash_needed(&s->entry, &place->frame, s->stack_base - s->entry.sp));
}

uint64_t live_state(const struct live *l, const struct spin *s, const struct undo *u,
                    const struct port_action *step, uint64_t pc)
{
    if (!is_known(s, pc))
        return 0;
    struct hash_wide changes = undo_changes_but_counters(u);
    uint64_t h = hash_combine(hash_place(s, step, pc), hash_combine(changes.low, changes.high));
    return hash_combine(hash_combine(h, l->inside), l->changes) | 1;
}

/* As they were when main was first called: what startup code has set stays, what earlier executions did does not. */
static uint64_t first_modes(void)
{
    const uint64_t flags = 0x3f;
    static uint64_t modes;
    if (!modes)
        modes = live_modes() & ~flags;
    return modes;
}

void live_begin(struct live *l, const struct spin *s, bool is_first)
{
    *l = (struct live){.modes = is_first ? first_modes() : live_modes()};
    if (live_wanted || live_compared)
        real.memset((void *)(s->stack_base - STACK_MOST), 0, STACK_MOST);
}

__attribute__((noinline)) void live_clean_below(const struct spin *s)
{
    char below[BELOW];
    if (s->stack_base - (uint64_t)below > STACK_MOST)
        return;
    real.memset(below, 0, sizeof below);
    __asm__ volatile("" ::"r"(below) : "memory");
}
