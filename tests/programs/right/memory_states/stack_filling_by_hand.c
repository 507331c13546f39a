/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* known-gcc: inconclusive */
/* mode: dfs */
/* note: initialised with what the compilers fill variables with: nothing is wrong, and that cannot be seen */
#include <stdatomic.h>

int main(void)
{
    atomic_uint x = 0xfefefefe;
    atomic_uint y = 0xaaaaaaaa;
    return atomic_load(&x) == atomic_load(&y);
}
