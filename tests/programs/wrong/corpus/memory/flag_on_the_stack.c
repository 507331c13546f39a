/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: all */
/* note: the flag in main's frame is read by the worker before anybody gave it a value */
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
    pthread_create(&t, NULL, worker, &stop);
    pthread_join(t, NULL);
    return 0;
}
