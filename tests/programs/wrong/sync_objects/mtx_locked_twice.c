/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: dfs */
/* note: a plain mutex is not recursive */
#include <threads.h>

static mtx_t m;

int main(void)
{
    mtx_init(&m, mtx_plain);
    mtx_lock(&m);
    mtx_lock(&m);
    return 0;
}
