/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* note: freed before the flag is set, used after the flag is seen */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;
int copy;

static void *work(void *arg)
{
    free(arg);
    atomic_store_explicit(&done, 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int *p = calloc(4, sizeof *p);
    pthread_create(&t, NULL, work, p);
    if (atomic_load_explicit(&done, memory_order_acquire))
        copy = p[3];
    pthread_join(t, NULL);
    return 0;
}
