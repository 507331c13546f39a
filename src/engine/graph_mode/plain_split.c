/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/graphs_memory.h"
#include "engine/graph_mode/plain_split.h"

#include "base/hash.h"
#include "engine/engine_state.h"

enum { PIECE_MOST = 8 };

static struct hash_map ends; /* 1: some step of this process began or ended at the address */

void plain_find_out(enum graphs_fact fact, uint64_t address)
{
    engine_active = false;
    explore_graphs_find_out(engine.explorer, fact, address);
    engine_end(PORT_BLOCKED);
}

bool plain_knows(enum graphs_fact fact, uint64_t address)
{
    return explore_graphs_knows(engine.explorer, fact, address);
}

void plain_refuse(const char *what, const void *pc)
{
    engine_refuse_graph(what, pc);
    __builtin_unreachable();
}

void plain_forget_ends(void)
{
    hash_map_clear(&ends);
}

/* ------------------------------------------------------------------ pieces */

static bool is_end(uint64_t address)
{
    return hash_map_get(&ends, address) != HASH_NO_NUMBER;
}

static void note_ends(uint64_t address, unsigned size)
{
    *hash_map_at(&ends, address) = 1;
    *hash_map_at(&ends, address + size) = 1;
}

/* The access begins or ends inside of a location: if that was a part of a range, it can be cut otherwise. */
static void cut_at(uint64_t address)
{
    if (!plain_knows(GRAPHS_BOUNDARY, address))
        plain_find_out(GRAPHS_BOUNDARY, address);
}

bool plain_fits(uint64_t address, unsigned size)
{
    uint64_t at, last;
    unsigned length;
    note_ends(address, size);
    if (!explore_graphs_next_location(engine.explorer, address, address + size, &at, &length) ||
        (at == address && length == size))
        return true;
    if (at < address)
        cut_at(address);
    last = at;
    while (explore_graphs_next_location(engine.explorer, last + length, address + size, &last, &length))
        continue;
    if (last + length > address + size)
        cut_at(address + size);
    return false;
}

/* How much of [address, end), where nothing is known yet, is one step. */
static unsigned length_of_gap(uint64_t address, uint64_t end)
{
    unsigned length = PIECE_MOST;
    while (address % length || address + length > end)
        length /= 2;
    for (uint64_t a = address + 1; a < address + length; a++)
        while (address + length > a && plain_knows(GRAPHS_BOUNDARY, a))
            length /= 2;
    for (uint64_t a = address + 1; a < address + length; a++)
        if (is_end(a))
            plain_find_out(GRAPHS_BOUNDARY, a);
    return length;
}

/* How a range is cut does not depend on what has happened in this execution, or its steps would not be the same in
 * another one: with smaller steps that are found there all begins again. Of larger ones a piece is a part. */
static struct piece next_part(const struct cut *c)
{
    uint64_t at;
    unsigned length, size = length_of_gap(c->from, c->end);
    uint64_t end = c->from + size;
    if (explore_graphs_next_location(engine.explorer, c->from, end, &at, &length)) {
        if (at > c->from)
            cut_at(at);
        if (at + length < end)
            cut_at(at + length);
    }
    return (struct piece){.address = c->from, .size = size};
}

struct cut plain_begin_cut(uint64_t address, size_t size, bool compiled)
{
    bool single = compiled && size <= PIECE_MOST && (size & (size - 1)) == 0 && address % size == 0;
    return (struct cut){.address = address, .from = address, .end = address + size, .single = single};
}

struct piece plain_next_piece(struct cut *c)
{
    unsigned size = (unsigned)(c->end - c->address);
    struct piece p = {.address = c->address, .size = size};
    if (c->single)
        note_ends(c->address, size);
    else
        p = next_part(c);
    c->from = p.address + p.size;
    return p;
}
