/* SPDX-License-Identifier: Apache-2.0 */
/* Jumps by a table of distances, as compilers make them of switches: `movslq (table, i, 4), r; add table, r; jmp *r`. The
 * table is one of those whose address the function takes; it is read up to the first entry that leads to no instruction
 * of the function, so that entries may be read that are not part of it, but none is left out. */
#include "target/code/liveness_state.h"

#include <string.h>

enum { LOOK_BACK = 8, SCALE = 4, ENTRIES_MOST = 1 << 12 };

static bool loads_distance(const struct machine_instruction *i, uint8_t to, uint8_t table)
{
    const struct machine_memory *m = &i->memory;
    return i->operands[0].kind == OPERAND_REGISTER && i->operands[0].number == to &&
           i->operands[0].size == 8 && i->access == ACCESS_OPERAND && m->reads && m->size == SCALE &&
           m->base == table && m->index != MACHINE_NO_REGISTER && m->scale == SCALE && m->distance == 0;
}

/* The register of the table that is added to where the jump leads; MACHINE_NO_REGISTER: there is none. */
static uint8_t added_table(const struct machine_instruction *i, uint8_t to)
{
    const struct machine_operand *a = &i->operands[0], *b = &i->operands[1];
    bool adds = i->kind == KIND_ADD && a->kind == OPERAND_REGISTER && a->number == to && a->size == 8 &&
                b->kind == OPERAND_REGISTER;
    return adds ? b->number : MACHINE_NO_REGISTER;
}

static bool is_by_table(const struct liveness *a, size_t jump)
{
    const struct machine_instruction *j = &a->code[jump].machine;
    if (j->operand_count == 0 || j->operands[0].kind != OPERAND_REGISTER)
        return false;
    uint8_t to = j->operands[0].number, table = MACHINE_NO_REGISTER;
    for (size_t k = jump; k-- > 0 && jump - k <= LOOK_BACK;) {
        const struct machine_instruction *i = &a->code[k].machine;
        if (table != MACHINE_NO_REGISTER && loads_distance(i, to, table))
            return true;
        if (i->flow != FLOW_ON || (i->writes >> to & 1 && table != MACHINE_NO_REGISTER))
            return false;
        if (i->writes >> to & 1)
            table = added_table(i, to);
        if (i->writes >> to & 1 && table == MACHINE_NO_REGISTER)
            return false;
    }
    return false;
}

static void add_table(struct liveness *a, const struct program_code *code, uint64_t table)
{
    size_t left;
    const uint8_t *data = program_code_data(code, table, &left);
    for (size_t k = 0; data && k < ENTRIES_MOST && left >= SCALE; k++, left -= SCALE) {
        int32_t distance;
        memcpy(&distance, data + k * SCALE, sizeof distance);
        size_t to = liveness_find_instruction(a, table + (uint64_t)(int64_t)distance);
        if (to == a->count)
            return;
        vec_push(&a->tables, to);
    }
}

void liveness_find_tables(struct liveness *a, const struct program_code *code)
{
    bool indirect = false;
    for (size_t k = 0; k < a->count; k++)
        indirect |= a->code[k].machine.flow == FLOW_JUMP && a->code[k].machine.target == 0;
    for (size_t k = 0; indirect && k < a->count; k++) {
        const struct machine_instruction *i = &a->code[k].machine;
        if (i->kind == KIND_ADDRESS && i->memory.relative)
            add_table(a, code, (uint64_t)i->memory.distance);
    }
}

bool liveness_jumps_by_table(const struct liveness *a, size_t jump)
{
    const struct machine_instruction *i = &a->code[jump].machine;
    return i->flow == FLOW_JUMP && i->target == 0 && a->tables.len && is_by_table(a, jump);
}
