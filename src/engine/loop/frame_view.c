/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/loop/frame_view.h"

#include "base/hash.h"

#include <string.h>

struct frame_view frame_view_of(const struct spin_entry *entry, const char *stack)
{
    struct frame_view v = {.stack = stack};
    memcpy(v.registers, entry->registers, sizeof v.registers);
    return v;
}

bool frame_go_to_caller(struct frame_view *v, const struct fold_frame *f, uint64_t top)
{
    for (uint32_t k = 0; k < FOLD_REGISTERS; k++) {
        if (f->saved[k] == 0)
            return false;
        if (f->saved[k] != FOLD_KEPT)
            memcpy(&v->registers[k], v->stack + top + f->saved[k], sizeof v->registers[k]);
    }
    return true;
}

const struct fold_call *frame_caller_at(const struct frame_view *v, const struct fold_frame *f, uint64_t top,
                                        uint64_t length)
{
    uint64_t pc;
    memcpy(&pc, v->stack + top, sizeof pc);
    const struct fold_call *c = f->reads_above ? NULL : fold_find_call(pc);
    return c && top + sizeof pc + c->frame.depth + sizeof pc <= length ? c : NULL;
}

/* ------------------------------------------------------------------ what matters */

static uint64_t hash_parts(uint64_t h, const char *frame, const struct fold_frame *f)
{
    uint32_t apart = f->depth < FOLD_PARTS * FOLD_PART ? f->depth : FOLD_PARTS * FOLD_PART;
    h = hash_combine(h, hash_bytes(frame, f->depth - apart));
    for (uint32_t k = 0; k < apart / FOLD_PART; k++)
        if (f->parts[k / 64] >> k % 64 & 1)
            h = hash_combine(h, hash_bytes(frame + f->depth - FOLD_PART * (k + 1), FOLD_PART));
    return h;
}

/* The function whose frame begins at `bottom`. */
static uint64_t hash_frame(uint64_t h, const struct frame_view *v, uint64_t bottom,
                           const struct fold_frame *f)
{
    for (uint32_t k = 0; k < FOLD_REGISTERS; k++)
        if (f->registers >> k & 1)
            h = hash_combine(h, v->registers[k]);
    return hash_parts(h, v->stack + bottom, f);
}

static uint64_t hash_rest(uint64_t h, const struct frame_view *v, uint64_t from, uint64_t length)
{
    h = hash_combine(h, hash_bytes(v->registers, sizeof v->registers));
    return hash_combine(h, hash_bytes(v->stack + from, length - from));
}

uint64_t frame_hash_needed(const struct spin_entry *entry, const struct fold_frame *f, uint64_t length)
{
    struct frame_view v = frame_view_of(entry, (const char *)entry->sp), callee;
    uint64_t h = 0, bottom = 0, top;
    const uint32_t modes = sizeof entry->registers / sizeof *entry->registers - 1;
    h = hash_combine(entry->pc, entry->registers[modes]);
    while (f && bottom + f->depth + sizeof(uint64_t) <= length) {
        callee = v;
        top = bottom + f->depth;
        if (!frame_go_to_caller(&v, f, top)) {
            v = callee;
            break;
        }
        h = hash_frame(h, &callee, bottom, f);
        h = hash_combine(h, hash_bytes(v.stack + top, sizeof(uint64_t)));
        const struct fold_call *c = frame_caller_at(&v, f, top, length);
        f = c ? &c->frame : NULL;
        bottom = top + sizeof(uint64_t);
    }
    return hash_rest(h, &v, bottom, length);
}
