/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* known-gcc-11: holds */
/* mode: dfs */
/* note: a variable on the stack is read by the thread that declared it, and it was never written */
#include <stdatomic.h>

int main(void)
{
    atomic_int x;
    return atomic_load(&x) == 3;
}
