/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: C11 has no static initialiser for mutexes */
#include <threads.h>

static mtx_t m;

int main(void)
{
    mtx_lock(&m);
    mtx_unlock(&m);
    return 0;
}
