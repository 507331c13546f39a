/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* tso: holds */
/* sc: holds */
/* note: the user says it is done with a relaxed store: its read is not before the free */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *block;
static atomic_int done;
int seen;

static void *user(void *unused)
{
    (void)unused;
    seen = atomic_load_explicit(block, memory_order_relaxed);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    block = malloc(sizeof *block);
    atomic_init(block, 5);
    pthread_create(&t, NULL, user, NULL);
    if (atomic_load_explicit(&done, memory_order_acquire))
        free(block);
    pthread_join(t, NULL);
    return 0;
}
