/* A counter that loses additions, and one that does not. */
#include <plumb.h>
#include <stdatomic.h>
static atomic_int count;

PLUMB_OBJECT()
PLUMB_OP(add, int, n)
{
#if defined RIGHT && RIGHT
    return PLUMB_INT(atomic_fetch_add(&count, n));
#elif defined BY_TEN
    return PLUMB_INT(atomic_fetch_add(&count, 10 * n));
#else
    int v = count;
    count = v + n;
    return PLUMB_INT(v);
#endif
}
PLUMB_OP(maybe)
{
    int zero = 0;
#ifdef LONG
    static atomic_int others[1];
    for (int i = 0; i < LONG; i++)
        atomic_fetch_add(others, 1);
#endif
    return PLUMB_BOOL(atomic_compare_exchange_weak(&count, &zero, 1));
}
