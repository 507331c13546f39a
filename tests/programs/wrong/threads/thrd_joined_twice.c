/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: joined twice */
#include <threads.h>

static int work(void *arg)
{
    return arg != NULL;
}

int main(void)
{
    thrd_t t;
    thrd_create(&t, work, NULL);
    thrd_join(t, NULL);
    thrd_join(t, NULL);
    return 0;
}
