/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* known-gcc-11: holds */
/* mode: dfs */
/* note: the loop forgets the last element */
#include <stdatomic.h>

int main(void)
{
    atomic_long x[8];
    long sum = 0;
    for (int k = 0; k < 7; k++)
        atomic_init(&x[k], k);
    for (int k = 0; k < 8; k++)
        sum += atomic_load(&x[k]);
    return sum == 3;
}
