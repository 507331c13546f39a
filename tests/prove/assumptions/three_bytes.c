/* SPDX-License-Identifier: Apache-2.0 */
/* An atomic access of a size that no instruction has. */
#include <plumb.h>
#include <stdatomic.h>
struct three {
    char a[3];
};
static _Atomic struct three x;
PLUMB_OBJECT(register)
PLUMB_OP(write, int, v)
{
    struct three t = {{(char)v, (char)v, (char)v}};
    atomic_store(&x, t);
    return PLUMB_OK;
}
PLUMB_OP(read)
{
    struct three t = atomic_load(&x);
    return PLUMB_INT(t.a[0] == t.a[2] ? t.a[1] : 100);
}
