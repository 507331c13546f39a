#include <plumb.h>
#include <stdatomic.h>

#ifndef LEAVES
#define LEAVES memory_order_release
#endif

static atomic_flag taken = ATOMIC_FLAG_INIT;

PLUMB_OBJECT(lock)

PLUMB_OP(acquire)
{
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
        continue;
    return PLUMB_OK;
}

PLUMB_OP(release)
{
    atomic_flag_clear_explicit(&taken, LEAVES);
    return PLUMB_OK;
}
