#include <plumb.h>
#include <stdatomic.h>

static atomic_int slot;

PLUMB_OBJECT(map)

PLUMB_OP(put, int, k, int, v)
{
    (void)k;
    atomic_exchange_explicit(&slot, v, memory_order_release);
    return PLUMB_OK;
}

PLUMB_OP(remove, int, k)
{
    (void)k;
    return PLUMB_BOOL(atomic_exchange_explicit(&slot, 0, memory_order_acquire) != 0);
}
