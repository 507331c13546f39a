/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: macros of headers, and of the compiler, in annotations */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>

/** @Structure_Define:
    @DeclareVar: int value; uint64_t most;
    @InitVar: value = 0; most = UINT64_MAX;
    @DefineFunc: int is(int x) { assert(x < INT_MAX); return __LINE__ == 14 && __FILE__[0] != 0; } */
static atomic_int cell;

/** @Interface: Get
    @Ordering_Point_Set: Loaded
    @SideEffect: assert(value == 0 && __func__[0]);
    @PostCondition: is(__RET__) && most == UINT64_C(0xffffffffffffffff) && sizeof(long) * CHAR_BIT == 64 && EINTR == 4 */
static int get(void)
{
    int v = atomic_load(&cell);
    /** @Ordering_Point_Label_Check: ({ int twice = v; twice += v; twice == 2 * v; })
        @Label: Loaded */
    return v;
}

int main(void)
{
    get();
}
