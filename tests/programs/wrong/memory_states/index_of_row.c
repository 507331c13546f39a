/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: dfs */
/* note: a row of a matrix ends before the matrix does */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int next;
static int rows[2][1];

static void *work(void *arg)
{
    int i = atomic_fetch_add(&next, 1);
    rows[0][i] = 1;
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&threads[k], NULL, work, NULL);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    return 0;
}
