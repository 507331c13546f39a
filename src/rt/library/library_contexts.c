/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts of swapcontext and setcontext run on stacks of the program's, where locals are not announced. Such a stack is written when a
 * thread goes on there, and when it leaves: where the return address is. So it has to be there, and no other thread may use it. */
#include "engine/fiber/fiber.h"
#include "rt/hook.h"
#include "rt/library/library.h"

#include <ucontext.h>

static uint64_t top_of(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uint64_t)context->uc_mcontext.gregs[REG_RSP];
#else
    return (uint64_t)context->uc_mcontext.sp;
#endif
}

static void use_stack(const struct library_call *c, uint64_t top)
{
    if (!fiber_is_near_stacks(top))
        engine_plain_object(top - sizeof(uint64_t), sizeof(uint64_t), c->pc);
}

static void go_on(const struct library_call *c, unsigned argument)
{
    const ucontext_t *context = (const void *)library_argument(c, argument);
    use_stack(c, (uint64_t)c->stack);
    if (context)
        use_stack(c, top_of(context));
}

LIBRARY_IS(setcontext, go_on(c, 1))
LIBRARY_IS(swapcontext, go_on(c, 2))
