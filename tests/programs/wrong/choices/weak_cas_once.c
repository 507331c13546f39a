/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: dfs */
/* flags-plumb: --weak-cas */
/* only: gcc */
/* note: a weak CAS may fail although nobody else is there; clang 14 makes it a strong one */
#include <assert.h>
#include <stdatomic.h>

int main(void)
{
    static atomic_int owner;
    int nobody = 0;
    _Bool mine = atomic_compare_exchange_weak(&owner, &nobody, 1);
    assert(mine);
}
