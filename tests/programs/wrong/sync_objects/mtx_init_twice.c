/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: initialised twice */
#include <threads.h>

static mtx_t m;

int main(void)
{
    mtx_init(&m, mtx_plain);
    mtx_init(&m, mtx_plain);
    return 0;
}
