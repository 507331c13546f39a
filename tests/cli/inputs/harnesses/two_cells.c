/* A map of two cells that are published, but not ordered. */
#include <plumb.h>
#include <stdatomic.h>
static atomic_int cells[2];

PLUMB_OBJECT(map)
PLUMB_OP(put, int, k, int, v)
{
    atomic_store_explicit(&cells[k], v, memory_order_release);
    return PLUMB_OK;
}
PLUMB_OP(get, int, k)
{
    int v = atomic_load_explicit(&cells[k], memory_order_acquire);
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}
