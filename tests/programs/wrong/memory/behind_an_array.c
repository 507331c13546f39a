/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* note: the second thread to come writes to the element behind the last one */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *slots;
static atomic_int next;

static void *work(void *arg)
{
    slots[atomic_fetch_add(&next, 1)] = 1;
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    slots = malloc(1 * sizeof *slots);
    for (int k = 0; k < 2; k++)
        pthread_create(&threads[k], NULL, work, NULL);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    free(slots);
    return 0;
}
