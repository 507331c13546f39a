/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) mailbox;

static void *sender(void *arg)
{
    (void)arg;
    int *letter = malloc(sizeof *letter);
    *letter = 5;
    atomic_store_explicit(&mailbox, letter, memory_order_release);
    return NULL;
}

static void take(void)
{
    int *letter = atomic_exchange_explicit(&mailbox, NULL, memory_order_acq_rel);
    if (letter) {
        assert(*letter == 5);
        free(letter);
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    take();
    pthread_join(t, NULL);
    take();
    return 0;
}
