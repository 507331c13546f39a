/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/loop/spin.h"

#include "base/hash.h"
#include "engine/engine.h"
#include "engine/real.h"

#include <string.h>

enum {
    STACK_MOST = 1 << 14, /* deeper ones are not looked at */
    TRIES = 4,            /* visits that one saved state is compared with */
};

struct spin_watch spin_watch;

/* ------------------------------------------------------------------ the program's state */

static bool has_entry(const struct spin *s)
{
    return s->entry.pc == s->mark_pc && s->stack_base - s->entry.sp <= STACK_MOST;
}

static void save_state(struct spin *s)
{
    s->saved = s->entry;
    s->saved_stack.len = s->stack_base - s->entry.sp;
    vec_reserve(&s->saved_stack, s->saved_stack.len);
    real.memcpy(s->saved_stack.data, (const void *)s->entry.sp, s->saved_stack.len);
}

static bool is_in_saved_state(const struct spin *s)
{
    return memcmp(&s->entry, &s->saved, sizeof s->saved) == 0 &&
           memcmp((const void *)s->saved.sp, s->saved_stack.data, s->saved_stack.len) == 0;
}

/* ------------------------------------------------------------------ rounds */

static void give_up(struct spin *s)
{
    s->recording = 0;
    spin_watch.pc = s->mark_pc = 0;
    s->next_mark = 2 * s->reads;
}

void spin_record(struct spin *s, uint64_t address, uint64_t size)
{
    struct spin_location *l = &s->locations[s->location_count];
    if (s->location_count == SPIN_LOCATIONS || size > sizeof l->content) {
        give_up(s); /* too much to remember */
        return;
    }
    *l = (struct spin_location){.address = address, .size = size};
    real.memcpy(l->content, (const void *)address, size);
    s->location_count++;
}

static bool wrote_itself(const struct spin *s, uint64_t address, uint64_t size)
{
    for (uint32_t k = 0; k < s->own_write_count; k++) {
        const struct spin_range *w = &s->own_writes[k];
        if (w->address <= address && address + size <= w->address + w->size)
            return true;
    }
    return false;
}

/* What the round finds where it wrote before is no news. */
void spin_record_own(struct spin *s, uint64_t address, uint64_t size, bool writes)
{
    if (wrote_itself(s, address, size))
        return;
    if (!writes)
        spin_record(s, address, size);
    else if (s->own_write_count < SPIN_OWN_WRITES)
        s->own_writes[s->own_write_count++] = (struct spin_range){address, size};
    else
        give_up(s);
}

bool spin_is_over(const struct spin *s)
{
    for (uint32_t k = 0; k < s->location_count; k++) {
        const struct spin_location *l = &s->locations[k];
        if (memcmp((const void *)l->address, l->content, l->size) != 0 ||
            !heap_is_usable(l->address, l->size))
            return true;
    }
    return false;
}

/* What was found at the mark is part of the state. */
static void start_round(struct spin *s, uint64_t address, unsigned size)
{
    s->tries = 0;
    s->location_count = s->own_write_count = 0;
    s->next_mark = 4 * s->reads + 16; /* the round may be a long one */
    spin_record(s, address, size);
}

bool spin_visit(struct spin *s, uint64_t address, unsigned size, uint64_t value)
{
    bool same_value = value == s->mark_value;
    s->mark_value = value;
    if (!has_entry(s)) {
        give_up(s);
        return false;
    }
    if (!s->recording) {
        if (same_value) {
            save_state(s);
            s->recording = 1;
            start_round(s, address, size);
        }
        return false;
    }
    bool same_state = is_in_saved_state(s);
    if (same_state && !same_value) {
        start_round(s, address, size); /* another state, but one that needs no other copy */
        return false;
    }
    if (same_state && !spin_is_over(s)) {
        s->last_round = s->location_count;
        s->own_write_count = 0;
        return true;
    }
    if (++s->tries == TRIES)
        give_up(s); /* a loop that counts: look again much later */
    return false;
}

void spin_continue(struct spin *s)
{
    uint32_t newer = s->location_count - s->last_round;
    memmove(s->locations + 1, s->locations + s->last_round, newer * sizeof *s->locations);
    s->location_count = newer + 1; /* the first one is what the mark found */
}

void engine_watch_effects(void)
{
    struct spin *s = spin_watch.current;
    s->wrote = false;
    if (s->since_effect)
        return;
    s->had_effect = true;
    s->reads = 1; /* as if something had been read at a place that is never reached again */
    s->mark_pc = 0;
    s->next_mark = 2;
    spin_switch(s);
}

uint64_t spin_hash_step(const struct port_action *a)
{
    uint64_t what[] = {a->address,
                       (uint64_t)a->operand,
                       (uint64_t)(a->operand >> 64),
                       (uint64_t)a->expected,
                       (uint64_t)(a->expected >> 64),
                       a->kind,
                       a->operation,
                       a->order,
                       a->failure_order,
                       a->size,
                       a->flags & (PORT_WEAK | PORT_OBJECT | PORT_LIMITED)};
    return hash_bytes(what, sizeof what);
}

uint64_t spin_hash(const struct spin *s, const struct port_action *step)
{
    uint64_t h = hash_combine(spin_hash_step(step), hash_bytes(&s->entry, sizeof s->entry));
    return hash_combine(h, hash_bytes((const void *)s->entry.sp, s->stack_base - s->entry.sp));
}

void engine_note_effect(void)
{
    spin_effect(spin_watch.current);
}

bool engine_had_effect(void)
{
    return !spin_watch.current->since_effect || spin_watch.current->wrote;
}
