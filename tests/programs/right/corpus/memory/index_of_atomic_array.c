/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int *slots;

static void *worker(void *arg)
{
    intptr_t me = (intptr_t)arg;
    atomic_store(&slots[me - 1], 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    slots = calloc(2, sizeof *slots);
    pthread_create(&t, NULL, worker, (void *)2);
    worker((void *)1);
    pthread_join(t, NULL);
    free(slots);
    return 0;
}
