/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: every index is inside, the address behind the end is only compared */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int next;
static int slots[2];

static void *work(void *arg)
{
    int i = atomic_fetch_add(&next, 1);
    int locals[2] = {0};
    slots[i] = locals[i];
    for (int *p = slots; p != &slots[2]; p++)
        locals[1] += p == slots;
    if (locals[1] != 1)
        abort();
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
