/* SPDX-License-Identifier: Apache-2.0 */
#include "target/code/code_units.h"

#include "base/memory.h"
#include "target/code/liveness_state.h"

#include <string.h>

static const uint32_t NO_FUNCTION = UINT32_MAX;

/* The function that the address lies in. */
static uint32_t function_at(const struct program_code *c, uint64_t address)
{
    size_t low = 0, high = c->functions.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c->functions.data[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    bool inside = low < c->functions.len && c->functions.data[low].address <= address;
    return inside ? (uint32_t)low : NO_FUNCTION;
}

static bool stands_elsewhere(const struct code_function *f)
{
    return strstr(f->name, ".cold") != NULL;
}

/* --- parts ----------------------------------------------------------------------------------------- */

/* Jumps between the two: one is part of the other, or it is not known what they are. */
static void join(struct code_units *u, uint32_t a, uint32_t b)
{
    bool cold = stands_elsewhere(u->list.data[a].function);
    uint32_t whole = cold ? b : a, part = cold ? a : b;
    struct code_unit *unit = &u->list.data[whole];
    const struct code_function *f = u->list.data[part].function;
    bool known = stands_elsewhere(f) && !stands_elsewhere(unit->function);
    bool first = known && !unit->elsewhere && u->unit_of[part] == part;
    if (first) {
        unit->elsewhere = f;
        u->unit_of[part] = whole;
    } else if (!known || unit->elsewhere != f || u->unit_of[part] != whole) {
        unit->entered_elsewhere = u->list.data[part].entered_elsewhere = true;
        u->list.data[u->unit_of[part]].entered_elsewhere = true;
    }
}

/* --- one pass over all code -------------------------------------------------------------------------- */

static void read_jump(struct code_units *u, uint32_t from, const struct machine_instruction *i)
{
    uint32_t to = function_at(&u->code, i->target);
    if (to == NO_FUNCTION || to == from)
        return;
    const struct code_function *f = &u->code.functions.data[to];
    bool begins = i->target == f->address && !stands_elsewhere(f);
    if (i->flow != FLOW_CALL && !begins)
        join(u, from, to);
    else if (begins)
        vec_push(&u->calls, ((struct code_call){from, to})); /* the last call may be a jump */
    else
        u->list.data[to].entered_elsewhere = true;
}

static void read_function(struct code_units *u, uint32_t number)
{
    struct code_instruction i = {0};
    while (program_code_next(&u->code.functions.data[number], &i.machine)) {
        if (i.machine.flow != FLOW_CALL && !i.machine.target)
            continue;
        i.callee = program_code_callee(&u->code, &i.machine);
        u->list.data[number].has_atomics |= liveness_is_step(&i);
        if (i.machine.target)
            read_jump(u, number, &i.machine);
    }
}

/* Cleanups and handlers may stand elsewhere. */
static void read_pads(struct code_units *u)
{
    for (size_t k = 0; k < u->pads.sites.len; k++) {
        const struct landing_site *s = &u->pads.sites.data[k];
        uint32_t from = function_at(&u->code, s->from), to = function_at(&u->code, s->pad);
        if (from != to && from != NO_FUNCTION && to != NO_FUNCTION)
            join(u, from, to);
    }
}

/* What is found in parts belongs to the whole. */
static void add_parts(struct code_units *u)
{
    for (uint32_t k = 0; k < u->list.len; k++) {
        struct code_unit *whole = &u->list.data[u->unit_of[k]], *part = &u->list.data[k];
        whole->has_atomics |= part->has_atomics;
        whole->entered_elsewhere |= part->entered_elsewhere;
        whole->leads_to_atomics |= whole->has_atomics;
    }
    for (size_t k = 0; k < u->calls.len; k++)
        u->calls.data[k].from = u->unit_of[u->calls.data[k].from];
}

static void find_callers(struct code_units *u)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < u->calls.len; k++) {
            const struct code_call *c = &u->calls.data[k];
            struct code_unit *from = &u->list.data[c->from];
            bool news = u->list.data[c->to].leads_to_atomics && !from->leads_to_atomics;
            from->leads_to_atomics |= news;
            changed |= news;
        }
    }
}

void code_units_open(struct code_units *u, const char *path)
{
    *u = (struct code_units){0};
    program_code_open(&u->code, path);
    size_t count = u->code.functions.len;
    u->unit_of = NEW_ARRAY(uint32_t, count);
    for (uint32_t k = 0; k < count; k++) {
        u->unit_of[k] = k;
        vec_push(&u->list, ((struct code_unit){.function = &u->code.functions.data[k]}));
    }
    u->knows_pads = u->code.elf && landing_pads_find(&u->pads, u->code.elf);
    for (uint32_t k = 0; k < count; k++)
        read_function(u, k);
    read_pads(u);
    add_parts(u);
    find_callers(u);
}

void code_units_close(struct code_units *u)
{
    free(u->unit_of);
    vec_free(&u->list);
    vec_free(&u->calls);
    landing_pads_free(&u->pads);
    program_code_close(&u->code);
}

const struct code_unit *code_units_at(const struct code_units *u, uint64_t address)
{
    uint32_t f = function_at(&u->code, address);
    bool begins = f != NO_FUNCTION && u->code.functions.data[f].address == address && u->unit_of[f] == f;
    return begins ? &u->list.data[f] : NULL;
}
