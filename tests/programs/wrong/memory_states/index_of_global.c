/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: dfs */
/* note: the second thread to come writes behind the array, into another one */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int next;
static int slots[1], others[4];

static void *work(void *arg)
{
    int i = atomic_fetch_add(&next, 1);
    slots[i] = others[i];
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
