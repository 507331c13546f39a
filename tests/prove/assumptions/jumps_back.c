/* SPDX-License-Identifier: Apache-2.0 */
/* Jumps of the compiler's own, whose buffer threads share: it is written without hooks. */
#include <plumb.h>
#include <stdatomic.h>
static void *env[5];
static atomic_int val;
PLUMB_OBJECT(register)
static __attribute__((noinline)) void back(void)
{
    __builtin_longjmp(env, 1);
}
PLUMB_OP(write, int, v)
{
    if (!__builtin_setjmp(env)) {
        atomic_store(&val, v);
        back();
    }
    return PLUMB_OK;
}
PLUMB_OP(read)
{
    return PLUMB_INT(atomic_load(&val));
}
