/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/code/code_window.h"

#include "machine/instruction.h"

enum { INSTRUCTIONS_MOST = 64 };

static enum code_answer look_at(const struct machine_instruction *i, bool frame_counts)
{
    bool in_frame = i->memory.base == MACHINE_STACK || i->memory.base == MACHINE_FRAME;
    if (i->flow != FLOW_ON || (i->access == ACCESS_COPY && i->memory.writes))
        return CODE_STORES;
    if (i->kind == KIND_SYSTEM || i->access == ACCESS_UNKNOWN)
        return CODE_UNKNOWN;
    if (i->access != ACCESS_OPERAND || !i->memory.writes)
        return CODE_NO_STORE;
    return !in_frame ? CODE_STORES : frame_counts ? CODE_UNKNOWN : CODE_NO_STORE;
}

enum code_answer code_window(const void *at, const void *end, bool frame_counts)
{
    struct machine_instruction i;
    uint64_t now = (uint64_t)at;
    for (int count = 0; count < INSTRUCTIONS_MOST; count++, now = i.next) {
        if (!machine_decode(now, MACHINE_LONGEST, &i))
            return CODE_UNKNOWN;
        if (i.flow == FLOW_CALL && i.next == (uint64_t)end)
            return CODE_NO_STORE;
        enum code_answer answer = look_at(&i, frame_counts);
        if (answer != CODE_NO_STORE)
            return answer;
    }
    return CODE_UNKNOWN;
}
