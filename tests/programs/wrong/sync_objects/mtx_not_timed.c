/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: mtx_timedlock of a plain mutex */
#include <threads.h>
#include <time.h>

static mtx_t m;

int main(void)
{
    mtx_init(&m, mtx_plain);
    mtx_timedlock(&m, &(struct timespec){0});
    return 0;
}
