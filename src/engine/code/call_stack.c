/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/engine_state.h"

#include "engine/engine.h"
#include "engine/memory/snapshot.h"

#include <execinfo.h>

enum { FRAMES = 64 };

void call_stack_capture(struct worker_stack *stack, const void *pc)
{
    void *frames[FRAMES];
    int count = backtrace(frames, FRAMES);
    stack->count = 0;
    if (pc && !snapshot_is_runtime_code(pc))
        stack->pcs[stack->count++] = (uint64_t)pc;
    bool past = !pc; /* skip the runtime's own frames, up to the one that `pc` names */
    for (int k = 0; k < count && stack->count < PROTOCOL_STACK; k++) {
        if (!past) {
            past = frames[k] == pc || (const char *)frames[k] + 1 == pc; /* an interrupted instruction */
            continue;
        }
        if (snapshot_is_program(frames[k]))
            stack->pcs[stack->count++] = (uint64_t)frames[k];
    }
}
