/* Two objects that are one: the size of a stack is no object of its own. */
#include <plumb.h>
#include <stdatomic.h>
static atomic_int size, other;

PLUMB_OBJECT_NAMED(items, stack)
PLUMB_OBJECT_NAMED(apart)
PLUMB_OP_ON(items, push, int, v)
{
    (void)v;
    atomic_fetch_add(&size, 1);
    return PLUMB_OK;
}
PLUMB_OP_ON(apart, length)
{
    return PLUMB_INT(atomic_load(&size));
}
PLUMB_OP_ON(apart, next)
{
    return PLUMB_INT(atomic_fetch_add(&other, 1));
}
