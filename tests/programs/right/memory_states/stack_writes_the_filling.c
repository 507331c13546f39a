/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: values that look like variables that were never written were stored */
#include <stdatomic.h>

int main(void)
{
    atomic_uint x, y;
    atomic_store(&x, 0xfefefefe);
    atomic_store(&y, 0xaaaaaaaa);
    return atomic_load(&x) == atomic_load(&y);
}
