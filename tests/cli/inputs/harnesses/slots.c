/* A queue that takes a place first and fills it later: elements may overtake each other. */
#include <plumb.h>
#include <stdatomic.h>
static atomic_int x[4], n;

PLUMB_OBJECT(queue)
PLUMB_VALUES(1..)
PLUMB_OP(enq, int, v)
{
    x[n++] = v;
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    for (int i = 0; i < n; i++) {
        int v = atomic_exchange(&x[i], 0);
        if (v)
            return PLUMB_INT(v);
    }
    return PLUMB_NONE;
}
