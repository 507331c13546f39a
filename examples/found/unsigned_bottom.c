/* SPDX-License-Identifier: Apache-2.0 */
/* sysprog21/concurrent-programs, work-steal: the deque of a work-stealing scheduler. Elements are addresses that nothing reads. */
#define main their_main
#include <work-steal.c>
#undef main
#include <plumb.h>

static deque_t work;

static plumb_value answer(work_t *w)
{
    return w == EMPTY ? PLUMB_NONE : PLUMB_INT((long)w / 4096);
}

PLUMB_OBJECT(deque)
PLUMB_ROLE(owner, push_back, pop_back)
PLUMB_ROLE_MANY(thief, pop_front)
PLUMB_SETUP()
{
    init(&work, 2);
}
PLUMB_OP(push_back, long, v)
{
    push(&work, (work_t *)(v * 4096));
    return PLUMB_OK;
}
PLUMB_OP(pop_back)
{
    return answer(take(&work));
}
PLUMB_OP(pop_front)
{
    work_t *w = steal(&work);
    while (w == ABORT) // another thief was faster
        w = steal(&work);
    return answer(w);
}
