/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of annotated functions that a longjmp leaves. A later call may have its frame where that of the one that was left had been, or
 * below it, and would look like a call within it: it has to be known now. */
#include "rt/calls/call_parts.h"

#include "engine/engine_state.h"
#include "rt/library/library.h"

#include <setjmp.h>

/* plumb_call_begin's frame is so far below the stack pointer of the function that calls it. */
enum { FRAME_BELOW = 16 };

/* The stack pointer that the jump leads to, as glibc keeps it; 0: not known. */
static uint64_t find_target(const void *jump)
{
#if defined __x86_64__ && defined __GLIBC__
    enum { STACK_POINTER = 6, TURNS = 17, FAR = 1 << 30 };
    uint64_t kept = ((const uint64_t *)jump)[STACK_POINTER], guard;
    __asm__("movq %%fs:0x30, %0" : "=r"(guard));
    uint64_t target = (kept >> TURNS | kept << (64 - TURNS)) ^ guard;
    uint64_t here = (uint64_t)__builtin_frame_address(0);
    return target > here && target - here < FAR ? target : 0;
#else
    (void)jump;
    return 0;
#endif
}

LIBRARY_DO(jump)
{
    const struct call *call = engine_active ? calls_find_open(0) : NULL;
    if (!call || after)
        return;
    uint64_t target = find_target((const void *)library_argument(c, 1));
    if (target)
        calls_drop_below(target - FRAME_BELOW);
    /* The jump may lead to the call's own function, or to one that the compiler put it into. */
    call = calls_find_open(0);
    if (!target || (call && call->frame == target - FRAME_BELOW))
        calls_lose();
}
