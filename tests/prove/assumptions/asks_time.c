/* SPDX-License-Identifier: Apache-2.0 */
/* What it answers depends on the time. */
#include <plumb.h>
#include <stdatomic.h>
static atomic_int val;
PLUMB_OBJECT(register)
PLUMB_OP(write, int, v)
{
    atomic_store(&val, v);
    return PLUMB_OK;
}
PLUMB_OP(read)
{
    return PLUMB_INT((__builtin_ia32_rdtsc() & 0xffff) == 7 ? 3 : atomic_load(&val));
}
