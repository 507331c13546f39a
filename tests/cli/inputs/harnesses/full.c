#include <plumb.h>
#include <stdatomic.h>

#ifndef FULL
#define FULL PLUMB_NONE
#endif

static atomic_int taken;

PLUMB_OBJECT(queue)

PLUMB_OP(enq, int, value)
{
    (void)value;
    return atomic_exchange(&taken, 1) ? FULL : PLUMB_OK;
}

PLUMB_OP(deq)
{
    return PLUMB_NONE;
}
