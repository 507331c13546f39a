/* Two halves that are written one after the other, under a name that looks like a test. */
#include <plumb.h>
#include <stdatomic.h>
static atomic_int low, high;

PLUMB_OBJECT()
PLUMB_OP(put, const char *, name, bool, big, int, n)
{
    (void)name;
    atomic_store(&low, big ? n * TIMES : n);
    atomic_store(&high, big ? n * TIMES : n);
    return PLUMB_OK;
}
PLUMB_OP(get)
{
    return PLUMB_BOOL(atomic_load(&low) == atomic_load(&high));
}
PLUMB_TRY(put, "a | b", true, 1)
PLUMB_TEST("get | get")
