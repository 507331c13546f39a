/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: used after its end */
#include <threads.h>

static mtx_t m;

int main(void)
{
    mtx_init(&m, mtx_plain);
    mtx_destroy(&m);
    mtx_lock(&m);
    return 0;
}
