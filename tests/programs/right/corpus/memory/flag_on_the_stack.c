/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>

static void *worker(void *arg)
{
    atomic_int *stop = arg;
    return atomic_load(stop) ? NULL : arg;
}

int main(void)
{
    pthread_t t;
    atomic_int stop;
    atomic_init(&stop, 0);
    pthread_create(&t, NULL, worker, &stop);
    pthread_join(t, NULL);
    return 0;
}
