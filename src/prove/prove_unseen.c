/* SPDX-License-Identifier: Apache-2.0 */
#include "prove/prove_unseen.h"

#include "prove/prove_form.h"

struct range {
    uint64_t from, to;
};

static VEC(struct range) announced;
static VEC(struct range) kept; /* where `before` is from, in this order */
static VEC(uint8_t) before;
static bool is_watching;

static void keep(uint64_t from, uint64_t size)
{
    vec_push(&kept, ((struct range){from, from + size}));
    PROVE_PUT(before, (const uint8_t *)from, size);
}

void prove_unseen_begin(void)
{
    const struct prove_program *p = &prove.program;
    announced.len = kept.len = before.len = 0;
    is_watching = true;
    for (size_t i = 0; i < prove_hot_lines.len; i++)
        keep((uint64_t)p->globals + (size_t)prove_hot_lines.data[i] * PROVE_LINE, PROVE_LINE);
    for (uint32_t i = 0; i < prove.state.block_count; i++)
        if (!prove.state.blocks[i].freed && !prove.state.blocks[i].owner)
            keep(prove.state.blocks[i].address, prove.state.blocks[i].size);
}

void prove_unseen_announce(uint64_t address, uint64_t size)
{
    if (is_watching)
        vec_push(&announced, ((struct range){address, address + size}));
}

static bool is_announced(uint64_t address)
{
    for (size_t i = 0; i < announced.len; i++)
        if (address >= announced.data[i].from && address < announced.data[i].to)
            return true;
    return false;
}

static bool is_as_announced(uint64_t from, const uint8_t *old, uint64_t size)
{
    if (!memcmp((const void *)from, old, size))
        return true;
    for (uint64_t i = 0; i < size; i++)
        if (((const uint8_t *)from)[i] != old[i] && !is_announced(from + i))
            return false;
    return true;
}

static bool was_kept(uint64_t address)
{
    for (size_t i = 0; i < kept.len; i++)
        if (kept.data[i].from == address)
            return true;
    return false;
}

/* Lines that no step has changed so far were as at the start. */
static bool has_new_line(void)
{
    const struct prove_program *p = &prove.program;
    for (size_t i = 0; i < prove_hot_lines.len; i++) {
        size_t offset = (size_t)prove_hot_lines.data[i] * PROVE_LINE;
        if (!was_kept((uint64_t)p->globals + offset) &&
            !is_as_announced((uint64_t)p->globals + offset, p->globals_start + offset, PROVE_LINE))
            return true;
    }
    return false;
}

bool prove_unseen_find(void)
{
    size_t at = 0;
    bool found = has_new_line();
    is_watching = false;
    for (size_t i = 0; i < kept.len && !found; i++) {
        uint64_t size = kept.data[i].to - kept.data[i].from;
        found = !is_as_announced(kept.data[i].from, before.data + at, size);
        at += size;
    }
    return found;
}
